import type { Mutant } from "../mutant.ts";

const BANK_HOLIDAYS = "src/domain/shared/bank-holidays.ts";
const BUSINESS_DAY = "src/domain/shared/business-day.ts";
const BANK_HOLIDAYS_TESTS = ["test/unit/domain/shared/bank-holidays.test.ts"];

/** Days without banks. */
export const holidayMutants: Mutant[] = [
  {
    name: "holiday-of-november-20-always",
    file: BANK_HOLIDAYS,
    text: '{ day: "11-20", since: 2024 }',
    replacement: '{ day: "11-20" }',
    tests: BANK_HOLIDAYS_TESTS,
  },
  {
    name: "holiday-of-november-20-a-year-late",
    file: BANK_HOLIDAYS,
    text: "since: 2024",
    replacement: "since: 2025",
    tests: BANK_HOLIDAYS_TESTS,
  },
  {
    name: "holiday-of-tiradentes-forgotten",
    file: BANK_HOLIDAYS,
    text: '  { day: "04-21" },\n',
    replacement: "",
    tests: BANK_HOLIDAYS_TESTS,
  },
  {
    name: "holiday-carnival-monday-forgotten",
    file: BANK_HOLIDAYS,
    text: "[-48, -47, -2, 60]",
    replacement: "[-47, -2, 60]",
    tests: BANK_HOLIDAYS_TESTS,
  },
  {
    name: "holiday-ash-wednesday-added",
    file: BANK_HOLIDAYS,
    text: "[-48, -47, -2, 60]",
    replacement: "[-48, -47, -46, -2, 60]",
    tests: BANK_HOLIDAYS_TESTS,
  },
  {
    name: "holiday-corpus-christi-forgotten",
    file: BANK_HOLIDAYS,
    text: "[-48, -47, -2, 60]",
    replacement: "[-48, -47, -2]",
    tests: BANK_HOLIDAYS_TESTS,
  },
  {
    name: "holiday-good-friday-on-saturday",
    file: BANK_HOLIDAYS,
    text: "[-48, -47, -2, 60]",
    replacement: "[-48, -47, -1, 60]",
    tests: BANK_HOLIDAYS_TESTS,
  },
  {
    name: "holiday-easter-without-late-rule",
    file: BANK_HOLIDAYS,
    text: "epactShift + 15) % 30",
    replacement: "epactShift + 14) % 30",
    tests: BANK_HOLIDAYS_TESTS,
  },
  {
    name: "holiday-easter-late-shift-lost",
    file: BANK_HOLIDAYS,
    text: "weekdayShift - 7 * late + 114",
    replacement: "weekdayShift + 114",
    tests: BANK_HOLIDAYS_TESTS,
  },
  {
    name: "holiday-easter-in-leap-centuries",
    file: BANK_HOLIDAYS,
    text: " - Math.floor(century / 4) - epactShift",
    replacement: " - epactShift",
    tests: BANK_HOLIDAYS_TESTS,
  },
  {
    name: "holiday-is-a-business-day",
    file: BUSINESS_DAY,
    text: "isWeekend(day) || isBankHoliday(day) ? business",
    replacement: "isWeekend(day) ? business",
    tests: BANK_HOLIDAYS_TESTS,
  },
  {
    name: "holiday-after-a-weekend-paid-on",
    file: BUSINESS_DAY,
    text: "return isWeekend(day) || isBankHoliday(day) ?",
    replacement: "return isBankHoliday(day) ?",
    tests: BANK_HOLIDAYS_TESTS,
  },
  {
    name: "holiday-before-a-weekend-moves-once",
    file: BUSINESS_DAY,
    text: "? businessDayFrom(addDays(day, 1)) : day",
    replacement: "? addDays(day, 1) : day",
    tests: BANK_HOLIDAYS_TESTS,
  },
  {
    name: "holiday-sunday-is-no-weekend",
    file: BUSINESS_DAY,
    text: "weekday(day) === SATURDAY || weekday(day) === SUNDAY",
    replacement: "weekday(day) === SATURDAY",
    tests: BANK_HOLIDAYS_TESTS,
  },
];
