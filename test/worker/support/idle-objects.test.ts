import { evictDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { companyStub } from "../../../src/company-client/stub.ts";
import { env, givenCompany, inAccount } from "../../support/builders/companies/company.ts";
import { TestClock } from "../../support/fakes/clock.ts";

it("an object that the platform evicts while it is idle keeps the test's clock and has no queues", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const noQueues = await inAccount(company.id, (account) => account.notifier);

  await evictDurableObject(companyStub(env, company.id));

  await inAccount(company.id, (account) => {
    expect(account.clock).toBe(clock);
    expect(account.notifier).toBe(noQueues);
  });
});
