import type { Cents } from "../../domain/shared/money.ts";
import type { Finding } from "../contradictions/contradiction-store.ts";
import type { PaymentRecord } from "./charge-store.ts";

/** A payment whose id differs from a known one's in letter case only. It is in no ledger. */
export function twinFinding(
  twin: PaymentRecord,
  { paymentId, amount }: { paymentId: string; amount: Cents },
): Finding {
  return {
    finding: `payment_identity:twin:${paymentId}`,
    kind: "payment_identity",
    object: `payment:${paymentId}`,
    said: { paymentId, amount },
    booked: { paymentId: twin.paymentId, ...bookedPayment(twin) },
    amount,
    held: 0,
  };
}

/** Another amount for a known payment, in centavos. Held: the excess that was credited. */
export function amountFinding(known: PaymentRecord, reportedAmount: Cents): Finding {
  return {
    finding: `payment_amount:${known.paymentId}:${reportedAmount}`,
    kind: "payment_amount",
    object: `payment:${known.paymentId}`,
    said: { amount: reportedAmount },
    booked: bookedPayment(known),
    amount: Math.abs(known.amount - reportedAmount),
    held: known.inSuspense ? 0 : Math.max(0, known.amount - reportedAmount),
  };
}

/** Another charge for a known payment. Held: its amount, once it is credited. */
export function chargeFinding(known: PaymentRecord, transactionId: string): Finding {
  return {
    finding: `payment_charge:${known.paymentId}:${transactionId}`,
    kind: "payment_charge",
    object: `payment:${known.paymentId}`,
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
