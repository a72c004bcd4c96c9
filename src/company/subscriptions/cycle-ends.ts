import type { SubscriptionEventType } from "../../domain/events/event-types.ts";
import { endOfDay } from "../../domain/shared/business-day.ts";
import { cancelUntil, debitDayOf } from "../../domain/subscriptions/debit-window.ts";
import {
  dunningEndsAt,
  isDunned,
  isOwed,
  offersLink,
  unpaidStatus,
} from "../../domain/subscriptions/dunning.ts";
import { chargeAwaitedUntil, hasLink } from "../../domain/subscriptions/dunning/offers.ts";
import type { CycleEnding, CycleRecovery } from "../../domain/subscriptions/records.ts";
import {
  canTransitionSubscription,
  isSubscriptionOver,
  type SubscriptionStatus,
} from "../../domain/subscriptions/subscription.ts";
import type { ContradictionStore } from "../contradictions/contradiction-store.ts";
import type { CyclePayments } from "./cycle-payments.ts";
import type { CycleStore, StoredCycle } from "./cycle-store.ts";
import { DebitFindings } from "./debit-findings.ts";
import type { StoredSubscription } from "./subscription-store.ts";
import type { SubscriptionTransitions } from "./subscription-transitions.ts";

/** What stops a subscription. */
const STOPS = {
  cancel: { to: "cancelled", type: "subscription.cancelled", ending: "mandate" },
  pause: { to: "paused", type: "subscription.paused", ending: "paused" },
} as const satisfies Record<
  string,
  { to: SubscriptionStatus; type: SubscriptionEventType; ending: CycleEnding }
>;

const NO_RETRY = { retryDay: null, retryOrderedAt: null };

/** How a subscription ends without its merchant's cancel. */
type End = "rejected" | "cancelled" | "expired" | "completed";

/** Ends cycles and subscriptions, and says what follows for the other. Runs inside one `transactionSync`. */
export class CycleEnds {
  readonly #cycles: CycleStore;
  readonly #transitions: SubscriptionTransitions;
  readonly #payments: CyclePayments;
  readonly #findings: DebitFindings;

  constructor(deps: {
    cycles: CycleStore;
    transitions: SubscriptionTransitions;
    cyclePayments: CyclePayments;
    contradictions: ContradictionStore;
  }) {
    this.#cycles = deps.cycles;
    this.#transitions = deps.transitions;
    this.#payments = deps.cyclePayments;
    this.#findings = new DebitFindings(deps.contradictions);
  }

  /** No attempt is left: merchants hear of it now. The charge stays open while one may still order a retry. */
  giveUp(before: StoredSubscription, cycle: StoredCycle, nowMs: number): StoredSubscription {
    // A bank may refuse a debit days before its day.
    const since = Math.max(nowMs, endOfDay(debitDayOf(cycle.dueDate, before.customer.city)));
    const dunning = cycle.recovery?.dunning ?? { since, emailedAt: null, isOver: false };
    const given = {
      ...cycle,
      debit: { ...cycle.debit, ...NO_RETRY, ending: "over" as const },
      recovery: isDunned(before, cycle) ? { ...cycle.recovery, dunning } : cycle.recovery,
    };
    return this.#fail(before, given, nowMs);
  }

  /** The link of a cycle is made. Merchants who have heard of the failure without it hear of it again. */
  tellLink(before: StoredSubscription, cycle: StoredCycle, nowMs: number): StoredSubscription {
    const { status, debit } = cycle;
    // It is debited again: nobody is to pay twice.
    const isTried = status !== "open" || debit.ending !== "over";
    return isTried
      ? this.#transitions.apply(before, { cycle }, null, nowMs).subscription
      : this.#tell(before, cycle, nowMs);
  }

