import { startOfDay } from "../shared/business-day.ts";
import { addDays } from "../shared/calendar-day.ts";
import {
  companyIdOfTransactionId,
  createdAtOfTransactionId,
  derivedTransactionId,
  transactionIdsFrom,
} from "../shared/ids.ts";
import type { Subscription, SubscriptionCycle } from "./records.ts";
import { dueDateOf, firstDebitedCycle } from "./schedule.ts";

/** The longest time before its due date at which a bank takes a debit. */
const EARLIEST_DAYS = 10;

/**
 * The charge of a subscription's cycle, which is also its `txid` at the PSP. Derived from both, so that a cycle that is
 * opened again after a restore has no second debit. Throws `RangeError` for a subscription without a company.
 */
export function cycleChargeId({ id, terms }: Pick<Subscription, "id" | "terms">, cycle: number) {
  const isInvited = cycle < firstDebitedCycle(terms.journey);
  // The time to pay a code is counted from the time in its id.
  const atMs = isInvited
    ? createdAtOfTransactionId(id)
    : startOfDay(addDays(dueDateOf(terms, cycle), -EARLIEST_DAYS));
  return derivedTransactionId(companyIdOfTransactionId(id) ?? 0, atMs, `${id}/${cycle}`);
}

/**
 * Between which texts, the second one excluded, the ids of charges are that are debited for due dates from one day to
 * another. By them an index of ids finds the cycles of a time, however many there were before.
 */
export function chargeIdsOfDueDates({ from, to }: { from: string; to: string }) {
  return {
    from: transactionIdsFrom(startOfDay(addDays(from, -EARLIEST_DAYS))),
    before: transactionIdsFrom(startOfDay(addDays(to, 1 - EARLIEST_DAYS))),
  };
}

/** How many charges there are by which one cycle is paid by hand: as many as milliseconds in one part of a day. */
export const BY_HAND_MAX = 256;
const DAY_MS = 24 * 3_600_000;
/** São Paulo's in UTC: without summer time since 2019 (Decreto 9.772), when nobody had a subscription. */
const MIDNIGHT_MS = 3 * 3_600_000;
const PARTS_OF_DAY = DAY_MS / BY_HAND_MAX;
/** Where an id has the digits that tell them apart: the last ones of its time. */
const TRIAL_AT = 11;
/** In ids as they were made at first, which share their day's first millisecond with those of debits. */
const FIRST_TRIAL_AT = 28;
export const TRIAL_PLACES = [TRIAL_AT, FIRST_TRIAL_AT] as const;
export const TRIAL_DIGITS = 2;

/**
 * A charge by which the payer pays a cycle by hand; `trial`: from 1 on, a further one where those before it came to nothing.
 * Always the same, so that a restore loses none. All have the random bits of one id, and a time of their day that no debit
 * has: no two of a million cycles of a day have the same. Throws as `cycleChargeId`.
 */
export function byHandChargeId(cycle: Pick<SubscriptionCycle, CycleKey>, trial = 1): string {
  const { companyId, dayMs, text } = byHandTextOf(cycle);
  const random = derivedTransactionId(companyId, 0, `${text}/time`).slice(24, 30);
  const part = 1 + (Number.parseInt(random, 16) % (PARTS_OF_DAY - 1));
  const atMs = (Math.floor(dayMs / BY_HAND_MAX) + part) * BY_HAND_MAX;
  return derivedTransactionId(companyId, atMs + ((trial - 1) % BY_HAND_MAX), text);
}

type CycleKey = "subscriptionId" | "cycle" | "dueDate";

function byHandTextOf({ subscriptionId: id, cycle, dueDate }: Pick<SubscriptionCycle, CycleKey>) {
  return {
    companyId: companyIdOfTransactionId(id) ?? 0,
    dayMs: startOfDay(addDays(dueDate, -EARLIEST_DAYS)),
    text: `${id}/${cycle}/by-hand`,
  };
}

/** The newest charge by which a cycle is paid by hand; before any is known, as after a restore, the first one. */
export function byHandIdOf(cycle: Pick<SubscriptionCycle, CycleKey | "recovery">): string {
  return cycle.recovery?.byHand?.id ?? byHandChargeId(cycle);
}

/** Ids between two, which have the same digits from a place on that the first one has; places count from 1, as in SQL. */
export interface ChargeIds {
  first: string;
  last: string;
  from: number;
}

/** The ids that charges of a cycle can have by which it is paid by hand, from one of them. */
export function byHandChargeIds(id: string): ChargeIds {
  const atMs = createdAtOfTransactionId(id);
  const trialAt = atMs % DAY_MS === MIDNIGHT_MS ? FIRST_TRIAL_AT : TRIAL_AT;
  const withTrial = (digits: number) =>
    id.slice(0, trialAt) +
    digits.toString(16).padStart(TRIAL_DIGITS, "0") +
    id.slice(trialAt + TRIAL_DIGITS);
  const from = trialAt + TRIAL_DIGITS + 1;
  return { first: withTrial(0), last: withTrial(BY_HAND_MAX - 1), from };
}

/** All of a cycle: also those of ids as they were made at first, between which the id of another cycle's debit may be. */
export function byHandIdsOf(cycle: Pick<SubscriptionCycle, CycleKey>): ChargeIds[] {
  const { companyId, dayMs, text } = byHandTextOf(cycle);
  const first = derivedTransactionId(companyId, dayMs, text);
  return [byHandChargeId(cycle), first].map(byHandChargeIds);
}
