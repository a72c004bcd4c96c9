import { isEndedCharge, type ChargeStatus } from "./charge-status.ts";
import type { Requester } from "../access/requester.ts";
import type { ApprovalStatus } from "../withdraws/withdraw-status.ts";
import type { PaidBy } from "./transaction.ts";
import { isoTime } from "../shared/clock.ts";
import type { Cents } from "../shared/money.ts";

export const UNEXPECTED_REASONS = ["SECOND_PAYMENT", "LATE", "NO_CHARGE", "WRONG_AMOUNT"] as const;
/** Why no charge expected a payment as it came. */
export type UnexpectedReason = (typeof UNEXPECTED_REASONS)[number];

export const UNEXPECTED_RULES = ["keep", "credit", "return"] as const;
/** What the company wants done with such a payment. */
export type UnexpectedRule = (typeof UNEXPECTED_RULES)[number];

/** A company's rules; a missing kind means the default. */
export type UnexpectedPaymentRules = Partial<Record<UnexpectedReason, UnexpectedRule>>;

export const DEFAULT_UNEXPECTED_RULES: Record<UnexpectedReason, UnexpectedRule> = {
  SECOND_PAYMENT: "keep",
  LATE: "credit",
  NO_CHARGE: "keep",
  WRONG_AMOUNT: "credit",
};

/**
 * `kept`: nobody decided yet. `crediting`: a transaction is being made for it. `returning`: the provider
 * has not answered yet. The other two are final.
 */
export const UNEXPECTED_STATUSES = [
  "kept",
  "crediting",
  "credited",
  "returning",
  "returned",
] as const;
export type UnexpectedStatus = (typeof UNEXPECTED_STATUSES)[number];

/** A payment that no charge expected as it came. Times are epoch milliseconds. */
export interface UnexpectedPayment {
  /** Dense within the company, from 1. */
  number: number;
  /** The provider's id; of a PIX the end-to-end id (BACEN). */
  paymentId: string;
  reason: UnexpectedReason;
  /** The company's rule when it came. */
  rule: UnexpectedRule;
  amount: Cents;
  /** The transaction that it came for or was credited to; null without one. */
  transactionId: string | null;
  endToEndId: string | null;
  payer: PaidBy | null;
  receivedAt: number;
  status: UnexpectedStatus;
  /** Who asked for its return or credit: a caller, an operator or the company's rule; null while it is kept. */
  requestedBy: Requester | null;
  /** Whether its return waits for somebody's approval. */
  approval: ApprovalStatus;
  /** Grows by one with each change. */
  version: number;
}

/** A company's rule, as who asks for a return or credit. */
export function ruleAsRequester(reason: UnexpectedReason): Requester {
  return { kind: "rule", id: reason, name: `unexpectedPayments.${reason}` };
}

/** The rules that the company chose, with the defaults for the other kinds. */
export function unexpectedRules(
  chosen: UnexpectedPaymentRules | null | undefined,
): Record<UnexpectedReason, UnexpectedRule> {
  return { ...DEFAULT_UNEXPECTED_RULES, ...chosen };
}

/**
 * Why a charge does not expect a payment of `amount`; null if it does. `amountDue`: what was owed on the
 * day of the payment; undefined where any amount is fine. Centavos.
 */
export function unexpectedReason(
  status: ChargeStatus,
  amount: Cents,
  amountDue: Cents | undefined,
): UnexpectedReason | null {
  if (status === "paid" || status === "refunded") return "SECOND_PAYMENT";
  if (isEndedCharge(status)) return "LATE";
  return amountDue === undefined || amount === amountDue ? null : "WRONG_AMOUNT";
}

/** An unexpected payment as the API and its events show it. */
export function unexpectedPaymentView(payment: UnexpectedPayment) {
  const { paymentId, reason, rule, amount, transactionId, endToEndId, payer, status } = payment;
  const { requestedBy, approval } = payment;
  return {
    id: paymentId,
    reason,
    amount,
    transactionId,
    endToEndId,
    payer,
    receivedAt: isoTime(payment.receivedAt),
    status,
    rule,
    requestedBy,
    approval,
  };
}
