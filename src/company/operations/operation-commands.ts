import { isOpenCharge } from "../../domain/charges/charge-status.ts";
import type { Requester } from "../../domain/access/requester.ts";
import type { ExitLimits } from "../../domain/exits/exit-limits.ts";
import { APPROVAL_WINDOW_MS } from "../../domain/withdraws/withdraw-policy.ts";
import type { ExitRules } from "../exits/exit-rules.ts";
import type { WaitingApprovalStore } from "../exits/waiting-approval-store.ts";
import type { OperationKind, OperationOrder } from "../../domain/charges/operation.ts";
import { operationCause } from "../../domain/charges/charge-history.ts";
import { assert } from "../../lib/assert.ts";
import { scheduleNextPoll } from "../runtime/polling.ts";
import type { ChargeTransitions } from "../charges/charge-transitions.ts";
import { paymentIdOf, type ChargeStore, type StoredCharge } from "../charges/charge-store.ts";
import type {
  ChargeOperation,
  ClaimOperationAnswer,
  ResolveOperationAnswer,
  KeyedRequest,
  OperationReport,
  OperationToSend,
  RecordOperationAnswer,
  RequestCancelOrCapture,
  RequestDueDate,
  RequestDueDateAnswer,
  RequestOperationAnswer,
  RequestRefund,
  RequestRefundAnswer,
  RequestReturn,
} from "./command-types.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type { Holds, Hold } from "../ledger/holds.ts";
import type { DailyUsage } from "../storage/daily-usage.ts";
import type { IdempotencyStore } from "../storage/idempotency-store.ts";
import { OperationClaims } from "./operation-claims.ts";
import { OperationReplies } from "./operation-replies.ts";
import { contradicts, secondReport, type OperationResults } from "./operation-results.ts";
import type { InsteadRefunds } from "../disputes/instead-refunds.ts";
import { CHARGE_OPERATIONS_MAX, NEW_OPERATION } from "./new-operation.ts";
import { REFUNDS_MAX } from "./refund-limit.ts";
import type { OperationStore, StoredOperation } from "./operation-store.ts";
import type { ToldSums } from "./told-sums.ts";
import type { SuspenseCommands } from "../charges/suspense-commands.ts";
import type { UnexpectedPaymentStore } from "../charges/unexpected-payment-store.ts";

/** A request that is found again by its operation id only. */
const UNKEYED_REQUEST = { key: null, traceId: "", requestHash: "" };

/** Why a change of a due date fails that gives way to a cancel. */
const CANCELLED = "The charge is being cancelled.";

/** A new operation. `limits`: of a caller of the company. */
interface Asked {
  order: Omit<OperationOrder, "kind">;
  hold: Hold | null;
  requestedBy: Requester;
  limits?: ExitLimits;
  insteadOf?: string | null;
  dueDate?: ChargeOperation["dueDate"];
}

/**
 * Refunds, cancels, captures, returns and changes of due dates: accepted here, executed by a provider and reported back,
 * like payouts. Every method runs inside one `transactionSync`; none awaits.
 */
export class OperationCommands {
  readonly #operations: OperationStore;
  readonly #charges: ChargeStore;
  readonly #instead: InsteadRefunds;
  readonly #transitions: ChargeTransitions;
  readonly #holds: Holds;
  readonly #keys: IdempotencyStore;
  readonly #usage: DailyUsage;
  readonly #replies: OperationReplies;
  readonly #results: OperationResults;
  readonly #toldSums: ToldSums;
  readonly #suspense: SuspenseCommands;
  readonly #contradictions: ContradictionStore;
  readonly #unexpected: UnexpectedPaymentStore;
  readonly #exits: ExitRules;
  readonly #waiting: WaitingApprovalStore;
  readonly #claims: OperationClaims;

