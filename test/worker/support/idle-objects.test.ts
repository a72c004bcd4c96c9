import { evictDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { companyStub } from "../../../src/company-client/stub.ts";
import { env, givenCompany, inAccount } from "../../support/builders/companies/company.ts";
import { useShards } from "../../support/builders/companies/sharded.ts";
import { TestClock } from "../../support/fakes/clock.ts";

it("an object that the platform evicts while it is idle stays as a test has set it up", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const noQueues = await inAccount(company.id, (account) => account.notifier);
  await useShards(company);
  const projection = await inAccount(company.id, (account) => account.projection);

  await evictDurableObject(companyStub(env, company.id));

  await inAccount(company.id, (account) => {
    expect(account.platformClock).toBe(clock);
    expect(account.notifier).toBe(noQueues);
    expect(account.projection).toBe(projection);
  });
});
