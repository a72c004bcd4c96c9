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

/** Where an id tells apart the charges by which one cycle is paid by hand, and how many there are. */
export const TRIAL_AT = 28;
const TRIAL_DIGITS = 2;
export const BY_HAND_MAX = 256;

/**
 * A charge by which the payer pays a cycle by hand; `trial`: from 1 on, a further one where those before it came to nothing.
 * Always the same, so that a restore loses none. Throws as `cycleChargeId`.
 */
export function byHandChargeId(
  { subscriptionId: id, cycle, dueDate }: Pick<SubscriptionCycle, CycleKey>,
  trial = 1,
): string {
  const atMs = startOfDay(addDays(dueDate, -EARLIEST_DAYS));
  const text = `${id}/${cycle}/by-hand`;
  const first = derivedTransactionId(companyIdOfTransactionId(id) ?? 0, atMs, text);
  const digits = Number.parseInt(first.slice(TRIAL_AT, TRIAL_AT + TRIAL_DIGITS), 16);
  return withTrial(first, (digits + trial - 1) % BY_HAND_MAX);
}

type CycleKey = "subscriptionId" | "cycle" | "dueDate";

/** The newest charge by which a cycle is paid by hand; before any is known, as after a restore, the first one. */
export function byHandIdOf(cycle: Pick<SubscriptionCycle, CycleKey | "recovery">): string {
  return cycle.recovery?.byHand?.id ?? byHandChargeId(cycle);
}

/** The first and the last id that a charge of a cycle can have by which it is paid by hand, from one of them. */
export function byHandChargeIds(id: string): { first: string; last: string } {
  return { first: withTrial(id, 0), last: withTrial(id, BY_HAND_MAX - 1) };
}

function withTrial(id: string, digits: number): string {
  const trial = digits.toString(16).padStart(TRIAL_DIGITS, "0");
  return id.slice(0, TRIAL_AT) + trial + id.slice(TRIAL_AT + TRIAL_DIGITS);
}
