import { isOpenCharge } from "../../domain/charges/charge-status.ts";
import { refundDone } from "../../domain/ledger/ledger.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { OperationKind, OperationOrder } from "../../domain/charges/operation.ts";
import { operationCause } from "../../domain/charges/charge-history.ts";
import { assert } from "../../lib/assert.ts";
import {
  isRefusalFinal,
  acquireLease,
  OPERATION_LEASE_MS,
  scheduleNextPoll,
} from "../runtime/polling.ts";
import type { ChargeTransitions } from "../charges/charge-transitions.ts";
import { paymentIdOf, type ChargeStore } from "../charges/charge-store.ts";
import type {
  ClaimOperationAnswer,
  ResolveOperationAnswer,
  KeyedRequest,
  OperationReply,
  OperationReport,
  RecordOperationAnswer,
  RequestCancelOrCapture,
  RequestOperationAnswer,
  RequestRefund,
  RequestReturn,
} from "../rpc-types.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type { Holds, Hold } from "../ledger/holds.ts";
import type { IdempotencyStore } from "../storage/idempotency-store.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import { OperationReplies } from "./operation-replies.ts";
import { toOrder, type OperationStore, type StoredOperation } from "./operation-store.ts";
import type { SuspenseCommands } from "../charges/suspense-commands.ts";

/** Refunds of one transaction, failed ones included: all of them are part of what it shows. */
const REFUNDS_MAX = 100;
/** Cancels, and captures, of one transaction that came to nothing. */
const CANCELS_OR_CAPTURES_MAX = 20;

type FinalReport = Extract<OperationReport, { kind: "done" | "failed" }>;

/** What a refund needs of the disputes about its transaction. */
interface OpenDisputes {
  isOpen(transactionId: string): boolean;
  /** Blocks up to `amount` more for those that hold less than they are about. */
  increaseHold(transactionId: string, amount: Cents, nowMs: number): void;
}

/**
 * Refunds, cancels, captures and returns: accepted here, carried out by a provider, booked here. They run like
 * payouts. Every method runs inside one `transactionSync`; nothing in it awaits.
 */
export class OperationCommands {
  readonly #operations: OperationStore;
  readonly #charges: ChargeStore;
  readonly #disputes: OpenDisputes;
  readonly #transitions: ChargeTransitions;
  readonly #holds: Holds;
  readonly #ledger: LedgerStore;
  readonly #keys: IdempotencyStore;
  readonly #replies: OperationReplies;
  readonly #suspense: SuspenseCommands;
  readonly #contradictions: ContradictionStore;

  constructor(deps: {
    operations: OperationStore;
    charges: ChargeStore;
    disputes: OpenDisputes;
    transitions: ChargeTransitions;
    holds: Holds;
    ledger: LedgerStore;
    keys: IdempotencyStore;
    suspense: SuspenseCommands;
    contradictions: ContradictionStore;
  }) {
    this.#operations = deps.operations;
    this.#charges = deps.charges;
    this.#disputes = deps.disputes;
    this.#transitions = deps.transitions;
    this.#holds = deps.holds;
    this.#ledger = deps.ledger;
    this.#keys = deps.keys;
    this.#replies = new OperationReplies(deps);
    this.#suspense = deps.suspense;
    this.#contradictions = deps.contradictions;
  }

