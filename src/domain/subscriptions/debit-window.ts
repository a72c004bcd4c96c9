import { endOfDay, saoPauloDay, startOfDay } from "../shared/business-day.ts";
import { addDays } from "../shared/calendar-day.ts";
import type { Cents } from "../shared/money.ts";
import {
  businessDaysBefore,
  calendarDay,
  isBusinessDay,
  nextBusinessDay,
  type City,
} from "./business-calendar.ts";
import {
  DEBIT_RULES,
  refuse,
  type DebitRefusal,
  type DebitRuleMark,
  type DebitRuleName,
  type RetryRuleName,
} from "./debit-rules.ts";
import { dueDateOf, firstDebitedCycle, hasCycle, lastCycle, type Schedule } from "./schedule.ts";
import {
  isAttemptOpen,
  RETRIES_MAX,
  RETRY_DAYS_MAX,
  type DebitAttempt,
  type RetryPolicy,
  type SubscriptionJourney,
} from "./subscription.ts";

/**
 * When a debit may be ordered, cancelled and tried again. Days are `YYYY-MM-DD` in São Paulo. Where the sources of a rule
 * (`debit-rules.ts`) can be read in two ways, the stricter reading holds, so that no bank refuses what this module allows.
 */

const INSTRUCTED_AT_MOST_DAYS = 10;
const INSTRUCTED_AT_LEAST_DAYS = 2;
/** In the middle of the window: what fails then is sent again each day. */
const SENT_DAYS = 5;
const CANCEL_HOURS_BEFORE_MIDNIGHT = 2;
const HOUR_MS = 3_600_000;
const APPROVAL_DAYS_MAX = 30;
const APPROVAL_MS_MAX = APPROVAL_DAYS_MAX * 24 * HOUR_MS;

/** The days between which a debit is ordered, both included, and the one on which this service does. */
export interface InstructionWindow {
  from: string;
  sendOn: string;
  until: string;
}

/** When the debit of a due date settles: that day, or the next business day of the payer's town (rule `business_day`). */
export function debitDayOf(dueDate: string, city: City): string {
  return nextBusinessDay(dueDate, city);
}

/**
 * The days on which a debit may be ordered (rules `instruct_from`, `instruct_until`). `from`: 10 calendar days before, which
 * is never earlier than 10 business days. `until`: 2 business days before, which is never later than 2 calendar days. It is
 * sent 5 days before, or the day before `until` where business days are few, such as before Carnival.
 */
export function instructionWindow(dueDate: string, city: City): InstructionWindow {
  const from = addDays(debitDayOf(dueDate, city), -INSTRUCTED_AT_MOST_DAYS);
  const until = businessDaysBefore(dueDate, INSTRUCTED_AT_LEAST_DAYS, city);
  const usual = addDays(debitDayOf(dueDate, city), -SENT_DAYS);
  const last = addDays(until, -1);
  return { from, sendOn: usual < last ? usual : last, until };
}

/** Why a debit of a due date cannot be ordered at a time; null where it can. */
export function instructionRefusal(
  dueDate: string,
  city: City,
  nowMs: number,
): DebitRefusal | null {
  const today = saoPauloDay(nowMs);
  const { from, until } = instructionWindow(dueDate, city);
  if (today < from) return refuse("instruct_from", `It can be ordered from ${from} on.`);
  return today > until ? refuse("instruct_until", `It had to be ordered by ${until}.`) : null;
}

/** Why a due date is too near for its debit to be ordered in time; null where it is not. */
export function dueDateRefusal(dueDate: string, city: City, nowMs: number): DebitRefusal | null {
  const today = saoPauloDay(nowMs);
  if (today <= instructionWindow(dueDate, city).until) return null;
  return refuse(
    "instruct_until",
    `The first possible due date is ${earliestDueDate(today, city)}.`,
  );
}

/** The first day after a day for which a debit may still be ordered on it. */
export function earliestDueDate(today: string, city: City): string {
  let day = addDays(today, INSTRUCTED_AT_LEAST_DAYS);
  while (instructionWindow(day, city).until < today) day = addDays(day, 1);
  return day;
}

/** What a payer is asked to agree to. `city`: his town, by whose holidays a debit moves. */
interface Agreement {
  schedule: Schedule;
  journey: SubscriptionJourney;
  city: City;
}

