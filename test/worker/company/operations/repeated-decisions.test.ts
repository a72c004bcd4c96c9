import { expect, it } from "vitest";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import {
  decide,
  newestUnexpected,
  UNEXPECTED,
} from "../../../support/builders/charges/unexpected.ts";
import { termsOf } from "../../../support/builders/charges/charge-commands.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { decideInObject, decisionOf } from "../../../support/builders/operations/decide.ts";
import { freshEndToEndId } from "../../../support/builders/operations/object-operations.ts";
import { operationsOf } from "../../../support/probes/charges/operation-rows.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";

/** A second payment of R$ 9.00, and the decision of two operators to return it. */
async function givenSecondPayment() {
  const company = await givenCompany();
  await UNEXPECTED.SECOND_PAYMENT(company);
  const { id: paymentId } = await newestUnexpected(company);
  const decideReturn = () =>
    decideInObject(
      company,
      { kind: "payment", paymentId },
      decisionOf({ action: "payment.decide", target: `payment:${paymentId}` }),
    );
  return { company, paymentId, decideReturn };
}

it("two decisions to return one payment begin one return", async () => {
  const { company, decideReturn } = await givenSecondPayment();
  for (const _decision of [1, 2]) expect((await decideReturn()).kind).toBe("decided");
  expect(await operationsOf(company)).toMatchObject([{ kind: "return", amount: 900 }]);
});

it("a payment that was credited meanwhile is not returned", async () => {
  const { company, paymentId, decideReturn } = await givenSecondPayment();
  expect((await decide(company, paymentId, "credit")).status).toBe(200);
  expect(await decideReturn()).toEqual({ kind: "not_found" });
  expect(await operationsOf(company)).toEqual([]);
  expect(await accountsOf(company)).toMatchObject({ available: 3_400, suspense: 0 });
});

it("a kept payment that is reported again stays kept, though the rule has changed to credit", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { amount: 2_500 });
  const paymentId = freshEndToEndId();
  const report = (rule: "keep" | "credit") =>
    callsTo(company.id).settlePayment({
      companyId: company.id,
      terms: termsOf({ id, amount: 2_500 }),
      payment: { paymentId, method: "PIX", amount: 900, paidAt: Date.now() },
      amountDue: 2_500,
      rules: { WRONG_AMOUNT: rule },
    });
  expect((await report("keep")).kind).toBe("unexpected");
  expect(await report("credit")).toEqual({ kind: "already" });
  expect(await accountsOf(company)).toMatchObject({ suspense: 900 });
});
