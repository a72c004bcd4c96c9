import { expect, it } from "vitest";
import { systemDependencies } from "../../../../src/dependencies.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { cronDeps } from "../../../support/fakes/cron.ts";
import { env, givenCompany } from "../../../support/builders/company.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { fault, withAccounts, withD1 } from "../../../support/faults/faulty-env.ts";
import { expectProblem } from "../../../support/probes/problem.ts";
import { PlayedProvider, refuses } from "../../../support/fakes/provider.ts";
import { createTransaction } from "../../../support/builders/transaction.ts";
import { eventsOf } from "../../../support/probes/webhook-rows.ts";

const LEASE_MS = 30_000;

it("IDEMPOTENCY_IN_PROGRESS: until its lease is out a create is left to whoever claimed it", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  const deps = cronDeps(clock, bank);
  const died = fault({ on: /insert into "transactions"/, when: "after" });
  const first = { key: "tx_1", deps, env: withD1(env, died.around) };
  expect((await createTransaction(company, {}, first)).status).toBeGreaterThanOrEqual(500);

  clock.advance(LEASE_MS - 1);
  await expectProblem(await createTransaction(company, {}, { key: "tx_1", deps }), {
    status: 409,
    code: "IDEMPOTENCY_IN_PROGRESS",
  });

  expect(bank.registered).toEqual([]);
});

it("a create that its bank refuses is told to the object before its key has an answer", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const deps = { ...systemDependencies, clock, ...new PlayedProvider(refuses).deps };
  const died = fault({ on: /^moveCharge$/, when: "before" });
  const first = { key: "tx_1", deps, env: withAccounts(env, died.around) };
  expect((await createTransaction(company, {}, first)).status).toBeGreaterThanOrEqual(500);
  expect(died.strikes()).toBe(1);

  clock.advance(LEASE_MS);
  await expectProblem(await createTransaction(company, {}, { key: "tx_1", deps }), {
    status: 422,
    code: "CHARGE_REFUSED",
  });

  expect((await eventsOf(company)).map(({ type }) => type)).toEqual(["transaction.failed"]);
});
