import type { Answer, Call } from "../requests/api.ts";
import {
  configureObject,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../companies/company.ts";
import { callAsOperator } from "../companies/operator.ts";
import { proposeOn, TEST_CAUSE } from "./decide.ts";
import { depsWithBank } from "./operations.ts";
import { refund } from "./refund.ts";
import { givenContradiction } from "../reconciliation/decisions.ts";
import { givenPsp, pixApiPath, pixApiRequest } from "../providers/psp.ts";
import { givenPaid, pay } from "../charges/transaction.ts";
import { requestWithdraw, runPayout } from "../withdraws/withdraw.ts";
import { FakeBank } from "../../fakes/fake-bank.ts";
import { accountsOf } from "../../probes/ledger/ledger.ts";

/** A bank that says nothing until it is told to. */
function silentBank(): FakeBank {
  const bank = new FakeBank();
  bank.onSendPayout = async () => ({ kind: "unknown" });
  bank.onFindPayout = async () => ({ kind: "unknown" });
  bank.onRefund = async () => ({ kind: "unknown" });
  bank.onFindRefund = async () => ({ kind: "unknown" });
  return bank;
}

/** A withdraw of 10.00 of 50.00 at a bank that does not answer. */
export async function givenUnansweredWithdraw() {
  const company = await givenCompany({ balance: 5_000 });
  const bank = silentBank();
  const { body: withdraw } = await requestWithdraw(company);
  await runPayout(company, withdraw.id, bank.registry());
  const path = `/companies/${company.id}/withdraws/${withdraw.id}/decide`;
  return { company, bank, withdraw, path, options: { deps: depsWithBank(bank) } };
}

/** A refund of 10.00 of 25.00 at a bank that does not answer. */
export async function givenUnansweredRefund() {
  const company = await givenCompany();
  const bank = silentBank();
  const options = { deps: depsWithBank(bank) };
  const { id } = await givenPaid(company, 2_500);
  const { body } = await refund(company, id, 1_000, options);
  const operationId: string = body.data.refunds[0].id;
  const path = `/companies/${company.id}/operations/${operationId}/decide`;
  return { company, bank, operationId, path, options };
}

/** A second payment of 9.00 of a paid charge. */
export async function givenUnexpected() {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  await pay(company, id, 900);
  const { body } = await callAsOperator(`/companies/${company.id}/suspense`);
  const [{ paymentId }] = body.items;
  const path = `/companies/${company.id}/suspense/${paymentId}/return`;
  const bank = new FakeBank();
  return { company, paymentId, path, bank, options: { deps: depsWithBank(bank) } };
}

export async function givenFrozen() {
  const company = await givenCompany({ balance: 5_000 });
  const path = `/companies/${company.id}/freeze`;
  await callAsOperator(path, { method: "POST", body: { reason: "A key was stolen." } });
  return { company, path };
}

/** A company whose object the platform takes back, here to what it is but its freeze. */
export async function givenRestorable(restored: (bookmark: string) => void = () => undefined) {
  const company = await givenCompany({ balance: 5_000 });
  await configureObject(company.id, {
    alter(account, state) {
      state.storage.getBookmarkForTime = async (time) => `at ${Number(time)}`;
      state.storage.onNextSessionRestoreBookmark = async (bookmark) => {
        restored(bookmark);
        return "before";
      };
      state.abort = () =>
        void account.setFrozen({ companyId: company.id, change: false, cause: TEST_CAUSE });
    },
  });
  return company;
}

interface Case {
  company: TestCompany;
  /** What must not change before the second person agrees. */
  state: () => Promise<unknown>;
  /** Makes the proposal. */
  propose: () => Promise<Answer>;
  options?: Pick<Call, "env" | "deps">;
}

export const CASES: Record<string, () => Promise<Case>> = {
  "payout.decide": async () => {
    const { company, path, options } = await givenUnansweredWithdraw();
    const propose = () => proposeOn(path, { outcome: "failed" }, options);
    return { company, options, propose, state: () => accountsOf(company) };
  },
  "operation.decide": async () => {
    const { company, path, options } = await givenUnansweredRefund();
    const propose = () => proposeOn(path, { outcome: "failed" }, options);
    return { company, options, propose, state: () => accountsOf(company) };
  },
  "contradiction.decide": async () => {
    const company = await givenCompany({ balance: 5_000 });
    const id = await givenContradiction(company);
    const body = { action: "correct", amount: 10_000 };
    const propose = () => proposeOn(`/contradictions/${id}/decide`, body);
    return { company, propose, state: () => accountsOf(company) };
  },
  "payment.decide": async () => {
    const { company, path, options } = await givenUnexpected();
    const propose = () => proposeOn(path, {}, options);
    return { company, options, propose, state: () => accountsOf(company) };
  },
  "company.pix_key": async () => {
    const company = await givenCompany();
    const path = `/companies/${company.id}`;
    const body = { pixKey: "maria@example.com" };
    const propose = () => proposeOn(path, body, { method: "PATCH" });
    return { company, propose, state: async () => (await callAsOperator(path)).body.data.pixKey };
  },
  "company.unfreeze": async () => {
    const { company, path } = await givenFrozen();
    const propose = () => proposeOn(path, {}, { method: "DELETE" });
    const terms = `/companies/${company.id}/terms`;
    return { company, propose, state: async () => (await callAsOperator(terms)).body.frozen };
  },
  "company.provider": async () => {
    const { company, configured, options } = await givenPsp();
    const path = pixApiPath(company);
    const body = pixApiRequest({ pixKey: configured.pixKey, clientId: "another" });
    const propose = () => proposeOn(path, body, { ...options, method: "PUT" });
    const state = async () => (await callAsOperator(path, options)).body.clientId;
    return { company, options, propose, state };
  },
  "company.restore": async () => {
    const company = await givenRestorable();
    const propose = () => proposeOn(`/companies/${company.id}/restore/object`, { to: 1_000 });
    const state = () => inAccount(company.id, (account) => account.isFrozen());
    return { company, propose, state };
  },
};
