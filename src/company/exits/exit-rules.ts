import {
  refusalByLimit,
  waitsForApproval,
  type ExitLimitRefusal,
  type ExitLimits,
  type OwnLimit,
} from "../../domain/exits/exit-limits.ts";
import {
  FROM_THE_START,
  isFreshFromOperator,
  refusalOfApprover,
  type ApproverRefusal,
  type Party,
} from "../../domain/access/standing.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type { Holds } from "../ledger/holds.ts";
import type { StoredOperation } from "../operations/operation-store.ts";
import type { Freezes } from "../operators/freezes.ts";
import type { ExitSumStore } from "./exit-sum-store.ts";

/** Why a refund, return or credit that a caller asks for is refused. Amounts in centavos. */
export type ExitRefusal = { kind: "frozen" } | ExitLimitRefusal;

type Counted = Pick<
  StoredOperation,
  "amount" | "approval" | "requestedBy" | "countedOn" | "decidedBy" | "decidedOn"
>;

/**
 * The gate of refunds, returns and credits inside the object: freeze, limits, approval, and what a contradiction
 * holds. It keeps the sums that limits and approvals count; it writes nothing else.
 */
export class ExitRules {
  readonly #sums: ExitSumStore;
  readonly #freezes: Freezes;
  readonly #holds: Holds;
  readonly #contradictions: ContradictionStore;

  constructor(deps: {
    exitSums: ExitSumStore;
    freezes: Freezes;
    holds: Holds;
    contradictions: ContradictionStore;
  }) {
    this.#sums = deps.exitSums;
    this.#freezes = deps.freezes;
    this.#holds = deps.holds;
    this.#contradictions = deps.contradictions;
  }

  /** Whether no way out of the company's money is open. */
  frozen(): boolean {
    return this.#freezes.isFrozen();
  }

  /** Whether no authorized card may be captured. */
  chargesFrozen(): boolean {
    return this.#freezes.find()?.charges === true;
  }

  /** The refusal of the caller's own limit, then of the company's; null within both. */
  limitRefusal(
    { ownLimit, dailyLimit }: ExitLimits,
    { clientId, amount }: { clientId: string; amount: Cents },
    nowMs: number,
  ): ExitLimitRefusal | null {
    const day = this.#sums.dayOf(nowMs);
    const own = this.#ownRefusal(ownLimit, { clientId, amount, day }, nowMs);
    if (own !== null || dailyLimit === null) return own;
    const used = this.#sums.ofCompany(day);
    return refusalByLimit(
      { rule: "refundDailyLimit", limit: dailyLimit },
      { amount, used, at: nowMs },
    );
  }

  /** Whether an amount waits until somebody else approves it. */
  waits(limits: ExitLimits, amount: Cents, nowMs: number): boolean {
    if (isFreshFromOperator(limits.standing, nowMs, limits.coolDownMs)) return true;
    if (limits.approvalAbove === null) return false;
    const unapproved = this.#sums.unapproved(this.#sums.dayOf(nowMs));
    return waitsForApproval(limits, { amount, unapproved });
  }

  /**
   * Why somebody may not approve a waiting operation: the freeze, the rule of four eyes, his own limit. Null if he
   * may.
   */
  approvalRefusal(
    { amount, requestedBy, standing, createdAt }: StoredOperation,
    approver: Party & { ownLimit: OwnLimit | null; coolDownMs: number },
    nowMs: number,
  ): ExitRefusal | { kind: "not_approver"; why: ApproverRefusal } | null {
    if (this.frozen()) return { kind: "frozen" };
    const asked = {
      id: requestedBy?.id ?? "",
      standing: standing ?? FROM_THE_START,
      at: createdAt,
    };
    const why = refusalOfApprover(asked, approver, approver.coolDownMs);
    if (why !== null) return { kind: "not_approver", why };
    const { id: clientId, ownLimit } = approver;
    return this.#ownRefusal(ownLimit, { clientId, amount, day: this.#sums.dayOf(nowMs) }, nowMs);
  }

  /**
   * What a refund of a transaction may take, in centavos: its own unreleased credit and the available balance,
   * without what contradictions hold. Whose the held money is, nobody knows: it may be of this very credit, and what
   * the available balance does not cover of it is kept back here too.
   */
  refundable(transactionId: string): { available: Cents; held: Cents } {
    const all = this.#holds.available(transactionId);
    const held = Math.min(this.#contradictions.heldTotal(), all);
    return { available: all - held, held };
  }

  /** Whether what is left without a waiting refund of a transaction, whose money is held, covers what is held. */
  coversHeld(transactionId: string): boolean {
    return this.#holds.available(transactionId) >= this.#contradictions.heldTotal();
  }

  /** The day in whose sums an operation of a caller is counted; counts it. */
  count(clientId: string, amount: Cents, waits: boolean, nowMs: number): string {
    const day = this.#sums.dayOf(nowMs);
    this.#sums.add(clientId, day, amount, waits ? 0 : amount);
    return day;
  }

  /** As `count`, for whoever approves it. */
  countApproval(clientId: string, amount: Cents, nowMs: number): string {
    const day = this.#sums.dayOf(nowMs);
    this.#sums.addOfCaller(clientId, day, amount);
    return day;
  }

  /** Gives a failed operation back to the sums of its days. */
  giveBack(operation: Counted): void {
    this.#recount(operation, -1);
  }

  /** Counts a failed operation again that was done after all. */
  takeAgain(operation: Counted): void {
    this.#recount(operation, 1);
  }

  #recount(operation: Counted, sign: 1 | -1): void {
    const { requestedBy, countedOn, decidedBy, decidedOn, approval } = operation;
    const amount = sign * operation.amount;
    if (requestedBy !== null && countedOn !== null) {
      this.#sums.add(requestedBy.id, countedOn, amount, approval === "none" ? amount : 0);
    }
    if (decidedBy !== null && decidedOn !== null) {
      this.#sums.addOfCaller(decidedBy.id, decidedOn, amount);
    }
  }

  #ownRefusal(
    ownLimit: OwnLimit | null,
    { clientId, amount, day }: { clientId: string; amount: Cents; day: string },
    nowMs: number,
  ): ExitLimitRefusal | null {
    if (ownLimit === null) return null;
    const used = this.#sums.ofCaller(clientId, day);
    return refusalByLimit(ownLimit, { amount, used, at: nowMs });
  }
}
