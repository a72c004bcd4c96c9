import { expect, test } from "vitest";
import { exponentialBackoffMs } from "../../../src/lib/backoff.ts";
import { forAll } from "../../support/builders/requests/property.ts";

test("the delay doubles with every attempt up to its limit", () => {
  const waits = [0, 1, 2, 3, 4, 5, 6, 7].map((attempts) =>
    exponentialBackoffMs(attempts, 1_000, 60_000),
  );
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
});

test("the delay stays within its limits and never shrinks, after any number of attempts", () => {
  forAll(300, (random) => {
    const base = random.integer(1, 10_000);
    const limit = random.integer(base, 10 ** 9);
    const attempts = random.pick([random.integer(0, 40), random.integer(0, 10 ** 9)]);
    const wait = exponentialBackoffMs(attempts, base, limit);
    expect(wait).toBeGreaterThanOrEqual(base);
    expect(wait).toBeLessThanOrEqual(limit);
    expect(exponentialBackoffMs(attempts + 1, base, limit)).toBeGreaterThanOrEqual(wait);
  });
});
