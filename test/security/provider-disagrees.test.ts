import { afterAll, beforeEach, describe, expect, it } from "vitest";
import type { PaymentReport } from "../../src/providers/provider.ts";
import { givenPaid, pay } from "../support/builders/charges/transaction.ts";
import { givenCompany } from "../support/builders/companies/company.ts";
import { callAsOperator, restoreLocalOperators } from "../support/builders/companies/operator.ts";
import { approve, decideByTwo, proposeOn } from "../support/builders/operations/decide.ts";
import { depsWithBank, REFUSED } from "../support/builders/operations/operations.ts";
import {
  givenUnansweredRefund,
  givenUnansweredWithdraw,
} from "../support/builders/operations/undecided.ts";
import { givenContradiction } from "../support/builders/reconciliation/decisions.ts";
import { FAILED, PAID, reportPayout } from "../support/builders/withdraws/withdraw-commands.ts";
import { requestWithdraw, runPayout } from "../support/builders/withdraws/withdraw.ts";
import { FakeBank } from "../support/fakes/fake-bank.ts";
import { expectProblem } from "../support/probes/http/problem.ts";
import { accountsOf } from "../support/probes/ledger/ledger.ts";

/** The 409 that names what the bank says. */
const disagrees = (says: string) => ({
  status: 409,
  code: "PROVIDER_DISAGREES",
  extensions: { provider: "PixApi", says },
});

/** A company of R$ 50.00 whose bank paid a withdraw of R$ 10.00. */
async function givenPaidWithdraw() {
  const company = await givenCompany({ balance: 5_000 });
  const bank = new FakeBank();
  const { body: withdraw } = await requestWithdraw(company);
  await runPayout(company, withdraw.id, bank.registry());
  return { company, bank, options: { deps: depsWithBank(bank) }, withdraw };
}

beforeEach(restoreLocalOperators);
afterAll(restoreLocalOperators);

describe("PROVIDER_DISAGREES", () => {
  it("a withdraw that its bank paid is not booked as returned: the company does not get it twice", async () => {
    const { company, options, withdraw } = await givenPaidWithdraw();
    const path = `/companies/${company.id}/withdraws/${withdraw.id}/decide`;

    for (const body of [{ outcome: "returned" }, { outcome: "returned", returnedAmount: 1 }]) {
      const answer = await proposeOn(path, body, options);
      await expectProblem(answer, disagrees("paid"));
    }
    expect(await accountsOf(company)).toMatchObject({ available: 4_000 });
  });

  it("a bank that speaks before the approval stops it, and the proposal waits on", async () => {
    const { company, bank, path, options } = await givenUnansweredWithdraw();
    const { id } = (await proposeOn(path, { outcome: "failed" }, options)).body.data;
    bank.onFindPayout = async () => ({ kind: "paid", endToEndId: null });

    const answer = await approve(id, options);

    await expectProblem(answer, disagrees("paid"));
    expect((await callAsOperator(`/proposals/${id}`)).body.data.status).toBe("pending");
    expect(await accountsOf(company)).toMatchObject({ available: 4_000, payout: 1_000 });
  });

  it("a correction credits no more of a withdraw than its bank says came back", async () => {
    const { company, bank, options } = await givenPaidWithdraw();
    await reportPayout(company, FAILED);
    const path = `/contradictions/${company.id}-1/decide`;
    const correct = { action: "correct", amount: 1_000 };

    await expectProblem(await proposeOn(path, correct, options), disagrees("paid"));
    bank.onFindPayout = async () => ({ kind: "paid", endToEndId: null, returnedAmount: 400 });
    const says = "paid, of which 400 centavos came back";
    await expectProblem(await proposeOn(path, correct, options), disagrees(says));
    const debit = { action: "correct", amount: -1_000 };
    await expectProblem(await proposeOn(path, debit, options), disagrees(says));
    expect(await accountsOf(company)).toMatchObject({ available: 4_000 });

    bank.onFindPayout = async () => ({ kind: "failed", reason: "No account" });
    const { body } = await decideByTwo(path, correct, options);
    expect(body.data).toMatchObject({ provider: "agreed" });
    expect(await accountsOf(company)).toMatchObject({ available: 5_000 });
  });

  it("money that is held for a paid withdraw is not freed while its bank says so", async () => {
    const company = await givenCompany({ balance: 5_000 });
    const bank = new FakeBank();
    const options = { deps: depsWithBank(bank) };
    bank.onSendPayout = async () => FAILED;
    const { body: withdraw } = await requestWithdraw(company);
    await runPayout(company, withdraw.id, bank.registry());
    await reportPayout(company, PAID);
    const path = `/contradictions/${company.id}-1/decide`;
    const dismiss = { action: "dismiss" };

    bank.onFindPayout = async () => ({ kind: "paid", endToEndId: null });
    await expectProblem(await proposeOn(path, dismiss, options), disagrees("paid"));
    await expectProblem(await proposeOn(path, { action: "correct", amount: 1_000 }, options), {
      status: 409,
      code: "INVALID_STATE",
    });
    const { body } = await requestWithdraw(company, { amount: 5_000 });
    expect(body).toMatchObject({ code: "INSUFFICIENT_BALANCE" });

    bank.onFindPayout = async () => FAILED;
    const freed = await decideByTwo(path, dismiss, options);
    expect(freed.body.data).toMatchObject({ status: "approved", provider: "agreed" });
  });

  it("money that is held for a refund is not freed while its bank says that it made it", async () => {
    const { company, bank, operationId, options } = await givenUnansweredRefund();
    const contradiction = await givenContradiction(company, {
      kind: "refund_status",
      object: `operation:${operationId}`,
      amount: 1_000,
      held: 1_000,
    });
    const path = `/contradictions/${contradiction}/decide`;
    const dismiss = { action: "dismiss" };

    bank.onFindRefund = async () => ({ kind: "done" });
    await expectProblem(await proposeOn(path, dismiss, options), disagrees("done"));

    bank.onFindRefund = async () => REFUSED;
    const freed = await decideByTwo(path, dismiss, options);
    expect(freed.body.data).toMatchObject({ status: "approved", provider: "agreed" });
  });

  it.each<[string, (paymentId: string) => PaymentReport]>([
    ["unknown to it", () => ({ kind: "not_found" })],
    [
      "of another amount, 100 centavos",
      (paymentId) => ({
        kind: "known",
        payment: {
          paymentId,
          chargeId: null,
          amount: 100,
          paidAt: 0,
          method: "PIX",
          refunds: [],
          disputes: [],
        },
      }),
    ],
  ])("a payment that is %s for its bank does not go back", async (says, reportOf) => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 2_500);
    await pay(company, id, 900);
    const { body } = await callAsOperator(`/companies/${company.id}/suspense`);
    const [{ paymentId }] = body.items;
    const bank = new FakeBank();
    bank.onFindPayment = async () => reportOf(paymentId);
    const path = `/companies/${company.id}/suspense/${paymentId}/return`;
    const answer = await proposeOn(path, {}, { deps: depsWithBank(bank) });
    await expectProblem(answer, disagrees(says));
  });

  it("a refund that its bank made is not booked as failed", async () => {
    const { company, bank, path, options } = await givenUnansweredRefund();
    bank.onFindRefund = async () => ({ kind: "done" });
    const answer = await proposeOn(path, { outcome: "failed" }, options);
    await expectProblem(answer, disagrees("done"));
    expect(await accountsOf(company)).toMatchObject({ blocked: 1_000 });
  });
});
