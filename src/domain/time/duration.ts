import { onSameTimeOf } from "../shared/business-day.ts";
import { addDays } from "../shared/calendar-day.ts";

/** ISO 8601 (2019), 5.5.2.2: `P[n]Y[n]M[n]W[n]DT[n]H[n]M[n]S`, whole numbers. */
const DURATION =
  /^P(?=\d|T\d)(?:(\d{1,4})Y)?(?:(\d{1,5})M)?(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,8})H)?(?:(\d{1,8})M)?(?:(\d{1,10})S)?)?$/;
const MONTHS_OF_YEAR = 12;
const DAYS_OF_WEEK = 7;
/** Days, by the longest years and months: a calendar day has four digits for its year. */
const CALENDAR_DAYS_MAX = 1_000 * 366;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;
/** The last time that an ISO 8601 text of four digits a year can name (Unix milliseconds). */
export const LAST_TIME = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * The time (Unix milliseconds) an ISO 8601 duration after another; null for a text that is none, and for one of
 * more than a thousand years or beyond the year 9999.
 * Years, months, weeks and days are the calendar's in São Paulo: a month after 31 January is the end of February, at the
 * same time of day.
 */
export function timeAfter(from: number, duration: string): number | null {
  const match = DURATION.exec(duration);
  if (match === null) return null;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part: string | undefined) => Number(part ?? 0));
  const isTooFar = years * 366 + months * 31 + weeks * DAYS_OF_WEEK + days > CALENDAR_DAYS_MAX;
  if (isTooFar) return null;
  const moved = onSameTimeOf(from, (day) =>
    addDays(addMonths(day, years * MONTHS_OF_YEAR + months), weeks * DAYS_OF_WEEK + days),
  );
  const time = moved + hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS;
  return time > LAST_TIME ? null : time;
}

/** The same day so many months later, or the last day of a shorter month (`YYYY-MM-DD`). */
function addMonths(day: string, count: number): string {
  if (count === 0) return day;
  const [year = 0, month = 1, dayOfMonth = 1] = day.split("-").map(Number);
  const lastDay = new Date(Date.UTC(year, month + count, 0));
  lastDay.setUTCDate(Math.min(dayOfMonth, lastDay.getUTCDate()));
  return lastDay.toISOString().slice(0, "YYYY-MM-DD".length);
}
