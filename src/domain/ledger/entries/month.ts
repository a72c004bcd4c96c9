import { endOfDay, saoPauloDay, startOfDay } from "../../shared/business-day.ts";
import { addDays } from "../../shared/calendar-day.ts";

const MONTH = /^(?:20|19)\d\d-(?:0[1-9]|1[0-2])$/;
const SECOND_MS = 1_000;

/** Whether a text is a month, written `YYYY-MM`. */
export function isCalendarMonth(text: string): boolean {
  return MONTH.test(text);
}

/** The month (`YYYY-MM`) of a time in Brazil's business time zone. */
export function saoPauloMonth(epochMs: number): string {
  return saoPauloDay(epochMs).slice(0, "YYYY-MM".length);
}

/** The first and the last day (`YYYY-MM-DD`) of a month. */
export function daysOfMonth(month: string): { first: string; last: string } {
  const first = `${month}-01`;
  return { first, last: addDays(`${nextMonth(month)}-01`, -1) };
}

/** The first and the last millisecond of a month in Brazil's business time zone, epoch milliseconds. */
export function timesOfMonth(month: string): { from: number; to: number } {
  const { first, last } = daysOfMonth(month);
  return { from: startOfDay(first), to: endOfDay(last) + SECOND_MS - 1 };
}

/** The month after a month. */
export function nextMonth(month: string): string {
  return monthOf(addDays(`${month}-01`, 31));
}

/** The month before a month. */
export function previousMonth(month: string): string {
  return monthOf(addDays(`${month}-01`, -1));
}

function monthOf(day: string): string {
  return day.slice(0, "YYYY-MM".length);
}
