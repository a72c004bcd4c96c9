import type { ListedTransaction } from "../domain/charges/transaction.ts";
import { methodOf } from "./registry.ts";

/** What decides whether a charge has expired, and what the expiry changes. */
type Expiring = Pick<
  ListedTransaction,
  "status" | "expiresAt" | "paymentMethod" | "cancelReason" | "updatedAt"
>;

/**
 * Shows a charge past its expiry as cancelled, even before the cron has asked its provider. Money that
 * came in time, or comes late, still makes it paid. A method whose banks report late keeps its charges
 * open until the provider says that they have expired.
 */
export function withExpiryApplied<Shown extends Expiring>(record: Shown, nowMs: number): Shown {
  const open = record.status === "creating" || record.status === "waiting_payment";
  const expired = record.expiresAt !== null && record.expiresAt <= nowMs;
  if (!open || !expired || !methodOf(record.paymentMethod).expiresByClock) return record;
  return {
    ...record,
    status: "cancelled",
    cancelReason: "EXPIRED",
    updatedAt: Math.max(record.updatedAt, record.expiresAt ?? 0),
  };
}
