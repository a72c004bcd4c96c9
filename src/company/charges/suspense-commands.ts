import { paymentSuspended, suspenseReturned } from "../../domain/ledger/ledger.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { paymentCause, type Cause } from "../../domain/charges/charge-history.ts";
import { assert } from "../../lib/assert.ts";
import type { ChargeTransitions } from "./charge-transitions.ts";
import type { ChargeStore, PaymentRecord, StoredPayment } from "./charge-store.ts";
import type { DisputeReport, RecordDisputeAnswer, SuspendedPayment } from "../rpc-types.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type { LedgerStore } from "../ledger/ledger-store.ts";
import type { OperationStore, StoredOperation } from "../operations/operation-store.ts";
import { needsRecheck, type RecheckStore } from "../runtime/recheck-store.ts";
import type { SuspenseDispute, SuspenseDisputeStore } from "../disputes/suspense-dispute-store.ts";

/** Why a suspended payment cannot be credited. `returned`: a return of it is pending or done. */
export type CreditBlocker = "returned" | "disputed";

/**
 * Suspended payments: no open charge expected them. They stay in `suspense` until they are
 * returned, credited to a charge or taken back. Every method that writes runs inside one
 * `transactionSync`.
 */
export class SuspenseCommands {
  readonly #charges: ChargeStore;
  readonly #transitions: ChargeTransitions;
  readonly #ledger: LedgerStore;
  readonly #operations: OperationStore;
  readonly #disputes: SuspenseDisputeStore;
  readonly #rechecks: RecheckStore;
  readonly #contradictions: ContradictionStore;

  constructor(deps: {
    charges: ChargeStore;
    transitions: ChargeTransitions;
    ledger: LedgerStore;
    operations: OperationStore;
    disputes: SuspenseDisputeStore;
    rechecks: RecheckStore;
    contradictions: ContradictionStore;
  }) {
    this.#charges = deps.charges;
    this.#transitions = deps.transitions;
    this.#ledger = deps.ledger;
    this.#operations = deps.operations;
    this.#disputes = deps.disputes;
    this.#rechecks = deps.rechecks;
    this.#contradictions = deps.contradictions;
  }

  /** Books a payment to `suspense` and opens its contradiction, for operators to decide. */
  suspend(payment: Omit<StoredPayment, "suspended">, nowMs: number): void {
    const { paymentId, transactionId, amount } = payment;
    this.#charges.addPayment({ ...payment, suspended: true });
    const subject = transactionId === null ? {} : { transactionId };
    const postings = paymentSuspended(amount);
    this.#ledger.post({ type: "payment_suspended", postings, ...subject }, nowMs);
    this.#transitions.recordCause(transactionId, paymentCause(payment, false), nowMs);
    this.#contradictions.open(
      {
        finding: suspenseFindingKey(paymentId),
        kind: "payment_set_aside",
        object: `payment:${paymentId}`,
        said: { amount, paidAt: payment.paidAt, transactionId, account: payment.account },
        booked: { account: "suspense" },
        amount,
        held: 0,
      },
      nowMs,
    );
  }

  /** Why a suspended payment cannot be credited in full; null if it can. */
  creditBlocker(payment: PaymentRecord): CreditBlocker | null {
    const returning = this.#returnOf(payment);
    const isPendingOrReturned = returning !== null && returning.status !== "FAILED";
    if (isPendingOrReturned || payment.returnedAmount > 0) return "returned";
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

  /** Whether an operation is returning it, whose result is not known yet. */
  isReturnPending(payment: PaymentRecord): boolean {
    return this.#returnOf(payment)?.status === "PENDING";
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
    if (deducted === remaining) this.close(payment.paymentId, "It went back to its payer.", nowMs);
    return deducted;
  }

  /** Books the payment as returned by an operation. */
  recordReturned({ paymentId, transactionId, amount }: StoredOperation, nowMs: number): void {
    this.#postReturn(transactionId, amount, nowMs);
    if (paymentId !== null) this.close(paymentId, "It was returned to its payer.", nowMs);
  }

  /** Closes a payment's contradiction: operators need not decide any more. */
  close(paymentId: string, reason: string, nowMs: number): void {
    this.#contradictions.close(suspenseFindingKey(paymentId), reason, nowMs);
  }

  /** Whether operators chose its charge; their choice outweighs the provider's report. */
  wasCreditedByOperator(paymentId: string): boolean {
    const found = this.#contradictions.findByKey(suspenseFindingKey(paymentId));
    return found?.decision?.action === "credit";
  }

  /**
   * Books a provider's report of a dispute about a suspended payment. A lost one leaves `suspense`;
   * the company's own money is not touched.
   */
  recordDispute(payment: PaymentRecord, report: DisputeReport, nowMs: number): RecordDisputeAnswer {
    const known = this.#disputes.find(report.id);
    const dispute: SuspenseDispute = {
      id: report.id,
      paymentId: payment.paymentId,
      amount: report.amount,
      status: report.status,
      createdAt: known?.createdAt ?? nowMs,
    };
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
    this.#disputes.save(dispute);
    if (report.status === "WON") this.#rechecks.remove("dispute", report.id);
    else if (needsRecheck(payment.account)) this.#rechecks.add("dispute", report.id, nowMs);
    this.#transitions.recordCause(payment.transactionId, disputeCause(dispute), nowMs);
    return { kind: "recorded" };
  }

  #lost(payment: PaymentRecord, dispute: SuspenseDispute, nowMs: number): RecordDisputeAnswer {
    if (this.isReturnPending(payment))
      return this.#openContradiction(payment, null, dispute, 0, nowMs);
    this.#contradictions.close(disputeFindingKey(dispute), "The payment was taken back.", nowMs);
    this.#disputes.save(dispute);
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
        object: `payment:${payment.paymentId}`,
        said: { disputeId: reported.id, status: reported.status, amount: reported.amount },
        booked: { status: known?.status ?? null, left: this.remaining(payment) },
        amount: reported.amount,
        held,
      },
      nowMs,
    );
    return { kind: "contradiction" };
  }

  /** A suspended payment as operators see it; null if there is none. */
  find(paymentId: string): SuspendedPayment | null {
    const payment = this.#charges.findPayment(paymentId);
    return payment?.suspended === true ? this.#withReturn(payment) : null;
  }

  /** Suspended payments by id, after the id `after`. */
  list(after: string, limit: number): SuspendedPayment[] {
    const payments = this.#charges.suspendedPayments(after, limit);
    return payments.map((payment) => this.#withReturn(payment));
  }

  #withReturn(payment: PaymentRecord): SuspendedPayment {
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

function suspenseFindingKey(paymentId: string): string {
  return `payment_set_aside:${paymentId}`;
}

function disputeFindingKey({
  id,
  status,
  amount,
}: Pick<SuspenseDispute, "id" | "status" | "amount">) {
  return `dispute_status:${id}:${status}:${amount}`;
}

function disputeCause({ id, amount, status }: SuspenseDispute): Cause {
  return { kind: "dispute", id, dispute: "DISPUTE", amount, status };
}
