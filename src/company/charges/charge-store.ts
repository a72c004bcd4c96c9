import type { ChargedCard, RefusedReason } from "../../domain/charges/payment-details.ts";
import type {
  CancelReason,
  ChargeStatus,
  PaymentMethod,
  RefundReason,
} from "../../domain/charges/charge-status.ts";
import type { Fee } from "../../domain/ledger/fees.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { ChargeHistoryEntry } from "../../domain/charges/charge-history.ts";
import {
  initialChargeState,
  type ChargeState,
  type ChargeTerms,
} from "../../domain/charges/transaction.ts";
import { assert } from "../../lib/assert.ts";

/** Movements of one charge whose numbers are kept; what is older is only in the statement. */
export const MOVEMENTS_KEPT = 1_000;

export interface StoredCharge extends Omit<ChargeState, "refunds" | "dispute"> {
  transactionId: string;
  amount: Cents;
  paymentMethod: PaymentMethod;
  installments: number;
  fee: Fee;
  releaseDays: number;
  /** The account at its provider that it was made with. */
  account: string;
  /** Events of this charge so far. */
  eventSequence: number;
  /** Its changes and their causes, oldest first. */
  trail: ChargeHistoryEntry[];
  /** The numbers of the movements that are about it, oldest first. */
  movements: number[];
  /** The payment it was credited with; of a PIX its end-to-end id. */
  paymentId: string | null;
}

/** The id of the payment that a paid charge was credited with. */
export function paymentIdOf({ paymentId }: StoredCharge): string {
  assert(paymentId !== null, "a paid charge has a payment id");
  return paymentId;
}

type ChargeRow = {
  transaction_id: string;
  amount: number;
  payment_method: PaymentMethod;
  installments: number;
  fee_basis_points: number;
  fee_fixed: number;
  release_days: number;
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
  card: string | null;
  refused_reason: string | null;
  external_nsu: string | null;
  trail: string;
  movements: string;
  payment_id: string | null;
  account: string;
};

export interface StoredPayment {
  paymentId: string;
  /** Null where it matched no charge. */
  transactionId: string | null;
  paymentMethod: PaymentMethod;
  amount: Cents;
  paidAt: number;
  suspended: boolean;
  /** The account at the provider that took it, and alone can give it back. */
  account: string;
}

/** A payment that nobody expected, and the operation that returns it, if one was asked for. */
export interface PaymentRecord extends StoredPayment {
  returnOperation: number | null;
  /** Centavos of one set aside that went back by other hands than ours. */
  returnedAmount: Cents;
}

type PaymentRow = {
  payment_id: string;
  transaction_id: string | null;
  payment_method: PaymentMethod;
  amount: number;
  paid_at: number;
  suspended: number;
  return_operation: number | null;
  account: string;
  returned_amount: number;
};

