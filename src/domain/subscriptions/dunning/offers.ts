import {
  LATE_TOLD_METHOD,
  SAVED_CARD_METHOD,
  type PaymentMethod,
} from "../../charges/charge-status.ts";
import type { RefusedReason } from "../../charges/payment-details.ts";
import { endOfDay, startOfDay } from "../../shared/business-day.ts";
import { debitDayOf } from "../debit-window.ts";
import {
  boletoDueDate,
  boletoPaidUntil,
  DUNNING_DAYS,
  isDunned,
  isOwed,
  linkMethodOf,
  offersLink,
} from "../dunning.ts";
import { isPayerErased } from "../payer-erasure.ts";
import type { CycleRecovery, OtherCharge, Subscription, SubscriptionCycle } from "../records.ts";
import { isAttemptOpen, type CycleDunning } from "../subscription.ts";

const DAY_MS = 24 * 3_600_000;
/** So long a charge is waited for that its provider does not make or decide, and others after it. */
const CHARGE_MS = 30 * DAY_MS;
/** A charge that came to nothing has another of its kind after this. */
const NEXT_CHARGE_MS = DAY_MS;

/** A cycle, and what became of the newest charge beside its debit. */
export interface OfferedCycle extends Pick<SubscriptionCycle, "attempts" | "dueDate" | "recovery"> {
  /** When it came to nothing, epoch milliseconds; null where it did not. */
  byHandOverAt: number | null;
  /** Why the acquirer refused its card; null where it did not. */
  byHandRefusal: RefusedReason | null;
}

type Dunned = Pick<Subscription, "status" | "dunning" | "customer">;

/** Whether a charge beside a debit is of a saved card, so that nobody has a link to pay it by. */
export function isOfSavedCard({ method }: Pick<OtherCharge, "method">): boolean {
  return method === SAVED_CARD_METHOD;
}

/** Whether a cycle has a link that works, as long as its charge has not ended. */
export function hasLink(recovery: CycleRecovery | null): boolean {
  const byHand = recovery?.byHand;
  return byHand?.isMade === true && !isOfSavedCard(byHand);
}

/** Whether the charge beside a cycle's debit is fixed, and still to be made. */
export function isByHandUnmade({
  recovery,
  byHandOverAt,
}: Pick<OfferedCycle, "recovery" | "byHandOverAt">): boolean {
  return recovery?.byHand?.isMade === false && byHandOverAt === null;
}

/** Whether a saved card is being charged for a cycle: its charge is fixed, and has not come to nothing. */
export function isCardOpen({
  recovery,
  byHandOverAt,
}: Pick<OfferedCycle, "recovery" | "byHandOverAt">): boolean {
  const byHand = recovery?.byHand;
  return byHand !== undefined && isOfSavedCard(byHand) && byHandOverAt === null;
}

/**
 * Whether the charge beside a cycle's debit is to be made now. A card is charged only while its payer is dunned and nothing
 * debits the cycle: no two payments of it are ordered.
 */
export function isToBeMade(
  subscription: Dunned,
  cycle: OfferedCycle & Pick<SubscriptionCycle, "status" | "debit">,
): boolean {
  if (!isByHandUnmade(cycle) || !isOwed(cycle) || isPayerErased(subscription)) return false;
  if (!isCardOpen(cycle)) return true;
  const isDebited = cycle.debit.retryDay !== null || cycle.attempts.some(isAttemptOpen);
  return !isDebited && subscription.status !== "paused" && isDunned(subscription, cycle);
}

/**
 * By what a dunned cycle is to be paid next, and when that is fixed (epoch milliseconds): the saved card while it may be
 * charged, then the link. One that came to nothing has another a day later, also a link that its merchant has cancelled, who
 * ends the cycle where nobody is to pay it. None follows a boleto that ended after its last day: it was there for all of the
 * days. Null while there is one, and for nothing.
 */
export function nextOffer(
  subscription: Dunned,
  cycle: OfferedCycle,
): { method: PaymentMethod; at: number } | null {
  if (!isDunned(subscription, cycle)) return null;
  const byHand = cycle.recovery?.byHand;
  if (byHand !== undefined && cycle.byHandOverAt === null) return null;
  const cardAt = cardChargedAt(subscription, cycle);
  if (cardAt !== null) return { method: SAVED_CARD_METHOD, at: cardAt };
  if (!offersLink(subscription, cycle) || isUsedUp(subscription, cycle)) return null;
  const isFirst = byHand === undefined || isOfSavedCard(byHand);
  return { method: linkMethodOf(subscription), at: isFirst ? 0 : nextChargeAt(cycle) };
}

