import { expect, it } from "vitest";
import { isPossibleTime } from "../../../../src/providers/calls/told-time.ts";

const DAY_MS = 86_400_000;
const SINCE = Date.parse("2026-11-10T12:00:00Z");
const NOW = Date.parse("2026-11-30T12:00:00Z");
const bounds = { since: SINCE, nowMs: NOW };

it.each([
  [SINCE - DAY_MS - 1, false],
  [SINCE - DAY_MS, true],
  [NOW, true],
  [NOW + DAY_MS, true],
  [NOW + DAY_MS + 1, false],
  [Date.parse("0001-01-01T00:00:00Z"), false],
  [Date.parse("9999-12-31T23:59:59Z"), false],
])("a payment of the time %d can have been made: %s", (at, isPossible) => {
  expect(isPossibleTime(at, bounds, null)).toBe(isPossible);
});

it("one of a charge that is older than its account may be as old as that", () => {
  const madeAt = SINCE - 30 * DAY_MS;
  const chargeId = madeAt.toString(16).padStart(12, "0") + "8".padEnd(20, "0");
  expect(isPossibleTime(madeAt - DAY_MS, bounds, chargeId)).toBe(true);
  expect(isPossibleTime(madeAt - DAY_MS - 1, bounds, chargeId)).toBe(false);
  const younger = NOW.toString(16).padStart(12, "0") + "8".padEnd(20, "0");
  expect(isPossibleTime(SINCE, bounds, younger)).toBe(true);
});
