import { expect, it } from "vitest";
import { systemDependencies } from "../../../../../src/dependencies.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { cronDeps } from "../../../../support/fakes/cron.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { injectFault, withAccounts, withD1 } from "../../../../support/faults/faulty-env.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { ScriptedProvider, refuseCharge } from "../../../../support/fakes/provider.ts";
import { createTransaction } from "../../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

const LEASE_MS = 30_000;

it("IDEMPOTENCY_IN_PROGRESS: a create belongs to its claimer until its lease expires", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  const deps = cronDeps(clock, bank);
  const died = injectFault({ on: /insert into "transactions"/, when: "after" });
  const first = { key: "tx_1", deps, env: withD1(env, died.intercept) };
  expect((await createTransaction(company, {}, first)).status).toBeGreaterThanOrEqual(500);

  clock.advance(LEASE_MS - 1);
  await expectProblem(await createTransaction(company, {}, { key: "tx_1", deps }), {
    status: 409,
    code: "IDEMPOTENCY_IN_PROGRESS",
  });

  expect(bank.createdCharges).toEqual([]);
});

it("a create that its bank rejects is reported to the object before its key has a response", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const deps = {
    ...systemDependencies,
    platformClock: clock,
    ...new ScriptedProvider(refuseCharge).deps,
  };
  const died = injectFault({ on: /^transitionCharge$/, when: "before" });
  const first = { key: "tx_1", deps, env: withAccounts(env, died.intercept) };
  expect((await createTransaction(company, {}, first)).status).toBeGreaterThanOrEqual(500);
  expect(died.injections()).toBe(1);

  clock.advance(LEASE_MS);
  await expectProblem(await createTransaction(company, {}, { key: "tx_1", deps }), {
    status: 422,
    code: "CHARGE_REFUSED",
  });

  expect((await eventsOf(company)).map(({ type }) => type)).toEqual(["transaction.failed"]);
});
