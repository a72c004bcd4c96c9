import type { StoredCharge } from "../charges/charge-store.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { Finding } from "../contradictions/contradiction-store.ts";
import type { ExternalRefund } from "../operations/external-refund-store.ts";
import type { DisputeReport } from "./command-types.ts";
import type { StoredDispute } from "./dispute-store.ts";

/** Identifies the finding of a dispute whose payment is not known. */
export function unpaidFindingKey(id: string, status: DisputeReport["status"]): string {
  return `dispute_status:${id}:unpaid:${status}`;
}

/** A dispute without a known payment. Held: an amount that the bank took. */
export function unpaidDispute(
  { id, paymentId, amount, status }: DisputeReport,
  transactionId: string | null,
): Finding {
  return {
    finding: unpaidFindingKey(id, status),
    kind: "dispute_status",
    object: transactionId ?? `payment:${paymentId ?? id}`,
    said: { disputeId: id, status, amount },
    booked: { paidAmount: 0 },
    amount,
    held: status === "LOST" ? amount : 0,
  };
}

/** A report that differs from the booked dispute. Held: the amount that the bank took beyond the books. */
export function otherReport(
  known: StoredDispute,
  { status, amount: reported }: Pick<DisputeReport, "status" | "amount">,
  amount: Cents,
): Finding {
  return {
    finding: `dispute_status:${known.id}:${status}:${reported}`,
    kind: "dispute_status",
    object: known.transactionId,
    said: { disputeId: known.id, status, amount: reported },
    booked: { status: known.status, amount: known.amount },
    amount,
    held: status === known.status ? Math.max(0, reported - known.amount) : 0,
  };
}

/** The same money was booked as an external refund. Held: the bank's excess. */
export function refundedAtProvider(
  { transactionId, paymentId, amount: booked }: ExternalRefund,
  { id, status, amount }: DisputeReport,
): Finding {
  const excess = status === "LOST" ? Math.max(0, amount - booked) : 0;
  return {
    finding: `dispute_status:${id}:refund${excess === 0 ? "" : `:${amount}`}`,
    kind: "dispute_status",
    object: transactionId ?? `payment:${paymentId}`,
    said: { disputeId: id, status, amount },
    booked: { refundId: id, amount: booked },
    amount,
    held: excess,
  };
}

/** The bank took the money of a dispute that was refunded instead. Held: all that it says it took. */
export function takenBesideRefund(
  { id, transactionId, amount: refundedInstead }: StoredDispute,
  amount: Cents,
): Finding {
  return {
    finding: `dispute_status:${id}:instead`,
    kind: "dispute_status",
    object: transactionId,
    said: { disputeId: id, status: "LOST", amount },
    booked: { refundedInstead },
    amount,
    held: amount,
  };
}

/** The bank took a payment that refunds had given back, of a dispute that nobody knew. Held: all that it may have taken. */
export function takenAgain(
  { transactionId, refundedAmount }: Pick<StoredCharge, "transactionId" | "refundedAmount">,
  { id, status, amount }: DisputeReport,
): Finding {
  return {
    finding: `dispute_status:${id}:refunded`,
    kind: "dispute_status",
    object: transactionId,
    said: { disputeId: id, status, amount },
    booked: { refundedAmount },
    amount,
    held: amount,
  };
}
