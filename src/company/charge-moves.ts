import { canMoveCharge, type RefundReason } from "../domain/charge-status.ts";
import type { TransactionEventType } from "../domain/event-types.ts";
import type { Cents } from "../domain/money.ts";
import type { ChargeState } from "../domain/transaction.ts";
import { assert } from "../lib/assert.ts";
import type { ChargeStore, StoredCharge } from "./charge-store.ts";
import type { DisputeStore } from "./dispute-store.ts";
import type { MetaStore } from "./meta-store.ts";
import type { OperationStore } from "./operation-store.ts";
import type { OutboxStore } from "./outbox-store.ts";

/**
 * The one way a charge changes: its row, its next version and, where the change is announced, its
 * next event, with what that owes D1. Runs inside one `transactionSync`.
 */
export class ChargeMoves {
  readonly #charges: ChargeStore;
  readonly #operations: OperationStore;
  readonly #disputes: DisputeStore;
  readonly #meta: MetaStore;
  readonly #outbox: OutboxStore;

  constructor(stores: {
    charges: ChargeStore;
    operations: OperationStore;
    disputes: DisputeStore;
    meta: MetaStore;
    outbox: OutboxStore;
  }) {
    this.#charges = stores.charges;
    this.#operations = stores.operations;
    this.#disputes = stores.disputes;
    this.#meta = stores.meta;
    this.#outbox = stores.outbox;
  }

  /** Its refunds and its dispute must be stored before, for they are part of what D1 is told. */
  change(
    charge: StoredCharge,
    change: Partial<StoredCharge>,
    eventType: TransactionEventType | null,
    nowMs: number,
  ): void {
    const changed: StoredCharge = {
      ...charge,
      ...change,
      version: charge.version + 1,
      updatedAt: nowMs,
      eventSequence: charge.eventSequence + (eventType === null ? 0 : 1),
    };
    assert(
      changed.status === charge.status || canMoveCharge(charge.status, changed.status),
      `${charge.status} to ${changed.status}`,
    );
    this.#charges.save(changed);
    this.#outbox.add(
      {
        kind: "transaction",
        transactionId: changed.transactionId,
        state: this.stateOf(changed),
        event:
          eventType === null
            ? null
            : {
                type: eventType,
                companySequence: this.#meta.next("company_sequence"),
                sequence: changed.eventSequence,
                previousStatus: charge.status,
                timestamp: nowMs,
              },
      },
      nowMs,
    );
  }

  /** An amount is with the payer again. A charge that is refunded already has no more to tell. */
  wentBack(charge: StoredCharge, amount: Cents, refundReason: RefundReason, nowMs: number): void {
    const refundedAmount = Math.min(charge.paidAmount, charge.refundedAmount + amount);
    if (charge.status !== "paid") {
      this.change(charge, {}, null, nowMs);
    } else if (refundedAmount < charge.paidAmount) {
      this.change(charge, { refundedAmount }, "transaction.partially_refunded", nowMs);
    } else {
      const change = { status: "refunded", refundedAmount, refundReason } as const;
      this.change(charge, change, "transaction.refunded", nowMs);
    }
  }

  /** All that of a charge can change, as D1 and the API show it. */
  stateOf(charge: StoredCharge): ChargeState {
    return {
      status: charge.status,
      version: charge.version,
      updatedAt: charge.updatedAt,
      paidAt: charge.paidAt,
      paidAmount: charge.paidAmount,
      refundedAmount: charge.refundedAmount,
      endToEndId: charge.endToEndId,
      cancelReason: charge.cancelReason,
      refundReason: charge.refundReason,
      refunds: this.#operations.refundsOf(charge.transactionId),
      dispute: this.#disputes.newestOf(charge.transactionId),
    };
  }
}
