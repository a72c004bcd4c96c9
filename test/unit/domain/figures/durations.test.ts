import { expect, it } from "vitest";
import {
  bucketOf,
  countOf,
  cumulativeBuckets,
  durationsSince,
  NO_DURATIONS,
  quantileOf,
  withDuration,
} from "../../../../src/domain/figures/durations.ts";

const durationsOf = (...each: number[]) => each.reduce(withDuration, NO_DURATIONS);

it.each([
  [0, "0.05"],
  [50, "0.05"],
  [51, "0.1"],
  [10_000, "10"],
  [10_001, "+Inf"],
])("%i ms are in the bucket %s", (durationMs, bucket) => {
  expect(bucketOf(durationMs)).toBe(bucket);
});

it("buckets are cumulative, and the last one counts all", () => {
  const durations = durationsOf(40, 250, 60_000);
  expect(durations.totalMs).toBe(60_290);
  expect(countOf(durations)).toBe(3);
  const counts = cumulativeBuckets(durations);
  expect(counts.find(({ bound }) => bound === "0.2")?.count).toBe(1);
  expect(counts.find(({ bound }) => bound === "0.3")?.count).toBe(2);
  expect(counts.at(-1)).toEqual({ bound: "+Inf", count: 3 });
});

it("a quantile lies between its bucket's bounds, in proportion", () => {
  const durations = durationsOf(...Array.from({ length: 4 }, () => 150));
  expect(quantileOf(durations, 0.5)).toBeCloseTo(0.15);
  expect(quantileOf(durations, 1)).toBeCloseTo(0.2);
});

it("a quantile beyond the last bound is that bound, and of nothing there is none", () => {
  expect(quantileOf(durationsOf(60_000), 0.95)).toBe(10);
  expect(quantileOf(NO_DURATIONS, 0.95)).toBeNull();
});

it("what came since an earlier state is counted, even if that one is from another counter", () => {
  const before = durationsOf(40);
  expect(durationsSince(durationsOf(40, 250), before)).toEqual({
    totalMs: 250,
    buckets: { "0.05": 0, "0.3": 1 },
  });
  expect(countOf(durationsSince(NO_DURATIONS, before))).toBe(0);
});
