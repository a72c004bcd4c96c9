import { describe, expect, it } from "vitest";
import {
  dueSteps,
  FIRST_COPY,
  isRoundDue,
  newRound,
  ROUND_MS,
  shareOf,
  type ComparisonRound,
} from "../../../../src/domain/reconciliation/comparison-round.ts";

const AT = Date.parse("2026-11-20T12:00:00Z");
const begun = (changes: Partial<ComparisonRound> = {}): ComparisonRound => ({
  ...newRound(null, { rows: [999], events: 0 }, AT),
  ...changes,
});

it.each([
  ["nothing", [0, 0], 0, 1],
  ["one row", [1, 0], 0, 1],
  ["less than a full step", [99], 999, 1],
  ["a full step", [100], 0, 2],
  ["the longest kind", [100, 950, 3], 400, 10],
  ["many events", [10], 1_001, 2],
])("a round over %s takes as many steps as its longest kind", (_what, rows, events, steps) => {
  expect(newRound(null, { rows, events }, AT)).toMatchObject({
    steps,
    stepsDone: 0,
    after: FIRST_COPY,
  });
});

it("a new round repeats the steps that found something in the last one", () => {
  const faulty = [{ ...FIRST_COPY, afterSeq: 300 }];
  expect(newRound(begun({ faulty }), { rows: [1], events: 1 }, AT).faulty).toEqual(faulty);
});

describe("the pace", () => {
  it.each([
    [0, 0, 1],
    [0, 1, 0],
    [0.05, 1, 0],
    [0.1, 1, 1],
    [0.55, 1, 5],
    [0.999, 9, 1],
    [0.999, 10, 0],
  ])("after %f of the time and %i of 10 steps, %i are due", (part, stepsDone, due) => {
    expect(dueSteps(begun({ stepsDone }), AT + part * ROUND_MS)).toBe(due);
  });

  it("has no bound once the time is over, and takes nothing after the end", () => {
    expect(dueSteps(begun({ stepsDone: 12 }), AT + ROUND_MS)).toBe(Number.POSITIVE_INFINITY);
    expect(dueSteps(begun({ endedAt: AT }), AT + 2 * ROUND_MS)).toBe(0);
  });

  it("begins a round when the last one's time is over, and never while one runs", () => {
    expect(isRoundDue(null, AT)).toBe(true);
    expect(isRoundDue(begun(), AT + 2 * ROUND_MS)).toBe(false);
    expect(isRoundDue(begun({ endedAt: AT }), AT + ROUND_MS - 1)).toBe(false);
    expect(isRoundDue(begun({ endedAt: AT }), AT + ROUND_MS)).toBe(true);
    expect(isRoundDue(begun(), AT - 1)).toBe(true);
  });
});

it.each([
  [begun(), 0],
  [begun({ stepsDone: 4 }), 0.4],
  [begun({ stepsDone: 10 }), 10 / 11],
  [begun({ stepsDone: 30 }), 30 / 31],
  [begun({ stepsDone: 10, endedAt: AT }), 1],
])("a round's share is 1 only at its end", (round, share) => {
  expect(shareOf(round)).toBeCloseTo(share);
});
