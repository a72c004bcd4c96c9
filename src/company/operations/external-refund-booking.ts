import type { Cents } from "../../domain/shared/money.ts";
import type { Cause } from "../../domain/charges/charge-history.ts";
import { externalRefundId } from "../../domain/charges/transaction.ts";
import { assert } from "../../lib/assert.ts";
import type { ChargeTransitions } from "../charges/charge-transitions.ts";
import type { ChargeStore, PaymentRecord } from "../charges/charge-store.ts";
import type { SuspenseCommands } from "../charges/suspense-commands.ts";
import type { ContradictionStore, Finding } from "../contradictions/contradiction-store.ts";
import type { DisputeStore, StoredDispute } from "../disputes/dispute-store.ts";
import type { SuspenseDispute, SuspenseDisputeStore } from "../disputes/suspense-dispute-store.ts";
import type { Holds } from "../ledger/holds.ts";
import type { ProviderRefundReport, RecordProviderRefundAnswer } from "./command-types.ts";
import { SUM, type ExternalRefund, type ExternalRefundStore } from "./external-refund-store.ts";
import type { OperationStore } from "./operation-store.ts";
import { refundableAmount } from "./refund-limit.ts";

/** What went back at the provider itself, and the findings about it. Every method runs inside one `transactionSync`. */
export class ExternalRefundBooking {
  readonly #charges: ChargeStore;
  readonly #operations: OperationStore;
  readonly #refunds: ExternalRefundStore;
  readonly #suspense: SuspenseCommands;
  readonly #disputes: DisputeStore;
  readonly #suspenseDisputes: SuspenseDisputeStore;
  readonly #transitions: ChargeTransitions;
  readonly #holds: Holds;
  readonly #contradictions: ContradictionStore;

  constructor(deps: {
    charges: ChargeStore;
    operations: OperationStore;
    externalRefunds: ExternalRefundStore;
    suspense: SuspenseCommands;
    disputes: DisputeStore;
    suspenseDisputes: SuspenseDisputeStore;
    transitions: ChargeTransitions;
    holds: Holds;
    contradictions: ContradictionStore;
  }) {
    this.#charges = deps.charges;
    this.#operations = deps.operations;
    this.#refunds = deps.externalRefunds;
    this.#suspense = deps.suspense;
    this.#disputes = deps.disputes;
    this.#suspenseDisputes = deps.suspenseDisputes;
    this.#transitions = deps.transitions;
    this.#holds = deps.holds;
    this.#contradictions = deps.contradictions;
  }

  /**
   * Books what a provider says went back of a payment in all, beyond what is known. A refund of ours that is not decided
   * counts as known: the sum may have it already, and where it has not, its own end says so.
   */
  bookSum(refund: ProviderRefundReport, nowMs: number): RecordProviderRefundAnswer {
    const payment = this.#charges.findPayment(refund.paymentId);
    if (payment === null) return { kind: "not_found" };
    const id = `${SUM}${refund.amount}`;
    const known = this.#knownBack(payment);
    const amount = refund.amount - known;
    const told = { id: externalRefundId(refund.paymentId, id), amount: refund.amount, booked: 0 };
    const isNews = this.#refunds.find(told.id) === null;
    if (isNews) this.#store(payment, told, nowMs);
    const isAllBack = !isNews && known >= payment.amount;
    if (amount <= 0 || isAllBack) return { kind: "already" };
    return this.book(payment, { ...refund, id, amount }, nowMs);
  }

  /** Books of the greatest sum that a provider told what a refund of ours, which has failed, did not give back. */
  bookRestOfSum(paymentId: string | null, nowMs: number): void {
    const amount = paymentId === null ? null : this.#refunds.greatestSum(paymentId);
    if (paymentId === null || amount === null) return;
    this.bookSum({ id: SUM, paymentId, amount, status: "DONE", isSum: true }, nowMs);
  }

