import { isOpenCharge } from "../../domain/charges/charge-status.ts";
import { operationCause } from "../../domain/charges/charge-history.ts";
import { refundDone } from "../../domain/ledger/ledger.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { assert } from "../../lib/assert.ts";
import type { ChargeTransitions } from "../charges/charge-transitions.ts";
import type { ChargeStore } from "../charges/charge-store.ts";
import type { SuspenseCommands } from "../charges/suspense-commands.ts";
import type { Holds } from "../ledger/holds.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import type { RecheckStore } from "../runtime/recheck-store.ts";
import type { ExternalRefundStore } from "./external-refund-store.ts";
import type { OperationReport } from "./command-types.ts";
import type { FinalReport, OperationEnds } from "./operation-ends.ts";
import type { Finding } from "../contradictions/contradiction-store.ts";
import type { StoredOperation } from "./operation-store.ts";
import type { ToldSums } from "./told-sums.ts";

/** The disputes of a refund's transaction. */
interface OpenDisputes {
  /** A refund instead of a dispute, or of money that the bank said it took, has failed or is done. */
  refundEnded(refund: StoredOperation, nowMs: number): void;
  /** Blocks up to `amount` more (centavos) for open disputes that hold less than their amount. */
  increaseHold(transactionId: string, amount: Cents, nowMs: number): void;
}

/** Books final reports of operations: on the ledger, the charge and `suspense`. */
export class OperationResults {
  readonly #ends: OperationEnds;
  readonly #charges: ChargeStore;
  readonly #disputes: OpenDisputes;
  readonly #transitions: ChargeTransitions;
  readonly #holds: Holds;
  readonly #ledger: LedgerStore;
  readonly #suspense: SuspenseCommands;
  readonly #externalRefunds: ExternalRefundStore;
  readonly #toldSums: ToldSums;
  readonly #rechecks: RecheckStore;

  constructor(deps: {
    operationEnds: OperationEnds;
    charges: ChargeStore;
    disputes: OpenDisputes;
    transitions: ChargeTransitions;
    holds: Holds;
    ledger: LedgerStore;
    suspense: SuspenseCommands;
    externalRefunds: ExternalRefundStore;
    toldSums: ToldSums;
    rechecks: RecheckStore;
  }) {
    this.#ends = deps.operationEnds;
    this.#charges = deps.charges;
    this.#disputes = deps.disputes;
    this.#transitions = deps.transitions;
    this.#holds = deps.holds;
    this.#ledger = deps.ledger;
    this.#suspense = deps.suspense;
    this.#externalRefunds = deps.externalRefunds;
    this.#toldSums = deps.toldSums;
    this.#rechecks = deps.rechecks;
  }

  /** Ends an operation with its result. Runs inside one `transactionSync`. */
  book(operation: StoredOperation, report: FinalReport, nowMs: number): void {
    switch (operation.kind) {
      case "refund":
        this.#bookRefund(operation, report, nowMs);
        break;
      case "cancel":
        this.#bookCancel(operation, report, nowMs);
        break;
      case "capture":
        this.#bookCapture(operation, report, nowMs);
        break;
      case "return":
        this.#bookReturn(operation, report, nowMs);
        break;
      case "due_date":
        this.#bookDueDate(operation, report, nowMs);
        break;
    }
    if (report.kind === "failed") this.#askAgain(operation, nowMs);
  }

