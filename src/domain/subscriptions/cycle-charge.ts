import { startOfDay } from "../shared/business-day.ts";
import { addDays } from "../shared/calendar-day.ts";
import {
  companyIdOfTransactionId,
  createdAtOfTransactionId,
  derivedTransactionId,
  transactionIdsFrom,
} from "../shared/ids.ts";
import type { Subscription } from "./records.ts";
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

/** The charge by which the payer pays a cycle by hand: one for each, also after a restore. Throws as `cycleChargeId`. */
export function byHandChargeId({ id, terms }: Pick<Subscription, "id" | "terms">, cycle: number) {
  const atMs = startOfDay(addDays(dueDateOf(terms, cycle), -EARLIEST_DAYS));
  return derivedTransactionId(companyIdOfTransactionId(id) ?? 0, atMs, `${id}/${cycle}/by-hand`);
}
