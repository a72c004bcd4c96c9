import { hyphenateUuid } from "../../domain/shared/ids.ts";
import { ourRefundId } from "../../domain/psp/psp-ids.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { Cause } from "../../domain/charges/charge-history.ts";
import { externalRefundId } from "../../domain/charges/transaction.ts";
import { assert } from "../../lib/assert.ts";
import type { ChargeTransitions } from "../charges/charge-transitions.ts";
import type { ChargeStore, PaymentRecord } from "../charges/charge-store.ts";
import type {
  RecordProviderRefund,
  RecordProviderRefundAnswer,
  ProviderRefundReport,
} from "./command-types.ts";
import type { ContradictionStore, Finding } from "../contradictions/contradiction-store.ts";
import type { ToldAmounts } from "../contradictions/told-amounts.ts";
import type { DisputeStore, StoredDispute } from "../disputes/dispute-store.ts";
import { SUM, type ExternalRefund, type ExternalRefundStore } from "./external-refund-store.ts";
import type { Holds } from "../ledger/holds.ts";
import type { OperationCommands } from "./operation-commands.ts";
import type { OperationStore, StoredOperation } from "./operation-store.ts";
import type { ToldSums } from "./told-sums.ts";
import type { SuspenseDispute, SuspenseDisputeStore } from "../disputes/suspense-dispute-store.ts";
import type { SuspenseCommands } from "../charges/suspense-commands.ts";

/**
 * Books the refunds that a provider lists of a payment: of an operation, or external ones, made in
 * the bank's own app for example. Every method runs inside one `transactionSync`.
 */
export class ExternalRefundCommands {
  readonly #charges: ChargeStore;
  readonly #operations: OperationStore;
  readonly #operationCommands: OperationCommands;
  readonly #refunds: ExternalRefundStore;
  readonly #toldSums: ToldSums;
  readonly #toldAmounts: ToldAmounts;
  readonly #suspense: SuspenseCommands;
  readonly #disputes: DisputeStore;
  readonly #suspenseDisputes: SuspenseDisputeStore;
  readonly #transitions: ChargeTransitions;
  readonly #holds: Holds;
  readonly #contradictions: ContradictionStore;

  constructor(deps: {
    charges: ChargeStore;
    operations: OperationStore;
    operationCommands: OperationCommands;
    externalRefunds: ExternalRefundStore;
    toldSums: ToldSums;
    toldAmounts: ToldAmounts;
    suspense: SuspenseCommands;
    disputes: DisputeStore;
    suspenseDisputes: SuspenseDisputeStore;
    transitions: ChargeTransitions;
    holds: Holds;
    contradictions: ContradictionStore;
  }) {
    this.#charges = deps.charges;
    this.#operations = deps.operations;
    this.#operationCommands = deps.operationCommands;
    this.#refunds = deps.externalRefunds;
    this.#toldSums = deps.toldSums;
    this.#toldAmounts = deps.toldAmounts;
    this.#suspense = deps.suspense;
    this.#disputes = deps.disputes;
    this.#suspenseDisputes = deps.suspenseDisputes;
    this.#transitions = deps.transitions;
    this.#holds = deps.holds;
    this.#contradictions = deps.contradictions;
  }

  /**
   * Books a listed refund. It ends the operation of its id. An external one counts once it is done:
   * it is taken from the company or from `suspense`, up to the rest of the payment.
   */
  record({ refund }: RecordProviderRefund, nowMs: number): RecordProviderRefundAnswer {
    assert(refund.amount > 0, "a refund has a positive amount");
    if (refund.isSum === true) return this.#recordSum(refund, nowMs);
    const operationId = hyphenateUuid(ourRefundId(refund.id) ?? refund.id);
    const operation = this.#operations.findByOperationId(operationId);
    if (operation !== null) return this.#recordRequested(operation, refund, nowMs);
    const payment = this.#charges.findPayment(refund.paymentId);
    if (payment === null) return { kind: "not_found" };
    const known = this.#refunds.find(externalRefundId(refund.paymentId, refund.id));
    if (known === null && refund.status === "DONE") return this.#book(payment, refund, nowMs);
    if (known === null || refund.status === "PROCESSING") return { kind: "already" };
    if (refund.status === "DONE" && refund.amount === known.amount) return { kind: "already" };
    const { amount: booked } = known;
    const reportedAmount = refund.status === "DONE" ? refund.amount : 0;
    const held = Math.max(0, reportedAmount - booked);
    const finding = `refund_status:${known.id}:${refund.status}:${refund.amount}`;
    return this.#openContradiction({ finding, refund, booked: { amount: booked }, held }, nowMs);
  }

