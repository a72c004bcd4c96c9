import type { FailureReason } from "../../domain/charges/failure-reason.ts";
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
  type PaidBy,
  type PayerMatch,
} from "../../domain/charges/transaction.ts";
import { endToEndKey, nextTwin } from "../../domain/psp/psp-ids.ts";
import type { ChargeIds } from "../../domain/subscriptions/cycle-charge.ts";
import { assert } from "../../lib/assert.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

/** Movements that a charge lists; older ones are only in the statement. */
export const MOVEMENTS_KEPT = 1_000;

export interface StoredCharge extends Omit<ChargeState, "refunds" | "dispute"> {
  transactionId: string;
  amount: Cents;
  paymentMethod: PaymentMethod;
  installments: number;
  fee: Fee;
  releaseDays: number;
  /** The provider account that it was created with. */
  account: string;
  /** Bytes of its texts in each of its events. */
  textBytes: number;
  /** Events of this charge so far. */
  eventSequence: number;
  /** Its changes with their causes, oldest first. */
  trail: ChargeHistoryEntry[];
  /** Sequences of its movements, oldest first. */
  movements: number[];
  /** The payment that paid it; for PIX the end-to-end id (BACEN). */
  paymentId: string | null;
}

/** The payment id of a paid charge; throws for any other. */
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
  text_bytes: number;
  paid_by: string | null;
  payer_match: PayerMatch | null;
  failure_reason: string | null;
  booked_day: string | null;
};

export interface StoredPayment {
  paymentId: string;
  /** Null if it matched no charge. */
  transactionId: string | null;
  paymentMethod: PaymentMethod;
  amount: Cents;
  paidAt: number;
  inSuspense: boolean;
  /** The provider account that took it; only this one can return it. */
  account: string;
  /** Null where the provider does not say who paid. */
  paidBy: PaidBy | null;
}

/** A stored payment with its returns; only an unexpected one has any. */
export interface PaymentRecord extends StoredPayment {
  /** The newest operation that returns it. */
  returnOperation: number | null;
  /** Centavos that left without an operation: refunded at the PSP or lost in a dispute. */
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
  paid_by: string | null;
};

const CHARGES = new Table<ChargeRow>("charges");

const PAYMENTS = new Table<Omit<PaymentRow, "return_operation" | "returned_amount">>("payments");

