const DAY_MS = 86_400_000;

/** Adds days to a calendar day (`YYYY-MM-DD`); a negative `count` subtracts. Throws `RangeError`. */
export function addDays(day: string, count: number): string {
  return new Date(utcMidnight(day) + count * DAY_MS).toISOString().slice(0, day.length);
}

/** Days from `from` to `to` (both `YYYY-MM-DD`); negative when `to` is earlier. Throws `RangeError`. */
export function daysBetween(from: string, to: string): number {
  return (utcMidnight(to) - utcMidnight(from)) / DAY_MS;
}

/** The weekday of a calendar day: 0 is Sunday, 6 is Saturday. Throws `RangeError`. */
export function weekday(day: string): number {
  return new Date(utcMidnight(day)).getUTCDay();
}

/** Whether a text is an existing day, written `YYYY-MM-DD`. */
export function isCalendarDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(`${text}T`);
}

/** Counts days in UTC, where each has 24 hours. */
function utcMidnight(day: string): number {
  if (!isCalendarDay(day)) throw new RangeError(`${day} is not a calendar day`);
  return Date.parse(`${day}T00:00:00.000Z`);
}
