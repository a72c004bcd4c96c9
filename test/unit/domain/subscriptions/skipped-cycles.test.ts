import { expect, test } from "vitest";
import { isSkipped, nextStep } from "../../../../src/domain/subscriptions/next-step.ts";
import { NO_DEBIT } from "../../../../src/domain/subscriptions/records.ts";
import {
  at,
  CYCLE,
  DAY,
  stateOf,
  SUBSCRIPTION,
} from "../../../support/builders/charges/subscription-state.ts";

const USELESS = { mandate: { ...SUBSCRIPTION.mandate, needsApproval: true as const } };
/** The last day on which the debit of 2026-12-10 can be ordered is the 8th. */
const OVER = at("2026-12-09", "00:00:00");

/** The step that opens the first cycle. */
const opened = (change: object) =>
  nextStep(
    {
      subscription: { ...SUBSCRIPTION, nextCycle: 1, ...change },
      mandateCheckedAt: at("2026-12-20"),
      cycles: [],
    },
    at("2026-12-04"),
  );

const madeAt = (createdAt: number) => ({ ...CYCLE, createdAt });

test("a cycle is opened with its order, or once that is over: in a pause, and with a useless mandate", () => {
  expect(opened({})).toEqual({
    kind: "open_cycle",
    at: at("2026-12-05", "00:00:00"),
    cycle: null,
  });
  expect(opened({ status: "paused" })?.at).toBe(OVER);
  expect(opened(USELESS)?.at).toBe(OVER);
});

test("a debit that a useless mandate would bring is only looked for, once its window is over", () => {
  const cycle = { debit: NO_DEBIT, checkedAt: null };

  expect(nextStep(stateOf(cycle), at("2026-12-06"))?.at).toBe(0);
  expect(nextStep(stateOf(cycle, USELESS), at("2026-12-06"))).toEqual({
    kind: "order_debit",
    at: OVER,
    cycle: 1,
  });
  // Its payer has a code for it until its day is over.
  const recovery = { byHand: { id: "other", secureRandom: "", isMade: true } };
  const day = at("2026-12-10", "23:59:59");
  expect(nextStep(stateOf({ ...cycle, recovery }, USELESS), at("2026-12-06"))?.at).toBe(day);
});

test("a debit that nobody has skips its cycle where it was opened too late, or its mandate was useless", () => {
  expect(isSkipped(SUBSCRIPTION, madeAt(OVER - 1))).toBe(false);
  expect(isSkipped(SUBSCRIPTION, madeAt(OVER))).toBe(true);
  expect(isSkipped({ ...SUBSCRIPTION, ...USELESS }, madeAt(OVER - DAY))).toBe(true);
});
