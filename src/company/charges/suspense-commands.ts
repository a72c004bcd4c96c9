import { paymentSuspended, suspenseReturned } from "../../domain/ledger/ledger.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { paymentCause, type Cause } from "../../domain/charges/charge-history.ts";
import { assert } from "../../lib/assert.ts";
import type { ChargeTransitions } from "./charge-transitions.ts";
import type { ChargeStore, PaymentRecord, StoredCharge, StoredPayment } from "./charge-store.ts";
import type { DisputeReport, RecordDisputeAnswer } from "../disputes/command-types.ts";
import type { PaymentInSuspense } from "./command-types.ts";
import { paymentSubject, type Contradiction } from "../../domain/reconciliation/contradiction.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import { isToldSumFinding } from "../operations/told-sums.ts";
import type { OperationStore, StoredOperation } from "../operations/operation-store.ts";
import { needsRecheck, type RecheckStore } from "../runtime/recheck-store.ts";
import { deadlineOf, reasonOf } from "../../domain/disputes/dispute.ts";
import type { DisputeTransitions, SuspenseDisputeChange } from "../disputes/dispute-transitions.ts";
import type { SuspenseDispute, SuspenseDisputeStore } from "../disputes/suspense-dispute-store.ts";
import type { Unexpected, UnexpectedPaymentStore } from "./unexpected-payment-store.ts";

/** Why an unexpected payment cannot be credited. `returned`: a return of it is pending or done, or its provider says so. */
export type CreditBlocker = "returned" | "disputed";

/**
 * Unexpected payments: no open charge expected them. They stay in `suspense` until they are
 * returned, credited to a charge or taken back. Every method that writes runs inside one
 * `transactionSync`.
 */
export class SuspenseCommands {
  readonly #charges: ChargeStore;
  readonly #transitions: ChargeTransitions;
  readonly #ledger: LedgerStore;
  readonly #operations: OperationStore;
  readonly #disputes: SuspenseDisputeStore;
  readonly #disputeTransitions: DisputeTransitions;
  readonly #rechecks: RecheckStore;
  readonly #contradictions: ContradictionStore;
  readonly #unexpected: UnexpectedPaymentStore;

  constructor(deps: {
    charges: ChargeStore;
    transitions: ChargeTransitions;
    ledger: LedgerStore;
    operations: OperationStore;
    suspenseDisputes: SuspenseDisputeStore;
    disputeTransitions: DisputeTransitions;
    rechecks: RecheckStore;
    contradictions: ContradictionStore;
    unexpected: UnexpectedPaymentStore;
  }) {
    this.#charges = deps.charges;
    this.#transitions = deps.transitions;
    this.#ledger = deps.ledger;
    this.#operations = deps.operations;
    this.#disputes = deps.suspenseDisputes;
    this.#disputeTransitions = deps.disputeTransitions;
    this.#rechecks = deps.rechecks;
    this.#contradictions = deps.contradictions;
    this.#unexpected = deps.unexpected;
  }

  /**
   * Books an unexpected payment to `suspense` and announces it. Operators may decide about a kept one.
   * `charge`: the one that it came for, which is stored from now on, for its history names the payment.
   */
  book(
    payment: Omit<StoredPayment, "inSuspense">,
    charge: StoredCharge | null,
    unexpected: Unexpected,
    nowMs: number,
  ): void {
    const { paymentId, transactionId, amount } = payment;
    this.#charges.addPayment({ ...payment, inSuspense: true });
    const subject = transactionId === null ? {} : { transactionId };
    const postings = paymentSuspended(amount);
    this.#ledger.post({ type: "payment_suspended", postings, ...subject }, nowMs);
    this.#recordOn(charge, paymentCause(payment, false), nowMs);
    this.#unexpected.announce(paymentId, unexpected, nowMs);
    if (unexpected.status === "kept") this.#askOperators(payment, amount, nowMs);
  }

