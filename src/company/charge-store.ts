import type {
  CancelReason,
  ChargeStatus,
  PaymentMethod,
  RefundReason,
} from "../domain/charge-status.ts";
import type { Cents } from "../domain/money.ts";
import { initialChargeState, type ChargeState, type ChargeTerms } from "../domain/transaction.ts";

export interface StoredCharge extends ChargeState {
  transactionId: string;
  amount: Cents;
  paymentMethod: PaymentMethod;
  /** Events of this charge so far. */
  eventSequence: number;
}

type ChargeRow = {
  transaction_id: string;
  amount: number;
  payment_method: PaymentMethod;
  status: ChargeStatus;
  version: number;
  event_sequence: number;
  updated_at: number;
  paid_at: number | null;
  paid_amount: number;
  refunded_amount: number;
  end_to_end_id: string | null;
  cancel_reason: CancelReason | null;
  refund_reason: RefundReason | null;
};

export interface StoredPayment {
  endToEndId: string;
  transactionId: string;
  amount: Cents;
  paidAt: number;
  suspended: boolean;
}

/** The charges that ever moved, and the payments that ever came. */
export class ChargeStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The charge as this object knows it, else as its immutable terms describe it. */
  find(terms: ChargeTerms, nowMs: number): StoredCharge {
    const [row] = this.#sql
      .exec<ChargeRow>("SELECT * FROM charges WHERE transaction_id = ?", terms.transactionId)
      .toArray();
    if (row !== undefined) return fromRow(row);
    return {
      ...initialChargeState(nowMs),
      status: terms.status,
      transactionId: terms.transactionId,
      amount: terms.amount,
      paymentMethod: terms.paymentMethod,
      eventSequence: 0,
    };
  }

  save(charge: StoredCharge): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO charges (transaction_id, amount, payment_method, status, version,
         event_sequence, updated_at, paid_at, paid_amount, refunded_amount, end_to_end_id,
         cancel_reason, refund_reason)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      charge.transactionId,
      charge.amount,
      charge.paymentMethod,
      charge.status,
      charge.version,
      charge.eventSequence,
      charge.updatedAt,
      charge.paidAt,
      charge.paidAmount,
      charge.refundedAmount,
      charge.endToEndId,
      charge.cancelReason,
      charge.refundReason,
    );
  }

  hasPayment(endToEndId: string): boolean {
    return (
      this.#sql.exec("SELECT 1 FROM payments WHERE end_to_end_id = ?", endToEndId).toArray()
        .length > 0
    );
  }

  addPayment(payment: StoredPayment): void {
    this.#sql.exec(
      `INSERT INTO payments (end_to_end_id, transaction_id, amount, paid_at, suspended)
       VALUES (?, ?, ?, ?, ?)`,
      payment.endToEndId,
      payment.transactionId,
      payment.amount,
      payment.paidAt,
      payment.suspended ? 1 : 0,
    );
  }
}

function fromRow(row: ChargeRow): StoredCharge {
  return {
    transactionId: row.transaction_id,
    amount: row.amount,
    paymentMethod: row.payment_method,
    status: row.status,
    version: row.version,
    eventSequence: row.event_sequence,
    updatedAt: row.updated_at,
    paidAt: row.paid_at,
    paidAmount: row.paid_amount,
    refundedAmount: row.refunded_amount,
    endToEndId: row.end_to_end_id,
    cancelReason: row.cancel_reason,
    refundReason: row.refund_reason,
  };
}
