import { expect, test } from "vitest";
import { computeNextAlarm } from "../../../../src/company/runtime/alarm.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const SECOND = 1_000;

test("where nothing is due the object sleeps", () => {
  expect(computeNextAlarm(NOW, [])).toBeNull();
  expect(computeNextAlarm(NOW, [null, null])).toBeNull();
});

test("the object wakes for the earliest of what is due", () => {
  const dueTimes = [NOW + 60 * SECOND, null, NOW + 5 * SECOND, NOW + 30 * SECOND];
  expect(computeNextAlarm(NOW, dueTimes)).toBe(NOW + 5 * SECOND);
});

test("what is overdue waits a second, so that an alarm never spins", () => {
  expect(computeNextAlarm(NOW, [NOW - 60 * SECOND])).toBe(NOW + SECOND);
  expect(computeNextAlarm(NOW, [NOW])).toBe(NOW + SECOND);
  expect(computeNextAlarm(NOW, [0])).toBe(NOW + SECOND);
});

test("one overdue thing does not make the object forget the rest", () => {
  expect(computeNextAlarm(NOW, [NOW + 60 * SECOND, NOW - SECOND])).toBe(NOW + SECOND);
});
