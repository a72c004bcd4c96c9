import { describe, expect, test } from "vitest";
import {
  canTransitionWithdraw,
  WITHDRAW_STATUSES,
} from "../../../../src/domain/withdraws/withdraw-status.ts";

/** The transitions of docs/states.md, written out again: all others are forbidden. */
const ALLOWED_TRANSITIONS = new Set([
  "Awaiting -> Processing",
  "Awaiting -> Cancelled",
  "Processing -> Paid",
  "Processing -> Failed",
  "Paid -> Returned",
]);

const EVERY_PAIR = WITHDRAW_STATUSES.flatMap((from) =>
  WITHDRAW_STATUSES.map((to) => ({
    from,
    to,
    allowed: ALLOWED_TRANSITIONS.has(`${from} -> ${to}`),
  })),
);

describe("a withdraw follows the transition table", () => {
  test.each(EVERY_PAIR.filter((pair) => pair.allowed))("$from may become $to", ({ from, to }) => {
    expect(canTransitionWithdraw(from, to)).toBe(true);
  });

  test.each(EVERY_PAIR.filter((pair) => !pair.allowed))(
    "$from never becomes $to",
    ({ from, to }) => {
      expect(canTransitionWithdraw(from, to)).toBe(false);
    },
  );

  test("every allowed transition is between known statuses", () => {
    expect(EVERY_PAIR.filter((pair) => pair.allowed)).toHaveLength(ALLOWED_TRANSITIONS.size);
  });
});
