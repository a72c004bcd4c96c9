import { describe, expect, it } from "vitest";
import { goalsJson, holds, NOT_MEASURED, worstOf, type Goal } from "../../bench/lib/goals.ts";
import { between, goalLines, markdownOf } from "../../bench/lib/report.ts";

const REACHED: Goal = { name: "rows", bound: "at most", goal: 5, measured: 5 };
const MISSED: Goal = {
  name: "ratio",
  bound: "at least",
  goal: 0.85,
  measured: 0.8,
  spread: [0.7, 0.9],
};
const UNKNOWN: Goal = { name: "peer", bound: "at least", goal: 2, measured: NOT_MEASURED };

describe("a goal", () => {
  it("holds up to its bound, and not where it was not measured", () => {
    expect([REACHED, MISSED, UNKNOWN].map(holds)).toEqual([true, false, false]);
  });

  it("of several is the worst of them, by name", () => {
    expect(worstOf("pages", 5, { first: 3, last: 7, middle: 4 })).toMatchObject({
      measured: 7,
      note: "the most: last",
    });
  });
});

it("the JSON has the four fields of each goal, numbers where they are numbers", () => {
  expect(JSON.parse(goalsJson([REACHED, MISSED, UNKNOWN]))).toEqual({
    goals: [
      { name: "rows (at most)", goal: 5, measured: 5, holds: true },
      { name: "ratio (at least)", goal: 0.85, measured: 0.8, holds: false },
      { name: "peer (at least)", goal: 2, measured: "not measured", holds: false },
    ],
  });
});

describe("the report", () => {
  const run = { commit: "abc1234", about: "Full", command: "npm run bench" };

  it("replaces what stands between its markers, and nothing else", () => {
    const text = "before\n<!-- bench: begin -->\nold\n<!-- bench: end -->\nafter\n";
    const once = between(text, "new");
    expect(once).toBe("before\n<!-- bench: begin -->\n\nnew\n\n<!-- bench: end -->\nafter\n");
    expect(between(once, "new")).toBe(once);
  });

  it("is not written where there is no place for it", () => {
    expect(() => between("no markers", "new")).toThrow("are not in the report");
  });

  it("says of each goal what was measured, how far it spread, by which commit and how", () => {
    const report = markdownOf(run, { goals: [REACHED, MISSED], tables: [] });
    expect(report).toContain("Full. 1 of 2 goals hold.");
    expect(report).toContain(
      "| ratio | at least 0.85 | 0.8 | **no** |  | 0.941 | 0.7 to 0.9 | `abc1234` | `npm run bench` |",
    );
  });

  it("marks for a terminal what does not hold", () => {
    expect(goalLines([REACHED, MISSED])).toBe(
      "holds   rows: 5, at most 5\nMISSED  ratio: 0.8 [0.7 to 0.9], at least 0.85",
    );
  });
});