/**
 * Why a schedule cannot be agreed with a payer at a time; null where it can. It begins today at the earliest, has a first
 * debit that can be ordered, and its last debit settles by its end.
 */
export function scheduleRefusal(
  { schedule, journey, city }: Agreement,
  nowMs: number,
): DebitRefusal | null {
  const { firstDueDate, endDate } = schedule;
  if (firstDueDate < saoPauloDay(nowMs)) return refuse("begins_today", "It begins in the past.");
  const last = lastCycle(schedule);
  if (last === 0) return refuse("ends_after_beginning", "It ends before its first due date.");
  const settles = last === null ? null : debitDayOf(dueDateOf(schedule, last), city);
  if (settles !== null && endDate !== null && settles > endDate) {
    return refuse("settles_by_end", `Its last debit settles on ${settles}.`);
  }
  // Where the first cycle is the only one, the second would be a week later, which is too near for no window.
  return dueDateRefusal(dueDateOf(schedule, firstDebitedCycle(journey)), city, nowMs);
}

/**
 * Until when a payer may approve, epoch milliseconds: 30 days (rule `approval_days`), and not after the last day on which the
 * first debit can be ordered, where there is one.
 */
export function approvalEndsAt({ schedule, journey, city }: Agreement, nowMs: number): number {
  const first = firstDebitedCycle(journey);
  const longest = nowMs + APPROVAL_MS_MAX;
  if (!hasCycle(schedule, first)) return longest;
  return Math.min(longest, endOfDay(instructionWindow(dueDateOf(schedule, first), city).until));
}

/** Until when the receiver may cancel an ordered debit, epoch milliseconds: 22:00 of the day before (rule `cancel_until`). */
export function cancelUntil(dueDate: string): number {
  // The payer's town may have a holiday, and the debit settle later. Nobody promises that the time to cancel moves too.
  return startOfDay(debitDayOf(dueDate, null)) - CANCEL_HOURS_BEFORE_MIDNIGHT * HOUR_MS;
}

/** Why an ordered debit cannot be cancelled at a time; null where it can. */
export function cancelRefusal(dueDate: string, nowMs: number): DebitRefusal | null {
  if (nowMs < cancelUntil(dueDate)) return null;
  return refuse("cancel_until", "The debit can no longer be cancelled.");
}

/** Until when the payer may cancel a debit in his bank's app, epoch milliseconds (rule `payer_cancel_until`). */
export function payerCancelsUntil(dueDate: string): number {
  return endOfDay(addDays(debitDayOf(dueDate, null), -1));
}

/** A cycle whose debit failed. `nextDueDate`: of the cycle after it, null after the last. `endDate`: of the mandate. */
export interface FailedCycle {
  dueDate: string;
  nextDueDate: string | null;
  endDate: string | null;
  city: City;
  amount: Cents;
  attempts: readonly DebitAttempt[];
}

/** The days on which a cycle may be tried again by the calendar alone, the earliest first (rules `retry_*`). */
export function retryDaysOf(cycle: Omit<FailedCycle, "attempts" | "amount">): string[] {
  const { dueDate, city } = cycle;
  const debitDay = debitDayOf(dueDate, city);
  return Array.from({ length: RETRY_DAYS_MAX }, (_, index) => addDays(dueDate, index + 1)).filter(
    (day) => day > debitDay && isBusinessDay(day, city) && isBeforeNext(day, cycle),
  );
}

/** Whether a day is before the next cycle, and not after the mandate's end. */
function isBeforeNext(
  day: string,
  { nextDueDate, endDate }: Pick<FailedCycle, "nextDueDate" | "endDate">,
): boolean {
  return (nextDueDate === null || day < nextDueDate) && (endDate === null || day <= endDate);
}

/**
 * Why a cycle cannot be tried again on a day, at a time; null where it can. `policy`: the one that the payer has approved.
 */