  /** The days of a cycle's dunning are over, and it is not paid: its subscription is paused or cancelled, where it can be. */
  endDunning(before: StoredSubscription, cycle: StoredCycle, nowMs: number): StoredSubscription {
    const { dunning } = cycle.recovery ?? {};
    const endsAt = dunningEndsAt(before, cycle);
    if (dunning === undefined || endsAt === null || nowMs < endsAt) return before;
    if (this.#payments.isPaid(cycle)) return before;
    // His link may have been read as ended just now: he gets another.
    const offered = {
      ...cycle,
      byHandOverAt: this.#payments.byHandOverAt(cycle),
      byHandRefusal: this.#payments.byHandRefusal(cycle),
    };
    if (nowMs < chargeAwaitedUntil(before, offered, dunning)) return before;
    const over = {
      ...cycle,
      recovery: { ...cycle.recovery, dunning: { ...dunning, isOver: true } },
    };
    const ended = this.#transitions.apply(before, { cycle: over }, null, nowMs).subscription;
    const then = before.dunning?.then ?? "none";
    return then === "none" ? ended : (this.stop(ended, then, nowMs) ?? ended);
  }

  /**
   * Cancels or pauses a subscription. Debits that can be cancelled are; the others go on. Null where its status does not
   * allow it.
   */
  stop(
    before: StoredSubscription,
    action: "cancel" | "pause",
    nowMs: number,
  ): StoredSubscription | null {
    const { to, type, ending } = STOPS[action];
    if (!canTransitionSubscription(before.status, to)) return null;
    const { mandate } = before;
    const isEnding = to === "cancelled" && mandate.orderedAt !== null;
    const change = { status: to, mandate: { ...mandate, isEnding } };
    const stopped = this.#transitions.apply(before, { subscription: change }, type, nowMs);
    return this.#endDebits(stopped.subscription, ending, nowMs);
  }

  /**
   * Closes a cycle that is paid, or whose charge has ended. `isByHandOver`: whether nobody can pay it by hand any more; one
   * that has come to be owed no more meanwhile waits for that.
   */
  close(
    before: StoredSubscription,
    open: StoredCycle,
    { isByHandOver }: { isByHandOver: boolean },
    nowMs: number,
  ): StoredSubscription {
    const isUnowed = this.#payments.isChargePaid(open) || !isOwed(open);
    if (isUnowed && !isByHandOver && open.recovery?.byHand !== undefined) return before;
    const cycle = this.#withoutRefusal(open, nowMs);
    if (this.#payments.isPaid(cycle)) return this.#closePaid(before, cycle, nowMs);
    const closed = { ...cycle, status: unpaidStatus(cycle.debit) };
    // Of one without attempts left it was announced as the last one failed.
    if (cycle.debit.ending === null) return this.#fail(before, closed, nowMs);
    const ended = this.#transitions.apply(before, { cycle: closed }, null, nowMs).subscription;
    if (closed.status !== "cancelled" || !this.#isSettled(ended, 0)) return ended;
    const change = { subscription: { status: "active" as const } };
    return this.#transitions.apply(ended, change, null, nowMs).subscription;
  }

  /** A cycle whose refused order is sent no more: nobody needs to look at that, nor at what the provider said. */
  #withoutRefusal(cycle: StoredCycle, nowMs: number): StoredCycle {
    if (cycle.debit.refused === undefined) return cycle;
    this.#findings.closeOver(cycle, nowMs);
    return { ...cycle, debit: { ...cycle.debit, refused: undefined } };
  }

  /** Ends a subscription; its mandate is ended where it lasts, and so are debits that can be. */
  endSubscription(before: StoredSubscription, to: End, nowMs: number): StoredSubscription {
    const { mandate } = before;
    const isEnding = mandate.orderedAt !== null && lasts(before);
    const change = { status: to, mandate: { ...mandate, isEnding } };
    const type: SubscriptionEventType = `subscription.${to}`;
    const ended = this.#transitions.apply(before, { subscription: change }, type, nowMs);
    return this.#endDebits(ended.subscription, "mandate", nowMs);
  }

  /** Whether the newest cycle after one (0: of all) that had to be paid is not. */
  isPastDue(subscriptionId: string, after: number): boolean {
    const newest = this.#cycles.newestDue(subscriptionId, after);
    return newest !== null && !this.#payments.isPaid(newest);
  }

  /** Whether a subscription is called past due for nothing that is unpaid after a cycle (0: of all). */
  #isSettled({ id, status }: StoredSubscription, after: number): boolean {
    return status === "past_due" && !this.isPastDue(id, after);
  }

  /** Ends the debits that can be. Any other goes on as agreed: what it leaves unpaid is owed. */
  #endDebits(before: StoredSubscription, ending: CycleEnding, nowMs: number): StoredSubscription {
    let after = before;
    for (const cycle of this.#cycles.open(before.id)) {
      const isInTime = cycle.debit.orderedAt === null || nowMs < cancelUntil(cycle.dueDate);
      if (!isInTime || this.#payments.isPaid(cycle)) continue;
      const ended = { ...cycle, debit: { ...cycle.debit, ending } };
      after = this.#transitions.apply(after, { cycle: ended }, null, nowMs).subscription;
    }
    return after;
  }

  #closePaid(before: StoredSubscription, cycle: StoredCycle, nowMs: number): StoredSubscription {
    const settled = this.#isSettled(before, cycle.cycle) ? { status: "active" as const } : {};
    const change = { ...settled, ...withoutPaidCode(before) };
    const paid = { ...cycle, status: "paid" as const, recovery: this.#paidRecovery(cycle) };
    return this.#transitions.apply(before, { subscription: change, cycle: paid }, null, nowMs)
      .subscription;
  }

  /** By which charge beside its debit a cycle is paid, if by one. */
  #paidRecovery(cycle: StoredCycle): CycleRecovery | null {
    const { recovery } = cycle;
    const paid = this.#payments.paidOtherwise(cycle);
    if (paid === null || this.#payments.isChargePaid(cycle)) return recovery;
    return { ...recovery, paid };
  }

  #fail(before: StoredSubscription, cycle: StoredCycle, nowMs: number): StoredSubscription {
    const failed = this.#tell(before, cycle, nowMs);
    if (failed.status !== "active") return failed;
    const change = { subscription: { status: "past_due" as const } };
    return this.#transitions.apply(failed, change, "subscription.past_due", nowMs).subscription;
  }

