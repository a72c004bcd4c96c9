import { expect, it } from "vitest";
import type { Answer } from "../../../../support/builders/requests/api.ts";
import { givenCompany } from "../../../../support/builders/companies/company.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
import { decideByTwo } from "../../../../support/builders/operations/decide.ts";
import { depsWithBank } from "../../../../support/builders/operations/operations.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { refund } from "../../../../support/builders/operations/refund.ts";
import { givenPaid } from "../../../../support/builders/charges/transaction.ts";
import { requestWithdraw, runPayout } from "../../../../support/builders/withdraws/withdraw.ts";
import { operationsOf } from "../../../../support/probes/charges/operation-rows.ts";

const FAILED = { outcome: "failed" };

/** A bank that says nothing of what it is asked. */
function silentDeps() {
  const bank = new FakeBank();
  bank.onFindPayout = async () => ({ kind: "unknown" });
  bank.onFindRefund = async () => ({ kind: "unknown" });
  return { deps: depsWithBank(bank) };
}

it("INVALID_STATE: an operator cannot resolve a withdraw while it is being sent", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const bank = new FakeBank();
  const { body: withdraw } = await requestWithdraw(company);
  const answers: Answer[] = [];
  bank.onSendPayout = async () => {
    const path = `/companies/${company.id}/withdraws/${withdraw.id}/decide`;
    answers.push(await decideByTwo(path, FAILED, silentDeps()));
    return { kind: "paid", endToEndId: "E0000000020261121120000000000042" };
  };

  await runPayout(company, withdraw.id, bank.registry());

  await expectProblem(answers[0]!, { status: 409, code: "INVALID_STATE" });
  expect(await accountsOf(company)).toMatchObject({ available: 4_000, payout: 0 });
});

it("INVALID_STATE: an operator cannot resolve a refund while it is being sent", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  const bank = new FakeBank();
  const answers: Answer[] = [];
  bank.onRefund = async () => {
    const [operation] = await operationsOf(company);
    const path = `/companies/${company.id}/operations/${operation!.operationId}/decide`;
    answers.push(await decideByTwo(path, FAILED, silentDeps()));
    return { kind: "done" };
  };

  const answer = await refund(company, id, 1_000, { deps: depsWithBank(bank) });

  await expectProblem(answers[0]!, { status: 409, code: "INVALID_STATE" });
  expect(answer.status).toBe(200);
  expect(await accountsOf(company)).toMatchObject({ available: 1_500, blocked: 0 });
});