export function retryRefusal(
  cycle: FailedCycle,
  { day, amount, policy }: { day: string; amount: Cents; policy: RetryPolicy },
  nowMs: number,
): DebitRefusal<RetryRuleName> | null {
  if (policy.length === 0) return refuse("retry_policy", "The payer approved no retries.");
  if (amount !== cycle.amount) return refuse("retry_amount", "The amount differs.");
  if (cycle.attempts.some(isAttemptOpen)) return refuse("retry_open", "An attempt is open.");
  if (cycle.attempts.some(({ status }) => status === "paid")) {
    return refuse("retry_open", "The cycle is paid.");
  }
  if (cycle.attempts.filter(countsAsRetry).length >= RETRIES_MAX) {
    return refuse("retry_count", `It was tried again ${RETRIES_MAX} times.`);
  }
  const today = saoPauloDay(nowMs);
  if (day === today) return refuse("retry_same_day", "The day is today.");
  if (day < today) return refuse("retry_future", "The day is not in the future.");
  if (cycle.attempts.some((attempt) => attempt.day === day)) {
    return refuse("retry_days_differ", "It was tried on that day.");
  }
  if (retryDaysOf(cycle).includes(day)) return null;
  return retryDayRefusal(cycle, day);
}

function countsAsRetry({ kind, isUntaken }: DebitAttempt): boolean {
  return kind === "retry" && isUntaken !== true;
}

function retryDayRefusal(cycle: FailedCycle, day: string): DebitRefusal<RetryRuleName> {
  const allowed = retryDaysOf(cycle);
  const detail = `The days are: ${allowed.length === 0 ? "none" : allowed.join(", ")}.`;
  if (!isBeforeNext(day, cycle)) return refuse("retry_before_next", detail);
  const isLate = day > addDays(cycle.dueDate, RETRY_DAYS_MAX);
  return refuse(isLate || day <= cycle.dueDate ? "retry_days" : "retry_business_day", detail);
}

/**
 * The days on which a policy tries a failed cycle again: each is the first allowed one that is late enough and not taken by
 * an earlier one, so that a weekend costs no retry while the 7 days last.
 */
export function plannedRetryDays(
  cycle: Omit<FailedCycle, "attempts" | "amount">,
  policy: RetryPolicy,
): string[] {
  const allowed = retryDaysOf(cycle);
  const planned: string[] = [];
  for (const days of policy) {
    const wanted = addDays(cycle.dueDate, days);
    const day = allowed.find((each) => each >= wanted && each > (planned.at(-1) ?? ""));
    if (day !== undefined) planned.push(day);
  }
  return planned;
}

/** The next day on which a policy tries a cycle again, at a time; null where it does not. */
export function nextRetryDay(
  cycle: FailedCycle,
  policy: RetryPolicy,
  nowMs: number,
): string | null {
  const { amount } = cycle;
  const days = plannedRetryDays(cycle, policy);
  return days.find((day) => retryRefusal(cycle, { day, amount, policy }, nowMs) === null) ?? null;
}

/** A day or time of a debit, and why it is this one. `at`: a day, or a time (ISO 8601) of a limit. */
export interface DebitDayReason extends Reason {
  what: "due" | "settles" | "ordered" | "ordered_until" | "cancelled_until" | "payer_cancels_until";
  at: string;
}

interface Reason {
  why: string;
  source: string;
  mark: DebitRuleMark;
}

/** Each day of a debit with the rule that makes it this day ("why this day?"). */
export function whyThisDay(dueDate: string, city: City): DebitDayReason[] {
  const { sendOn, until } = instructionWindow(dueDate, city);
  return [
    { what: "due", at: dueDate, ...reasonOf("due_date") },
    {
      what: "settles",
      at: debitDayOf(dueDate, city),
      ...reasonOf("business_day"),
      why: `${DEBIT_RULES.business_day.text} ${dueDate}: ${calendarDay(dueDate, city).why}`,
    },
    { what: "ordered", at: sendOn, ...reasonOf("sent") },
    { what: "ordered_until", at: until, ...reasonOf("instruct_until") },
    {
      what: "cancelled_until",
      at: new Date(cancelUntil(dueDate)).toISOString(),
      ...reasonOf("cancel_until"),
    },
    {
      what: "payer_cancels_until",
      at: new Date(payerCancelsUntil(dueDate)).toISOString(),
      ...reasonOf("payer_cancel_until"),
    },
  ];
}

function reasonOf(rule: DebitRuleName): Reason {
  const { text, source, mark } = DEBIT_RULES[rule];
  return { why: text, source, mark };
}
