import { startOfDay } from "../../domain/shared/business-day.ts";
import { isCalendarDay } from "../../domain/shared/calendar-day.ts";

/** `YYYY-MM-DD HH:MM:SS`, or a day, of São Paulo as epoch milliseconds; null for anything else. */
export function timeOf(text: string): number | null {
  const found = /^(\d{4}-\d{2}-\d{2})(?: ([01]\d|2[0-3]):([0-5]\d):([0-5]\d))?$/.exec(text);
  const [, day = "", hours = "0", minutes = "0", seconds = "0"] = found ?? [];
  if (!isCalendarDay(day)) return null;
  return startOfDay(day) + ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
}
