import { expect, it } from "vitest";
import { systemDependencies } from "../../../../src/dependencies.ts";
import { providerRegistry } from "../../../../src/providers/registry.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { env, givenCompany } from "../../../support/builders/companies/company.ts";
import { runCron } from "../../../support/fakes/cron.ts";
import { CRASH, injectFault, withAccounts, withD1 } from "../../../support/faults/faulty-env.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { runPayout } from "../../../support/builders/withdraws/withdraw.ts";

import {
  ACTIONS,
  BANK_WRITES,
  callbacksOf,
  crashAfterBank,
  expectBooked,
  givenInterruptedAction,
  send,
  viaAccounts,
  viaD1,
  withdrawn,
  type SimulatedAction,
} from "../../../support/faults/interrupted-action.ts";

const SCANS_MAX = 12;
const SCAN_INTERVAL_MAX_MS = 4 * 3_600_000;
const REFRESH_AFTER_MS = 60_000;
/** Longer than a payout's lease. */
const LEASE_MS = 35_000;
const RETRY_MS = 60_000;

it.each(Object.keys(ACTIONS))(
  "%s that reached the bank but not the object is refreshed once a minute later",
  async (name) => {
    const action = ACTIONS[name]!;
    const cut = injectFault({ on: action.rpc, when: "before" });
    const { company, before, answer, sweep } = await givenInterruptedAction(
      action,
      viaAccounts(cut),
    );
    expect([answer.status, cut.injections()]).toEqual([500, 1]);
    await sweep(REFRESH_AFTER_MS - 1);
    expect(await accountsOf(company)).toEqual(before);
    expect(await callbacksOf(company)).toBe(1);

    await sweep(1);
    await sweep(REFRESH_AFTER_MS);

    await expectBooked(company, action);
  },
);

it.each(Object.keys(ACTIONS))(
  "%s whose response from the object was lost is booked once",
  async (name) => {
    const action = ACTIONS[name]!;
    const cut = injectFault({ on: action.rpc, when: "after" });
    const { company, answer, sweep } = await givenInterruptedAction(action, viaAccounts(cut));
    expect([answer.status, cut.injections()]).toEqual([500, 1]);

    await sweep(REFRESH_AFTER_MS);
    await sweep(REFRESH_AFTER_MS);

    await expectBooked(company, action);
  },
);

it.each(Object.keys(ACTIONS))(
  "%s that never reached the bank leads to one scan without a result",
  async (name) => {
    const cut = injectFault({ on: BANK_WRITES, when: "before" });
    const { company, before, answer, sweep } = await givenInterruptedAction(
      ACTIONS[name]!,
      viaD1(cut),
    );
    expect([answer.status, cut.injections()]).toEqual([500, 1]);
    expect(await callbacksOf(company)).toBe(1);

    await sweep(REFRESH_AFTER_MS);
    expect(await accountsOf(company)).toEqual(before);
    // Polled for about a day: a bank may show its action late.
    for (let time = 0; time < SCANS_MAX; time++) await sweep(SCAN_INTERVAL_MAX_MS);

    expect(await accountsOf(company)).toEqual(before);
    expect(await callbacksOf(company)).toBe(0);
  },
);

it.each(Object.keys(ACTIONS))(
  "%s whose request crashed right after it is refreshed",
  async (name) => {
    const action = ACTIONS[name]!;
    const cut = injectFault({ on: BANK_WRITES, when: "after" });
    const { company, answer, sweep } = await givenInterruptedAction(action, viaD1(cut));
    expect([answer.status, cut.injections()]).toEqual([500, 1]);

    await sweep(REFRESH_AFTER_MS);

    await expectBooked(company, action);
  },
);

it.each(Object.keys(ACTIONS))(
  "%s whose callback could not be stored has no effect",
  async (name) => {
    const cut = injectFault({ on: /^insert into "callbacks"/, when: "before" });
    const { company, before, answer, sweep } = await givenInterruptedAction(
      ACTIONS[name]!,
      viaD1(cut),
    );
    expect([answer.status, cut.injections()]).toEqual([500, 1]);

    await sweep(REFRESH_AFTER_MS);

    expect(await accountsOf(company)).toEqual(before);
  },
);

it("a payment without a charge that reached the bank but not the object is unexpected a minute later", async () => {
  const action: SimulatedAction = {
    rpc: /^bookUnexpectedPayment$/,
    given: async () => "payments",
    body: { amount: 900 },
    after: { suspense: 900, provider: -900 },
  };
  const cut = injectFault({ on: action.rpc, when: "before" });
  const { company, answer, sweep } = await givenInterruptedAction(action, viaAccounts(cut));
  expect([answer.status, cut.injections()]).toEqual([500, 1]);

  await sweep(REFRESH_AFTER_MS);

  await expectBooked(company, action);
});

