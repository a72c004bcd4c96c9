import { hyphenated } from "../../domain/shared/ids.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { Cause } from "../../domain/charges/trail.ts";
import { externalRefundId } from "../../domain/charges/transaction.ts";
import { assert } from "../../lib/assert.ts";
import type { ChargeMoves } from "../charges/charge-moves.ts";
import type { ChargeStore, FoundPayment } from "../charges/charge-store.ts";
import type {
  RecordProviderRefund,
  RecordProviderRefundAnswer,
  ProviderRefundReport,
} from "../commands.ts";
import type { ContradictionStore, Finding } from "../contradictions/contradiction-store.ts";
import type { DisputeStore, StoredDispute } from "../disputes/dispute-store.ts";
import type { ExternalRefundStore } from "./external-refund-store.ts";
import type { Funds } from "../ledger/funds.ts";
import type { OperationFlow } from "./operation-flow.ts";
import type { OperationStore, StoredOperation } from "./operation-store.ts";
import type { SuspenseDispute, SuspenseDisputeStore } from "../disputes/suspense-dispute-store.ts";
import type { SuspenseFlow } from "../charges/suspense-flow.ts";

/**
 * What a provider lists as given back of a payment: by an operation of ours, which ends with it, or by
 * other hands, as in the bank's own app. Every method runs inside one `transactionSync`.
 */
export class ExternalRefundFlow {
  readonly #charges: ChargeStore;
  readonly #operations: OperationStore;
  readonly #operationFlow: OperationFlow;
  readonly #refunds: ExternalRefundStore;
  readonly #suspense: SuspenseFlow;
  readonly #disputes: DisputeStore;
  readonly #suspenseDisputes: SuspenseDisputeStore;
  readonly #moves: ChargeMoves;
  readonly #funds: Funds;
  readonly #contradictions: ContradictionStore;

  constructor(parts: {
    charges: ChargeStore;
    operations: OperationStore;
    operationFlow: OperationFlow;
    refunds: ExternalRefundStore;
    suspense: SuspenseFlow;
    disputes: DisputeStore;
    suspenseDisputes: SuspenseDisputeStore;
    moves: ChargeMoves;
    funds: Funds;
    contradictions: ContradictionStore;
  }) {
    this.#charges = parts.charges;
    this.#operations = parts.operations;
    this.#operationFlow = parts.operationFlow;
    this.#refunds = parts.refunds;
    this.#suspense = parts.suspense;
    this.#disputes = parts.disputes;
    this.#suspenseDisputes = parts.suspenseDisputes;
    this.#moves = parts.moves;
    this.#funds = parts.funds;
    this.#contradictions = parts.contradictions;
  }

  /**
   * Books a refund that the provider lists. One by other hands counts once it is done: it leaves the
   * company as what a bank takes back does, up to what is left of the payment.
   */
  record({ refund }: RecordProviderRefund, nowMs: number): RecordProviderRefundAnswer {
    assert(refund.amount > 0, "a refund moves money");
    const operation = this.#operations.findByOperationId(hyphenated(refund.id));
    if (operation !== null) return this.#recordOwn(operation, refund, nowMs);
    const payment = this.#charges.findPayment(refund.paymentId);
    if (payment === null) return { kind: "not_found" };
    const known = this.#refunds.find(externalRefundId(refund.paymentId, refund.id));
    if (known === null && refund.status === "DONE") return this.#book(payment, refund, nowMs);
    if (known === null || refund.status === "PROCESSING") return { kind: "already" };
    if (refund.status === "DONE" && refund.amount === known.amount) return { kind: "already" };
    const { amount: booked } = known;
    const said = refund.status === "DONE" ? refund.amount : 0;
    const held = Math.max(0, said - booked);
    const finding = `refund_status:${known.id}:${refund.status}:${refund.amount}`;
    return this.#contradicted({ finding, refund, booked: { amount: booked }, held }, nowMs);
  }

