import { expect } from "vitest";
import { systemDependencies } from "../../../src/dependencies.ts";
import type { Env } from "../../../src/config.ts";
import { providerRegistry } from "../../../src/providers/registry.ts";
import { call, type Answer, type Call } from "../builders/requests/api.ts";
import { TestClock } from "../fakes/clock.ts";
import { env, givenCompany, type TestCompany } from "../builders/companies/company.ts";
import { runCron } from "../fakes/cron.ts";
import { withAccounts, withD1, type Interceptor, type Fault } from "./faulty-env.ts";
import { accountsOf } from "../probes/ledger/ledger.ts";
import { BOLETO_REQUEST } from "../builders/requests/full-request.ts";
import { cancel } from "../builders/operations/refund.ts";
import { givenPaid, givenTransaction } from "../builders/charges/transaction.ts";
import { transactionsOf } from "../probes/charges/transaction-rows.ts";
import { requestWithdraw } from "../builders/withdraws/withdraw.ts";

export interface SimulatedAction {
  /** The RPC that reports the action to the object. */
  rpc: RegExp;
  /** Returns the path under `/api/v1/sandbox`. */
  given: (company: TestCompany) => Promise<string>;
  body?: object;
  /** The accounts' balances once the action is booked. */
  after: Record<string, number>;
  /** The transaction's status then, when no account shows the action. */
  status?: string;
}

const paid = async (company: TestCompany) => `transactions/${(await givenPaid(company, 2_500)).id}`;

/** A withdraw of 10.00 from a balance of 25.00. */
export const withdrawn = async (company: TestCompany) => {
  await givenPaid(company, 2_500);
  const { body } = await requestWithdraw(company, { amount: 1_000 });
  return `withdraws/${body.id}`;
};

export const ACTIONS: Record<string, SimulatedAction> = {
  "a payment": {
    rpc: /^settlePayment$/,
    given: async (company) =>
      `transactions/${(await givenTransaction(company, { amount: 2_500 })).id}/pay`,
    after: { available: 2_500, provider: -2_500 },
    status: "paid",
  },
  "a static code's payment": {
    rpc: /^settlePayment$/,
    given: async (company) => {
      const { body } = await call("/api/v1/pix/static-codes", { company, body: {} });
      return `pix/static-codes/${body.data.id}/pay`;
    },
    body: { amount: 2_500 },
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

export const BANK_WRITES = /^(insert into|update) "sandbox_/;

export function send(company: TestCompany, path: string, options: Call = {}): Promise<Answer> {
  return call(`/api/v1/sandbox/${path}`, { ...options, method: "POST", company });
}

export async function callbacksOf(company: TestCompany): Promise<number> {
  const row = await env.DB.prepare("SELECT count(*) AS n FROM callbacks WHERE company_id = ?")
    .bind(company.id)
    .first<number>("n");
  return row ?? 0;
}

/** The action is booked once, and no callback waits for its refresh. */
export async function expectBooked(company: TestCompany, action: SimulatedAction): Promise<void> {
  expect(await accountsOf(company)).toMatchObject(action.after);
  expect(await callbacksOf(company)).toBe(0);
  if (action.status === undefined) return;
  expect(await transactionsOf(company)).toMatchObject([{ status: action.status }]);
}

/** A company whose action was interrupted by a fault, and the cron after it. */
export async function givenInterruptedAction(action: SimulatedAction, failing: (real: Env) => Env) {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const path = await action.given(company);
  const deps = {
    ...systemDependencies,
    platformClock: clock,
    providers: (each: Env) => providerRegistry(each, clock),
  };
  const before = await accountsOf(company);
  const answer = await send(company, path, {
    deps,
    env: failing(env),
    ...(action.body === undefined ? {} : { body: action.body }),
  });
  /** Runs the cron's sweeps after this time. */
  const sweep = async (ms: number, environment: Env = env) => {
    clock.advance(ms);
    await runCron(deps, environment);
  };
  return { clock, company, path, before, answer, sweep };
}

export const viaAccounts = (each: Fault) => (real: Env) => withAccounts(real, each.intercept);
export const viaD1 = (each: Fault) => (real: Env) => withD1(real, each.intercept);

/** The process crashes right after the bank's write. */
export function crashAfterBank(real: Env): Env {
  let hasCrashed = false;
  const crashing: Interceptor = async (label, run) => {
    if (hasCrashed) throw new Error("crashed");
    const answer = await run();
    hasCrashed = BANK_WRITES.test(label);
    if (hasCrashed) throw new Error("crashed");
    return answer;
  };
  return withAccounts(withD1(real, crashing), crashing);
}