/** The charges that ever moved, and the payments that ever came. */
export class ChargeStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The charge as this object knows it, else as its immutable terms describe it. */
  findOrInitial(terms: ChargeTerms, nowMs: number): StoredCharge {
    const known = this.findStored(terms.transactionId);
    if (known !== null) return known;
    const { refunds: _refunds, dispute: _dispute, ...initial } = initialChargeState(nowMs);
    const withoutHistory = { eventSequence: 0, trail: [], movements: [], paymentId: null };
    return { ...initial, ...terms, ...withoutHistory };
  }

  /** The charge as this object knows it; null before its first move. */
  findStored(transactionId: string): StoredCharge | null {
    const [row] = this.#sql
      .exec<ChargeRow>("SELECT * FROM charges WHERE transaction_id = ?", transactionId)
      .toArray();
    return row === undefined ? null : fromRow(row);
  }

  require(transactionId: string): StoredCharge {
    const charge = this.findStored(transactionId);
    assert(charge !== null, `charge ${transactionId} is stored`);
    return charge;
  }

  /** The charges that ever moved, by id, after one of them. */
  after(transactionId: string, limit: number): StoredCharge[] {
    return this.#sql
      .exec<ChargeRow>(
        "SELECT * FROM charges WHERE transaction_id > ? ORDER BY transaction_id LIMIT ?",
        transactionId,
        limit,
      )
      .toArray()
      .map(fromRow);
  }

  save(charge: StoredCharge): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO charges (transaction_id, amount, payment_method, installments,
         fee_basis_points, fee_fixed, release_days, status, version, event_sequence, updated_at,
         paid_at, paid_amount, refunded_amount, end_to_end_id, cancel_reason, refund_reason, trail,
         card, refused_reason, external_nsu, movements, payment_id, account)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      charge.transactionId,
      charge.amount,
      charge.paymentMethod,
      charge.installments,
      charge.fee.basisPoints,
      charge.fee.fixed,
      charge.releaseDays,
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
      JSON.stringify(charge.trail),
      toJson(charge.card),
      toJson(charge.refusedReason),
      charge.externalNsu,
      JSON.stringify(charge.movements.slice(-MOVEMENTS_KEPT)),
      charge.paymentId,
      charge.account,
    );
  }

  /** Notes a movement about a charge that stays as it is. */
  addMovement(transactionId: string, movement: number): void {
    this.#sql.exec(
      `UPDATE charges SET movements = json_insert(
         iif(json_array_length(movements) < ?, movements, json_remove(movements, '$[0]')),
         '$[#]', CAST(? AS INTEGER))
       WHERE transaction_id = ?`,
      MOVEMENTS_KEPT,
      movement,
      transactionId,
    );
  }

  findPayment(paymentId: string): PaymentRecord | null {
    const [row] = this.#sql
      .exec<PaymentRow>("SELECT * FROM payments WHERE payment_id = ?", paymentId)
      .toArray();
    return row === undefined ? null : toPayment(row);
  }

  /** The payments that nobody expected, by their ids, after one of them. */
  suspendedPayments(paymentId: string, limit: number): PaymentRecord[] {
    return this.#sql
      .exec<PaymentRow>(
        `SELECT * FROM payments INDEXED BY payments_suspended
         WHERE suspended = 1 AND payment_id > ? ORDER BY payment_id LIMIT ?`,
        paymentId,
        limit,
      )
      .toArray()
      .map(toPayment);
  }

  /** Names the operation that returns a payment. */
  setReturnOperation(paymentId: string, operationId: number): void {
    this.#sql.exec(
      "UPDATE payments SET return_operation = ? WHERE payment_id = ?",
      operationId,
      paymentId,
    );
  }

  addPayment(payment: StoredPayment): void {
    this.#sql.exec(
      `INSERT INTO payments
         (payment_id, transaction_id, payment_method, amount, paid_at, suspended, account)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      payment.paymentId,
      payment.transactionId,
      payment.paymentMethod,
      payment.amount,
      payment.paidAt,
      payment.suspended ? 1 : 0,
      payment.account,
    );
  }

  /** Names the charge of a payment set aside; `suspended` false once it is credited to it. */
  assignCharge(paymentId: string, transactionId: string, suspended: boolean): void {
    this.#sql.exec(
      "UPDATE payments SET transaction_id = ?, suspended = ? WHERE payment_id = ?",
      transactionId,
      suspended ? 1 : 0,
      paymentId,
    );
  }

  /** More of a payment set aside went back, in centavos. */
  addReturned(paymentId: string, amount: Cents): void {
    this.#sql.exec(
      "UPDATE payments SET returned_amount = returned_amount + ? WHERE payment_id = ?",
      amount,
      paymentId,
    );
  }
}

function fromRow(row: ChargeRow): StoredCharge {
  return {
    transactionId: row.transaction_id,
    amount: row.amount,
    paymentMethod: row.payment_method,
    installments: row.installments,
    fee: { basisPoints: row.fee_basis_points, fixed: row.fee_fixed },
    releaseDays: row.release_days,
    account: row.account,
    version: row.version,
    eventSequence: row.event_sequence,
    status: row.status,
    updatedAt: row.updated_at,
    paidAt: row.paid_at,
    paidAmount: row.paid_amount,
    endToEndId: row.end_to_end_id,
    paymentId: row.payment_id,
    refundedAmount: row.refunded_amount,
    cancelReason: row.cancel_reason,
    refundReason: row.refund_reason,
    trail: JSON.parse(row.trail) as ChargeHistoryEntry[],
    card: fromJson<ChargedCard>(row.card),
    refusedReason: fromJson<RefusedReason>(row.refused_reason),
    externalNsu: row.external_nsu,
    movements: JSON.parse(row.movements) as number[],
  };
}

function toJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

function fromJson<Value>(text: string | null): Value | null {
  return text === null ? null : (JSON.parse(text) as Value);
}

function toPayment(row: PaymentRow): PaymentRecord {
  return {
    paymentId: row.payment_id,
    transactionId: row.transaction_id,
    paymentMethod: row.payment_method,
    amount: row.amount,
    paidAt: row.paid_at,
    suspended: row.suspended === 1,
    returnOperation: row.return_operation,
    account: row.account,
    returnedAmount: row.returned_amount,
  };
}