  constructor(deps: {
    operations: OperationStore;
    charges: ChargeStore;
    insteadRefunds: InsteadRefunds;
    transitions: ChargeTransitions;
    holds: Holds;
    results: OperationResults;
    keys: IdempotencyStore;
    usage: DailyUsage;
    toldSums: ToldSums;
    suspense: SuspenseCommands;
    contradictions: ContradictionStore;
    unexpected: UnexpectedPaymentStore;
    exits: ExitRules;
    waiting: WaitingApprovalStore;
  }) {
    this.#operations = deps.operations;
    this.#charges = deps.charges;
    this.#instead = deps.insteadRefunds;
    this.#transitions = deps.transitions;
    this.#holds = deps.holds;
    this.#keys = deps.keys;
    this.#usage = deps.usage;
    this.#replies = new OperationReplies(deps);
    this.#results = deps.results;
    this.#toldSums = deps.toldSums;
    this.#suspense = deps.suspense;
    this.#contradictions = deps.contradictions;
    this.#unexpected = deps.unexpected;
    this.#exits = deps.exits;
    this.#waiting = deps.waiting;
    this.#claims = new OperationClaims(deps);
  }

  /**
   * Holds the money of a refund and returns the order, which the caller has claimed and sends. A
   * refusal writes nothing and leaves the key free.
   */
  requestRefund(command: RequestRefund, nowMs: number): RequestRefundAnswer {
    const replay = this.#replay("refund", command, nowMs) ?? this.#usage.refusal(command, nowMs);
    if (replay !== null) return replay;
    if (this.#exits.frozen()) return { kind: "frozen" };
    const charge = this.#charges.findOrInitial(command.terms, nowMs);
    if (charge.status !== "paid") return { kind: "not_allowed", status: charge.status };
    const { account } = charge;
    const { connected = account, insteadOf } = command;
    if (account !== connected) return { kind: "taken_by", account };
    const asked = this.#instead.ask(charge.transactionId, insteadOf, command.amount);
    if (asked.kind !== "possible") return asked;
    const { dispute } = asked;
    const refunds = this.#operations.refundsOf(charge.transactionId);
    const refundable = this.#toldSums.refundable(charge, refunds);
    const amount = command.amount ?? dispute?.amount ?? refundable;
    if (amount > refundable || amount === 0) return { kind: "exceeds_paid", refundable };
    const { limits, requestedBy, operationId, terms } = command;
    const overLimit = this.#exits.limitRefusal(limits, { clientId: requestedBy.id, amount }, nowMs);
    if (overLimit !== null) return overLimit;
    if (refunds.length >= REFUNDS_MAX) return { kind: "too_many", limit: REFUNDS_MAX };
    const { available, held } = this.#exits.refundable(charge.transactionId);
    const required = amount - (dispute?.held ?? 0);
    if (available < required) return { kind: "insufficient_balance", available, held, required };
    const hold =
      dispute === null
        ? this.#holds.place("refund_requested", charge.transactionId, amount, nowMs)
        : this.#instead.takeHold(dispute, amount, nowMs);
    const paymentId = paymentIdOf(charge);
    const order = { ...terms, operationId, paymentId, amount, account };
    const refund = { order, hold, requestedBy, limits, insteadOf };
    const operation = this.#begin("refund", refund, nowMs);
    this.#transitions.apply(charge, {}, operationCause(operation), null, nowMs);
    this.#replies.bindKey("refund", command, operation);
    return this.#begun(operation, command);
  }

  /** Cancels an open charge or captures an authorized card. Joins the same pending operation; any other conflicts. */
  requestCancelOrCapture(command: RequestCancelOrCapture, nowMs: number): RequestOperationAnswer {
    const { kind, terms } = command;
    const replay = this.#replay(kind, command, nowMs) ?? this.#usage.refusal(command, nowMs);
    if (replay !== null) return replay;
    if (kind === "capture" && this.#exits.chargesFrozen()) return { kind: "charges_frozen" };
    const charge = this.#charges.findOrInitial(terms, nowMs);
    const { status } = charge;
    const allowed = kind === "cancel" ? isOpenCharge(status) : status === "authorized";
    if (!allowed) return { kind: "not_allowed", status };
    const amount = kind === "cancel" ? 0 : (command.amount ?? charge.amount);
    if (amount > charge.amount) return { kind: "exceeds_authorized", authorized: charge.amount };
    return this.#changeCharge(charge, { ...command, kind, amount, dueDate: null }, nowMs);
  }

  /** Changes a waiting boleto's due date. Joins the same pending change; any other pending operation conflicts. */
  requestDueDate(command: RequestDueDate, nowMs: number): RequestDueDateAnswer {
    const replay = this.#replay("due_date", command, nowMs) ?? this.#usage.refusal(command, nowMs);
    if (replay !== null) return replay;
    const charge = this.#charges.findOrInitial(command.terms, nowMs);
    const { status } = charge;
    if (status !== "waiting_payment") return { kind: "not_allowed", status };
    if (!command.isPossible) return { kind: "not_possible" };
    return this.#changeCharge(charge, { ...command, kind: "due_date", amount: 0 }, nowMs);
  }

  /** One operation on an unpaid charge goes on at a time. */
  #changeCharge(
    charge: StoredCharge,
    command: ChargeOperation,
    nowMs: number,
  ): RequestOperationAnswer {
    const { kind, operationId, terms, amount, dueDate, requestedBy } = command;
    const { transactionId, account } = charge;
    const open = this.#operations.findPendingOnCharge(transactionId);
    const isSame =
      open?.kind === kind && open.amount === amount && open.dueDate?.to === dueDate?.to;
    if (open !== null && isSame) {
      this.#replies.bindKey(kind, command, open);
      return this.#resume(open, nowMs);
    }
    // A boleto that ends needs no other day, and its house may never answer about that.
    const givesWay = kind === "cancel" && open?.kind === "due_date" && open.leaseUntil <= nowMs;
    if (open !== null && !givesWay) return { kind: "conflicting_operation", operation: open.kind };
    const limit = CHARGE_OPERATIONS_MAX;
    const earlier = this.#operations.listByTransaction(kind, transactionId);
    if (earlier.length >= limit) return { kind: "too_many", limit };
    if (open !== null) this.#results.book(open, { kind: "failed", reason: CANCELLED }, nowMs);
    const order = { ...terms, operationId, paymentId: null, amount, account };
    const operation = this.#begin(kind, { order, hold: null, requestedBy, dueDate }, nowMs);
    const current = this.#charges.findOrInitial(terms, nowMs);
    this.#transitions.apply(current, {}, operationCause(operation), null, nowMs);
    this.#replies.bindKey(kind, command, operation);
    return { kind: "send", id: operation.id, order: this.#operations.orderOf(operation) };
  }

  /**
   * Returns an unexpected payment to its payer, at most once. While the company is frozen no caller may ask for it; one
   * by rule or operators is sent once it is not any more, and answered with `in_progress`.
   */
  requestReturn(command: RequestReturn, nowMs: number): RequestOperationAnswer {
    const { operationId, requestedBy, limits, request = UNKEYED_REQUEST } = command;
    const replay = this.#replay("return", { ...request, operationId }, nowMs);
    if (replay !== null) return this.#underWay(replay, request);
    if (limits !== undefined && this.#exits.frozen()) return { kind: "frozen" };
    const payment = this.#charges.findPayment(command.paymentId);
    if (payment === null || !payment.inSuspense) return { kind: "not_found" };
    const earlier =
      payment.returnOperation === null ? null : this.#require(payment.returnOperation);
    if (earlier !== null && earlier.status !== "FAILED") {
      this.#replies.bindKey("return", request, earlier);
      return this.#underWay(this.#resume(earlier, nowMs), request);
    }
    // The payer's bank may take a disputed payment: it would be returned twice.
    if (this.#suspense.isDisputed(payment)) return { kind: "disputed" };
    const amount = this.#suspense.remaining(payment);
    if (amount === 0) return { kind: "exceeds_paid", refundable: 0 };
    const clientId = requestedBy.id;
    const overLimit =
      limits === undefined ? null : this.#exits.limitRefusal(limits, { clientId, amount }, nowMs);
    if (overLimit !== null) return overLimit;
    const order = { ...payment, operationId, amount };
    const asked = { order, hold: null, requestedBy, ...(limits === undefined ? {} : { limits }) };
    const operation = this.#begin("return", asked, nowMs);
    this.#charges.setReturnOperation(payment.paymentId, operation.id);
    this.#transitions.recordCause(operation.transactionId, operationCause(operation), nowMs);
    this.#unexpected.recordRequester(payment.paymentId, operation);
    this.#unexpected.change(payment.paymentId, "returning", nowMs);
    this.#replies.bindKey("return", request, operation);
    return this.#begun(operation, request);
  }

  /** A key that is told that a return is under way is told so again, whatever became of it. */
  #underWay(answer: RequestOperationAnswer, request: KeyedRequest): RequestOperationAnswer {
    const { key } = request;
    if (key === null || (answer.kind !== "in_progress" && answer.kind !== "waiting")) return answer;
    const known = this.#keys.find("return", key);
    assert(known !== null, "a return that is under way has its key");
    return { kind: "waiting", reply: this.#replies.reply(this.#require(known.recordId), request) };
  }

  /** Claims a pending operation to send it, or to query its provider if it may have been sent. */
  claim(id: number, nowMs: number): ClaimOperationAnswer {
    const operation = this.#operations.find(id);
    if (operation === null) return { kind: "not_found" };
    if (operation.status !== "PENDING") return { kind: "settled" };
    if (operation.approval === "pending" || operation.leaseUntil > nowMs) return { kind: "wait" };
    return this.#claims.take(operation, nowMs);
  }

  /**
   * Books a provider's report. Only `done` and `failed` are final; after any other the provider is
   * polled again. The reply to `request` is stored under its key.
   */
  record(
    id: number,
    report: OperationReport,
    request: KeyedRequest | null,
    nowMs: number,
  ): RecordOperationAnswer {
    const operation = this.#operations.find(id);
    if (operation === null) return { kind: "not_found" };
    const isLate = report.kind === "done" && this.#suspense.isStillInSuspense(operation);
    const isSecond = contradicts(operation, report);
    if (isSecond) this.#toldSums.explain(operation, nowMs);
    if (isSecond && !isLate) {
      const amount = report.kind === "done" ? this.#toldSums.untaken(operation) : operation.amount;
      const reply = this.#replies.reply(operation, request);
      // Sums, or operators, took all of it: nobody has anything to decide.
      if (amount === 0) return { kind: "recorded", reply };
      this.#contradictions.open(secondReport(operation, report, amount), nowMs);
      return { kind: "contradiction", reply };
    }
    if (operation.status === "PENDING" || isLate) this.#book(operation, report, nowMs);
    return { kind: "recorded", reply: this.#replies.reply(this.#require(id), request) };
  }

  /** Books an operator's report, once no lease is held and the provider was queried. */
  resolveManually(id: number, report: OperationReport, nowMs: number): ResolveOperationAnswer {
    const operation = this.#operations.find(id);
    const isPending = operation?.status === "PENDING";
    if (isPending && (operation.leaseUntil > nowMs || operation.checks === 0)) {
      return { kind: "in_progress" };
    }
    // An operator's mistake is refused; only a provider's report opens a contradiction.
    if (operation !== null && contradicts(operation, report)) {
      return { kind: "contradiction", reply: this.#replies.reply(operation, null) };
    }
    return this.record(id, report, null, nowMs);
  }

  #book(operation: StoredOperation, report: OperationReport, nowMs: number): void {
    if (report.kind === "processing" || report.kind === "unknown") {
      this.#operations.update({ ...operation, ...scheduleNextPoll(operation.checks, nowMs) });
      return;
    }
    this.#results.book(operation, report, nowMs);
  }

  /** Stores an operation, claimed for its caller unless it must wait. `limits`: of a caller of the company. */
  #begin(
    kind: OperationKind,
    { order, hold, requestedBy, limits, insteadOf = null, dueDate = null }: Asked,
    nowMs: number,
  ): StoredOperation {
    const { operationId, transactionId, paymentMethod, paymentId, amount, account } = order;
    const ordered = { kind, operationId, transactionId, paymentMethod, paymentId, amount, account };
    const waits = limits !== undefined && this.#exits.waits(limits, amount, nowMs);
    const expiresAt = nowMs + APPROVAL_WINDOW_MS;
    const operation = this.#operations.insert({
      ...NEW_OPERATION,
      ...ordered,
      hold,
      createdAt: nowMs,
      ...this.#claims.begin(kind, waits ? expiresAt : null, nowMs),
      requestedBy,
      standing: limits?.standing ?? null,
      approval: waits ? "pending" : "none",
      countedOn:
        limits === undefined ? null : this.#exits.count(requestedBy.id, amount, waits, nowMs),
      insteadOf,
      dueDate,
    });
    if (waits) this.#waiting.add(operation.id, expiresAt);
    return operation;
  }

  /** The answer to the request that began an operation. */
  #begun(operation: StoredOperation, request: KeyedRequest): RequestOperationAnswer {
    if (operation.approval === "pending") {
      return { kind: "waiting", reply: this.#replies.reply(operation, request) };
    }
    if (operation.leaseUntil === 0) return { kind: "in_progress" };
    return { kind: "send", id: operation.id, order: this.#operations.orderOf(operation) };
  }

  /**
   * The operation of a repeated RPC call, whose answer was lost: the caller still has to send it, unless it waits.
   */
  findRepeated(operationId: string): OperationToSend | null {
    const operation = this.#operations.findByOperationId(operationId);
    if (operation === null || operation.approval === "pending") return null;
    if (this.#claims.isStopped(operation)) return null;
    return { kind: "send", id: operation.id, order: this.#operations.orderOf(operation) };
  }

  #replay(
    kind: OperationKind,
    request: KeyedRequest & { operationId: string; requestHash: string },
    nowMs: number,
  ): RequestOperationAnswer | null {
    const repeated = this.#operations.findByOperationId(request.operationId);
    if (repeated !== null) {
      return this.findRepeated(request.operationId) ?? this.#begun(repeated, request);
    }
    const known = request.key === null ? null : this.#keys.find(kind, request.key);
    if (known === null) return null;
    if (known.requestHash !== request.requestHash) return { kind: "key_reused" };
    const operation = this.#require(known.recordId);
    if (known.answer !== null) {
      return { kind: "answered", reply: this.#replies.replay(operation, known.answer) };
    }
    if (operation.status === "PENDING") return this.#resume(operation, nowMs);
    return { kind: "answered", reply: this.#replies.reply(operation, request) };
  }

  /** The answer to a repeated request for an operation. */
  #resume(operation: StoredOperation, nowMs: number): RequestOperationAnswer {
    if (operation.status !== "PENDING") {
      return { kind: "answered", reply: this.#replies.reply(operation, null) };
    }
    if (operation.approval === "pending") {
      return { kind: "waiting", reply: this.#replies.reply(operation, null) };
    }
    if (operation.leaseUntil > nowMs) return { kind: "in_progress" };
    const claimed = this.#claims.take(operation, nowMs);
    return claimed.kind === "wait" ? { kind: "in_progress" } : claimed;
  }

  #require(id: number): StoredOperation {
    const operation = this.#operations.find(id);
    assert(operation !== null, `operation ${id} exists`);
    return operation;
  }
}
