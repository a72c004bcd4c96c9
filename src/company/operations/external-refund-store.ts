import type { Cents } from "../../domain/shared/money.ts";
import { externalRefundId, type Refund } from "../../domain/charges/transaction.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

/** External refunds that a transaction shows: a PSP lists a few at most. */
const REFUNDS_SHOWN_MAX = 100;

/** Begins the id of a sum: what a provider that lists no refunds says went back of a payment in all. */
export const SUM = "sum-";

/** A refund of a payment at the PSP itself, not by an operation, or the sum of those. Centavos. */
export interface ExternalRefund {
  /** The payment's id with the refund's, which is unique within the payment only (BACEN). */
  id: string;
  paymentId: string;
  /** The charge that the payment was credited to; null for an unexpected payment. */
  transactionId: string | null;
  amount: Cents;
  /** The booked part of `amount`, at most the rest of the payment; of a sum what no refund of ours gave back. */
  booked: Cents;
  /** What of `booked` was not taken, because operators had taken it; null in a row from before it was stored. */
  covered: Cents | null;
  createdAt: number;
}

type ExternalRefundRow = {
  id: string;
  payment_id: string;
  transaction_id: string | null;
  amount: number;
  booked: number;
  created_at: number;
  covered: number | null;
};

const EXTERNAL_REFUNDS = new Table<ExternalRefundRow>("external_refunds");

/** Done refunds that no operation requested. */
export class ExternalRefundStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  find(id: string): ExternalRefund | null {
    const [row] = this.#sql
      .exec<ExternalRefundRow>("SELECT * FROM external_refunds WHERE id = ?", id)
      .toArray();
    return row === undefined ? null : fromRow(row);
  }

  /** Adds a refund; of a sum that is there more is booked, to the charge that its payment was credited to since. */
  add(refund: ExternalRefund): void {
    EXTERNAL_REFUNDS.insert(
      this.#sql,
      {
        id: refund.id,
        payment_id: refund.paymentId,
        transaction_id: refund.transactionId,
        amount: refund.amount,
        booked: refund.booked,
        created_at: refund.createdAt,
        covered: refund.covered,
      },
      `ON CONFLICT (id) DO UPDATE SET booked = booked + excluded.booked,
         covered = coalesce(covered, 0) + excluded.covered,
         amount = max(amount, booked + excluded.booked),
         transaction_id = coalesce(transaction_id, excluded.transaction_id)`,
    );
  }

  /** The largest sum that a payment's provider told, in centavos; 0 where it told none. */
  toldSum(paymentId: string): Cents {
    const first = externalRefundId(paymentId, SUM);
    return named(
      `SELECT coalesce(max(amount), 0) AS told FROM external_refunds WHERE id >= :first AND id < :end`,
    )
      .exec<{ told: number }>(this.#sql, { first, end: `${first}:` })
      .one().told;
  }

  /** Centavos that a payment's sums took, but for what refunds that came with an id have of them. */
  takenBySums(paymentId: string): Cents {
    const first = externalRefundId(paymentId, SUM);
    return named(
      `SELECT coalesce(sum(iif(id >= :first AND id < :end, booked, booked - amount)), 0) AS total
         FROM external_refunds WHERE id >= :from AND id < :to AND payment_id = :paymentId`,
    )
      .exec<{ total: number }>(this.#sql, {
        first,
        end: `${first}:`,
        from: `${paymentId}:`,
        to: `${paymentId};`,
        paymentId,
      })
      .one().total;
  }

  /** A transaction's external refunds as the API shows them, oldest first. */
  refundsOf(transactionId: string): Refund[] {
    return named(
      `SELECT * FROM external_refunds WHERE transaction_id = :transactionId AND booked > 0
         ORDER BY rowid LIMIT :limit`,
    )
      .exec<ExternalRefundRow>(this.#sql, { transactionId, limit: REFUNDS_SHOWN_MAX })
      .toArray()
      .map((row) => ({
        id: row.id,
        amount: row.booked,
        status: "DONE" as const,
        createdAt: row.created_at,
      }));
  }

  /** What of a transaction's external refunds operators had taken, in centavos. */
  coveredTotal(transactionId: string): Cents {
    return this.#sql
      .exec<{ total: number }>(
        "SELECT coalesce(sum(covered), 0) AS total FROM external_refunds WHERE transaction_id = ?",
        transactionId,
      )
      .one().total;
  }

  /** The sum of a transaction's external refunds, in centavos. */
  total(transactionId: string): Cents {
    return this.#sql
      .exec<{ total: number }>(
        "SELECT coalesce(sum(booked), 0) AS total FROM external_refunds WHERE transaction_id = ?",
        transactionId,
      )
      .one().total;
  }
}

function fromRow(row: ExternalRefundRow): ExternalRefund {
  return {
    id: row.id,
    paymentId: row.payment_id,
    transactionId: row.transaction_id,
    amount: row.amount,
    booked: row.booked,
    covered: row.covered,
    createdAt: row.created_at,
  };
}