  /** Merchants hear of a failure once, also where a retry of theirs has failed since; once more with each link for its payer. */
  #tell(before: StoredSubscription, cycle: StoredCycle, nowMs: number): StoredSubscription {
    const { debit, recovery } = cycle;
    const byHand = recovery?.byHand;
    const isPayable = hasLink(recovery) && !this.#payments.isByHandOver(cycle);
    const isNews = isPayable && byHand?.isTold !== true && offersLink(before, cycle);
    const isToldNow = isNews || debit.isFailureTold !== true;
    const told = {
      ...cycle,
      debit: { ...debit, isFailureTold: true as const },
      recovery:
        isToldNow && isPayable && byHand !== undefined
          ? { ...recovery, byHand: { ...byHand, isTold: true as const } }
          : recovery,
    };
    const type = isToldNow ? "subscription.charge_failed" : null;
    return this.#transitions.apply(before, { cycle: told }, type, nowMs).subscription;
  }
}

/** Paid with the approval, which has not come: the code of both is of no more use, and the mandate's own is read now. */
function withoutPaidCode({ status, mandate }: StoredSubscription): Partial<StoredSubscription> {
  if (status !== "pending_approval") return {};
  return { mandate: { ...mandate, qrcode: null }, mandateCheckedAt: null };
}

/** Whether the provider may still have a mandate that lasts. */
function lasts({ status, mandate }: StoredSubscription): boolean {
  const isOver = mandate.status !== "none" && mandate.status !== "created";
  return !isSubscriptionOver(status) && !(isOver && mandate.status !== "approved");
}
