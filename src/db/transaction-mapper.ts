import { initialChargeState, type TransactionRecord } from "../domain/transaction.ts";
import type { transactions } from "./schema/transactions.ts";

export type TransactionRow = typeof transactions.$inferSelect;

/** A row as the domain knows it, as the transaction stands now. */
export function toTransactionRecord(row: TransactionRow): TransactionRecord {
  const {
    shipping: _shipping,
    idempotencyKey: _key,
    requestHash: _hash,
    leaseUntil: _lease,
    answeredAt: _answeredAt,
    answeredStatus: _answeredStatus,
    failure: _failure,
    sweepAt: _sweepAt,
    ...record
  } = row;
  return record;
}

/** A row as it stood when the create was answered, which a replay shows again. */
export function asAnswered(row: TransactionRow): TransactionRecord {
  return {
    ...toTransactionRecord(row),
    ...initialChargeState(row.answeredAt ?? row.updatedAt),
    status: row.answeredStatus ?? row.status,
  };
}
