import { expect, test } from "vitest";
import {
  daysOfMonth,
  isCalendarMonth,
  nextMonth,
  previousMonth,
  saoPauloMonth,
  timesOfDays,
} from "../../../../../src/domain/ledger/entries/month.ts";

test("a month ends on its last day, in leap years and at the turn of the year", () => {
  expect(daysOfMonth("2026-02").to).toBe("2026-02-28");
  expect(daysOfMonth("2028-02").to).toBe("2028-02-29");
  expect(daysOfMonth("2026-12")).toEqual({ from: "2026-12-01", to: "2026-12-31" });
  expect([nextMonth("2026-12"), nextMonth("2026-01")]).toEqual(["2027-01", "2026-02"]);
  expect([previousMonth("2026-01"), previousMonth("2026-03")]).toEqual(["2025-12", "2026-02"]);
});

test("a month is of São Paulo's clock, and months leave no millisecond out", () => {
  const { from, to } = timesOfDays(daysOfMonth("2026-11"));
  expect(new Date(from).toISOString()).toBe("2026-11-01T03:00:00.000Z");
  expect([saoPauloMonth(from - 1), saoPauloMonth(from), saoPauloMonth(to)]).toEqual([
    "2026-10",
    "2026-11",
    "2026-11",
  ]);
  expect(timesOfDays(daysOfMonth("2026-12")).from).toBe(to + 1);
});

test.each(["2026-00", "2026-13", "26-11", "2026-1", "2026-11-01", ""])("%s is no month", (text) => {
  expect(isCalendarMonth(text)).toBe(false);
});