  /** Centavos of a payment that went back, or are on their way at our wish. */
  #knownBack(payment: PaymentRecord): Cents {
    const { transactionId, inSuspense, returnOperation, amount } = payment;
    if (inSuspense) {
      const ours = returnOperation === null ? null : this.#operations.find(returnOperation);
      return ours?.status === "PENDING" ? amount : amount - this.#suspense.remaining(payment);
    }
    assert(transactionId !== null, "a credited payment has a charge");
    const charge = this.#charges.require(transactionId);
    const refunds = this.#operations.listByTransaction("refund", transactionId);
    return charge.paidAmount - refundableAmount(charge, refunds);
  }

  /**
   * Books an external refund, unless a dispute may be the same money. Also while a return of ours is pending,
   * which has its own id: one of the two fails, or is beyond the payment.
   */
  book(
    payment: PaymentRecord,
    refund: ProviderRefundReport,
    nowMs: number,
  ): RecordProviderRefundAnswer {
    const id = externalRefundId(refund.paymentId, refund.id);
    const dispute = this.#disputes.find(id) ?? this.#suspenseDisputes.find(id);
    if (dispute !== null) return this.#contradictDispute(payment, dispute, refund, nowMs);
    // Of before, when it waited for the return's end.
    this.#contradictions.close(`refund_status:${id}:returning`, "The refund was booked.", nowMs);
    const { amount } = refund;
    const booked = payment.inSuspense
      ? this.#suspense.deduct(payment, amount, causeOf("return", id, amount), nowMs)
      : this.#deductFromCompany(payment, id, amount, nowMs);
    if (payment.inSuspense) this.#store(payment, { id, amount, booked }, nowMs);
    if (booked === amount) return { kind: "recorded" };
    const finding = `refund_status:${id}:beyond`;
    const held = amount - booked;
    return this.openContradiction({ finding, refund, booked: { amount: booked }, held }, nowMs);
  }

  /**
   * The same money is known as a dispute, so it is not taken twice. Held: the amount that is
   * neither taken, nor blocked, nor in `suspense`.
   */
  #contradictDispute(
    payment: PaymentRecord,
    dispute: StoredDispute | SuspenseDispute,
    refund: ProviderRefundReport,
    nowMs: number,
  ): RecordProviderRefundAnswer {
    const { id, status, amount } = dispute;
    const blocked = "held" in dispute ? dispute.held : 0;
    const inSuspense = payment.inSuspense ? this.#suspense.remaining(payment) : 0;
    const covered = (status === "LOST" ? amount : blocked) + inSuspense;
    const finding = `refund_status:${id}:dispute:${status}`;
    const booked = { disputeId: id, status, amount };
    const held = Math.max(0, refund.amount - covered);
    return this.openContradiction({ finding, refund, booked, held }, nowMs);
  }

  /**
   * Takes up to the rest of the payment from the company. Returns the taken amount, in centavos.
   */
  #deductFromCompany(payment: PaymentRecord, id: string, amount: Cents, nowMs: number): Cents {
    const { transactionId } = payment;
    assert(transactionId !== null, "a credited payment has a charge");
    const charge = this.#charges.require(transactionId);
    const deducted = Math.min(amount, charge.paidAmount - charge.refundedAmount);
    if (deducted > 0) this.#holds.clawBack("refund_external", transactionId, deducted, 0, nowMs);
    this.#store(payment, { id, amount, booked: deducted }, nowMs);
    const cause = causeOf("refund", id, amount);
    if (deducted > 0) this.#transitions.applyRefund(charge, deducted, "REQUESTED", cause, nowMs);
    else this.#transitions.recordCause(transactionId, cause, nowMs);
    return deducted;
  }

  /** A sum is there already: what is booked of it grows. */
  #store(
    payment: PaymentRecord,
    refund: Pick<ExternalRefund, "id" | "amount" | "booked">,
    nowMs: number,
  ): void {
    const { paymentId, inSuspense } = payment;
    const transactionId = inSuspense ? null : payment.transactionId;
    this.#refunds.add({ ...refund, paymentId, transactionId, createdAt: nowMs });
  }

  /** A finding about a refund that the provider told. */
  openContradiction(
    found: Pick<Finding, "finding" | "booked" | "held"> & { refund: ProviderRefundReport },
    nowMs: number,
  ): RecordProviderRefundAnswer {
    const { finding, booked, held, refund } = found;
    const { id: refundId, paymentId, amount, status } = refund;
    this.#contradictions.open(
      {
        finding,
        kind: "refund_status",
        object: `payment:${paymentId}`,
        said: { refundId, amount, status },
        booked,
        amount,
        held,
      },
      nowMs,
    );
    return { kind: "contradiction" };
  }
}

function causeOf(kind: "refund" | "return", id: string, amount: Cents): Cause {
  return { kind, id, amount, status: "DONE", reason: null };
}
