import { describe, expect, test } from "vitest";
import { endOfDay, saoPauloDay, startOfDay } from "../../../../src/domain/shared/business-day.ts";
import { forAll } from "../../../support/builders/requests/property.ts";

const DAY_MS = 86_400_000;

describe("the business day of Sao Paulo", () => {
  test.each([
    ["2026-11-21T02:59:59.999Z", "2026-11-20"],
    ["2026-11-21T03:00:00.000Z", "2026-11-21"],
    ["2026-12-31T23:59:59.999Z", "2026-12-31"],
    ["2027-01-01T02:59:59.999Z", "2026-12-31"],
    ["2027-01-01T03:00:00.000Z", "2027-01-01"],
    ["2028-02-29T12:00:00.000Z", "2028-02-29"],
    ["2028-03-01T02:59:59.999Z", "2028-02-29"],
    ["1970-01-01T00:00:00.000Z", "1969-12-31"],
  ])("at %s is %s", (time, day) => {
    expect(saoPauloDay(Date.parse(time))).toBe(day);
  });

  test("starts at 03:00 UTC all year since summer time ended in 2019", () => {
    const first = Date.parse("2020-01-01T03:00:00.000Z");
    for (let day = 0; day < 3_000; day++) {
      const midnight = first + day * DAY_MS;
      const date = new Date(midnight).toISOString().slice(0, 10);
      expect(saoPauloDay(midnight)).toBe(date);
      expect(saoPauloDay(midnight - 1)).not.toBe(date);
      expect(saoPauloDay(midnight + DAY_MS - 1)).toBe(date);
    }
  });

  test("started an hour earlier in UTC during the last summer time", () => {
    expect(saoPauloDay(Date.parse("2019-01-15T01:59:59.999Z"))).toBe("2019-01-14");
    expect(saoPauloDay(Date.parse("2019-01-15T02:00:00.000Z"))).toBe("2019-01-15");
  });

  test.each([
    ["0000-01-01", "0000-01-01T03:06:28.000Z", "0000-01-02T03:06:27.000Z"],
    ["0999-12-31", "0999-12-31T03:06:28.000Z", "1000-01-01T03:06:27.000Z"],
    ["9999-12-31", "9999-12-31T03:00:00.000Z", "+010000-01-01T02:59:59.000Z"],
  ])("%s starts and ends, as every day that a query may ask for", (day, start, end) => {
    expect(new Date(startOfDay(day)).toISOString()).toBe(start);
    expect(new Date(endOfDay(day)).toISOString()).toBe(end);
  });

  test("sorts as text in the order of time", () => {
    forAll(2_000, (random) => {
      const earlier = random.integer(0, 4_000_000_000_000);
      const later = earlier + random.integer(0, 10 * DAY_MS);
      expect(saoPauloDay(earlier) <= saoPauloDay(later)).toBe(true);
    });
  });
});
