import type {
  DisputeReport,
  RecordDisputeAnswer,
} from "../../../../src/company/disputes/command-types.ts";
import type {
  ProviderRefundReport,
  RecordProviderRefundAnswer,
} from "../../../../src/company/operations/command-types.ts";
import type {
  SettlePayment,
  SettlePaymentAnswer,
} from "../../../../src/company/charges/command-types.ts";
import { callsTo } from "../companies/calls.ts";
import { inAccount, type TestCompany } from "../companies/company.ts";
import { freshEndToEndId } from "../operations/object-operations.ts";

/** Reports a payment without a charge to the object; returns the report. */
export async function givenUnexpectedPayment(
  company: TestCompany,
  amount: number,
  overrides: Partial<SettlePayment["payment"]> = {},
): Promise<SettlePayment["payment"]> {
  const payment = {
    paymentId: freshEndToEndId(),
    method: "PIX" as const,
    amount,
    paidAt: Date.now(),
    ...overrides,
  };
  const answer = await bookUnexpectedPayment(company, payment);
  if (answer.kind !== "unexpected") throw new Error(`the payment was ${answer.kind}`);
  return payment;
}

export function bookUnexpectedPayment(
  company: TestCompany,
  payment: SettlePayment["payment"],
  more: Pick<SettlePayment, "rules" | "operationId"> = {},
): Promise<SettlePaymentAnswer> {
  return callsTo(company.id).bookUnexpectedPayment({
    companyId: company.id,
    paymentMethod: "PIX",
    payment: { ...payment, account: payment.account ?? "first" },
    ...more,
  });
}

/** Reports a completed external refund of a payment to the object. */
export function reportExternalRefund(
  company: TestCompany,
  paymentId: string,
  refund: Partial<ProviderRefundReport> = {},
): Promise<RecordProviderRefundAnswer> {
  return callsTo(company.id).recordProviderRefund({
    companyId: company.id,
    refund: { id: "D1", paymentId, amount: 1_000, status: "DONE", ...refund },
  });
}

/** Reports a dispute of a payment without a charge to the object. */
export function reportDispute(
  company: TestCompany,
  paymentId: string,
  report: Partial<DisputeReport> = {},
): Promise<RecordDisputeAnswer> {
  return callsTo(company.id).recordDispute({
    companyId: company.id,
    terms: null,
    report: {
      id: `${paymentId}:M1`,
      paymentId,
      kind: "DISPUTE",
      amount: 1_000,
      status: "OPEN",
      ...report,
    },
  });
}

/** The id of a charge's credited payment. */
export function paymentOf(company: TestCompany, transactionId: string): Promise<string> {
  return inAccount(
    company.id,
    (_, { storage }) =>
      storage.sql
        .exec<{ id: string }>(
          "SELECT payment_id AS id FROM charges WHERE transaction_id = ?",
          transactionId,
        )
        .one().id,
  );
}
