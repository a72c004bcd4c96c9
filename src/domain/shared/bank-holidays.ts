import { addDays } from "./calendar-day.ts";

/**
 * Days of each year without banks, `MM-DD`, with the first year of those that are new. National holidays: Lei
 * 662/1949 as Lei 10.607/2002 has it, Lei 6.802/1980 (12 October), Lei 14.759/2023 (20 November).
 */
const FIXED: readonly { day: string; since?: number }[] = [
  { day: "01-01" },
  { day: "04-21" },
  { day: "05-01" },
  { day: "09-07" },
  { day: "10-12" },
  { day: "11-02" },
  { day: "11-15" },
  { day: "11-20", since: 2024 },
  { day: "12-25" },
];
/**
 * Days from Easter Sunday to Carnival's Monday and Tuesday, Good Friday and Corpus Christi: no business days of
 * banks (Resolução CMN 4.880/2020), as FEBRABAN's calendar lists them.
 */
const FROM_EASTER = [-48, -47, -2, 60] as const;

/** Whether a day (`YYYY-MM-DD`) has no banks in all of Brazil, weekends aside. Holidays of a state or town are unknown. */
export function isBankHoliday(day: string): boolean {
  const year = Number(day.slice(0, 4));
  const isFixed = FIXED.some((each) => day.endsWith(each.day) && year >= (each.since ?? 0));
  if (isFixed) return true;
  const easter = easterSunday(year);
  return FROM_EASTER.some((days) => addDays(easter, days) === day);
}

/** Easter Sunday (`YYYY-MM-DD`) in the Gregorian calendar, after Meeus, Jones and Butcher. */
function easterSunday(year: number): string {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const ofCentury = year % 100;
  const epactShift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.floor(century / 4) - epactShift + 15) % 30;
  const weekdayShift =
    (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7;
  const late = Math.floor((golden + 11 * epact + 22 * weekdayShift) / 451);
  const days = epact + weekdayShift - 7 * late + 114;
  const month = String(Math.floor(days / 31)).padStart(2, "0");
  return `${year}-${month}-${String((days % 31) + 1).padStart(2, "0")}`;
}
