import { operationCause } from "../../domain/charges/charge-history.ts";
import type { RequestedExit } from "../../domain/exits/exit-limits.ts";
import { assert } from "../../lib/assert.ts";
import type { ChargeStore } from "../charges/charge-store.ts";
import type { ChargeTransitions } from "../charges/charge-transitions.ts";
import type { UnexpectedPaymentStore } from "../charges/unexpected-payment-store.ts";
import type { SuspenseCommands } from "../charges/suspense-commands.ts";
import type { InsteadRefunds } from "../disputes/instead-refunds.ts";
import type { OperationResults } from "../operations/operation-results.ts";
import type { OperationStore, StoredOperation } from "../operations/operation-store.ts";
import { toExit } from "../operations/requested-exit.ts";
import type { DecideExit, DecideExitAnswer } from "../operations/command-types.ts";
import type { ToldSums } from "../operations/told-sums.ts";
import type { IdempotencyStore } from "../storage/idempotency-store.ts";
import type { ExitRules } from "./exit-rules.ts";
import type { WaitingApprovalStore } from "./waiting-approval-store.ts";

/** Those that one run ends because nobody approved them in time; the next alarm does the rest. */
const EXPIRED_PER_RUN = 100;
const EXPIRED = "Nobody approved it in time.";
const REFUSED = "It was not approved.";

/**
 * Approves, refuses and expires refunds and returns above the company's limit for approvals. Every method runs
 * inside one `transactionSync`; nothing in it awaits.
 */
export class ExitApprovals {
  readonly #operations: OperationStore;
  readonly #waiting: WaitingApprovalStore;
  readonly #rules: ExitRules;
  readonly #results: OperationResults;
  readonly #charges: ChargeStore;
  readonly #transitions: ChargeTransitions;
  readonly #unexpected: UnexpectedPaymentStore;
  readonly #suspense: Pick<SuspenseCommands, "remaining" | "isDisputed">;
  readonly #instead: Pick<InsteadRefunds, "approvalBlocker">;
  readonly #keys: IdempotencyStore;
  readonly #toldSums: Pick<ToldSums, "refundable" | "sentRefundsOf">;

  constructor(deps: {
    operations: OperationStore;
    waiting: WaitingApprovalStore;
    exits: ExitRules;
    results: OperationResults;
    charges: ChargeStore;
    transitions: ChargeTransitions;
    unexpected: UnexpectedPaymentStore;
    suspense: Pick<SuspenseCommands, "remaining" | "isDisputed">;
    insteadRefunds: Pick<InsteadRefunds, "approvalBlocker">;
    keys: IdempotencyStore;
    toldSums: Pick<ToldSums, "refundable" | "sentRefundsOf">;
  }) {
    this.#operations = deps.operations;
    this.#waiting = deps.waiting;
    this.#rules = deps.exits;
    this.#results = deps.results;
    this.#charges = deps.charges;
    this.#transitions = deps.transitions;
    this.#unexpected = deps.unexpected;
    this.#suspense = deps.suspense;
    this.#instead = deps.insteadRefunds;
    this.#keys = deps.keys;
    this.#toldSums = deps.toldSums;
  }

  /** Approves or refuses. A known key replays its first answer; a refusal to decide keeps it free. */
  decide(command: DecideExit, nowMs: number): DecideExitAnswer {
    const { operationId, decision, decidedBy, idempotencyKey: key, requestHash } = command;
    const keyKind = `exit_${decision}`;
    const known = this.#keys.find(keyKind, key);
    if (known !== null) {
      if (known.requestHash !== requestHash) return { kind: "key_reused" };
      assert(known.answer !== null, "a decision is stored with its answer");
      return { kind: "replayed", exit: JSON.parse(known.answer) as RequestedExit };
    }
    const found = this.#operations.findByOperationId(operationId);
    if (found === null || toExit(found) === null) return { kind: "not_found" };
    const operation = this.#waiting.isOver(found.id, nowMs) ? this.#expire(found, nowMs) : found;
    const { status, approval, requestedBy } = operation;
    if (status !== "PENDING" || approval !== "pending") {
      return { kind: "not_allowed", status, approval };
    }
    if (decidedBy.id === requestedBy?.id) return { kind: "not_approver", why: "requester" };
    const refusal = decision === "approve" ? this.#refusalOf(operation, command, nowMs) : null;
    if (refusal !== null) return refusal;
    const decided =
      decision === "approve"
        ? this.#approve(operation, command, nowMs)
        : this.#refuse(operation, command, nowMs);
    const exit = exitOf(decided);
    this.#keys.add(keyKind, key, requestHash, decided.id);
    this.#keys.saveAnswer(keyKind, key, JSON.stringify(exit));
    return { kind: "decided", exit };
  }

