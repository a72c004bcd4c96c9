import { expect, it } from "vitest";
import { systemDependencies } from "../../../../src/dependencies.ts";
import type { Env } from "../../../../src/config.ts";
import { providerRegistry } from "../../../../src/providers/registry.ts";
import { call, type Answer, type Call } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { runCron } from "../../../support/fakes/cron.ts";
import {
  CRASH,
  injectFault,
  withAccounts,
  withD1,
  type Interceptor,
  type Fault,
} from "../../../support/faults/faulty-env.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { BOLETO_REQUEST } from "../../../support/builders/requests/full-request.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { cancel } from "../../../support/builders/operations/refund.ts";
import { givenPaid, givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";
import { requestWithdraw, runPayout } from "../../../support/builders/withdraws/withdraw.ts";

const SCANS_MAX = 12;
const SCAN_INTERVAL_MAX_MS = 4 * 3_600_000;
const REFRESH_AFTER_MS = 60_000;
/** A claim of a payout is over by then. */
const LEASE_MS = 35_000;
const RETRY_MS = 60_000;

interface SimulatedAction {
  /** The RPC that tells the object. */
  rpc: RegExp;
  /** Answers the path under `/api/v1/sandbox`. */
  given: (company: TestCompany) => Promise<string>;
  body?: object;
  /** What the accounts hold once it is read back. */
  after: Record<string, number>;
  /** What its transaction is then, where no account tells. */
  status?: string;
}

const paid = async (company: TestCompany) => `transactions/${(await givenPaid(company, 2_500)).id}`;

/** A withdraw of 10.00 out of a balance of 25.00. */
const withdrawn = async (company: TestCompany) => {
  await givenPaid(company, 2_500);
  const { body } = await requestWithdraw(company, { amount: 1_000 });
  return `withdraws/${body.id}`;
};

const ACTIONS: Record<string, SimulatedAction> = {
  "a payment": {
    rpc: /^settlePayment$/,
    given: async (company) =>
      `transactions/${(await givenTransaction(company, { amount: 2_500 })).id}/pay`,
    after: { available: 2_500, provider: -2_500 },
    status: "paid",
  },
  "a boleto's payment": {
    rpc: /^settlePayment$/,
    given: async (company) => {
      const { id } = await givenTransaction(company, { ...BOLETO_REQUEST, amount: 2_500 });
      return `transactions/${id}/pay`;
    },
    after: { awaiting: 2_500, provider: -2_500 },
    status: "paid",
  },
  "a payment of a charge that has ended": {
    rpc: /^settlePayment$/,
    given: async (company) => {
      const { id } = await givenTransaction(company, { amount: 2_500 });
      await cancel(company, id);
      return `transactions/${id}/pay`;
    },
    after: { available: 2_500, provider: -2_500 },
  },
  "a second payment": {
    rpc: /^settlePayment$/,
    given: async (company) => `${await paid(company)}/pay`,
    body: { amount: 900 },
    after: { available: 2_500, suspense: 900, provider: -3_400 },
  },
  "a failure": {
    rpc: /^transitionCharge$/,
    given: async (company) => `transactions/${(await givenTransaction(company)).id}/fail`,
    after: {},
    status: "failed",
  },
  "an end": {
    rpc: /^transitionCharge$/,
    given: async (company) => `transactions/${(await givenTransaction(company)).id}/expire`,
    after: {},
    status: "cancelled",
  },
  "a dispute": {
    rpc: /^recordDispute$/,
    given: async (company) => `${await paid(company)}/dispute`,
    after: { available: 0, blocked: 2_500 },
  },
  "a dispute's end": {
    rpc: /^recordDispute$/,
    given: async (company) => {
      const path = await paid(company);
      await send(company, `${path}/dispute`);
      return `${path}/dispute/resolve`;
    },
    body: { outcome: "lost" },
    after: { available: 0, blocked: 0, provider: 0 },
  },
  "a chargeback": {
    rpc: /^recordDispute$/,
    given: async (company) => `${await paid(company)}/chargeback`,
    after: { available: 0, provider: 0 },
  },
  "a withdraw that is paid": {
    rpc: /^recordPayout$/,
    given: async (company) => `${await withdrawn(company)}/pay`,
    after: { available: 1_500, payout: 0, provider: -1_500 },
  },
  "a withdraw that fails": {
    rpc: /^recordPayout$/,
    given: async (company) => `${await withdrawn(company)}/fail`,
    after: { available: 2_500, payout: 0, provider: -2_500 },
  },
  "a withdraw that comes back": {
    rpc: /^recordPayout$/,
    given: async (company) => {
      const path = await withdrawn(company);
      await send(company, `${path}/pay`);
      return `${path}/return`;
    },
    after: { available: 2_500, payout: 0, provider: -2_500 },
  },
};

const BANK_WRITES = /^(insert into|update) "sandbox_/;

function send(company: TestCompany, path: string, options: Call = {}): Promise<Answer> {
  return call(`/api/v1/sandbox/${path}`, { ...options, method: "POST", company });
}

async function callbacksOf(company: TestCompany): Promise<number> {
  const row = await env.DB.prepare("SELECT count(*) AS n FROM callbacks WHERE company_id = ?")
    .bind(company.id)
    .first<number>("n");
  return row ?? 0;
}

/** It is booked, once, and nothing more is to be read back. */
async function expectBooked(company: TestCompany, action: SimulatedAction): Promise<void> {
  expect(await accountsOf(company)).toMatchObject(action.after);
  expect(await callbacksOf(company)).toBe(0);
  if (action.status === undefined) return;
  expect(await transactionsOf(company)).toMatchObject([{ status: action.status }]);
}

/** The play up to its crash, and the minutes that follow it. */
async function givenInterruptedAction(action: SimulatedAction, failing: (real: Env) => Env) {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const path = await action.given(company);
  const deps = {
    ...systemDependencies,
    clock,
    providers: (each: Env) => providerRegistry(each, clock),
  };
  const before = await accountsOf(company);
  const answer = await send(company, path, {
    deps,
    env: failing(env),
    ...(action.body === undefined ? {} : { body: action.body }),
  });
  /** The cron, so long later. */
  const sweep = async (ms: number, environment: Env = env) => {
    clock.advance(ms);
    await runCron(deps, environment);
  };
  return { clock, company, path, before, answer, sweep };
}

const viaAccounts = (each: Fault) => (real: Env) => withAccounts(real, each.intercept);
const viaD1 = (each: Fault) => (real: Env) => withD1(real, each.intercept);

it.each(Object.keys(ACTIONS))(
  "%s that reached the bank but not the object is refreshed once a minute later",
  async (name) => {
    const play = ACTIONS[name]!;
    const cut = injectFault({ on: play.rpc, when: "before" });
    const { company, before, answer, sweep } = await givenInterruptedAction(play, viaAccounts(cut));
    expect([answer.status, cut.injections()]).toEqual([500, 1]);
    await sweep(REFRESH_AFTER_MS - 1);
    expect(await accountsOf(company)).toEqual(before);
    expect(await callbacksOf(company)).toBe(1);

    await sweep(1);
    await sweep(REFRESH_AFTER_MS);

    await expectBooked(company, play);
  },
);

it.each(Object.keys(ACTIONS))(
  "%s whose response from the object was lost is booked once",
  async (name) => {
    const play = ACTIONS[name]!;
    const cut = injectFault({ on: play.rpc, when: "after" });
    const { company, answer, sweep } = await givenInterruptedAction(play, viaAccounts(cut));
    expect([answer.status, cut.injections()]).toEqual([500, 1]);

    await sweep(REFRESH_AFTER_MS);
    await sweep(REFRESH_AFTER_MS);

    await expectBooked(company, play);
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
    // Asked again for about a day: a bank may take its time to show what it did.
    for (let time = 0; time < SCANS_MAX; time++) await sweep(SCAN_INTERVAL_MAX_MS);

    expect(await accountsOf(company)).toEqual(before);
    expect(await callbacksOf(company)).toBe(0);
  },
);

it.each(Object.keys(ACTIONS))(
  "%s whose request crashed right after it is refreshed",
  async (name) => {
    const play = ACTIONS[name]!;
    const cut = injectFault({ on: BANK_WRITES, when: "after" });
    const { company, answer, sweep } = await givenInterruptedAction(play, viaD1(cut));
    expect([answer.status, cut.injections()]).toEqual([500, 1]);

    await sweep(REFRESH_AFTER_MS);

    await expectBooked(company, play);
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

it("a payment without a charge that reached the bank but not the object is suspended a minute later", async () => {
  const play: SimulatedAction = {
    rpc: /^suspendPayment$/,
    given: async () => "payments",
    body: { amount: 900 },
    after: { suspense: 900, provider: -900 },
  };
  const cut = injectFault({ on: play.rpc, when: "before" });
  const { company, answer, sweep } = await givenInterruptedAction(play, viaAccounts(cut));
  expect([answer.status, cut.injections()]).toEqual([500, 1]);

  await sweep(REFRESH_AFTER_MS);

  await expectBooked(company, play);
});

it("a callback that could not be deleted is processed again without effect", async () => {
  const play = ACTIONS["a second payment"]!;
  const cut = injectFault({ on: /^delete from "callbacks"/, when: "before" });
  const { company, sweep } = await givenInterruptedAction(play, viaD1(cut));
  expect(cut.injections()).toBe(1);
  expect(await accountsOf(company)).toMatchObject(play.after);
  expect(await callbacksOf(company)).toBe(1);

  await sweep(REFRESH_AFTER_MS);

  expect(await accountsOf(company)).toEqual(play.after);
  expect(await callbacksOf(company)).toBe(0);
});

/** A bank whose book cannot be read. */
const withoutResponse = () =>
  injectFault({ on: /from "sandbox_disputes"/, when: "before", times: 9, error: CRASH });

it("PROVIDER_UNAVAILABLE: the bank has the action but cannot be read; it is applied later", async () => {
  const play = ACTIONS["a chargeback"]!;
  const { company, before, answer, sweep } = await givenInterruptedAction(
    play,
    viaD1(withoutResponse()),
  );
  await expectProblem(answer, { status: 503, code: "PROVIDER_UNAVAILABLE", retryAfter: true });
  expect(await accountsOf(company)).toEqual(before);

  await sweep(REFRESH_AFTER_MS, withD1(env, withoutResponse().intercept));
  expect(await accountsOf(company)).toEqual(before);
  await sweep(RETRY_MS - 1);
  expect(await accountsOf(company)).toEqual(before);
  await sweep(1);

  await expectBooked(company, play);
});

it("a callback that cannot be processed does not block another", async () => {
  const play = ACTIONS["a payment of a charge that has ended"]!;
  const first = await givenInterruptedAction(
    play,
    viaAccounts(injectFault({ on: play.rpc, when: "before" })),
  );
  const second = await givenInterruptedAction(
    play,
    viaAccounts(injectFault({ on: play.rpc, when: "before" })),
  );
  const struck = injectFault({ on: play.rpc, when: "before" });

  await second.sweep(REFRESH_AFTER_MS, withAccounts(env, struck.intercept));

  expect(struck.injections()).toBe(1);
  expect(await callbacksOf(first.company)).toBe(1);
  expect(await callbacksOf(second.company)).toBe(0);
  expect(await accountsOf(second.company)).toMatchObject(play.after);
  await second.sweep(RETRY_MS);
  expect(await accountsOf(first.company)).toMatchObject(play.after);
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

/** The bank's write is the last thing that the process lived to do. */
function crashAfterBank(real: Env): Env {
  let isDead = false;
  const dying: Interceptor = async (label, run) => {
    if (isDead) throw new Error("dead");
    const answer = await run();
    isDead = BANK_WRITES.test(label);
    if (isDead) throw new Error("dead");
    return answer;
  };
  return withAccounts(withD1(real, dying), dying);
}

it.each(Object.keys(ACTIONS))("%s whose process crashed after it is booked once", async (name) => {
  const play = ACTIONS[name]!;
  const { company, answer, sweep } = await givenInterruptedAction(play, crashAfterBank);
  expect(answer.status).toBe(500);

  await sweep(REFRESH_AFTER_MS);
  await sweep(REFRESH_AFTER_MS);

  await expectBooked(company, play);
});

it("one of two concurrent payments that both crashed belongs to the charge and the other is suspended", async () => {
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
    expect((await send(company, path, { deps: { clock }, env: crashAfterBank(env) })).status).toBe(
      500,
    );

    clock.advance(LEASE_MS);
    const banks = providerRegistry(env, clock);
    await runPayout(company, 1, banks);
    await runPayout(company, 1, banks);
    expect(await accountsOf(company)).toMatchObject(after);

    clock.advance(REFRESH_AFTER_MS);
    await runCron({ ...systemDependencies, clock });
    expect(await accountsOf(company)).toMatchObject(after);
    expect(await callbacksOf(company)).toBe(0);
  },
);
