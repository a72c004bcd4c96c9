import {
  isEndedCharge,
  METHODS_WITH_CODE,
  SAVED_CARD_METHOD,
  type PaymentMethod,
} from "../../domain/charges/charge-status.ts";
import type { RefusedReason } from "../../domain/charges/payment-details.ts";
import { systemRandom } from "../../domain/shared/clock.ts";
import { newSecureRandom } from "../../domain/shared/ids.ts";
import {
  BY_HAND_MAX,
  byHandChargeId,
  byHandIdsOf,
} from "../../domain/subscriptions/cycle-charge.ts";
import type { ChargeStore, StoredCharge } from "../charges/charge-store.ts";
import type { CycleStore, StoredCycle } from "./cycle-store.ts";

/** A refused charge is made anew at once so often ... */
const TRIALS_AT_ONCE = 8;
/** ... and then after a wait that grows by this each time: who asks again for ever uses up the ids of a cycle in years. */
const WAIT_MS = 3_600_000;

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

  /** When a cycle was paid by hand or by a saved card, epoch milliseconds; null where it was not. */
  paidByHandAt(cycle: StoredCycle): number | null {
    return this.paidOtherwise(cycle)?.at ?? null;
  }

  /** By what a cycle was paid beside its debit, and when (epoch milliseconds); null where it was not. */
  paidOtherwise(cycle: StoredCycle): { by: "hand" | "card"; at: number } | null {
    const [paid] = this.#paidByHand(cycle);
    if (paid === undefined) return null;
    const isOfCard = this.#charges.findStored(paid.id)?.paymentMethod === SAVED_CARD_METHOD;
    return { by: isOfCard ? "card" : "hand", at: paid.paidAt };
  }

  #paidByHand(cycle: StoredCycle): { id: string; paidAt: number }[] {
    return byHandIdsOf(cycle)
      .flatMap((ids) => this.#charges.paidFrom(ids))
      .filter(({ id }) => this.#cycles.ofCharge(id) === null);
  }

  /** Whether a cycle is paid, by any of its charges. */
  isPaid(cycle: StoredCycle): boolean {
    return this.isChargePaid(cycle) || this.paidByHandAt(cycle) !== null;
  }

  /** Whether nobody can pay a cycle by the charge that was made for a payment by hand: it was refused, or has ended. */
  isByHandOver(cycle: Pick<StoredCycle, "recovery">): boolean {
    return this.byHandOverAt(cycle) !== null;
  }

  /** When that charge ended unpaid, epoch milliseconds, 0 where no change of it is kept; null where it has not. */
  byHandOverAt({ recovery }: Pick<StoredCycle, "recovery">): number | null {
    const { byHand } = recovery ?? {};
    const charge = byHand === undefined ? null : this.#charges.findStored(byHand.id);
    if (charge === null || !isOver(charge)) return null;
    return charge.trail.findLast(({ from, to }) => from !== to && to === charge.status)?.at ?? 0;
  }

  /** Why the acquirer refused the card of the newest charge beside a debit; null where it did not. */
  byHandRefusal({ recovery }: Pick<StoredCycle, "recovery">): RefusedReason | null {
    const { byHand } = recovery ?? {};
    return byHand === undefined
      ? null
      : (this.#charges.findStored(byHand.id)?.refusedReason ?? null);
  }

  /** A cycle with a charge beside its debit, which its payer pays by hand or his saved card, fixed before anything is sent. */
  withByHand(cycle: StoredCycle, method: PaymentMethod, nowMs: number): StoredCycle {
    const { card, ...recovery } = cycle.recovery ?? {};
    const isOfCard = method === SAVED_CARD_METHOD;
    const byHand = {
      ...(method === METHODS_WITH_CODE[0] ? {} : { method }),
      id: byHandChargeId(cycle, this.#ended(cycle) + 1),
      secureRandom: newSecureRandom(systemRandom),
      isMade: false,
      fixedAt: nowMs,
    };
    const skipped = isOfCard || card === undefined ? {} : { card };
    return { ...cycle, recovery: { ...recovery, ...skipped, byHand } };
  }

  /** Whether a cycle may have another charge by which it is paid by hand, after one that came to nothing. */
  mayRepeatByHand(cycle: StoredCycle, nowMs: number): boolean {
    const { byHand } = cycle.recovery ?? {};
    const waits = Math.max(0, this.#ended(cycle) + 1 - TRIALS_AT_ONCE);
    return byHand === undefined || nowMs >= (byHand.fixedAt ?? 0) + waits * WAIT_MS;
  }

  /** Of some charges those that are paid, and those that have ended unpaid. */
  endedOf(transactionIds: string[]): { paid: string[]; over: string[] } {
    const stored = transactionIds.flatMap((id) => this.#charges.findStored(id) ?? []);
    const idsOf = (charges: typeof stored) => charges.map(({ transactionId }) => transactionId);
    return {
      paid: idsOf(stored.filter(({ paidAt }) => paidAt !== null)),
      over: idsOf(stored.filter(isOver)),
    };
  }

  /** How many charges of a cycle by which it was to be paid by hand came to nothing; the last one that it can have counts not. */
  #ended(cycle: StoredCycle): number {
    let ended = 0;
    while (ended < BY_HAND_MAX - 1 && this.#isOver(byHandChargeId(cycle, ended + 1))) ended++;
    return ended;
  }

  #isOver(transactionId: string): boolean {
    const charge = this.#charges.findStored(transactionId);
    return charge !== null && isOver(charge);
  }

  /** Why a charge expects no payment: its cycle was paid by another one. Null for any other charge. */
  obstacleTo(transactionId: string): "paid_otherwise" | null {
    const cycle = this.#cycles.ofAnyCharge(transactionId);
    if (cycle === null) return null;
    const isPaidByHand = this.#paidByHand(cycle).some(({ id }) => id !== transactionId);
    const isDebited = cycle.transactionId !== transactionId && this.isChargePaid(cycle);
    return isPaidByHand || isDebited ? "paid_otherwise" : null;
  }
}

/** Whether a charge has ended unpaid. */
function isOver({ status, paidAt }: StoredCharge): boolean {
  return isEndedCharge(status) && paidAt === null;
}
