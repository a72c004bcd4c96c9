import {
  LATE_TOLD_METHOD,
  METHODS_WITH_CODE,
  type MethodWithCode,
} from "../charges/charge-status.ts";
import { businessDayFrom, endOfDay, saoPauloDay } from "../shared/business-day.ts";
import { addDays } from "../shared/calendar-day.ts";
import { debitDayOf } from "./debit-window.ts";
import type {
  CycleDebit,
  CycleEnding,
  CycleStatus,
  Subscription,
  SubscriptionCycle,
} from "./records.ts";
import {
  isAttemptOpen,
  isSubscriptionOver,
  type DebitAttempt,
  type Dunning,
} from "./subscription.ts";

export const DUNNING_DAYS = 7;
export const DUNNING_DAYS_MAX = 30;
/** A boleto is due a day before these days are over, and not on the day on which it is made. */
export const DUNNING_DAYS_OF_BOLETO = 2;
/** Banks tell of a boleto a business day after it was paid: another one is waited. */
const BOLETO_TOLD_DAYS = 2;
const DAY_MS = 24 * 3_600_000;

export const NO_DUNNING: Dunning = { link: "none", days: DUNNING_DAYS, then: "none" };

/** By what a cycle's link is paid. */
export function linkMethodOf({ dunning }: Pick<Subscription, "dunning">): MethodWithCode {
  return dunning?.method ?? METHODS_WITH_CODE[0];
}

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

/** The last day (`YYYY-MM-DD`) on which a boleto of a dunning whose days count from a time is due. */
export function boletoDueDate(since: number, days: number): string {
  return saoPauloDay(since + (days - 1) * DAY_MS);
}

/** The last day (`YYYY-MM-DD`) on which a boleto is paid: where its due date has no banks, the next one that has. */
export function boletoPaidUntil(since: number, days: number): string {
  return businessDayFrom(boletoDueDate(since, days));
}

/**
 * When the dunning of a cycle ends its subscription, epoch milliseconds; null where it does not. A boleto that was paid on its
 * last day is told later, and waited for.
 */
export function dunningEndsAt(
  subscription: Pick<Subscription, "status" | "dunning">,
  cycle: Pick<SubscriptionCycle, "attempts" | "debit" | "recovery">,
): number | null {
  const { dunning: policy } = subscription;
  const dunning = cycle.recovery?.dunning;
  if (policy === null || dunning === undefined || !isDunned(subscription, cycle)) return null;
  const endsIt = policy.then !== "none" && !dunning.isOver && cycle.debit.ending === "over";
  if (!endsIt) return null;
  const endsAt = dunning.since + policy.days * DAY_MS;
  const isToldLate = cycle.recovery?.byHand?.method === LATE_TOLD_METHOD;
  return isToldLate ? Math.max(endsAt, boletoToldUntil(dunning.since, policy.days)) : endsAt;
}

function boletoToldUntil(since: number, days: number): number {
  let day = boletoPaidUntil(since, days);
  for (let count = 0; count < BOLETO_TOLD_DAYS; count++) day = businessDayFrom(addDays(day, 1));
  return endOfDay(day);
}

/** Whether a cycle's payer is offered a link, once no attempt to debit it is left. */
export function offersLink(
  subscription: Pick<Subscription, "status" | "dunning">,
  cycle: Pick<SubscriptionCycle, "attempts">,
): boolean {
  return isDunned(subscription, cycle) && subscription.dunning?.link !== "none";
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