/** Whether the newest charge is a boleto that was not paid until its last day. */
function isUsedUp({ dunning: policy }: Dunned, { recovery, byHandOverAt }: OfferedCycle): boolean {
  const since = recovery?.dunning?.since;
  const isToldLate = recovery?.byHand?.method === LATE_TOLD_METHOD;
  if (policy === null || since === undefined || !isToldLate) return false;
  return (byHandOverAt ?? 0) > endOfDay(boletoPaidUntil(since, policy.days));
}

/** When another charge follows the newest one, epoch milliseconds. */
function nextChargeAt({
  recovery,
  byHandOverAt,
}: Pick<OfferedCycle, "recovery" | "byHandOverAt">): number {
  // The last id that a cycle can have is fixed again, after its end.
  return Math.max(byHandOverAt ?? 0, recovery?.byHand?.fixedAt ?? 0) + NEXT_CHARGE_MS;
}

/**
 * When the saved card is charged next, epoch milliseconds: from the day of the debit on, and within the days of the dunning
 * as often as its brand allows. Null where it is not: then it is the link's turn, and stays so.
 */
function cardChargedAt(subscription: Dunned, cycle: OfferedCycle): number | null {
  const { dunning: policy, status, customer } = subscription;
  const { byHand, card, dunning } = cycle.recovery ?? {};
  if (policy?.savedCardId === undefined || status === "paused" || dunning?.isOver === true)
    return null;
  if (byHand === undefined && card === undefined)
    return startOfDay(debitDayOf(cycle.dueDate, customer.city));
  const at = byHand === undefined ? (card?.notBefore ?? null) : chargedAgainAt(cycle);
  const since = dunning?.since ?? card?.at ?? cycle.byHandOverAt ?? 0;
  return at !== null && at < since + policy.days * DAY_MS ? at : null;
}

/** When a card that was refused may be charged again, by its brand's rules; null for never, and after any other charge. */
function chargedAgainAt(cycle: OfferedCycle): number | null {
  const { byHandRefusal: refusal } = cycle;
  if (refusal === null || !refusal.retryable) return null;
  const { attemptsLeft, retryNotBefore } = refusal;
  if (retryNotBefore === undefined) return attemptsLeft === 0 ? null : nextChargeAt(cycle);
  return Math.max(nextChargeAt(cycle), Date.parse(retryNotBefore));
}

/** The last day (`YYYY-MM-DD`) before the days of a cycle's dunning are over, if its link is made now. */
export function linkDueDate(
  { dunning: policy, customer }: Pick<Subscription, "dunning" | "customer">,
  { recovery, dueDate }: Pick<SubscriptionCycle, "recovery" | "dueDate">,
  nowMs: number,
): string {
  const dayOver = endOfDay(debitDayOf(dueDate, customer.city));
  const since = Math.max(nowMs, dayOver, recovery?.dunning?.since ?? 0);
  return boletoDueDate(since, policy?.days ?? DUNNING_DAYS);
}

/**
 * What a cycle is paid by once the charge beside its debit is made. From a link on the days of its dunning count anew, and it
 * is told of by e-mail.
 */
export function withByHandMade(
  recovery: CycleRecovery,
  byHand: OtherCharge,
  nowMs: number,
): CycleRecovery {
  const { dunning } = recovery;
  const isNoNews = recovery.byHand?.isMade === true || isOfSavedCard(byHand);
  if (dunning === undefined || isNoNews) return { ...recovery, byHand };
  const since = Math.max(dunning.since, nowMs);
  return { ...recovery, byHand, dunning: { ...dunning, since, emailedAt: null } };
}

/**
 * Until when a dunned cycle waits for a charge that is not made or decided, epoch milliseconds: nobody is stopped who could
 * not pay. 0 where it does not.
 */
export function chargeAwaitedUntil(
  subscription: Dunned,
  cycle: OfferedCycle,
  { since }: CycleDunning,
): number {
  const isAwaited = isByHandUnmade(cycle) || isCardOpen(cycle);
  return isAwaited || nextOffer(subscription, cycle) !== null ? since + CHARGE_MS : 0;
}
