import { isEndToEndId } from "../../domain/psp/psp-ids.ts";
import type { PaidBy } from "../../domain/charges/transaction.ts";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { Requester } from "../../domain/access/requester.ts";
import type { ApprovalStatus } from "../../domain/withdraws/withdraw-status.ts";
import {
  ruleAsRequester,
  type UnexpectedPayment,
  type UnexpectedReason,
  type UnexpectedRule,
  type UnexpectedStatus,
} from "../../domain/charges/unexpected-payment.ts";
import type { PaymentEventType } from "../../domain/events/event-types.ts";
import { jsonBytes } from "../../domain/storage/quotas.ts";
import { assert } from "../../lib/assert.ts";
import { methodOf } from "../../methods/registry.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import type { OutboxStore } from "../outbox/outbox-store.ts";
import { named } from "../storage/named-sql.ts";

type Row = {
  payment_id: string;
  transaction_id: string | null;
  payment_method: PaymentMethod;
  amount: number;
  paid_by: string | null;
  number: number | null;
  reason: UnexpectedReason;
  rule: UnexpectedRule;
  status: UnexpectedStatus;
  received_at: number;
  version: number;
  event_sequence: number;
  requested_by: string | null;
  approval: ApprovalStatus;
};

interface StoredUnexpected extends UnexpectedPayment {
  eventSequence: number;
}

/** The columns of a `Row`. */
const COLUMNS = `payment_id, transaction_id, payment_method, amount, paid_by, number, reason, rule,
  status, received_at, version, event_sequence, requested_by, approval`;

/** An end-to-end id (BACEN): a boleto may be paid by its PIX code. */
const END_TO_END_ID = /^E\d{20}[A-Za-z0-9]{11}$/;

/** Why a payment was not expected, and what is done with it first. */
export type Unexpected = Pick<UnexpectedPayment, "reason" | "rule" | "status">;

/** The event of a payment that enters a status again or at last. */
const EVENT_OF_STATUS: Record<Exclude<UnexpectedStatus, "kept">, PaymentEventType | null> = {
  crediting: null,
  credited: "payment.credited",
  returning: null,
  returned: "payment.returned",
};

/**
 * What merchants see of unexpected payments: a number, a status and events, in the rows of `payments`.
 * Payments that came before these were kept have none. Every method that writes runs inside one
 * `transactionSync`.
 */
export class UnexpectedPaymentStore {
  readonly #sql: SqlStorage;
  readonly #meta: MetaStore;
  readonly #outbox: OutboxStore;

  constructor(deps: { sql: SqlStorage; meta: MetaStore; outbox: OutboxStore }) {
    this.#sql = deps.sql;
    this.#meta = deps.meta;
    this.#outbox = deps.outbox;
  }

  /** The unexpected payment; null for any other. */
  find(paymentId: string): UnexpectedPayment | null {
    const stored = this.#find(paymentId);
    return stored === null ? null : toPayment(stored);
  }

  /** The unexpected payments among the next `limit` received ones after an id, and where these end. */
  after(paymentId: string, limit: number) {
    const rows = named(
      `SELECT ${COLUMNS} FROM payments WHERE payment_id > :paymentId ORDER BY payment_id LIMIT :limit`,
    )
      .exec<Row>(this.#sql, { paymentId, limit })
      .toArray();
    return {
      payments: rows.flatMap((row) =>
        row.number === null ? [] : [toPayment(fromRow(row, row.number))],
      ),
      last: rows.at(-1)?.payment_id ?? paymentId,
      isDone: rows.length < limit,
    };
  }

  /** Numbers and announces a stored payment as unexpected. */
  announce(paymentId: string, unexpected: Unexpected, nowMs: number): void {
    const number = this.#meta.next("newest_unexpected_payment");
    named(
      `UPDATE payments SET number = :number, reason = :reason, rule = :rule,
         received_at = :nowMs, requested_by = :requestedBy
       WHERE payment_id = :paymentId`,
    ).exec(this.#sql, {
      number,
      reason: unexpected.reason,
      rule: unexpected.rule,
      nowMs,
      requestedBy:
        unexpected.rule === "keep" ? null : JSON.stringify(ruleAsRequester(unexpected.reason)),
      paymentId,
    });
    const stored = this.#find(paymentId);
    assert(stored !== null, `payment ${paymentId} is stored`);
    this.#save({ ...stored, status: unexpected.status }, null, "payment.unexpected", nowMs);
  }