  /** A charge that somebody paid is registered, even if the answer to its creation is still to come. */
  #recordOn(charge: StoredCharge | null, cause: Cause, nowMs: number): void {
    if (charge === null) return;
    if (charge.version > 0)
      return this.#transitions.recordCause(charge.transactionId, cause, nowMs);
    const change = charge.status === "creating" ? { status: "waiting_payment" as const } : {};
    this.#transitions.apply(charge, change, cause, null, nowMs);
  }

  /**
   * Opens an unexpected payment's contradiction, for operators to decide, unless one is open: also after an
   * earlier decision, such as a return that failed. `amount`: what is left of it, in centavos.
   */
  #askOperators(payment: Omit<StoredPayment, "inSuspense">, amount: Cents, nowMs: number): void {
    const { paymentId, transactionId } = payment;
    if (this.#openFindings(paymentId).length > 0) return;
    this.#contradictions.open(
      {
        finding: suspenseFindingKey(paymentId, this.#findings(paymentId).length + 1),
        kind: "payment_set_aside",
        object: paymentSubject(paymentId),
        said: { amount, paidAt: payment.paidAt, transactionId, account: payment.account },
        booked: { account: "suspense" },
        amount,
        held: 0,
      },
      nowMs,
    );
  }

  /** Why an unexpected payment cannot be credited in full; null if it can. */
  creditBlocker(payment: PaymentRecord): CreditBlocker | null {
    const returning = this.#returnOf(payment);
    const isPendingOrReturned = returning !== null && returning.status !== "FAILED";
    const { paymentId, returnedAmount } = payment;
    const told = this.#contradictions.openFindingKeys("refund_status", paymentSubject(paymentId));
    if (isPendingOrReturned || returnedAmount > 0 || told.some(isToldSumFinding)) return "returned";
    return this.isDisputed(payment) ? "disputed" : null;
  }

  /** Whether a dispute of its payer's bank is open. */
  isDisputed({ paymentId }: PaymentRecord): boolean {
    return this.#disputes.isOpen(paymentId);
  }

  /** The amount still in `suspense`, in centavos. */
  remaining(payment: PaymentRecord): Cents {
    const isReturned = this.#returnOf(payment)?.status === "DONE";
    return isReturned ? 0 : payment.amount - payment.returnedAmount;
  }

  /** Whether a failed return's money is still in `suspense`, so that it can be booked as done after all. */
  isStillInSuspense({ id, kind, paymentId, amount, status }: StoredOperation): boolean {
    if (kind !== "return" || status !== "FAILED" || paymentId === null) return false;
    const payment = this.#charges.findPayment(paymentId);
    if (payment?.inSuspense !== true || payment.returnOperation !== id) return false;
    return this.remaining(payment) >= amount;
  }

  /** Books up to `amount` as gone without an operation. Returns the booked amount, in centavos. */
  deduct(payment: PaymentRecord, amount: Cents, cause: Cause, nowMs: number): Cents {
    const remaining = this.remaining(payment);
    const deducted = Math.min(amount, remaining);
    if (deducted > 0) {
      this.#charges.addReturned(payment.paymentId, deducted);
      this.#postReturn(payment.transactionId, deducted, nowMs);
    }
    this.#transitions.recordCause(payment.transactionId, cause, nowMs);
    if (deducted === remaining) {
      this.close(payment.paymentId, "It went back to its payer.", nowMs);
      this.#unexpected.change(payment.paymentId, "returned", nowMs);
    } else if (this.#unexpected.find(payment.paymentId)?.status === "crediting") {
      // A rest is not credited; it is returned, or operators decide.
      this.#unexpected.change(payment.paymentId, "kept", nowMs);
      this.#askOperators(payment, remaining - deducted, nowMs);
    }
    return deducted;
  }

  /**
   * Books the payment as returned by an operation, up to what is left of it: its payer's bank may have taken it
   * while the operation was pending. What left beyond that is held until operators judge.
   */
  recordReturned(operation: StoredOperation, nowMs: number): void {
    const { paymentId, transactionId, amount } = operation;
    const payment = paymentId === null ? null : this.#charges.findPayment(paymentId);
    const left = payment === null ? amount : payment.amount - payment.returnedAmount;
    const returned = Math.min(amount, left);
    if (returned > 0) this.#postReturn(transactionId, returned, nowMs);
    if (returned < amount) this.#openBeyond(operation, returned, nowMs);
    if (paymentId === null) return;
    this.close(paymentId, "It was returned to its payer.", nowMs);
    this.#unexpected.change(paymentId, "returned", nowMs);
  }

  /**
   * Keeps what is left of a payment that could not be returned, for operators or the merchant to decide. Nothing
   * is left where its payer's bank took it meanwhile.
   */
  recordReturnFailed({ paymentId }: StoredOperation, nowMs: number): void {
    const payment = paymentId === null ? null : this.#charges.findPayment(paymentId);
    if (payment?.inSuspense !== true) return;
    const left = this.remaining(payment);
    if (left === 0) return;
    this.#unexpected.change(payment.paymentId, "kept", nowMs);
    this.#askOperators(payment, left, nowMs);
  }

  #openBeyond(operation: StoredOperation, returned: Cents, nowMs: number): void {
    const { operationId, amount, kind } = operation;
    this.#contradictions.open(
      {
        finding: `refund_status:operation:${operationId}:beyond`,
        kind: "refund_status",
        object: `operation:${operationId}`,
        said: { kind: "done", amount },
        booked: { kind, amount: returned },
        amount: amount - returned,
        held: amount - returned,
      },
      nowMs,
    );
  }

  /** Closes a payment's contradiction: operators need not decide any more. */
  close(paymentId: string, reason: string, nowMs: number): void {
    for (const finding of this.#openFindings(paymentId))
      this.#contradictions.close(finding, reason, nowMs);
  }

  /** As `close`, for a payment that the merchant or a rule credited to a charge. */
  closeCredited(paymentId: string, transactionId: string, nowMs: number): void {
    const credit = { action: "credit", transactionId } as const;
    for (const finding of this.#openFindings(paymentId))
      this.#contradictions.close(finding, "The company credited it.", nowMs, credit);
  }

  #openFindings(paymentId: string): string[] {
    return this.#contradictions.openFindingKeys("payment_set_aside", paymentSubject(paymentId));
  }

  /** The payment's contradictions so far: another one after each decision that had no effect. */
  #findings(paymentId: string): Contradiction[] {
    const found: Contradiction[] = [];
    for (;;) {
      const next = this.#contradictions.findByKey(suspenseFindingKey(paymentId, found.length + 1));
      if (next === null) return found;
      found.push(next);
    }
  }

  /**
   * Whether operators, the merchant or a rule chose its charge; their choice outweighs the provider's
   * report.
   */
  wasReassigned(paymentId: string): boolean {
    if (this.#findings(paymentId).some(({ decision }) => decision?.action === "credit"))
      return true;
    const payment = this.#unexpected.find(paymentId);
    // By its rule a transaction was made for it; a late one or one of another amount has its own charge.
    const isOfOwnCharge = payment?.reason === "LATE" || payment?.reason === "WRONG_AMOUNT";
    return payment?.status === "credited" && payment.rule === "credit" && !isOfOwnCharge;
  }

  /**
   * Books a provider's report of a dispute about an unexpected payment. A lost one leaves `suspense`, also
   * while the payment is being returned: suspense is never above what the provider holds, and one of the two
   * will fail. The company's own money is not touched.
   */
  recordDispute(payment: PaymentRecord, report: DisputeReport, nowMs: number): RecordDisputeAnswer {
    const known = this.#disputes.find(report.id);
    const dispute = reportedDispute(payment, known, report, nowMs);
    if (known?.status === "OPEN" && report.status === "OPEN" && hasNewDetails(known, dispute)) {
      this.#disputeTransitions.apply({ ...dispute, amount: known.amount }, nowMs);
      return { kind: "recorded" };
    }
    // A lagging list may still report a known dispute as open.
    const isStale = report.status === "OPEN" && known !== null;
    const isSame = known?.status === report.status && known.amount === report.amount;
    if (isStale || isSame) return { kind: "already" };
    if (known?.status === "LOST") {
      const increase = report.status === "LOST" ? report.amount - known.amount : 0;
      const held = Math.max(0, increase - this.remaining(payment));
      return this.#openContradiction(payment, known, report, held, nowMs);
    }
    if (report.status === "LOST") return this.#lost(payment, dispute, nowMs);
    this.#disputeTransitions.apply(dispute, nowMs);
    if (report.status === "WON") this.#rechecks.remove("dispute", report.id);
    else if (needsRecheck(payment.account)) this.#rechecks.add("dispute", report.id, nowMs);
    this.#transitions.recordCause(payment.transactionId, disputeCause(dispute), nowMs);
    return { kind: "recorded" };
  }

  #lost(
    payment: PaymentRecord,
    dispute: SuspenseDisputeChange,
    nowMs: number,
  ): RecordDisputeAnswer {
    this.#contradictions.close(disputeFindingKey(dispute), "The payment was taken back.", nowMs);
    this.#disputeTransitions.apply(dispute, nowMs);
    this.#rechecks.remove("dispute", dispute.id);
    const deducted = this.deduct(payment, dispute.amount, disputeCause(dispute), nowMs);
    const excess = dispute.amount - deducted;
    if (excess === 0) return { kind: "recorded" };
    return this.#openContradiction(payment, null, dispute, excess, nowMs);
  }

  /** `held`: centavos that the bank took beyond the amount in `suspense`. */
  #openContradiction(
    payment: PaymentRecord,
    known: SuspenseDispute | null,
    reported: Pick<SuspenseDispute, "id" | "amount" | "status">,
    held: Cents,
    nowMs: number,
  ): RecordDisputeAnswer {
    this.#contradictions.open(
      {
        finding: held > 0 ? `${disputeFindingKey(reported)}:beyond` : disputeFindingKey(reported),
        kind: "dispute_status",
        object: paymentSubject(payment.paymentId),
        said: { disputeId: reported.id, status: reported.status, amount: reported.amount },
        booked: { status: known?.status ?? null, left: this.remaining(payment) },
        amount: reported.amount,
        held,
      },
      nowMs,
    );
    return { kind: "contradiction" };
  }

  /** An unexpected payment as operators see it; null if there is none. */
  find(paymentId: string): PaymentInSuspense | null {
    const payment = this.#charges.findPayment(paymentId);
    return payment?.inSuspense === true ? this.#withReturn(payment) : null;
  }

  /** Unexpected payments by id, after the id `after`. */
  list(after: string, limit: number): PaymentInSuspense[] {
    const payments = this.#charges.paymentsInSuspense(after, limit);
    return payments.map((payment) => this.#withReturn(payment));
  }

  #withReturn(payment: PaymentRecord): PaymentInSuspense {
    const { paymentId, transactionId, amount, paidAt, account, returnedAmount } = payment;
    const returnStatus = this.#returnOf(payment)?.status ?? null;
    return { paymentId, transactionId, amount, paidAt, account, returnedAmount, returnStatus };
  }

  #returnOf({ returnOperation }: PaymentRecord): StoredOperation | null {
    if (returnOperation === null) return null;
    const operation = this.#operations.find(returnOperation);
    assert(operation !== null, `operation ${returnOperation} exists`);
    return operation;
  }

  #postReturn(transactionId: string | null, amount: Cents, nowMs: number): void {
    const subject = transactionId === null ? {} : { transactionId };
    const postings = suspenseReturned(amount);
    this.#ledger.post({ type: "suspense_returned", postings, ...subject }, nowMs);
  }
}