  /** One that this service asked for: its answer came by another way. */
  #recordOwn(
    operation: StoredOperation,
    refund: ProviderRefundReport,
    nowMs: number,
  ): RecordProviderRefundAnswer {
    const { operationId, amount, status } = operation;
    if (refund.amount !== amount) {
      const finding = `refund_status:operation:${operationId}:amount:${refund.amount}`;
      const isDone = refund.status === "DONE";
      const held = isDone ? Math.max(0, refund.amount - amount) : 0;
      return this.#contradicted({ finding, refund, booked: { amount, status }, held }, nowMs);
    }
    const onItsWay = `refund_status:operation:${operationId}:PROCESSING`;
    if (refund.status === "PROCESSING") {
      if (status !== "FAILED") return { kind: "already" };
      // It may leave although the company was given its money again.
      return this.#contradicted(
        { finding: onItsWay, refund, booked: { status }, held: amount },
        nowMs,
      );
    }
    this.#contradictions.close(onItsWay, `It is ${refund.status}.`, nowMs);
    const report =
      refund.status === "DONE"
        ? { kind: "done" as const }
        : { kind: "failed" as const, reason: "The provider lists it as not done." };
    const answer = this.#operationFlow.record(operation.id, report, null, nowMs);
    if (answer.kind === "contradiction") return { kind: "contradiction" };
    return { kind: status === "PENDING" ? "recorded" : "already" };
  }

  #book(
    payment: FoundPayment,
    refund: ProviderRefundReport,
    nowMs: number,
  ): RecordProviderRefundAnswer {
    const id = externalRefundId(refund.paymentId, refund.id);
    const returning = `refund_status:${id}:returning`;
    if (payment.suspended && this.#suspense.isReturning(payment)) {
      const booked = { returnStatus: "PENDING" };
      return this.#contradicted({ finding: returning, refund, booked, held: 0 }, nowMs);
    }
    const dispute = this.#disputes.find(id) ?? this.#suspenseDisputes.find(id);
    if (dispute !== null) return this.#alreadyDisputed(payment, dispute, refund, nowMs);
    this.#contradictions.close(returning, "The refund was booked.", nowMs);
    const { amount } = refund;
    const booked = payment.suspended
      ? this.#suspense.takeOut(payment, amount, causeOf("return", id, amount), nowMs)
      : this.#takeOut(payment, id, amount, nowMs);
    if (payment.suspended) this.#keep(payment, id, refund.amount, booked, nowMs);
    if (booked === amount) return { kind: "recorded" };
    const finding = `refund_status:${id}:beyond`;
    const held = amount - booked;
    return this.#contradicted({ finding, refund, booked: { amount: booked }, held }, nowMs);
  }

  /**
   * The same money is known as a dispute: it is not taken twice. Held is what of it was neither taken nor
   * blocked, and does not stand in `suspense`.
   */
  #alreadyDisputed(
    payment: FoundPayment,
    dispute: StoredDispute | SuspenseDispute,
    refund: ProviderRefundReport,
    nowMs: number,
  ): RecordProviderRefundAnswer {
    const { id, status, amount } = dispute;
    const blocked = "held" in dispute ? dispute.held : 0;
    const apart = payment.suspended ? this.#suspense.left(payment) : 0;
    const covered = (status === "LOST" ? amount : blocked) + apart;
    const finding = `refund_status:${id}:dispute:${status}`;
    const booked = { disputeId: id, status, amount };
    const held = Math.max(0, refund.amount - covered);
    return this.#contradicted({ finding, refund, booked, held }, nowMs);
  }

  /** Takes it out of the company, up to what is left of the payment. Answers how much that was. */
  #takeOut(payment: FoundPayment, id: string, amount: Cents, nowMs: number): Cents {
    const { transactionId } = payment;
    assert(transactionId !== null, "a credited payment has its charge");
    const charge = this.#charges.require(transactionId);
    const taken = Math.min(amount, charge.paidAmount - charge.refundedAmount);
    if (taken > 0) this.#funds.takeBack("refund_external", transactionId, taken, 0, nowMs);
    this.#keep(payment, id, amount, taken, nowMs);
    const cause = causeOf("refund", id, amount);
    if (taken > 0) this.#moves.wentBack(charge, taken, "REQUESTED", cause, nowMs);
    else this.#moves.note(transactionId, cause, nowMs);
    return taken;
  }

  #keep(payment: FoundPayment, id: string, amount: Cents, booked: Cents, nowMs: number): void {
    const { paymentId, suspended } = payment;
    const transactionId = suspended ? null : payment.transactionId;
    this.#refunds.add({ id, paymentId, transactionId, amount, booked, createdAt: nowMs });
  }

  #contradicted(
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