  /** Changes an unexpected payment's status and announces it. No effect on any other payment. */
  change(paymentId: string, status: UnexpectedStatus, nowMs: number): void {
    const stored = this.#find(paymentId);
    if (stored === null || stored.status === status) return;
    this.#save({ ...stored, status }, stored.status, eventOf(stored.status, status), nowMs);
  }

  /**
   * Records who asks for a payment's return or credit, and whether it waits for an approval; a change that follows
   * shows it. No effect on any other payment.
   */
  recordRequester(
    paymentId: string,
    { requestedBy, approval }: { requestedBy: Requester | null; approval: ApprovalStatus },
  ): void {
    named(
      "UPDATE payments SET requested_by = :requestedBy, approval = :approval WHERE payment_id = :paymentId",
    ).exec(this.#sql, {
      requestedBy: requestedBy === null ? null : JSON.stringify(requestedBy),
      approval,
      paymentId,
    });
  }

  /** Records the charge that an unexpected payment was assigned to, without an event. */
  recordCharge(paymentId: string, nowMs: number): void {
    const stored = this.#find(paymentId);
    if (stored !== null) this.#save(stored, stored.status, null, nowMs);
  }

  #find(paymentId: string): StoredUnexpected | null {
    const [row] = this.#sql
      .exec<Row>(`SELECT ${COLUMNS} FROM payments WHERE payment_id = ?`, paymentId)
      .toArray();
    return row === undefined || row.number === null ? null : fromRow(row, row.number);
  }

  #save(
    before: StoredUnexpected,
    previousStatus: UnexpectedStatus | null,
    type: PaymentEventType | null,
    nowMs: number,
  ): void {
    const { eventSequence, ...stored } = before;
    const payment = { ...stored, version: stored.version + 1 };
    const sequence = eventSequence + (type === null ? 0 : 1);
    named(
      `UPDATE payments SET status = :status, version = :version, event_sequence = :sequence
       WHERE payment_id = :paymentId`,
    ).exec(this.#sql, {
      status: payment.status,
      version: payment.version,
      sequence,
      paymentId: payment.paymentId,
    });
    const event =
      type === null
        ? null
        : {
            type,
            ...this.#meta.nextEvent({ nowMs, bytes: jsonBytes(payment) }),
            sequence,
            previousStatus,
            timestamp: nowMs,
          };
    this.#outbox.add({ kind: "payment", payment, updatedAt: nowMs, event }, nowMs);
  }
}

/** A payment is kept again once it was sent back in vain, or can no longer be credited. */
function eventOf(before: UnexpectedStatus, status: UnexpectedStatus): PaymentEventType | null {
  if (status !== "kept") return EVENT_OF_STATUS[status];
  return before === "returning" ? "payment.return_failed" : "payment.unexpected";
}

function toPayment({ eventSequence: _sequence, ...payment }: StoredUnexpected): UnexpectedPayment {
  return payment;
}

function hasEndToEndId({ payment_id: id, payment_method: method }: Row): boolean {
  return (methodOf(method).hasEndToEndId && isEndToEndId(id)) || END_TO_END_ID.test(id);
}

function fromRow(row: Row, number: number): StoredUnexpected {
  return {
    number,
    paymentId: row.payment_id,
    reason: row.reason,
    rule: row.rule,
    amount: row.amount,
    transactionId: row.transaction_id,
    endToEndId: hasEndToEndId(row) ? row.payment_id : null,
    payer: row.paid_by === null ? null : (JSON.parse(row.paid_by) as PaidBy),
    receivedAt: row.received_at,
    status: row.status,
    version: row.version,
    eventSequence: row.event_sequence,
    requestedBy: row.requested_by === null ? null : (JSON.parse(row.requested_by) as Requester),
    approval: row.approval,
  };
}
