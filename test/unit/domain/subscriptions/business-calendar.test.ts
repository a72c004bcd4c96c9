import { expect, test } from "vitest";
import {
  businessDaysBefore,
  calendarDay,
  isBusinessDay,
  nextBusinessDay,
} from "../../../../src/domain/subscriptions/business-calendar.ts";

const SAO_PAULO = "3550308";
const CAMPINAS = "3509502";
const RIO = "3304557";

test.each([
  ["2026-11-30", null, "2026-11-30", "business day"],
  ["2026-12-05", null, "2026-12-07", "Saturday"],
  ["2026-12-25", null, "2026-12-28", "holiday of all banks"],
  ["2027-02-08", null, "2027-02-10", "holiday of all banks"],
  ["2027-07-09", SAO_PAULO, "2027-07-12", "state"],
  ["2027-07-09", CAMPINAS, "2027-07-12", "state"],
  ["2027-07-09", RIO, "2027-07-09", "business day"],
  ["2027-01-25", SAO_PAULO, "2027-01-26", "the town"],
  ["2027-01-25", CAMPINAS, "2027-01-25", "business day"],
  ["2027-01-25", null, "2027-01-25", "business day"],
  ["2027-11-30", "5300108", "2027-12-01", "state"],
])("%s in %s: the next business day is %s", (date, city, next, why) => {
  const day = calendarDay(date, city);
  expect(day).toMatchObject({ date, next, businessDay: date === next });
  expect(day.why).toContain(why);
  expect(isBusinessDay(date, city)).toBe(date === next);
  expect(nextBusinessDay(date, city)).toBe(next);
});

test("business days before a day leave out the day itself, weekends and holidays", () => {
  expect(businessDaysBefore("2026-12-03", 2, null)).toBe("2026-12-01");
  expect(businessDaysBefore("2026-12-07", 2, null)).toBe("2026-12-03");
  // Ash Wednesday: Carnival's Monday and Tuesday are no business days.
  expect(businessDaysBefore("2027-02-10", 2, null)).toBe("2027-02-04");
  expect(businessDaysBefore("2027-07-12", 1, SAO_PAULO)).toBe("2027-07-08");
  expect(businessDaysBefore("2027-07-12", 1, null)).toBe("2027-07-09");
});
