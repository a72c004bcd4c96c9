import { isBankHoliday } from "../shared/bank-holidays.ts";
import { isWeekend } from "../shared/business-day.ts";
import { addDays } from "../shared/calendar-day.ts";
import { localHoliday } from "./local-holidays.ts";

/** What a day is to banks; `STATE_HOLIDAY` and `TOWN_HOLIDAY` only where the town is known. */
type DayKind = "BUSINESS_DAY" | "WEEKEND" | "BANK_HOLIDAY" | "STATE_HOLIDAY" | "TOWN_HOLIDAY";

/** The IBGE code of a town. */
export const CITY_CODE = /^\d{7}$/;

/** A town by its IBGE code of seven digits; null where it is not known. */
export type City = string | null;

const WHY: Record<DayKind, string> = {
  BUSINESS_DAY: "A business day.",
  WEEKEND: "A Saturday or a Sunday, on which banks do not work (Resolução CMN 4.880/2020).",
  BANK_HOLIDAY:
    "A holiday of all banks (Lei 662/1949, Lei 6.802/1980, Lei 14.759/2023, Resolução CMN 4.880/2020).",
  STATE_HOLIDAY: "A holiday of the town's state (Lei 9.093/1995).",
  TOWN_HOLIDAY: "A holiday of the town.",
};

/** What a day (`YYYY-MM-DD`) is to the banks of a town. */
function dayKind(day: string, city: City): DayKind {
  if (isWeekend(day)) return "WEEKEND";
  if (isBankHoliday(day)) return "BANK_HOLIDAY";
  const local = city === null ? null : localHoliday(day, city);
  if (local === null) return "BUSINESS_DAY";
  return local.of === "STATE" ? "STATE_HOLIDAY" : "TOWN_HOLIDAY";
}

/** Whether banks of a town work on a day. */
export function isBusinessDay(day: string, city: City): boolean {
  return dayKind(day, city) === "BUSINESS_DAY";
}

/** The day itself, or the first business day of a town after it. */
export function nextBusinessDay(day: string, city: City): string {
  return isBusinessDay(day, city) ? day : nextBusinessDay(addDays(day, 1), city);
}

/** The business day of a town that is so many business days before a day, which itself is not counted. */
export function businessDaysBefore(day: string, count: number, city: City): string {
  if (count === 0) return day;
  const before = addDays(day, -1);
  return businessDaysBefore(before, isBusinessDay(before, city) ? count - 1 : count, city);
}

/** A day as the API's calendar shows it. `next`: the day itself or the first business day after it. */
export interface CalendarDay {
  date: string;
  businessDay: boolean;
  next: string;
  why: string;
}

/** What the calendar says of a day (`YYYY-MM-DD`) in a town. */
export function calendarDay(date: string, city: City): CalendarDay {
  const kind = dayKind(date, city);
  return {
    date,
    businessDay: kind === "BUSINESS_DAY",
    next: nextBusinessDay(date, city),
    why: WHY[kind],
  };
}
