/**
 * What becomes due by a company's clock, each with the id by which a merchant knows it: a transaction's, withdraw's,
 * refund's, dispute's, event's, unexpected payment's or subscription's.
 */
export type DueKind =
  | "release"
  | "approval_expiry"
  | "reservation_expiry"
  | "payout"
  | "operation"
  | "recheck"
  | "charge_expiry"
  | "charge_lookup"
  | "delivery"
  | "email"
  | "credit"
  | "debit"
  | "retry"
  | "subscription"
  | "callback"
  | "dispute_deadline"
  | "dispute_response";

/** One thing that is due at a time (Unix milliseconds). */
export interface DueItem {
  at: number;
  kind: DueKind;
  id: string;
  /** The object's own number of a payout, operation, recheck or subscription. */
  number?: number;
}

/** In the order in which they become due; what is due at once goes by kind and id, so that every run has the same order. */
export function inDueOrder(left: DueItem, right: DueItem): number {
  return left.at - right.at || compare(left.kind, right.kind) || compare(left.id, right.id);
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
