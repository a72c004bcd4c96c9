import { expect, it } from "vitest";
import {
  completePass,
  newPass,
  nextWindow,
} from "../../../../src/domain/reconciliation/reconciliation.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = 1_795_350_278_999;

it("the oldest pass still reads a payment that is returned on the last possible day", () => {
  const quarter = { list: "payments", pass: "last_quarter" } as const;
  const ended = completePass(newPass(quarter, { from: 0, windowMs: DAY_MS }, NOW), NOW);
  const paidAt = NOW - 90 * DAY_MS;
  const begunAt = ended.nextRunAt + HOUR_MS;
  expect(nextWindow(ended, 0, begunAt)!.from).toBeLessThanOrEqual(paidAt);
  expect(nextWindow(ended, paidAt + DAY_MS, begunAt)!.from).toBe(paidAt + DAY_MS);
});