  /**
   * Sets the money of a refund aside and answers the order to send, which is claimed by the caller.
   * A refusal writes nothing and leaves the key free.
   */
  requestRefund(command: RequestRefund, nowMs: number): RequestOperationAnswer {
    const replay = this.#replay("refund", command, nowMs);
    if (replay !== null) return replay;
    const charge = this.#charges.findOrInitial(command.terms, nowMs);
    if (charge.status !== "paid") return { kind: "not_allowed", status: charge.status };
    if (this.#disputes.isOpen(charge.transactionId)) return { kind: "disputed" };
    const refunds = this.#operations.refundsOf(charge.transactionId);
    const pending = refunds
      .filter((refund) => refund.status === "PENDING")
      .reduce((sum, refund) => sum + refund.amount, 0);
    // A chargeback may have taken what an open refund is about.
    const refundable = Math.max(0, charge.paidAmount - charge.refundedAmount - pending);
    const amount = command.amount ?? refundable;
    if (amount > refundable || amount === 0) return { kind: "exceeds_paid", refundable };
    if (refunds.length >= REFUNDS_MAX) return { kind: "too_many", limit: REFUNDS_MAX };
    const available = this.#holds.available(charge.transactionId);
    if (available < amount) return { kind: "insufficient_balance", available, required: amount };
    const hold = this.#holds.place("refund_requested", charge.transactionId, amount, nowMs);
    const paymentId = paymentIdOf(charge);
    const { operationId, terms } = command;
    const { account } = charge;
    const order = { ...terms, operationId, paymentId, amount, account };
    const operation = this.#begin("refund", order, hold, nowMs);
    this.#transitions.apply(charge, {}, operationCause(operation), null, nowMs);
    this.#replies.bindKey("refund", command, operation);
    return { kind: "send", id: operation.id, order: toOrder(operation) };
  }

  /**
   * Asks for the end of a charge that nobody paid yet, or for the money of an authorized card. The
   * same one that is under way is joined; another has to wait for it.
   */
  requestCancelOrCapture(command: RequestCancelOrCapture, nowMs: number): RequestOperationAnswer {
    const { kind, operationId, terms } = command;
    const replay = this.#replay(kind, command, nowMs);
    if (replay !== null) return replay;
    const charge = this.#charges.findOrInitial(terms, nowMs);
    const { status, transactionId } = charge;
    const allowed = kind === "cancel" ? isOpenCharge(status) : status === "authorized";
    if (!allowed) return { kind: "not_allowed", status };
    const amount = kind === "cancel" ? 0 : (command.amount ?? charge.amount);
    if (amount > charge.amount) return { kind: "exceeds_authorized", authorized: charge.amount };
    const open =
      this.#operations.findPending(transactionId, "cancel") ??
      this.#operations.findPending(transactionId, "capture");
    if (open !== null && (open.kind !== kind || open.amount !== amount)) {
      return { kind: "conflicting_operation", operation: open.kind };
    }
    if (open !== null) {
      this.#replies.bindKey(kind, command, open);
      return this.#resume(open, nowMs);
    }
    const earlier = this.#operations.listByTransaction(kind, transactionId);
    if (earlier.length >= CANCELS_OR_CAPTURES_MAX)
      return { kind: "too_many", limit: CANCELS_OR_CAPTURES_MAX };
    const { account } = charge;
    const order = { ...terms, operationId, paymentId: null, amount, account };
    const operation = this.#begin(kind, order, null, nowMs);
    this.#transitions.apply(charge, {}, operationCause(operation), null, nowMs);
    this.#replies.bindKey(kind, command, operation);
    return { kind: "send", id: operation.id, order: toOrder(operation) };
  }

  /** Sends a payment back that nobody expected. Each such payment is returned at most once. */
  requestReturn(command: RequestReturn, nowMs: number): RequestOperationAnswer {
    const { operationId } = command;
    const retried = this.#findInternalRetry(operationId);
    if (retried !== null) return retried;
    const payment = this.#charges.findPayment(command.paymentId);
    if (payment === null || !payment.suspended) return { kind: "not_found" };
    const earlier =
      payment.returnOperation === null ? null : this.#require(payment.returnOperation);
    if (earlier !== null && earlier.status !== "FAILED") return this.#resume(earlier, nowMs);
    // What its payer's bank asks back would go back twice.
    if (this.#suspense.isDisputed(payment)) return { kind: "disputed" };
    const amount = this.#suspense.remaining(payment);
    if (amount === 0) return { kind: "exceeds_paid", refundable: 0 };
    const order = { ...payment, operationId, amount };
    const operation = this.#begin("return", order, null, nowMs);
    this.#charges.setReturnOperation(payment.paymentId, operation.id);
    this.#transitions.recordCause(operation.transactionId, operationCause(operation), nowMs);
    return { kind: "send", id: operation.id, order: toOrder(operation) };
  }

  /** Takes an open operation for asking about it; whoever made it sends it first. */
  claim(id: number, nowMs: number): ClaimOperationAnswer {
    const operation = this.#operations.find(id);
    if (operation === null) return { kind: "not_found" };
    if (operation.status !== "PENDING") return { kind: "settled" };
    if (operation.leaseUntil > nowMs) return { kind: "wait" };
    return this.#claimForQuery(operation, nowMs);
  }

  /**
   * Books what the provider says. Only explicit answers are final; anything else is asked again. The
   * answer that a client is given is kept under its key, to be given again.
   */
  record(
    id: number,
    report: OperationReport,
    reply: KeyedRequest | null,
    nowMs: number,
  ): RecordOperationAnswer {
    const operation = this.#operations.find(id);
    if (operation === null) return { kind: "not_found" };
    const isLate = report.kind === "done" && this.#isStillInSuspense(operation);
    if (contradicts(operation, report) && !isLate) {
      this.#openContradiction(operation, report, nowMs);
      return { kind: "contradiction", reply: this.#replies.reply(operation, reply) };
    }
    if (operation.status === "PENDING" || isLate) this.#book(operation, report, nowMs);
    return { kind: "recorded", reply: this.#replies.reply(this.#require(id), reply) };
  }

  /** An operator's word, as on a withdraw: not while it is under way, and not before it was asked. */
  resolveManually(id: number, report: OperationReport, nowMs: number): ResolveOperationAnswer {
    const operation = this.#operations.find(id);
    const open = operation?.status === "PENDING";
    if (open && (operation.leaseUntil > nowMs || operation.checks === 0)) {
      return { kind: "in_progress" };
    }
    // A person who is mistaken is told so; only a provider's word is kept as a contradiction.
    if (operation !== null && contradicts(operation, report)) {
      return { kind: "contradiction", reply: this.#replies.reply(operation, null) };
    }
    return this.record(id, report, null, nowMs);
  }

  /**
   * A provider's other last word. Money that it says went back after it had refused, and that the company
   * was given again, may have left twice.
   */
  #openContradiction(operation: StoredOperation, report: OperationReport, nowMs: number): void {
    const { operationId, kind, amount, status, failureReason } = operation;
    const isDone = report.kind === "done";
    this.#contradictions.open(
      {
        finding: `refund_status:operation:${operationId}:${isDone ? "DONE" : "FAILED"}`,
        kind: "refund_status",
        object: `operation:${operationId}`,
        said: { ...report },
        booked: { kind, status, reason: failureReason },
        amount,
        held: isDone ? amount : 0,
      },
      nowMs,
    );
  }

  /** Whether a return failed whose money stands in `suspense` as it did: it may be booked after all. */
  #isStillInSuspense({ id, kind, paymentId, amount, status }: StoredOperation): boolean {
    if (kind !== "return" || status !== "FAILED" || paymentId === null) return false;
    const payment = this.#charges.findPayment(paymentId);
    if (payment?.suspended !== true || payment.returnOperation !== id) return false;
    return this.#suspense.remaining(payment) >= amount;
  }

  #book(operation: StoredOperation, report: OperationReport, nowMs: number): void {
    if (report.kind === "processing" || report.kind === "unknown") {
      this.#operations.update({ ...operation, ...scheduleNextPoll(operation.checks, nowMs) });
      return;
    }
    switch (operation.kind) {
      case "refund":
        this.#refundEnded(operation, report, nowMs);
        break;
      case "cancel":
        this.#cancelEnded(operation, report, nowMs);
        break;
      case "capture":
        this.#captureEnded(operation, report, nowMs);
        break;
      case "return":
        this.#returnEnded(operation, report, nowMs);
        break;
    }
  }

  #end(operation: StoredOperation, report: FinalReport): StoredOperation {
    return this.#operations.end(operation, report.kind === "failed" ? report.reason : null);
  }