  /** Ends those whose window is over, at most `EXPIRED_PER_RUN`. Also while the company is frozen. */
  expireDue(nowMs: number): void {
    for (const id of this.#waiting.expired(nowMs, EXPIRED_PER_RUN)) {
      this.#expire(this.#require(id), nowMs);
    }
  }

  /** A page of those that wait, newest first. */
  list(before: number | null, limit: number): RequestedExit[] {
    return this.#waiting.list(before, limit).map((id) => exitOf(this.#require(id)));
  }

  /** Why it may not be approved, by the one who would or by what has happened since it was asked for. */
  #refusalOf(
    operation: StoredOperation,
    command: DecideExit,
    nowMs: number,
  ): DecideExitAnswer | null {
    const approver = { ...command, id: command.decidedBy.id };
    const refusal = this.#rules.approvalRefusal(operation, approver, nowMs);
    if (refusal !== null) return refusal;
    const reason = this.#blockerOf(operation);
    return reason === null ? null : { kind: "not_possible", reason };
  }

  /** The payer's bank may have taken the money back meanwhile: it would go back twice. */
  #blockerOf(operation: StoredOperation): string | null {
    const { kind, transactionId, paymentId, amount, insteadOf } = operation;
    if (kind === "return") {
      const payment = paymentId === null ? null : this.#charges.findPayment(paymentId);
      if (payment === null || this.#suspense.remaining(payment) < amount) {
        return "The payment went back meanwhile";
      }
      return this.#suspense.isDisputed(payment) ? "The payer's bank disputes the payment" : null;
    }
    assert(transactionId !== null, "a refund is of a transaction");
    const charge = this.#charges.require(transactionId);
    if (
      charge.status !== "paid" ||
      this.#toldSums.refundable(charge, this.#toldSums.sentRefundsOf(charge)) < amount
    ) {
      return "The payment went back meanwhile, or another refund takes what is left";
    }
    if (!this.#rules.coversHeld(transactionId)) {
      return "A contradiction between the bank and the ledger holds this money until it is decided";
    }
    return this.#instead.approvalBlocker(transactionId, insteadOf);
  }

  /** From now on it may be claimed and sent: whoever approved it does, or the object's own work. */
  #approve(operation: StoredOperation, command: DecideExit, nowMs: number): StoredOperation {
    const { decidedBy, reason } = command;
    const approved: StoredOperation = {
      ...operation,
      approval: "approved",
      decidedBy,
      decisionReason: reason,
      decidedOn: this.#rules.countApproval(decidedBy.id, operation.amount, nowMs),
      nextCheckAt: nowMs,
    };
    this.#waiting.remove(operation.id);
    this.#operations.update(approved);
    this.#show(approved, nowMs);
    return approved;
  }

  #refuse(operation: StoredOperation, command: DecideExit, nowMs: number): StoredOperation {
    const { decidedBy, reason } = command;
    const refused = { ...operation, decidedBy, decisionReason: reason };
    return this.#end(refused, reason === null ? REFUSED : `${REFUSED} ${reason}`, nowMs);
  }

  #expire(operation: StoredOperation, nowMs: number): StoredOperation {
    return this.#end({ ...operation, decisionReason: EXPIRED }, EXPIRED, nowMs);
  }

  /** The money goes back to where it was held from. */
  #end(operation: StoredOperation, reason: string, nowMs: number): StoredOperation {
    const refused: StoredOperation = { ...operation, approval: "refused" };
    if (operation.paymentId !== null && operation.kind === "return") {
      this.#unexpected.recordRequester(operation.paymentId, refused);
    }
    this.#results.book(refused, { kind: "failed", reason }, nowMs);
    return this.#require(operation.id);
  }

  /** Writes the decision to where merchants read it. */
  #show(operation: StoredOperation, nowMs: number): void {
    const { kind, paymentId, transactionId } = operation;
    if (kind === "return" && paymentId !== null) {
      this.#unexpected.recordRequester(paymentId, operation);
      this.#unexpected.recordCharge(paymentId, nowMs);
      return;
    }
    assert(transactionId !== null, "a refund is of a transaction");
    const charge = this.#charges.require(transactionId);
    this.#transitions.apply(charge, {}, operationCause(operation), null, nowMs);
  }

  #require(id: number): StoredOperation {
    const operation = this.#operations.find(id);
    assert(operation !== null, `operation ${id} exists`);
    return operation;
  }
}

function exitOf(operation: StoredOperation): RequestedExit {
  const exit = toExit(operation);
  assert(exit !== null, "only refunds and returns wait for an approval");
  return exit;
}
