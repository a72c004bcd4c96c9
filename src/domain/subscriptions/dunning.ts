import { endOfDay } from "../shared/business-day.ts";
import { debitDayOf } from "./debit-window.ts";
import type {
  CycleDebit,
  CycleEnding,
  CycleRecovery,
  CycleStatus,
  OtherCharge,
  Subscription,
  SubscriptionCycle,
} from "./records.ts";
import {
  isAttemptOpen,
  isSubscriptionOver,
  type DebitAttempt,
  type CycleDunning,
  type Dunning,
} from "./subscription.ts";

export const DUNNING_DAYS = 7;
export const DUNNING_DAYS_MAX = 30;
const DAY_MS = 24 * 3_600_000;
/** So long a link is waited for that its provider does not make, and others after it. */
const LINK_MS = 30 * DAY_MS;
/** A link that came to nothing has another after this. */
const NEXT_LINK_MS = DAY_MS;

export const NO_DUNNING: Dunning = { link: "none", days: DUNNING_DAYS, then: "none" };

/** Whether a cycle is dunned, once no attempt to debit it is left. */
export function isDunned(
  { status, dunning }: Pick<Subscription, "status" | "dunning">,
  { attempts }: Pick<SubscriptionCycle, "attempts">,
): boolean {
  return dunning !== null && !isSubscriptionOver(status) && isOwedByPayer(attempts);
}

/** Not where his bank says that he has paid, and not where it was never asked or a fault of ours is all that failed. */
function isOwedByPayer(attempts: DebitAttempt[]): boolean {
  const failures = attempts.filter(({ status }) => status === "failed");
  if (failures.some(({ reason }) => reason?.code === "ALREADY_PAID")) return false;
  if (failures.length === 0) return true;
  return failures.some(
    ({ reason, isUntaken }) => isUntaken !== true && reason?.action !== "our_fault",
  );
}

/** When the dunning of a cycle ends its subscription, epoch milliseconds; null where it does not. */
export function dunningEndsAt(
  subscription: Pick<Subscription, "status" | "dunning">,
  cycle: Pick<SubscriptionCycle, "attempts" | "debit" | "recovery">,
): number | null {
  const { dunning: policy } = subscription;
  const dunning = cycle.recovery?.dunning;
  if (policy === null || dunning === undefined || !isDunned(subscription, cycle)) return null;
  const endsIt = policy.then !== "none" && !dunning.isOver && cycle.debit.ending === "over";
  return endsIt ? dunning.since + policy.days * DAY_MS : null;
}

/** Whether a cycle's payer is offered a link, once no attempt to debit it is left. */
export function offersLink(
  subscription: Pick<Subscription, "status" | "dunning">,
  cycle: Pick<SubscriptionCycle, "attempts">,
): boolean {
  return isDunned(subscription, cycle) && subscription.dunning?.link !== "none";
}

/** Whether the charge by which a cycle is paid by hand is fixed, and still to be made. */
export function isByHandUnmade({
  recovery,
  byHandOverAt,
}: Pick<SubscriptionCycle, "recovery"> & { byHandOverAt: number | null }): boolean {
  return recovery?.byHand?.isMade === false && byHandOverAt === null;
}

/**
 * When the payer of a dunned cycle is offered a link, epoch milliseconds: at once, or a day after one came to nothing, also
 * one that its merchant has cancelled, who ends the cycle where nobody is to pay it. Null while there is one.
 */
export function linkOfferedAt({
  recovery,
  byHandOverAt,
}: Parameters<typeof isByHandUnmade>[0]): number | null {
  const byHand = recovery?.byHand;
  if (byHand === undefined) return 0;
  if (byHandOverAt === null) return null;
  // The last id that a cycle can have is fixed again, after its end.
  return Math.max(byHandOverAt, byHand.fixedAt ?? 0) + NEXT_LINK_MS;
}

/** What a cycle is paid by once its link is made: the days of its dunning count from then, and it is told of by e-mail. */
export function withByHandMade(
  recovery: CycleRecovery,
  byHand: OtherCharge,
  nowMs: number,
): CycleRecovery {
  const { dunning } = recovery;
  if (dunning === undefined || recovery.byHand?.isMade === true) return { ...recovery, byHand };
  const since = Math.max(dunning.since, nowMs);
  return { ...recovery, byHand, dunning: { ...dunning, since, emailedAt: null } };
}

/** Until when a dunned cycle waits for a link, epoch milliseconds: nobody is stopped who could not pay. 0 where it does not. */
export function linkAwaitedUntil(
  subscription: Parameters<typeof offersLink>[0],
  cycle: Pick<SubscriptionCycle, "attempts"> & Parameters<typeof isByHandUnmade>[0],
  { since }: CycleDunning,
): number {
  const isOffered = offersLink(subscription, cycle) && linkOfferedAt(cycle) !== null;
  return isOffered || isByHandUnmade(cycle) ? since + LINK_MS : 0;
}

/**
 * Until when a cycle is left to its payer, who has a code for it and whose mandate brings no debit any more, epoch
 * milliseconds: its day's end. 0 for any other.
 */
export function leftToPayerUntil(
  { mandate, customer }: Pick<Subscription, "mandate" | "customer">,
  { recovery, dueDate }: Pick<SubscriptionCycle, "recovery" | "dueDate">,
): number {
  const isLeft = mandate.needsApproval === true && recovery?.byHand !== undefined;
  return isLeft ? endOfDay(debitDayOf(dueDate, customer.city)) : 0;
}

/** Whether a cycle is left to its payer now: it is open, and no bank has had its debit. */
export function isLeftToPayer(
  subscription: Parameters<typeof leftToPayerUntil>[0],
  cycle: Pick<SubscriptionCycle, "status" | "debit" | "recovery" | "dueDate">,
): boolean {
  const isUnordered = cycle.status === "open" && cycle.debit.orderedAt === null;
  return isUnordered && isOwed(cycle) && leftToPayerUntil(subscription, cycle) > 0;
}

/** Whether nobody wants a cycle's debit any more. */
export function isEnding({ debit: { ending } }: Pick<SubscriptionCycle, "debit">): boolean {
  return ending !== null && ending !== "over";
}

/** What an unpaid cycle becomes as it ends, by why. */
const UNPAID: Record<CycleEnding, CycleStatus> = {
  requested: "cancelled",
  mandate: "cancelled",
  paused: "skipped",
  over: "failed",
};

/** What an unpaid cycle becomes as it ends. A failure that was told stays one, unless the merchant himself cancels it. */
export function unpaidStatus({ ending, isFailureTold }: CycleDebit): CycleStatus {
  const isFailed = ending === null || (isFailureTold === true && ending !== "requested");
  return isFailed ? "failed" : UNPAID[ending];
}

/** Whether a cycle that nobody has paid is owed: it is being debited, or that has failed. */
export function isOwed({ status, debit }: Pick<SubscriptionCycle, "status" | "debit">): boolean {
  const isEnded = status === "cancelled" || status === "skipped";
  return !isEnded && debit.status !== "paid" && unpaidStatus(debit) === "failed";
}

/** Whether a payer is asked to pay a cycle that nobody has paid: `later` while it is debited again, `never` once it is not owed. */
export function askedByHand(
  cycle: Pick<SubscriptionCycle, "status" | "debit" | "attempts">,
): "now" | "later" | "never" {
  const { status, debit, attempts } = cycle;
  if (!isOwed(cycle) || !isOwedByPayer(attempts)) return "never";
  const isTried = debit.ending !== "over" || attempts.some(isAttemptOpen);
  return status === "open" && isTried ? "later" : "now";
}
