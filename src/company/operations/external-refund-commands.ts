import { hyphenateUuid } from "../../domain/shared/ids.ts";
import { ourRefundId } from "../../domain/psp/psp-ids.ts";
import { externalRefundId } from "../../domain/charges/transaction.ts";
import { assert } from "../../lib/assert.ts";
import type { ChargeStore } from "../charges/charge-store.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type {
  RecordProviderRefund,
  RecordProviderRefundAnswer,
  ProviderRefundReport,
} from "./command-types.ts";
import type { ExternalRefundBooking } from "./external-refund-booking.ts";
import type { ExternalRefundStore } from "./external-refund-store.ts";
import type { OperationCommands } from "./operation-commands.ts";
import type { OperationStore, StoredOperation } from "./operation-store.ts";

/**
 * Books the refunds that a provider lists of a payment: of an operation, or external ones, made in
 * the bank's own app for example. Every method runs inside one `transactionSync`.
 */
export class ExternalRefundCommands {
  readonly #charges: ChargeStore;
  readonly #operations: OperationStore;
  readonly #operationCommands: OperationCommands;
  readonly #refunds: ExternalRefundStore;
  readonly #booking: ExternalRefundBooking;
  readonly #contradictions: ContradictionStore;

  constructor(deps: {
    charges: ChargeStore;
    operations: OperationStore;
    operationCommands: OperationCommands;
    externalRefunds: ExternalRefundStore;
    externalRefundBooking: ExternalRefundBooking;
    contradictions: ContradictionStore;
  }) {
    this.#charges = deps.charges;
    this.#operations = deps.operations;
    this.#operationCommands = deps.operationCommands;
    this.#refunds = deps.externalRefunds;
    this.#booking = deps.externalRefundBooking;
    this.#contradictions = deps.contradictions;
  }

  /**
   * Books a listed refund. It ends the operation of its id. An external one counts once it is done:
   * it is taken from the company or from `suspense`, up to the rest of the payment.
   */
  record({ refund }: RecordProviderRefund, nowMs: number): RecordProviderRefundAnswer {
    assert(refund.amount > 0, "a refund has a positive amount");
    if (refund.isSum === true) return this.#booking.bookSum(refund, nowMs);
    const operationId = hyphenateUuid(ourRefundId(refund.id) ?? refund.id);
    const operation = this.#operations.findByOperationId(operationId);
    if (operation !== null) return this.#recordRequested(operation, refund, nowMs);
    const payment = this.#charges.findPayment(refund.paymentId);
    if (payment === null) return { kind: "not_found" };
    const known = this.#refunds.find(externalRefundId(refund.paymentId, refund.id));
    if (known === null && refund.status === "DONE")
      return this.#booking.book(payment, refund, nowMs);
    if (known === null || refund.status === "PROCESSING") return { kind: "already" };
    if (refund.status === "DONE" && refund.amount === known.amount) return { kind: "already" };
    const { amount: booked } = known;
    const reportedAmount = refund.status === "DONE" ? refund.amount : 0;
    const held = Math.max(0, reportedAmount - booked);
    const finding = `refund_status:${known.id}:${refund.status}:${refund.amount}`;
    return this.#booking.openContradiction(
      { finding, refund, booked: { amount: booked }, held },
      nowMs,
    );
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
      return this.#booking.openContradiction(
        { finding, refund, booked: { amount, status }, held },
        nowMs,
      );
    }
    const processingFinding = `refund_status:operation:${operationId}:PROCESSING`;
    if (refund.status === "PROCESSING") {
      if (status !== "FAILED") return { kind: "already" };
      // The refund may be paid although the company got its money back.
      return this.#booking.openContradiction(
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
}