/** Charges with at least one change, and all payments. */
export class ChargeStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The stored charge, or a new one from its immutable terms. */
  findOrInitial(terms: ChargeTerms, nowMs: number): StoredCharge {
    const known = this.findStored(terms.transactionId);
    if (known !== null) return known;
    const { refunds: _refunds, dispute: _dispute, ...initial } = initialChargeState(nowMs);
    const withoutHistory = { eventSequence: 0, trail: [], movements: [], paymentId: null };
    return { ...initial, ...terms, ...withoutHistory };
  }

  /** The stored charge; null before its first change. */
  findStored(transactionId: string): StoredCharge | null {
    const [row] = this.#sql
      .exec<ChargeRow>("SELECT * FROM charges WHERE transaction_id = ?", transactionId)
      .toArray();
    return row === undefined ? null : fromRow(row);
  }

  /** Those of some ids that are paid, and when (epoch milliseconds). */
  paidFrom(ids: ChargeIds): { id: string; paidAt: number }[] {
    return named(
      `SELECT transaction_id AS id, paid_at AS paidAt FROM charges
       WHERE transaction_id BETWEEN :first AND :last
         AND substr(transaction_id, :from) = substr(:first, :from) AND paid_at IS NOT NULL`,
    )
      .exec<{ id: string; paidAt: number }>(this.#sql, { ...ids })
      .toArray();
  }

  /** The stored charge; throws before its first change. */
  require(transactionId: string): StoredCharge {
    const charge = this.findStored(transactionId);
    assert(charge !== null, `charge ${transactionId} is stored`);
    return charge;
  }

  /** Those of the ids that no stored charge has. */
  unknown(transactionIds: string[]): string[] {
    return this.#sql
      .exec<{ id: string }>(
        `SELECT value AS id FROM json_each(?)
         WHERE NOT EXISTS (SELECT 1 FROM charges WHERE transaction_id = value)`,
        JSON.stringify(transactionIds),
      )
      .toArray()
      .map(({ id }) => id);
  }

  /** Stored charges by id, after `transactionId`. */
  after(transactionId: string, limit: number): StoredCharge[] {
    return named(
      "SELECT * FROM charges WHERE transaction_id > :transactionId ORDER BY transaction_id LIMIT :limit",
    )
      .exec<ChargeRow>(this.#sql, { transactionId, limit })
      .toArray()
      .map(fromRow);
  }

  save(charge: StoredCharge): void {
    CHARGES.replace(this.#sql, {
      transaction_id: charge.transactionId,
      amount: charge.amount,
      payment_method: charge.paymentMethod,
      installments: charge.installments,
      fee_basis_points: charge.fee.basisPoints,
      fee_fixed: charge.fee.fixed,
      release_days: charge.releaseDays,
      status: charge.status,
      version: charge.version,
      event_sequence: charge.eventSequence,
      updated_at: charge.updatedAt,
      paid_at: charge.paidAt,
      paid_amount: charge.paidAmount,
      refunded_amount: charge.refundedAmount,
      end_to_end_id: charge.endToEndId,
      cancel_reason: charge.cancelReason,
      refund_reason: charge.refundReason,
      trail: JSON.stringify(charge.trail),
      card: toJson(charge.card),
      refused_reason: toJson(charge.refusedReason),
      external_nsu: charge.externalNsu,
      movements: JSON.stringify(charge.movements.slice(-MOVEMENTS_KEPT)),
      payment_id: charge.paymentId,
      account: charge.account,
      text_bytes: charge.textBytes,
      paid_by: toJson(charge.paidBy),
      payer_match: charge.payerMatch,
      failure_reason: toJson(charge.failureReason),
      booked_day: charge.bookedDay,
    });
  }

  /** Lists a movement of a charge that does not change otherwise. */
  addMovement(transactionId: string, movement: number): void {
    named(
      `UPDATE charges SET movements = json_insert(
         iif(json_array_length(movements) < :kept, movements, json_remove(movements, '$[0]')),
         '$[#]', CAST(:movement AS INTEGER))
       WHERE transaction_id = :transactionId`,
    ).exec(this.#sql, {
      kept: MOVEMENTS_KEPT,
      movement,
      transactionId,
    });
  }

  /**
   * Removes the name on the card of charges, and who paid them: the only data of a payer here. Returns the
   * ids of their unexpected payments.
   */
  erasePayers(transactionIds: string[]): string[] {
    const ids = JSON.stringify(transactionIds);
    const erasedPaidBy =
      "paid_by = json_replace(paid_by, '$.name', NULL, '$.documentMasked', NULL)";
    this.#sql.exec(
      `UPDATE charges SET card = json_replace(card, '$.holderName', ''), ${erasedPaidBy}
       WHERE transaction_id IN (SELECT value FROM json_each(?))`,
      ids,
    );
    this.#sql.exec(
      `UPDATE payments SET ${erasedPaidBy} WHERE payment_id IN (
         SELECT payment_id FROM charges WHERE transaction_id IN (SELECT value FROM json_each(?)))`,
      ids,
    );
    return this.#sql
      .exec<{ id: string }>(
        `UPDATE payments SET ${erasedPaidBy} WHERE number IS NOT NULL AND payment_id IN (
           SELECT entry.value ->> '$.cause.id' FROM charges, json_each(charges.trail) AS entry
           WHERE charges.transaction_id IN (SELECT value FROM json_each(?)))
         RETURNING payment_id AS id`,
        ids,
      )
      .toArray()
      .map(({ id }) => id);
  }

  findPayment(paymentId: string): PaymentRecord | null {
    const [row] = this.#sql
      .exec<PaymentRow>("SELECT * FROM payments WHERE payment_id = ?", paymentId)
      .toArray();
    return row === undefined ? null : toPayment(row);
  }

  /** A payment whose id differs in letter case only; null if there is none. Reads a few, among however many. */
  findTwin(paymentId: string): PaymentRecord | null {
    const key = endToEndKey(paymentId);
    let twin = nextTwin(paymentId, "");
    while (twin !== null) {
      const [row] = this.#sql
        .exec<PaymentRow>(
          "SELECT * FROM payments WHERE payment_id >= ? ORDER BY payment_id LIMIT 1",
          twin,
        )
        .toArray();
      if (row === undefined) return null;
      const { payment_id: found } = row;
      if (found !== paymentId && endToEndKey(found) === key) return toPayment(row);
      twin = nextTwin(paymentId, found);
    }
    return null;
  }

  /** Unexpected payments by id, after `paymentId`. */
  paymentsInSuspense(paymentId: string, limit: number): PaymentRecord[] {
    return named(
      `SELECT * FROM payments INDEXED BY payments_suspended
         WHERE suspended = 1 AND payment_id > :paymentId ORDER BY payment_id LIMIT :limit`,
    )
      .exec<PaymentRow>(this.#sql, { paymentId, limit })
      .toArray()
      .map(toPayment);
  }

  /** Stores the operation that returns a payment. */
  setReturnOperation(paymentId: string, operationId: number): void {
    named("UPDATE payments SET return_operation = :operationId WHERE payment_id = :paymentId").exec(
      this.#sql,
      { operationId, paymentId },
    );
  }

  addPayment(payment: StoredPayment): void {
    PAYMENTS.insert(this.#sql, {
      payment_id: payment.paymentId,
      transaction_id: payment.transactionId,
      payment_method: payment.paymentMethod,
      amount: payment.amount,
      paid_at: payment.paidAt,
      suspended: payment.inSuspense ? 1 : 0,
      account: payment.account,
      paid_by: toJson(payment.paidBy),
    });
  }

  /** Stores the charge of an unexpected payment; `inSuspense` is false once it is credited. */
  assignCharge(paymentId: string, transactionId: string, inSuspense: boolean): void {
    named(
      "UPDATE payments SET transaction_id = :transactionId, suspended = :suspended WHERE payment_id = :paymentId",
    ).exec(this.#sql, { transactionId, suspended: inSuspense ? 1 : 0, paymentId });
  }

  /** Adds centavos of an unexpected payment that left without an operation. */
  addReturned(paymentId: string, amount: Cents): void {
    named(
      "UPDATE payments SET returned_amount = returned_amount + :amount WHERE payment_id = :paymentId",
    ).exec(this.#sql, { amount, paymentId });
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
    textBytes: row.text_bytes,
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
    paidBy: fromJson<PaidBy>(row.paid_by),
    payerMatch: row.payer_match,
    failureReason: fromJson<FailureReason>(row.failure_reason),
    bookedDay: row.booked_day,
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
    inSuspense: row.suspended === 1,
    returnOperation: row.return_operation,
    account: row.account,
    returnedAmount: row.returned_amount,
    paidBy: fromJson<PaidBy>(row.paid_by),
  };
}