  /**
   * Books what went back of a payment beyond what is known. A refund of ours that is not decided counts as known: the sum
   * may have it already. Where it fails instead, the provider is asked once more (`OperationResults`).
   */
  #recordSum(refund: ProviderRefundReport, nowMs: number): RecordProviderRefundAnswer {
    const payment = this.#charges.findPayment(refund.paymentId);
    if (payment === null) return { kind: "not_found" };
    const id = `${SUM}${refund.amount}`;
    const sum = externalRefundId(refund.paymentId, id);
    this.#toldSums.toldAgain(payment, refund.amount, nowMs);
    const byFalls = this.#toldAmounts.knownByFalls(payment, refund.amount);
    const fell = this.#toldSums.fallenBelow(payment, refund.amount, byFalls);
    this.#toldAmounts.tellSum(payment, refund.amount, fell, nowMs);
    const known = this.#toldSums.knownBack(payment);
    const explained = this.#toldSums.explained(payment, refund.amount);
    const amount = refund.amount - known + explained;
    const isNews = this.#refunds.find(sum) === null;
    if (isNews) this.#store(payment, { id: sum, amount: refund.amount, booked: 0 }, nowMs);
    if (isNews && explained === 0) this.#tellOfEnd(payment, refund, sum, known, nowMs);
    const isAllBack = !isNews && known >= payment.amount;
    if (amount <= 0 || isAllBack) return { kind: "already" };
    return this.#book(payment, { ...refund, id, amount }, nowMs);
  }

  /**
   * Tells once of a sum that is known, in part or all, only since operators took it when its charge was called ended. One of
   * all of the payment is booked instead: what they took is not taken again.
   */
  #tellOfEnd(
    payment: PaymentRecord,
    refund: ProviderRefundReport,
    sum: string,
    known: Cents,
    nowMs: number,
  ): void {
    const corrected = this.#toldSums.unusedOfEnd(payment);
    if (corrected === 0 || refund.amount <= known - corrected) return;
    const finding = `refund_status:${sum}:ended`;
    this.#openContradiction({ finding, refund, booked: { corrected }, held: 0 }, nowMs);
  }

  /** Ends the operation that requested the refund. */
  #recordRequested(
    operation: StoredOperation,
    refund: ProviderRefundReport,
    nowMs: number,
  ): RecordProviderRefundAnswer {
    const { operationId, amount, status } = operation;
    if (refund.amount !== amount) {
      const finding = `refund_status:operation:${operationId}:amount:${refund.amount}`;
      const isDone = refund.status === "DONE";
      const held = isDone ? Math.max(0, refund.amount - amount) : 0;
      return this.#openContradiction({ finding, refund, booked: { amount, status }, held }, nowMs);
    }
    const processingFinding = `refund_status:operation:${operationId}:PROCESSING`;
    if (refund.status === "PROCESSING") {
      if (status !== "FAILED") return { kind: "already" };
      // The refund may be paid although the company got its money back.
      return this.#openContradiction(
        { finding: processingFinding, refund, booked: { status }, held: amount },
        nowMs,
      );
    }
    this.#contradictions.close(processingFinding, `It is ${refund.status}.`, nowMs);
    const report =
      refund.status === "DONE"
        ? { kind: "done" as const }
        : { kind: "failed" as const, reason: "The provider lists it as not done." };
    const answer = this.#operationCommands.record(operation.id, report, null, nowMs);
    if (answer.kind === "contradiction") return { kind: "contradiction" };
    return { kind: status === "PENDING" ? "recorded" : "already" };
  }

  /**
   * Books an external refund, unless a dispute may be the same money or a sum took it. Also while a return of ours is pending,
   * which has its own id: one of the two fails, or is beyond the payment.
   */
  #book(
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
    if (refund.isSum !== true && this.#toldSums.isTaken(payment, amount)) {
      this.#store(payment, { id, amount, booked: 0 }, nowMs);
      return { kind: "already" };
    }
    const booked = payment.inSuspense
      ? this.#suspense.deduct(payment, amount, causeOf("return", id, amount), nowMs)
      : this.#deductFromCompany(payment, id, amount, nowMs);
    if (payment.inSuspense) this.#store(payment, { id, amount, booked }, nowMs);
    if (booked === amount) return { kind: "recorded" };
    const finding = `refund_status:${id}:beyond`;
    const held = amount - booked;
    return this.#openContradiction({ finding, refund, booked: { amount: booked }, held }, nowMs);
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
    return this.#openContradiction({ finding, refund, booked, held }, nowMs);
  }

  /**
   * Takes up to the rest of the payment from the company, less what operators took of it at its charge's end.
   * Returns what went back of the charge by it, in centavos.
   */
  #deductFromCompany(payment: PaymentRecord, id: string, amount: Cents, nowMs: number): Cents {
    const { transactionId } = payment;
    assert(transactionId !== null, "a credited payment has a charge");
    const charge = this.#charges.require(transactionId);
    const deducted = Math.min(amount, charge.paidAmount - charge.refundedAmount);
    const covered = this.#toldSums.covered(charge, deducted);
    const taken = deducted - covered;
    if (taken > 0) this.#holds.clawBack("refund_external", transactionId, taken, 0, nowMs);
    this.#store(payment, { id, amount, booked: deducted, covered }, nowMs);
    const cause = causeOf("refund", id, amount);
    if (deducted > 0) this.#transitions.applyRefund(charge, deducted, "REQUESTED", cause, nowMs);
    else this.#transitions.recordCause(transactionId, cause, nowMs);
    return deducted;
  }

  #store(
    payment: PaymentRecord,
    refund: Pick<ExternalRefund, "id" | "amount" | "booked"> & { covered?: Cents },
    nowMs: number,
  ): void {
    const { paymentId, inSuspense } = payment;
    const transactionId = inSuspense ? null : payment.transactionId;
    this.#refunds.add({ covered: 0, ...refund, paymentId, transactionId, createdAt: nowMs });
  }

  #openContradiction(
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
