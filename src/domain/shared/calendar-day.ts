const DAY_MS = 86_400_000;

/** The day `count` days after a calendar day (`YYYY-MM-DD`), before it where `count` is negative. */
export function addDays(day: string, count: number): string {
  return new Date(utcMidnight(day) + count * DAY_MS).toISOString().slice(0, day.length);
}

/** How many days after `from` is `to` (both `YYYY-MM-DD`); negative where it is before. */
export function daysBetween(from: string, to: string): number {
  return (utcMidnight(to) - utcMidnight(from)) / DAY_MS;
}

/** Of a calendar day: 0 is Sunday, 6 is Saturday. */
export function weekday(day: string): number {
  return new Date(utcMidnight(day)).getUTCDay();
}

/** Whether a text is a day that exists, written `YYYY-MM-DD`. */
export function isCalendarDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00.000Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(`${text}T`);
}

/** Days without a zone are counted in UTC, where each has 24 hours. */
function utcMidnight(day: string): number {
  if (!isCalendarDay(day)) throw new RangeError(`${day} is not a calendar day`);
  return Date.parse(`${day}T00:00:00.000Z`);
}
