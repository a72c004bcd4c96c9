import { paymentSubject } from "../../domain/reconciliation/contradiction.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { canTransitionCharge, isEndedCharge } from "../../domain/charges/charge-status.ts";
import type { ChargeHistoryEntry } from "../../domain/charges/charge-history.ts";
import type { Finding } from "../contradictions/contradiction-store.ts";
import { paymentIdOf, type PaymentRecord, type StoredCharge } from "./charge-store.ts";

/** A payment whose id differs from a known one's in letter case only. It is in no ledger. */
export function twinFinding(
  twin: PaymentRecord,
  { paymentId, amount }: { paymentId: string; amount: Cents },
): Finding {
  return {
    finding: `payment_identity:twin:${paymentId}`,
    kind: "payment_identity",
    object: paymentSubject(paymentId),
    said: { paymentId, amount },
    booked: { paymentId: twin.paymentId, ...bookedPayment(twin) },
    amount,
    held: 0,
  };
}

/**
 * Another amount for a known payment, or its own after another, in centavos. `account`: whose house told it, if not the
 * payment's. `corrected`: what operators gave (negative: took) for told amounts. Held: the excess that was credited.
 */
export function amountFinding(
  known: PaymentRecord,
  told: { amount: Cents; account?: string | undefined; corrected?: Cents },
): Finding {
  const { amount, account, corrected = 0 } = told;
  const excess = known.amount + corrected - amount;
  return {
    finding: `payment_amount:${known.paymentId}:${amount}`,
    kind: "payment_amount",
    object: paymentSubject(known.paymentId),
    said: { amount, ...(account === undefined ? {} : { account }) },
    booked: { ...bookedPayment(known), ...(corrected === 0 ? {} : { corrected }) },
    amount: Math.abs(excess),
    held: known.inSuspense ? 0 : Math.max(0, excess),
  };
}

/**
 * The house that took a charge's payment says that it ended without one; null where the charge had ended before it was
 * paid, or a person or rule credited it with a payment that came without it: then the house is right. Nothing is held:
 * it may be a word of before the payment. `isChosen`: whether somebody here chose a payment's charge.
 */
export function endFinding(
  charge: StoredCharge,
  { to, toldOfPaid }: { to: string; toldOfPaid?: string },
  isChosen: (paymentId: string) => boolean,
): Finding | null {
  if (charge.status !== "paid" || charge.account !== toldOfPaid) return null;
  if (charge.trail.some(isLatePayment)) return null;
  const { transactionId, paidAmount, refundedAmount } = charge;
  const paymentId = paymentIdOf(charge);
  if (isChosen(paymentId) && !charge.trail.some((each) => isOwnPayment(each, paymentId)))
    return null;
  return {
    ...endOf(paymentId),
    said: { status: to, amount: 0 },
    booked: { transactionId, amount: paidAmount, refundedAmount },
    // A refund that is under way may fail just for that.
    amount: paidAmount - refundedAmount,
    held: 0,
  };
}

/** The finding of a payment whose charge its house calls ended. */
export function endOf(paymentId: string): Pick<Finding, "finding" | "kind" | "object"> {
  return {
    finding: `payment_amount:${paymentId}:ended`,
    kind: "payment_amount",
    object: paymentSubject(paymentId),
  };
}

/** The finding of a payment that its house calls paid again: the opposite of `endOf`. */
export function paidAgainOf(paymentId: string): ReturnType<typeof endOf> {
  return { ...endOf(paymentId), finding: `payment_amount:${paymentId}:paid_again` };
}

/** The house says paid again of a payment of which operators took `corrected` (centavos) when it said ended. */
export function paidAgainFinding(payment: PaymentRecord, corrected: Cents): Finding {
  const { paymentId, amount } = payment;
  return {
    ...paidAgainOf(paymentId),
    said: { status: "paid", amount },
    booked: { ...bookedPayment(payment), corrected },
    amount: corrected,
    held: 0,
  };
}

/** Whether an unexpected payment came for the charge. */
function isOwnPayment({ cause }: ChargeHistoryEntry, paymentId: string): boolean {
  return cause.kind === "payment" && cause.id === paymentId && !cause.expected;
}

/** Whether a change is the payment of a charge that had ended without one. */
function isLatePayment({ from, to }: ChargeHistoryEntry): boolean {
  return to === "paid" && isEndedCharge(from) && canTransitionCharge(from, to);
}

/** Another charge for a known payment. Held: its amount, once it is credited. */
export function chargeFinding(known: PaymentRecord, transactionId: string): Finding {
  return {
    finding: `payment_charge:${known.paymentId}:${transactionId}`,
    kind: "payment_charge",
    object: paymentSubject(known.paymentId),
    said: { transactionId },
    booked: bookedPayment(known),
    amount: known.amount,
    held: known.inSuspense ? 0 : known.amount,
  };
}

function bookedPayment({
  amount,
  transactionId,
  inSuspense,
}: PaymentRecord): Record<string, unknown> {
  return { amount, transactionId, inSuspense };
}
