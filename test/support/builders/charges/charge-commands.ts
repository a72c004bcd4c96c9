import type {
  TransitionCharge,
  TransitionChargeAnswer,
  SettlePayment,
  SettlePaymentAnswer,
} from "../../../../src/company/charges/command-types.ts";
import { NO_FEE } from "../../../../src/domain/ledger/fees.ts";
import { callsTo } from "../companies/calls.ts";
import { type TestCompany } from "../companies/company.ts";

/** A BACEN end-to-end id for a number. */
export function endToEndId(number: number): string {
  return `E00000000202611200000${String(number).padStart(11, "0")}`;
}

/** Reports a confirmed payment to the object, as a callback does. */
export function settle(
  company: TestCompany,
  transaction: { id: string; amount: number },
  payment: Partial<SettlePayment["payment"]> = {},
  terms: Partial<TransitionCharge["terms"]> = {},
): Promise<SettlePaymentAnswer> {
  return callsTo(company.id).settlePayment(settleCommand(company, transaction, payment, terms));
}

/** The command of `settle`. */
export function settleCommand(
  company: TestCompany,
  transaction: { id: string; amount: number },
  payment: Partial<SettlePayment["payment"]> = {},
  terms: Partial<TransitionCharge["terms"]> = {},
): SettlePayment {
  return {
    companyId: company.id,
    terms: { ...termsOf(transaction), ...terms },
    payment: {
      paymentId: payment.paymentId ?? endToEndId(1),
      method: payment.method ?? "PIX",
      amount: payment.amount ?? transaction.amount,
      paidAt: payment.paidAt ?? Date.now(),
      account: payment.account,
    },
  };
}

/** Reports to the object that a charge ended without money. */
export function endCharge(
  company: TestCompany,
  transaction: { id: string; amount: number },
  newStatus: TransitionCharge["to"],
): Promise<TransitionChargeAnswer> {
  return callsTo(company.id).transitionCharge({
    companyId: company.id,
    terms: termsOf(transaction),
    to: newStatus,
    ...(newStatus === "cancelled" ? { cancelReason: "EXPIRED" as const } : {}),
  });
}

export function termsOf(transaction: { id: string; amount: number }): TransitionCharge["terms"] {
  return {
    transactionId: transaction.id,
    amount: transaction.amount,
    paymentMethod: "PIX",
    installments: 1,
    status: "waiting_payment",
    card: null,
    textBytes: 100,
    fee: NO_FEE,
    releaseDays: 0,
    account: "first",
  };
}
