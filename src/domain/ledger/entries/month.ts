import { endOfDay, saoPauloDay, startOfDay } from "../../shared/business-day.ts";
import { addDays } from "../../shared/calendar-day.ts";

const MONTH = /^(?:20|19)\d\d-(?:0[1-9]|1[0-2])$/;
const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

/** Whether a text is a month, written `YYYY-MM`. */
export function isCalendarMonth(text: string): boolean {
  return MONTH.test(text);
}

/** The month (`YYYY-MM`) of a time in Brazil's business time zone. */
export function saoPauloMonth(epochMs: number): string {
  return saoPauloDay(epochMs).slice(0, "YYYY-MM".length);
}

/** Days in Brazil's business time zone (`YYYY-MM-DD`), both included. */
export interface DayPeriod {
  from: string;
  to: string;
}

/** The first and the last day of a month. */
export function daysOfMonth(month: string): DayPeriod {
  return { from: `${month}-01`, to: addDays(`${nextMonth(month)}-01`, -1) };
}

/** The first and the last millisecond of days, epoch milliseconds. */
export function timesOfDays({ from, to }: DayPeriod): { from: number; to: number } {
  return { from: startOfDay(from), to: endOfDay(to) + SECOND_MS - 1 };
}

/** The first and the last millisecond of an hour (0 to 23) of a day, epoch milliseconds. */
export function timesOfHour(day: string, hour: number): { from: number; to: number } {
  const from = startOfDay(day) + hour * HOUR_MS;
  return { from, to: from + HOUR_MS - 1 };
}

/** The month after a month. */
export function nextMonth(month: string): string {
  return monthOfDay(addDays(`${month}-01`, 31));
}

/** The month before a month. */
export function previousMonth(month: string): string {
  return monthOfDay(addDays(`${month}-01`, -1));
}

/** The month of a day. */
export function monthOfDay(day: string): string {
  return day.slice(0, "YYYY-MM".length);
}
