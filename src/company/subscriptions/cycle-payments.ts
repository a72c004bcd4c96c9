import { systemRandom } from "../../domain/shared/clock.ts";
import { newSecureRandom } from "../../domain/shared/ids.ts";
import { byHandChargeId } from "../../domain/subscriptions/cycle-charge.ts";
import type { Subscription } from "../../domain/subscriptions/records.ts";
import type { ChargeStore } from "../charges/charge-store.ts";
import { otherChargesOf, type CycleStore, type StoredCycle } from "./cycle-store.ts";

/** A cycle with the charge by which its payer pays it by hand, fixed before anything is sent. */
export function withByHand(
  subscription: Pick<Subscription, "id" | "terms">,
  cycle: StoredCycle,
): StoredCycle {
  const byHand = {
    id: byHandChargeId(subscription, cycle.cycle),
    secureRandom: newSecureRandom(systemRandom),
    isMade: false,
  };
  return { ...cycle, recovery: { ...cycle.recovery, byHand } };
}

/** Which charge of a cycle is paid: that of its debit, or another. A cycle is owed once. */
export class CyclePayments {
  readonly #cycles: CycleStore;
  readonly #charges: ChargeStore;

  constructor(deps: { cycles: CycleStore; charges: ChargeStore }) {
    this.#cycles = deps.cycles;
    this.#charges = deps.charges;
  }

  /** Whether money came for the debit's charge, by whatever way. */
  isChargePaid({ transactionId }: Pick<StoredCycle, "transactionId">): boolean {
    return this.paidAt(transactionId) !== null;
  }

  /** Whether another charge of a cycle is paid. */
  isPaidOtherwise(cycle: Pick<StoredCycle, "recovery">): boolean {
    return otherChargesOf(cycle).some((id) => this.paidAt(id) !== null);
  }

  /** Whether a cycle is paid, by any of its charges. */
  isPaid(cycle: Pick<StoredCycle, "transactionId" | "recovery">): boolean {
    return this.isChargePaid(cycle) || this.isPaidOtherwise(cycle);
  }

  /** Why a charge expects no payment: its cycle was paid by another one. Null for any other charge. */
  obstacleTo(transactionId: string): "paid_otherwise" | null {
    const cycle = this.#cycles.ofAnyCharge(transactionId);
    if (cycle === null) return null;
    const charges = [cycle.transactionId, ...otherChargesOf(cycle)];
    const isPaid = charges.some((id) => id !== transactionId && this.paidAt(id) !== null);
    return isPaid ? "paid_otherwise" : null;
  }

  /** When a charge was paid, epoch milliseconds; null where it was not. */
  paidAt(transactionId: string): number | null {
    return this.#charges.findStored(transactionId)?.paidAt ?? null;
  }
}