/** `count`: how many times operators are asked, from 1. */
function suspenseFindingKey(paymentId: string, count: number): string {
  return `payment_set_aside:${paymentId}${count === 1 ? "" : `:${count}`}`;
}

function disputeFindingKey({
  id,
  status,
  amount,
}: Pick<SuspenseDispute, "id" | "status" | "amount">) {
  return `dispute_status:${id}:${status}:${amount}`;
}

/** A report as the dispute that it makes of a known one, or of none. */
function reportedDispute(
  { paymentId }: PaymentRecord,
  known: SuspenseDispute | null,
  report: DisputeReport,
  nowMs: number,
): SuspenseDisputeChange {
  const { id, amount, status } = report;
  const reason = reasonOf("DISPUTE", report.reason ?? known?.reason);
  const deadline =
    known === null ? deadlineOf({ ...report, reason }, nowMs) : (report.deadline ?? known.deadline);
  const createdAt = known?.createdAt ?? nowMs;
  return { id, paymentId, amount, status, reason, deadline, createdAt };
}

/** Whether a report of an open dispute says more than is known, or it is not listed yet. */
function hasNewDetails(known: SuspenseDispute, reported: SuspenseDisputeChange): boolean {
  return known.number === null || known.deadline !== reported.deadline;
}

function disputeCause({ id, amount, status }: SuspenseDisputeChange): Cause {
  return { kind: "dispute", id, dispute: "DISPUTE", amount, status };
}
