import { expect, test } from "vitest";
import { timeAfter } from "../../../../src/domain/time/duration.ts";

const at = (text: string) => Date.parse(text);

test.each([
  ["P3D", "2026-11-21T15:30:00.123Z", "2026-11-24T15:30:00.123Z"],
  ["PT90M", "2026-11-21T15:30:00Z", "2026-11-21T17:00:00Z"],
  ["P1W", "2026-12-28T12:00:00Z", "2027-01-04T12:00:00Z"],
  ["P1DT1H1M1S", "2026-12-31T12:00:00Z", "2027-01-01T13:01:01Z"],
  ["P0D", "2026-11-21T15:30:00Z", "2026-11-21T15:30:00Z"],
  // A month's end.
  ["P1M", "2027-01-31T12:00:00Z", "2027-02-28T12:00:00Z"],
  ["P1M", "2028-01-31T12:00:00Z", "2028-02-29T12:00:00Z"],
  ["P1Y", "2028-02-29T12:00:00Z", "2029-02-28T12:00:00Z"],
  ["P14M", "2026-11-30T12:00:00Z", "2028-01-30T12:00:00Z"],
  // The day is the calendar's in Sao Paulo: this is still 31 January there.
  ["P1M", "2027-02-01T02:00:00Z", "2027-03-01T02:00:00Z"],
  // Clocks went forward at midnight of 4 November 2018, and back at that of 17 February 2019.
  ["P1D", "2018-11-03T15:00:00Z", "2018-11-04T14:00:00Z"],
  ["P1D", "2019-02-16T15:00:00Z", "2019-02-17T16:00:00Z"],
  ["PT24H", "2018-11-03T15:00:00Z", "2018-11-04T15:00:00Z"],
])("%s after %s", (duration, from, to) => {
  expect(timeAfter(at(from), duration)).toBe(at(to));
});

test.each([
  "",
  "P",
  "PT",
  "3D",
  "P3",
  "P-1D",
  "+P1D",
  "P1.5D",
  "P1H",
  "PT1D",
  "p1d",
  "P1D ",
  "P1M1Y",
])("%j is no duration", (text) => {
  expect(timeAfter(0, text)).toBeNull();
});

test.each(["P9999Y", "P99999M", "P999999W", "P999999WT1S", "P7971YT99999999H"])(
  "%s leads beyond the year 9999",
  (text) => {
    expect(timeAfter(at("2026-11-21T15:30:00Z"), text)).toBeNull();
  },
);
