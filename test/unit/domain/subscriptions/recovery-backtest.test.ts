import { expect, test } from "vitest";
import {
  backtestRetries,
  TRIED_MIN,
} from "../../../../src/domain/subscriptions/reports/recovery-backtest.ts";

const outcomes = [
  { daysAfter: 1, tried: 100, paid: 30 },
  { daysAfter: 3, tried: TRIED_MIN, paid: 5 },
  { daysAfter: 5, tried: TRIED_MIN - 1, paid: 19 },
];
const recoveredOf = (policy: number[], failed = 120) =>
  backtestRetries(policy, failed, outcomes).map(({ recovered }) => recovered);

test("each day recovers its own rate of what is unpaid before it", () => {
  expect(recoveredOf([1, 3])).toEqual([36, 36 + 21]);
  expect(recoveredOf([3])).toEqual([30]);
  expect(recoveredOf([1], 0)).toEqual([0]);
});

test("whole cycles are counted, rounded down", () => {
  expect(recoveredOf([1], 9)).toEqual([2]);
});

test("nothing is said from the first day on that was tried too seldom", () => {
  expect(recoveredOf([5])).toEqual([null]);
  expect(recoveredOf([1, 5])).toEqual([36, null]);
  expect(recoveredOf([2, 3])).toEqual([null, null]);
});