  #returnEnded(operation: StoredOperation, report: FinalReport, nowMs: number): void {
    const ended = this.#end(operation, report);
    if (report.kind === "done") this.#suspense.recordReturned(operation, nowMs);
    this.#transitions.recordCause(operation.transactionId, operationCause(ended), nowMs);
  }

  #refundEnded(refund: StoredOperation, report: FinalReport, nowMs: number): void {
    assert(refund.hold !== null, "a refund has a hold");
    assert(refund.transactionId !== null, "a refund is of a transaction");
    const charge = this.#charges.require(refund.transactionId);
    const cause = operationCause(this.#end(refund, report));
    if (report.kind === "failed") {
      this.#holds.release("refund_failed", refund.transactionId, refund.hold, nowMs);
      this.#disputes.increaseHold(refund.transactionId, refund.amount, nowMs);
      this.#transitions.apply(charge, {}, cause, null, nowMs);
      return;
    }
    const { transactionId } = refund;
    const postings = refundDone(refund.amount);
    this.#ledger.post({ type: "refund_done", postings, transactionId }, nowMs);
    this.#transitions.applyRefund(charge, refund.amount, "REQUESTED", cause, nowMs);
  }

  /**
   * A charge that was paid or ended meanwhile stays so, whatever the provider says: money is money.
   * One that was cancelled as this asked has what it asked for.
   */
  #cancelEnded(cancel: StoredOperation, report: FinalReport, nowMs: number): void {
    assert(cancel.transactionId !== null, "a cancel is of a transaction");
    const charge = this.#charges.require(cancel.transactionId);
    const open = isOpenCharge(charge.status);
    const isCancelledAsRequested =
      charge.status === "cancelled" && charge.cancelReason === "REQUESTED";
    const ended = this.#end(
      cancel,
      open || isCancelledAsRequested
        ? report
        : { kind: "failed", reason: `The charge is ${charge.status}.` },
    );
    const cause = operationCause(ended);
    if (ended.status === "FAILED" || !open) {
      this.#transitions.recordCause(charge.transactionId, cause, nowMs);
      return;
    }
    const change = { status: "cancelled", cancelReason: "REQUESTED" } as const;
    this.#transitions.apply(charge, change, cause, "transaction.cancelled", nowMs);
  }

  /** Its money comes as any other, with the payment that the charge is settled with. */
  #captureEnded(capture: StoredOperation, report: FinalReport, nowMs: number): void {
    const ended = this.#end(capture, report);
    this.#transitions.recordCause(capture.transactionId, operationCause(ended), nowMs);
  }

  #begin(
    kind: OperationKind,
    order: Omit<OperationOrder, "kind">,
    hold: Hold | null,
    nowMs: number,
  ): StoredOperation {
    return this.#operations.insert({
      operationId: order.operationId,
      kind,
      transactionId: order.transactionId,
      paymentMethod: order.paymentMethod,
      paymentId: order.paymentId,
      amount: order.amount,
      account: order.account,
      hold,
      status: "PENDING",
      failureReason: null,
      createdAt: nowMs,
      checks: 0,
      ...acquireLease(nowMs, OPERATION_LEASE_MS),
    });
  }

  /** The same call once more, whose answer was lost on the way here: still the caller's to send. */
  #findInternalRetry(operationId: string): RequestOperationAnswer | null {
    const operation = this.#operations.findByOperationId(operationId);
    if (operation === null) return null;
    return { kind: "send", id: operation.id, order: toOrder(operation) };
  }

  #replay(
    kind: OperationKind,
    request: KeyedRequest & { operationId: string; requestHash: string },
    nowMs: number,
  ): RequestOperationAnswer | null {
    const retried = this.#findInternalRetry(request.operationId);
    if (retried !== null) return retried;
    const known = request.key === null ? null : this.#keys.find(kind, request.key);
    if (known === null) return null;
    if (known.requestHash !== request.requestHash) return { kind: "key_reused" };
    if (known.answer !== null) {
      return { kind: "answered", reply: JSON.parse(known.answer) as OperationReply };
    }
    const operation = this.#require(known.recordId);
    if (operation.status === "PENDING") return this.#resume(operation, nowMs);
    return { kind: "answered", reply: this.#replies.reply(operation, request) };
  }

  /** What a repeated request does with an operation that has not been answered yet. */
  #resume(operation: StoredOperation, nowMs: number): RequestOperationAnswer {
    if (operation.status !== "PENDING") {
      return { kind: "answered", reply: this.#replies.reply(operation, null) };
    }
    return operation.leaseUntil > nowMs
      ? { kind: "in_progress" }
      : this.#claimForQuery(operation, nowMs);
  }

  #claimForQuery(operation: StoredOperation, nowMs: number) {
    this.#operations.update({ ...operation, ...acquireLease(nowMs, OPERATION_LEASE_MS) });
    const refusalIsFinal = isRefusalFinal(operation.createdAt, nowMs);
    return { kind: "query" as const, id: operation.id, order: toOrder(operation), refusalIsFinal };
  }

  #require(id: number): StoredOperation {
    const operation = this.#operations.find(id);
    assert(operation !== null, `operation ${id} exists`);
    return operation;
  }
}

/**
 * A final answer other than the one that was booked. Of a cancel or a capture the charge itself has the
 * last word.
 */
function contradicts(operation: StoredOperation, report: OperationReport): boolean {
  if (operation.kind === "cancel" || operation.kind === "capture") return false;
  if (report.kind !== "done" && report.kind !== "failed") return false;
  const reported = report.kind === "done" ? "DONE" : "FAILED";
  return operation.status !== "PENDING" && operation.status !== reported;
}