it("a callback that could not be deleted is processed again without effect", async () => {
  const action = ACTIONS["a second payment"]!;
  const cut = injectFault({ on: /^delete from "callbacks"/, when: "before" });
  const { company, sweep } = await givenInterruptedAction(action, viaD1(cut));
  expect(cut.injections()).toBe(1);
  expect(await accountsOf(company)).toMatchObject(action.after);
  expect(await callbacksOf(company)).toBe(1);

  await sweep(REFRESH_AFTER_MS);

  expect(await accountsOf(company)).toEqual(action.after);
  expect(await callbacksOf(company)).toBe(0);
});

/** A fault: the bank's book cannot be read. */
const withoutResponse = () =>
  injectFault({ on: /from "sandbox_disputes"/, when: "before", times: 9, error: CRASH });

it("PROVIDER_UNAVAILABLE: the bank has the action but cannot be read; it is applied later", async () => {
  const action = ACTIONS["a chargeback"]!;
  const { company, before, answer, sweep } = await givenInterruptedAction(
    action,
    viaD1(withoutResponse()),
  );
  await expectProblem(answer, { status: 503, code: "PROVIDER_UNAVAILABLE", retryAfter: true });
  expect(await accountsOf(company)).toEqual(before);

  await sweep(REFRESH_AFTER_MS, withD1(env, withoutResponse().intercept));
  expect(await accountsOf(company)).toEqual(before);
  await sweep(RETRY_MS - 1);
  expect(await accountsOf(company)).toEqual(before);
  await sweep(1);

  await expectBooked(company, action);
});

it("a callback that cannot be processed does not block another", async () => {
  const action = ACTIONS["a payment of a charge that has ended"]!;
  const first = await givenInterruptedAction(
    action,
    viaAccounts(injectFault({ on: action.rpc, when: "before" })),
  );
  const second = await givenInterruptedAction(
    action,
    viaAccounts(injectFault({ on: action.rpc, when: "before" })),
  );
  const fault = injectFault({ on: action.rpc, when: "before" });

  await second.sweep(REFRESH_AFTER_MS, withAccounts(env, fault.intercept));

  expect(fault.injections()).toBe(1);
  expect(await callbacksOf(first.company)).toBe(1);
  expect(await callbacksOf(second.company)).toBe(0);
  expect(await accountsOf(second.company)).toMatchObject(action.after);
  await second.sweep(RETRY_MS);
  expect(await accountsOf(first.company)).toMatchObject(action.after);
});

it("a completed sandbox action leaves no callback", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company);
  await pay(company, id);
  await send(company, `transactions/${id}/dispute`);
  await send(company, `transactions/${id}/dispute/resolve`, { body: { outcome: "won" } });
  await send(company, `transactions/${id}/chargeback`);

  expect(await callbacksOf(company)).toBe(0);
});

it.each(Object.keys(ACTIONS))("%s whose process crashed after it is booked once", async (name) => {
  const action = ACTIONS[name]!;
  const { company, answer, sweep } = await givenInterruptedAction(action, crashAfterBank);
  expect(answer.status).toBe(500);

  await sweep(REFRESH_AFTER_MS);
  await sweep(REFRESH_AFTER_MS);

  await expectBooked(company, action);
});

it("one of two concurrent payments that both crashed belongs to the charge and the other is unexpected", async () => {
  const { company, path, sweep } = await givenInterruptedAction(
    ACTIONS["a payment"]!,
    crashAfterBank,
  );
  expect((await send(company, path, { env: crashAfterBank(env) })).status).toBe(500);

  await sweep(REFRESH_AFTER_MS);
  await sweep(REFRESH_AFTER_MS);

  expect(await accountsOf(company)).toEqual({
    available: 2_500,
    suspense: 2_500,
    provider: -5_000,
  });
  expect(await callbacksOf(company)).toBe(0);
});

it.each([
  ["pay", { available: 1_500, payout: 0, provider: -1_500 }],
  ["fail", { available: 2_500, payout: 0, provider: -2_500 }],
])(
  "a withdraw whose /%s crashed is also polled once after the claim's lease expires",
  async (move, after) => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const path = (await withdrawn(company)).concat(`/${move}`);
    expect(
      (await send(company, path, { deps: { platformClock: clock }, env: crashAfterBank(env) }))
        .status,
    ).toBe(500);

    clock.advance(LEASE_MS);
    const banks = providerRegistry(env, clock);
    await runPayout(company, 1, banks);
    await runPayout(company, 1, banks);
    expect(await accountsOf(company)).toMatchObject(after);

    clock.advance(REFRESH_AFTER_MS);
    await runCron({ ...systemDependencies, platformClock: clock });
    expect(await accountsOf(company)).toMatchObject(after);
    expect(await callbacksOf(company)).toBe(0);
  },
);
