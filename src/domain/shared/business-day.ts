import { isBankHoliday } from "./bank-holidays.ts";
import { addDays, weekday } from "./calendar-day.ts";

/** Of every day without a time. */
export const TIME_ZONE = "America/Sao_Paulo";
const SAO_PAULO_DAY = new Intl.DateTimeFormat("en-CA", {
  timeZone: TIME_ZONE,
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
});
const SAO_PAULO_TIME = new Intl.DateTimeFormat("en-GB", {
  timeZone: TIME_ZONE,
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
/** `Intl` writes the years of between as four digits; a query such as `to=9999-12-31` asks beyond. */
const FIRST_KNOWN_MS = Date.parse("1900-01-01T00:00:00Z");
const LAST_KNOWN_MS = Date.parse("9999-12-31T00:00:00Z");
const SUNDAY = 0;
const SATURDAY = 6;
const NIGHT_FROM_HOUR = 20;
const NIGHT_TO_HOUR = 6;

/** The calendar day (`YYYY-MM-DD`) in Brazil's business time zone. */
export function saoPauloDay(epochMs: number): string {
  return SAO_PAULO_DAY.format(epochMs);
}

/** The hour (0 to 23) in Brazil's business time zone. */
export function saoPauloHour(epochMs: number): number {
  return Number(SAO_PAULO_TIME.format(epochMs).slice(0, 2));
}

/** The time of day (`HH:MM`) in Brazil's business time zone. */
export function saoPauloTime(epochMs: number): string {
  return SAO_PAULO_TIME.format(epochMs).slice(0, 5);
}

/** The last second of a day (`YYYY-MM-DD`) in Brazil's business time zone, epoch milliseconds. */
export function endOfDay(day: string): number {
  return atSaoPaulo(`${day}T23:59:59.000Z`);
}

/**
 * The day itself (`YYYY-MM-DD`), or the first after it that is no Saturday, Sunday or holiday of all banks.
 * Holidays of a state or town are not known here.
 */
export function businessDayFrom(day: string): string {
  return isWeekend(day) || isBankHoliday(day) ? businessDayFrom(addDays(day, 1)) : day;
}

/** Whether a day (`YYYY-MM-DD`) is a Saturday or a Sunday. */
export function isWeekend(day: string): boolean {
  return weekday(day) === SATURDAY || weekday(day) === SUNDAY;
}

/** The first millisecond of a day (`YYYY-MM-DD`) in Brazil's business time zone, epoch milliseconds. */
export function startOfDay(day: string): number {
  return atSaoPaulo(`${day}T00:00:00.000Z`);
}

/** When the day after that of a time begins in Brazil's business time zone, epoch milliseconds. */
export function startOfNextDay(epochMs: number): number {
  return endOfDay(saoPauloDay(epochMs)) + SECOND_MS;
}

/**
 * The night (20:00 to 06:00 in Brazil's business time zone, as BACEN's Resolução 142 has it) of a time, by
 * the day of its evening; null by day.
 */
export function saoPauloNight(epochMs: number): string | null {
  const hour = saoPauloHour(epochMs);
  if (hour >= NIGHT_FROM_HOUR) return saoPauloDay(epochMs);
  return hour < NIGHT_TO_HOUR ? saoPauloDay(epochMs - NIGHT_TO_HOUR * HOUR_MS) : null;
}

/** When the night of a time ends, epoch milliseconds; null by day. */
export function endOfNight(epochMs: number): number | null {
  const evening = saoPauloNight(epochMs);
  if (evening === null) return null;
  const morning = saoPauloDay(endOfDay(evening) + SECOND_MS);
  return atSaoPaulo(`${morning}T06:00:00.000Z`);
}

/** A time moved by calendar days: at the same time of day in Brazil's business time zone. Epoch milliseconds. */
export function onSameTimeOf(epochMs: number, toDay: (day: string) => string): number {
  const asUtc = epochMs - msBehindUtc(epochMs);
  const [day = "", time = ""] = new Date(asUtc).toISOString().split("T");
  return atSaoPaulo(`${toDay(day)}T${time}`);
}

/**
 * The epoch milliseconds of a time on São Paulo's clock, written as if it were UTC. Summer time, until 2019, skipped the
 * hour after a midnight, and repeated the one before: of a time that was not, or was twice, the later.
 */
function atSaoPaulo(clock: string): number {
  const asUtc = Date.parse(clock);
  const near = asUtc + msBehindUtc(asUtc);
  return asUtc + Math.max(msBehindUtc(near - HOUR_MS), msBehindUtc(near + HOUR_MS));
}

/** The offset of São Paulo behind UTC at a time, milliseconds; before and after what `Intl` writes, that of its end. */
function msBehindUtc(epochMs: number): number {
  const second = Math.floor(epochMs / SECOND_MS) * SECOND_MS;
  const known = Math.min(Math.max(second, FIRST_KNOWN_MS), LAST_KNOWN_MS);
  const clock = `${saoPauloDay(known)}T${SAO_PAULO_TIME.format(known)}.000Z`;
  return known - Date.parse(clock);
}