  #bookRefund(refund: StoredOperation, report: FinalReport, nowMs: number): void {
    assert(refund.hold !== null, "a refund has a hold");
    assert(refund.transactionId !== null, "a refund is of a transaction");
    const charge = this.#charges.require(refund.transactionId);
    const ended = this.#ends.end(refund, report);
    const cause = operationCause(ended);
    if (report.kind === "failed" && refund.insteadOf !== null) {
      this.#disputes.refundEnded(ended, nowMs);
      return;
    }
    if (report.kind === "failed") {
      this.#holds.release("refund_failed", refund.transactionId, refund.hold, nowMs);
      this.#disputes.increaseHold(refund.transactionId, refund.amount, nowMs);
      this.#transitions.apply(charge, {}, cause, null, nowMs);
      if (refund.bankTook !== null) this.#disputes.refundEnded(ended, nowMs);
      return;
    }
    const { transactionId } = refund;
    const postings = refundDone(refund.amount);
    this.#ledger.post({ type: "refund_done", postings, transactionId }, nowMs);
    this.#transitions.applyRefund(charge, refund.amount, "REQUESTED", cause, nowMs);
    const isDisputed = refund.insteadOf !== null || refund.bankTook !== null;
    if (isDisputed) this.#disputes.refundEnded(ended, nowMs);
  }

  /** A sum that a provider told may have counted a refund that has failed: it says what went back without it. */
  #askAgain(failed: StoredOperation, nowMs: number): void {
    const { operationId, paymentId } = failed;
    if (paymentId === null || this.#externalRefunds.toldSum(paymentId) === 0) return;
    this.#toldSums.holdUnexplained(failed, nowMs);
    this.#rechecks.add("failed_refund", operationId, nowMs);
  }

  /**
   * A charge that was paid or ended meanwhile stays so, and the cancel fails. If it was cancelled
   * on request, the cancel is done.
   */
  #bookCancel(cancel: StoredOperation, report: FinalReport, nowMs: number): void {
    assert(cancel.transactionId !== null, "a cancel is of a transaction");
    const charge = this.#charges.require(cancel.transactionId);
    const isOpen = isOpenCharge(charge.status);
    const isCancelledAsRequested =
      charge.status === "cancelled" && charge.cancelReason === "REQUESTED";
    const ended = this.#ends.end(
      cancel,
      isOpen || isCancelledAsRequested
        ? report
        : { kind: "failed", reason: `The charge is ${charge.status}.` },
    );
    const cause = operationCause(ended);
    if (ended.status === "FAILED" || !isOpen) {
      this.#transitions.recordCause(charge.transactionId, cause, nowMs);
      return;
    }
    const change = { status: "cancelled", cancelReason: "REQUESTED" } as const;
    this.#transitions.apply(charge, change, cause, "transaction.cancelled", nowMs);
  }

  /** Books no money: the captured payment is settled like any other. */
  #bookCapture(capture: StoredOperation, report: FinalReport, nowMs: number): void {
    const ended = this.#ends.end(capture, report);
    this.#transitions.recordCause(capture.transactionId, operationCause(ended), nowMs);
  }

  /** A house's new day counts, whatever became of the charge meanwhile. */
  #bookDueDate(change: StoredOperation, report: FinalReport, nowMs: number): void {
    assert(
      change.transactionId !== null && change.dueDate !== null,
      "a change of a due date has both",
    );
    if (report.kind === "failed") {
      const cause = operationCause(this.#ends.end(change, report));
      this.#transitions.recordCause(change.transactionId, cause, nowMs);
      return;
    }
    assert(report.boleto !== undefined, "a changed boleto is told");
    const charge = this.#charges.require(change.transactionId);
    const boleto = { ...report.boleto, version: charge.version + 1 };
    const dueDate = { ...change.dueDate, boleto };
    const cause = operationCause(this.#ends.end({ ...change, dueDate }, report));
    this.#transitions.apply(charge, { boleto }, cause, null, nowMs);
  }

  #bookReturn(operation: StoredOperation, report: FinalReport, nowMs: number): void {
    const ended = this.#ends.end(operation, report);
    if (report.kind === "done") this.#suspense.recordReturned(operation, nowMs);
    else {
      this.#suspense.recordReturnFailed(operation, nowMs);
    }
    this.#transitions.recordCause(operation.transactionId, operationCause(ended), nowMs);
  }
}

/** The finding of an operation that failed here and that its provider did. */
export function doneAfterAll({ operationId }: Pick<StoredOperation, "operationId">): string {
  return `refund_status:operation:${operationId}:DONE`;
}

/**
 * The finding of a second final report about `amount` (centavos). After a refusal the company got its money back, so that
 * of a late `done` is held.
 */
export function secondReport(
  operation: StoredOperation,
  report: OperationReport,
  amount: Cents,
): Finding {
  const { operationId, kind, status, failureReason } = operation;
  const isDone = report.kind === "done";
  return {
    finding: isDone ? doneAfterAll(operation) : `refund_status:operation:${operationId}:FAILED`,
    kind: "refund_status",
    object: `operation:${operationId}`,
    said: { ...report },
    booked: { kind, status, reason: failureReason },
    amount,
    held: isDone ? amount : 0,
  };
}

/**
 * Whether a final report differs from the booked one. For a cancel or capture the charge's status counts. A due date
 * moves no money: a payment is expected by any day that was asked for.
 */
export function contradicts(operation: StoredOperation, report: OperationReport): boolean {
  if (operation.kind !== "refund" && operation.kind !== "return") return false;
  if (report.kind !== "done" && report.kind !== "failed") return false;
  const reported = report.kind === "done" ? "DONE" : "FAILED";
  return operation.status !== "PENDING" && operation.status !== reported;
}
