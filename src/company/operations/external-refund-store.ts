import type { Cents } from "../../domain/shared/money.ts";
import type { Refund } from "../../domain/charges/transaction.ts";

/** Refunds of one transaction by other hands that it shows: a PSP lists a few at most. */
const REFUNDS_SHOWN_MAX = 100;

/** Money of a payment that was given back at the PSP itself. Centavos. */
export interface ExternalRefund {
  /** The payment's id and the refund's own, which is unique within the payment only (BACEN). */
  id: string;
  paymentId: string;
  /** The charge that the payment was credited to; null of one that was set aside. */
  transactionId: string | null;
  amount: Cents;
  /** What of it there was to take: less where more went back than ever came. */
  booked: Cents;
  createdAt: number;
}

type ExternalRefundRow = {
  id: string;
  payment_id: string;
  transaction_id: string | null;
  amount: number;
  booked: number;
  created_at: number;
};

/** Refunds that others than this service asked for, once they are done. */
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

  add(refund: ExternalRefund): void {
    this.#sql.exec(
      `INSERT INTO external_refunds (id, payment_id, transaction_id, amount, booked, created_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
      refund.id,
      refund.paymentId,
      refund.transactionId,
      refund.amount,
      refund.booked,
      refund.createdAt,
    );
  }

  /** A transaction's refunds by other hands as the API shows them, oldest first. */
  refundsOf(transactionId: string): Refund[] {
    return this.#sql
      .exec<ExternalRefundRow>(
        `SELECT * FROM external_refunds WHERE transaction_id = ? AND booked > 0
         ORDER BY rowid LIMIT ?`,
        transactionId,
        REFUNDS_SHOWN_MAX,
      )
      .toArray()
      .map((row) => ({
        id: row.id,
        amount: row.booked,
        status: "DONE" as const,
        createdAt: row.created_at,
      }));
  }

  /** What of a transaction's payment went back by other hands, in centavos. */
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
    createdAt: row.created_at,
  };
}
