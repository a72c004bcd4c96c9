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
import { needsRecheck, type RecheckStore } from "../contradictions/recheck-store.ts";
import type { SuspenseDispute, SuspenseDisputeStore } from "../disputes/suspense-dispute-store.ts";

/** Why a payment set aside cannot be credited: it goes back or did, or its payer's bank asks for it. */
export type CreditBlocker = "returned" | "disputed";

/**
 * Payments that nobody expected. They are kept apart from the company's money until they are returned,
 * credited to a charge, or taken back. Every method that writes runs inside one `transactionSync`.
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

  /** Sets a payment aside, for an operator to decide about. */
  suspend(payment: Omit<StoredPayment, "suspended">, nowMs: number): void {
    const { paymentId, transactionId, amount } = payment;
    this.#charges.addPayment({ ...payment, suspended: true });
    const about = transactionId === null ? {} : { transactionId };
    const postings = paymentSuspended(amount);
    this.#ledger.post({ type: "payment_suspended", postings, ...about }, nowMs);
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

  /** Why a payment set aside cannot be credited as a whole; null where it can. */
  creditBlocker(payment: PaymentRecord): CreditBlocker | null {
    const returning = this.#returnOf(payment);
    const isPendingOrReturned = returning !== null && returning.status !== "FAILED";
    if (isPendingOrReturned || payment.returnedAmount > 0) return "returned";
    return this.isDisputed(payment) ? "disputed" : null;
  }

  /** Whether its payer's bank asks it back, and has still to decide. */
  isDisputed({ paymentId }: PaymentRecord): boolean {
    return this.#disputes.isOpen(paymentId);
  }

  /** What of a payment set aside is still there, in centavos. */
  remaining(payment: PaymentRecord): Cents {
    const isReturned = this.#returnOf(payment)?.status === "DONE";
    return isReturned ? 0 : payment.amount - payment.returnedAmount;
  }

  /** Whether an operation of ours is sending it back: nobody knows yet whose hand was first. */
  isReturnPending(payment: PaymentRecord): boolean {
    return this.#returnOf(payment)?.status === "PENDING";
  }

  /** Others took up to `amount` of it. Answers what there was to take, in centavos. */
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

  /** An operation of ours sent it back. */
  recordReturned({ paymentId, transactionId, amount }: StoredOperation, nowMs: number): void {
    this.#postReturn(transactionId, amount, nowMs);
    if (paymentId !== null) this.close(paymentId, "It was returned to its payer.", nowMs);
  }

  /** It is no longer for an operator to decide about. */
  close(paymentId: string, reason: string, nowMs: number): void {
    this.#contradictions.close(suspenseFindingKey(paymentId), reason, nowMs);
  }

  /** Whether a person said which charge it is for, whatever its provider says. */
  wasCreditedByOperator(paymentId: string): boolean {
    const found = this.#contradictions.findByKey(suspenseFindingKey(paymentId));
    return found?.decision?.action === "credit";
  }

  /**
   * Books what the provider says of a dispute about a payment set aside. What the bank takes leaves
   * `suspense`; the company's own money is not touched.
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
    // An ended one that is told as open comes from a list that lags behind.
    const isStale = report.status === "OPEN" && known !== null;
    const isSame = known?.status === report.status && known.amount === report.amount;
    if (isStale || isSame) return { kind: "already" };
    if (known?.status === "LOST") {
      const more = report.status === "LOST" ? report.amount - known.amount : 0;
      const held = Math.max(0, more - this.remaining(payment));
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

  /** `held`: what left the account although the payment had gone back already. */
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

  /** A payment that nobody expected, as the operator sees it; null where there is no such one. */
  find(paymentId: string): SuspendedPayment | null {
    const payment = this.#charges.findPayment(paymentId);
    return payment?.suspended === true ? this.#withReturn(payment) : null;
  }

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
    const about = transactionId === null ? {} : { transactionId };
    const postings = suspenseReturned(amount);
    this.#ledger.post({ type: "suspense_returned", postings, ...about }, nowMs);
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
