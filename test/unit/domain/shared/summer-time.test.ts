import { describe, expect, test } from "vitest";
import {
  endOfDay,
  endOfNight,
  saoPauloDay,
  saoPauloNight,
  startOfDay,
  startOfNextDay,
} from "../../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../../src/domain/shared/calendar-day.ts";
import { timeAfter } from "../../../../src/domain/time/duration.ts";

const iso = (time: number) => new Date(time).toISOString();

describe("summer time of Sao Paulo, whose clocks changed at midnight", () => {
  test.each([
    // No midnight: after 23:59:59 came 01:00:00.
    ["2017-10-15", "2017-10-15T03:00:00.000Z", "2017-10-16T01:59:59.000Z"],
    ["2018-11-04", "2018-11-04T03:00:00.000Z", "2018-11-05T01:59:59.000Z"],
    ["2018-11-03", "2018-11-03T03:00:00.000Z", "2018-11-04T02:59:59.000Z"],
    // The hour before midnight came twice.
    ["2018-02-17", "2018-02-17T02:00:00.000Z", "2018-02-18T02:59:59.000Z"],
    ["2018-02-18", "2018-02-18T03:00:00.000Z", "2018-02-19T02:59:59.000Z"],
    ["2019-02-16", "2019-02-16T02:00:00.000Z", "2019-02-17T02:59:59.000Z"],
    // None since.
    ["2019-11-03", "2019-11-03T03:00:00.000Z", "2019-11-04T02:59:59.000Z"],
    ["2028-02-29", "2028-02-29T03:00:00.000Z", "2028-03-01T02:59:59.000Z"],
  ])("%s lasts from %s to %s", (day, start, end) => {
    expect([iso(startOfDay(day)), iso(endOfDay(day))]).toEqual([start, end]);
  });

  test("every day from 1985 to 2028 begins at its first millisecond, and ends where the next begins", () => {
    for (let day = "1985-01-01"; day < "2029-01-01"; day = addDays(day, 1)) {
      const start = startOfDay(day);
      expect([saoPauloDay(start - 1), saoPauloDay(start)]).toEqual([addDays(day, -1), day]);
      expect(startOfNextDay(start)).toBe(startOfDay(addDays(day, 1)));
    }
  }, 20_000);

  test.each([
    ["2018-11-04T02:30:00Z", "2018-11-03", "2018-11-04T08:00:00.000Z"],
    ["2018-11-04T03:30:00Z", "2018-11-03", "2018-11-04T08:00:00.000Z"],
    ["2018-02-18T01:30:00Z", "2018-02-17", "2018-02-18T09:00:00.000Z"],
    ["2018-02-18T02:30:00Z", "2018-02-17", "2018-02-18T09:00:00.000Z"],
  ])("%s is in the night of %s, which ends at six by the new clock", (time, evening, end) => {
    expect(saoPauloNight(Date.parse(time))).toBe(evening);
    expect(iso(endOfNight(Date.parse(time)) ?? 0)).toBe(end);
  });

  test.each([
    // Ten in the morning stays ten in the morning.
    ["P1D", "2018-11-03T13:00:00Z", "2018-11-04T12:00:00.000Z"],
    ["P1D", "2018-11-04T12:00:00Z", "2018-11-05T12:00:00.000Z"],
    ["P1M", "2018-02-04T12:00:00Z", "2018-03-04T13:00:00.000Z"],
    // Half past midnight was not on that day: the clock said half past one.
    ["P1D", "2018-11-03T03:30:00Z", "2018-11-04T03:30:00.000Z"],
    // It was half past eleven twice: the later.
    ["P1D", "2018-02-17T01:30:00Z", "2018-02-18T02:30:00.000Z"],
  ])("%s after %s is %s", (duration, from, to) => {
    expect(iso(timeAfter(Date.parse(from), duration) ?? 0)).toBe(to);
  });
});
