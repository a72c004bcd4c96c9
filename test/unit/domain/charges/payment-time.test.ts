import { expect, it } from "vitest";
import { usedPaymentTime } from "../../../../src/domain/charges/payment-time.ts";

const DAY_MS = 24 * 60 * 60_000;
const NOW = Date.parse("2026-11-21T15:00:00Z");

it("a PSP's time counts from a year back to a day ahead", () => {
  for (const said of [NOW, NOW + DAY_MS, NOW - 365 * DAY_MS])
    expect(usedPaymentTime(said, NOW)).toBe(said);
});

it("beyond that the time of booking counts", () => {
  for (const said of [NOW + DAY_MS + 1, NOW - 365 * DAY_MS - 1, 0, Date.parse("9999-01-01")])
    expect(usedPaymentTime(said, NOW)).toBe(NOW);
});
