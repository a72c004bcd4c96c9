import { describe, expect, test } from "vitest";
import {
  cycleAfter,
  dueDateOf,
  firstDebitedCycle,
  hasCycle,
  lastCycle,
  nextCycles,
  type Schedule,
} from "../../../../src/domain/subscriptions/schedule.ts";
import { addDays } from "../../../../src/domain/shared/calendar-day.ts";
import { PERIODS } from "../../../../src/domain/subscriptions/subscription.ts";
import { forAll } from "../../../support/builders/requests/property.ts";

const schedule = (
  period: Schedule["period"],
  firstDueDate: string,
  endDate: string | null = null,
) => ({
  period,
  firstDueDate,
  endDate,
});

describe("due dates", () => {
  test.each([
    ["WEEKLY", "2026-12-28", ["2026-12-28", "2027-01-04", "2027-01-11"]],
    ["MONTHLY", "2027-01-31", ["2027-01-31", "2027-02-28", "2027-03-31", "2027-04-30"]],
    ["MONTHLY", "2028-01-30", ["2028-01-30", "2028-02-29", "2028-03-30"]],
    ["MONTHLY", "2026-11-15", ["2026-11-15", "2026-12-15", "2027-01-15"]],
    ["QUARTERLY", "2026-11-30", ["2026-11-30", "2027-02-28", "2027-05-30"]],
    ["SEMIANNUAL", "2026-08-31", ["2026-08-31", "2027-02-28", "2027-08-31"]],
    [
      "ANNUAL",
      "2028-02-29",
      ["2028-02-29", "2029-02-28", "2030-02-28", "2031-02-28", "2032-02-29"],
    ],
  ] as const)("%s from %s", (period, first, days) => {
    const dates = days.map((_, index) => dueDateOf(schedule(period, first), index + 1));
    expect(dates).toEqual(days);
  });

  test("the number of the next cycle is that of the first due date after a day", () => {
    forAll(300, (random) => {
      const start = addDays("2026-01-01", random.integer(0, 800));
      const terms = schedule(random.pick(PERIODS), start);
      const day = addDays(start, random.integer(-40, 900));
      const cycle = cycleAfter(terms, day);
      expect(dueDateOf(terms, cycle) > day).toBe(true);
      if (cycle > 1) expect(dueDateOf(terms, cycle - 1) <= day).toBe(true);
    });
  });

  test.each([
    ["MONTHLY", "2027-01-31", "2027-02-27", 1],
    ["MONTHLY", "2027-01-31", "2027-02-28", 2],
    ["MONTHLY", "2027-01-31", "2027-01-30", 0],
    ["WEEKLY", "2027-01-04", "2027-01-18", 3],
    ["ANNUAL", "2027-01-04", "2037-01-03", 10],
  ] as const)("%s from %s to %s has its last cycle", (period, first, end, last) => {
    const terms = schedule(period, first, end);
    expect(lastCycle(terms)).toBe(last);
    expect(hasCycle(terms, last)).toBe(last > 0);
    expect(hasCycle(terms, last + 1)).toBe(false);
  });

  test("a subscription without an end goes on", () => {
    expect(lastCycle(schedule("MONTHLY", "2027-01-31"))).toBeNull();
    expect(hasCycle(schedule("MONTHLY", "2027-01-31"), 1_000)).toBe(true);
  });

  test("the next cycles stop at the end", () => {
    const terms = schedule("MONTHLY", "2027-01-31", "2027-03-31");
    expect(nextCycles(terms, 2, 5)).toEqual([
      { cycle: 2, dueDate: "2027-02-28" },
      { cycle: 3, dueDate: "2027-03-31" },
    ]);
  });
});

test("a cycle that the payer pays by a code while he approves is not debited", () => {
  const cycles = (["REQUEST", "QR", "QR_AND_PAY", "QR_ON_DUE"] as const).map(firstDebitedCycle);
  expect(cycles).toEqual([1, 1, 2, 2]);
});
