import { expect, it } from "vitest";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { injectFault, withAccounts } from "../../../../support/faults/faulty-env.ts";
import { depsWithBank } from "../../../../support/builders/operations/operations.ts";
import { refund } from "../../../../support/builders/operations/refund.ts";
import { givenPaid } from "../../../../support/builders/charges/transaction.ts";

const LEASE_MS = 30_000;

/** A running request holds a lease of 30 s; afterwards the next request with its key takes over. */
it("a request with the same key steals the lease of a crashed refund after 30 seconds", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const { id } = await givenPaid(company, 2_500);
  const bank = new FakeBank();
  const deps = depsWithBank(bank, clock);
  const death = injectFault({ on: /recordOperation/, when: "before" });
  const died = await refund(company, id, undefined, {
    key: "re_1",
    deps,
    env: withAccounts(env, death.intercept),
  });
  expect(died.status).toBe(500);
  expect((await refund(company, id, undefined, { key: "re_1", deps })).status).toBe(409);

  clock.advance(LEASE_MS + 1);

  const resumed = await refund(company, id, undefined, { key: "re_1", deps });
  expect(resumed.status).toBe(200);
  expect(bank.sentRefunds).toHaveLength(1);
});
