import { addDays, daysBetween } from "../shared/calendar-day.ts";
import type { Period, SubscriptionJourney } from "./subscription.ts";

/** When a subscription's cycles are due. Days `YYYY-MM-DD`; `endDate`: no cycle is due after it; null without an end. */
export interface Schedule {
  period: Period;
  firstDueDate: string;
  endDate: string | null;
}

const WEEK_DAYS = 7;
const MONTHS: Record<Exclude<Period, "WEEKLY">, number> = {
  MONTHLY: 1,
  QUARTERLY: 3,
  SEMIANNUAL: 6,
  ANNUAL: 12,
};
const MONTHS_OF_YEAR = 12;

/**
 * The due date of a cycle, the first of which is 1, whether or not the subscription has ended by then. Each is counted
 * from the first one, so that the 31st comes back after a short month: a month without the day has its last one.
 */
export function dueDateOf({ period, firstDueDate }: Schedule, cycle: number): string {
  const periods = cycle - 1;
  if (period === "WEEKLY") return addDays(firstDueDate, WEEK_DAYS * periods);
  return addMonths(firstDueDate, MONTHS[period] * periods);
}

/** The number of the last cycle that is due by the end; null without an end, 0 where the end comes before the first. */
export function lastCycle(schedule: Schedule): number | null {
  return schedule.endDate === null ? null : cycleAfter(schedule, schedule.endDate) - 1;
}

/** The number of the first cycle that is due after a day, also one after the end. */
export function cycleAfter(schedule: Schedule, day: string): number {
  const { period, firstDueDate } = schedule;
  if (day < firstDueDate) return 1;
  const whole =
    period === "WEEKLY"
      ? Math.floor(daysBetween(firstDueDate, day) / WEEK_DAYS)
      : Math.floor(monthsBetween(firstDueDate, day) / MONTHS[period]);
  // The month alone counts a due date later in it as past.
  const first = Math.max(whole, 1);
  return dueDateOf(schedule, first) > day
    ? first
    : dueDateOf(schedule, first + 1) > day
      ? first + 1
      : first + 2;
}

/** Whether a cycle exists: one from 1 on that is due by the end. */
export function hasCycle(schedule: Schedule, cycle: number): boolean {
  if (cycle < 1) return false;
  return schedule.endDate === null || dueDateOf(schedule, cycle) <= schedule.endDate;
}

/** Up to `count` cycles from one on, with their due dates. */
export function nextCycles(
  schedule: Schedule,
  from: number,
  count: number,
): { cycle: number; dueDate: string }[] {
  return Array.from({ length: count }, (_, index) => from + index)
    .filter((cycle) => hasCycle(schedule, cycle))
    .map((cycle) => ({ cycle, dueDate: dueDateOf(schedule, cycle) }));
}

/**
 * The first cycle that is debited: of the journeys whose payer pays a code while he approves it is the second (BACEN Pix
 * API 2.9.0, JORNADA_3 and JORNADA_4: that payment is a `cob` or `cobv`, never a `cobr`).
 */
export function firstDebitedCycle(journey: SubscriptionJourney): number {
  return journey === "QR_AND_PAY" || journey === "QR_ON_DUE" ? 2 : 1;
}

function addMonths(day: string, count: number): string {
  const months = monthsOf(day) + count;
  const year = Math.floor(months / MONTHS_OF_YEAR);
  const month = (months % MONTHS_OF_YEAR) + 1;
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const dayOfMonth = Math.min(Number(day.slice(8)), lastDay);
  return `${String(year).padStart(4, "0")}-${twoDigits(month)}-${twoDigits(dayOfMonth)}`;
}

function monthsBetween(from: string, to: string): number {
  return monthsOf(to) - monthsOf(from);
}

function monthsOf(day: string): number {
  return Number(day.slice(0, 4)) * MONTHS_OF_YEAR + Number(day.slice(5, 7)) - 1;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
