import { describe, expect, test } from "vitest";
import {
  parseRetryAfter,
  queueDelaySeconds,
  retryDelayMs,
} from "../../../../src/webhooks/delivery/retry-schedule.ts";
import { forAll } from "../../../support/builders/requests/property.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const MIDDLE = 0.5;
const NOW = Date.UTC(2026, 10, 20, 12);

/** docs/webhooks.md: the wait before the second, third, ... eleventh attempt. */
const WAITS: [number, number][] = [
  [1, 5 * SECOND],
  [2, 5 * MINUTE],
  [3, 30 * MINUTE],
  [4, 2 * HOUR],
  [5, 5 * HOUR],
  [6, 10 * HOUR],
  [7, 10 * HOUR],
  [8, 12 * HOUR],
  [9, 12 * HOUR],
  [10, 12 * HOUR],
];

describe("the schedule", () => {
  test.each(WAITS)("after failure %i waits %i ms", (failures, wait) => {
    expect(retryDelayMs(failures, MIDDLE, null)).toBe(wait);
  });

  test("ends after eleven attempts", () => {
    expect(retryDelayMs(11, MIDDLE, null)).toBeNull();
  });

  test("ends after eleven attempts, also with a Retry-After", () => {
    expect(retryDelayMs(11, MIDDLE, HOUR)).toBeNull();
  });

  test("spreads every wait by at most a tenth either way", () => {
    forAll(500, (random) => {
      const [failures, wait] = random.pick(WAITS);
      const delay = retryDelayMs(failures, random.fraction(), null);
      expect(delay).toBeGreaterThanOrEqual(wait * 0.9);
      expect(delay).toBeLessThanOrEqual(wait * 1.1);
    });
  });

  test("uses the full spread", () => {
    expect(retryDelayMs(3, 0, null)).toBe(27 * MINUTE);
    expect(retryDelayMs(3, 1 - Number.EPSILON, null)).toBe(33 * MINUTE);
  });
});

describe("Retry-After", () => {
  test("makes a wait longer", () => {
    expect(retryDelayMs(1, MIDDLE, HOUR)).toBe(HOUR);
  });

  test("never makes a wait shorter", () => {
    expect(retryDelayMs(2, MIDDLE, SECOND)).toBe(5 * MINUTE);
  });

  test("is honoured up to twelve hours", () => {
    expect(retryDelayMs(1, MIDDLE, 12 * HOUR)).toBe(12 * HOUR);
    expect(retryDelayMs(1, MIDDLE, 12 * HOUR + 1)).toBe(12 * HOUR);
    expect(retryDelayMs(1, MIDDLE, Number.MAX_SAFE_INTEGER)).toBe(12 * HOUR);
  });

  test.each([
    ["no header", null, null],
    ["seconds", "120", 120 * SECOND],
    ["zero seconds", "0", 0],
    ["seconds with spaces around them", " 7 ", 7 * SECOND],
    ["an HTTP date", "Fri, 20 Nov 2026 12:01:00 GMT", MINUTE],
    ["an HTTP date in the past", "Fri, 20 Nov 2026 11:00:00 GMT", 0],
    ["an empty header", "", null],
    ["a word", "soon", null],
    ["seconds with a unit", "120 seconds", null],
  ])("as %s (%j) is %j ms", (_form, header, delay) => {
    expect(parseRetryAfter(header, NOW)).toBe(delay);
  });

  test("with an unreasonably large number is the longest wait, not none", () => {
    expect(retryDelayMs(1, MIDDLE, parseRetryAfter("99999999999", NOW))).toBe(12 * HOUR);
  });
});

describe("the delay of a queue message", () => {
  test.each([
    [0, 0],
    [1, 1],
    [SECOND, 1],
    [SECOND + 1, 2],
    [12 * HOUR, 43_200],
  ])("for a wait of %i ms is %i s, never before the due time", (delay, seconds) => {
    expect(queueDelaySeconds(delay)).toBe(seconds);
  });

  test("beyond twelve hours is left to the sweep", () => {
    expect(queueDelaySeconds(12 * HOUR + 1)).toBeNull();
    expect(queueDelaySeconds(retryDelayMs(10, 1 - Number.EPSILON, null)!)).toBeNull();
  });
});
