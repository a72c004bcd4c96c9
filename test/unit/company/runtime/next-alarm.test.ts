import { expect, test } from "vitest";
import { computeNextAlarm } from "../../../../src/company/runtime/alarm.ts";

const NOW = Date.UTC(2026, 10, 20, 12);
const SECOND = 1_000;

test("an object without due work sets no alarm", () => {
  expect(computeNextAlarm(NOW, [])).toBeNull();
  expect(computeNextAlarm(NOW, [null, null])).toBeNull();
});

test("the alarm is set to the earliest due time", () => {
  const dueTimes = [NOW + 60 * SECOND, null, NOW + 5 * SECOND, NOW + 30 * SECOND];
  expect(computeNextAlarm(NOW, dueTimes)).toBe(NOW + 5 * SECOND);
});

test("overdue work waits a second, so that the alarm never spins", () => {
  expect(computeNextAlarm(NOW, [NOW - 60 * SECOND])).toBe(NOW + SECOND);
  expect(computeNextAlarm(NOW, [NOW])).toBe(NOW + SECOND);
  expect(computeNextAlarm(NOW, [0])).toBe(NOW + SECOND);
});

test("one overdue item does not hide the other due times", () => {
  expect(computeNextAlarm(NOW, [NOW + 60 * SECOND, NOW - SECOND])).toBe(NOW + SECOND);
});
