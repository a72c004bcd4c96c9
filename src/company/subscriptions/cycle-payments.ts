import { isEndedCharge } from "../../domain/charges/charge-status.ts";
import { systemRandom } from "../../domain/shared/clock.ts";
import { newSecureRandom } from "../../domain/shared/ids.ts";
import {
  BY_HAND_MAX,
  byHandChargeId,
  byHandChargeIds,
  byHandIdOf,
} from "../../domain/subscriptions/cycle-charge.ts";
import type { ChargeStore } from "../charges/charge-store.ts";
import type { CycleStore, StoredCycle } from "./cycle-store.ts";

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
    return this.#charges.findStored(transactionId)?.paidAt != null;
  }

  /** When a cycle was paid by hand, epoch milliseconds; null where it was not. */
  paidByHandAt(cycle: StoredCycle): number | null {
    const [paid] = this.#charges.paidFrom(byHandChargeIds(byHandIdOf(cycle)));
    return paid?.paidAt ?? null;
  }

  /** Whether a cycle is paid, by any of its charges. */
  isPaid(cycle: StoredCycle): boolean {
    return this.isChargePaid(cycle) || this.paidByHandAt(cycle) !== null;
  }

  /** Whether nobody can pay a cycle by the charge that was made for a payment by hand: it was refused, or has ended. */
  isByHandOver({ recovery }: Pick<StoredCycle, "recovery">): boolean {
    const { byHand } = recovery ?? {};
    return byHand !== undefined && this.#isOver(byHand.id);
  }

  /** A cycle with a charge by which its payer pays it by hand, fixed before anything is sent. */
  withByHand(cycle: StoredCycle, nowMs: number): StoredCycle {
    let trial = 1;
    while (trial < BY_HAND_MAX && this.#isOver(byHandChargeId(cycle, trial))) trial++;
    const byHand = {
      id: byHandChargeId(cycle, trial),
      secureRandom: newSecureRandom(systemRandom),
      isMade: false,
      fixedAt: nowMs,
    };
    return { ...cycle, recovery: { ...cycle.recovery, byHand } };
  }

  #isOver(transactionId: string): boolean {
    const charge = this.#charges.findStored(transactionId);
    return charge !== null && isEndedCharge(charge.status) && charge.paidAt === null;
  }

  /** Why a charge expects no payment: its cycle was paid by another one. Null for any other charge. */
  obstacleTo(transactionId: string): "paid_otherwise" | null {
    const cycle = this.#cycles.ofAnyCharge(transactionId);
    if (cycle === null) return null;
    const byHand = this.#charges.paidFrom(byHandChargeIds(byHandIdOf(cycle)));
    const isPaidByHand = byHand.some(({ id }) => id !== transactionId);
    const isDebited = cycle.transactionId !== transactionId && this.isChargePaid(cycle);
    return isPaidByHand || isDebited ? "paid_otherwise" : null;
  }
}
