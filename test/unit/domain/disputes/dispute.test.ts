import { expect, it } from "vitest";
import { deadlineOf, reasonOf } from "../../../../src/domain/disputes/dispute.ts";

const NOW = Date.UTC(2026, 10, 22, 12);
const WEEK_MS = 7 * 86_400_000;

it.each([
  ["MED_FRAUD", "OPEN", NOW + WEEK_MS],
  ["MED_OPERATIONAL_FAILURE", "OPEN", NOW + WEEK_MS],
  ["MED_AUTOMATIC_PIX", "OPEN", null],
  ["OTHER", "OPEN", null],
  ["CHARGEBACK", "LOST", null],
  ["MED_FRAUD", "LOST", null],
] as const)("the deadline of %s, %s, is %s where the provider gives none", (reason, status, at) => {
  expect(deadlineOf({ reason, status }, NOW)).toBe(at);
});

it("the provider's deadline counts before any other", () => {
  expect(deadlineOf({ reason: "MED_FRAUD", status: "OPEN", deadline: 5 }, NOW)).toBe(5);
});

it.each([
  ["CHARGEBACK", "MED_FRAUD", "CHARGEBACK"],
  ["DISPUTE", "MED_FRAUD", "MED_FRAUD"],
  ["DISPUTE", undefined, "OTHER"],
] as const)("a %s reported with %s is a %s", (kind, reported, reason) => {
  expect(reasonOf(kind, reported)).toBe(reason);
});
