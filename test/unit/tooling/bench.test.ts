import { describe, expect, it } from "vitest";
import { goalsJson, isMet, NOT_MEASURED, worstOf, type Goal } from "../../../bench/lib/goals.ts";
import {
  billOf,
  gbSecondsOf,
  logEventsOf,
  PRICES,
  queueOperationsOf,
} from "../../../bench/lib/prices.ts";
import { goalLines, markdownOf } from "../../../bench/lib/report.ts";
import { GcTrace, largestIsolate } from "../../../bench/lib/gc-trace.ts";
import {
  openWorkFindings,
  MEASURED_CALLS,
  OPEN_WORK,
  type CountedOpenWork,
  type MeasuredCall,
  type SpeedPair,
} from "../../../bench/lib/open-work.ts";
import { selfTimes } from "../../../bench/lib/profiles.ts";
import { median, percentile, spreadOf } from "../../../bench/lib/stats.ts";
import type { Reads } from "../../../bench/lib/counted.ts";
import { readGoals } from "../../../bench/lib/counted-goals.ts";
import { cloneSql, CLONES_MAX, rangesOf } from "../../../bench/workerd/counters/clones.ts";

/** Rows read by each kind of list, with `read` rows for the newest events. */
function reads(read: number): Reads {
  return {
    pages: { "events, newest": { limit: 100, read } },
    indexed: { "by ids": { limit: 100, read: 100 } },
    searches: {},
    figures: { "first page": { limit: 100, read: 9 } },
    get: 4,
  };
}

function ofEachCall<Value>(value: Value): Record<MeasuredCall, Value> {
  return Object.fromEntries(MEASURED_CALLS.map((call) => [call, value])) as Record<
    MeasuredCall,
    Value
  >;
}

function frame(functionName: string, url: string, lineNumber: number) {
  return { functionName, url, lineNumber, columnNumber: 0 };
}

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
  it("holds up to its bound and does not hold when it was not measured", () => {
    expect([REACHED, MISSED, UNKNOWN].map(isMet)).toEqual([true, false, false]);
  });

  it("of several figures uses the worst of them and names it", () => {
    expect(worstOf("pages", 5, { first: 3, last: 7, middle: 4 })).toMatchObject({
      measured: 7,
      note: "the most: last",
    });
  });
});

it("the JSON has four fields for each goal, with numbers as numbers", () => {
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

  it("shows each goal's figure, spread, commit and command", () => {
    const report = markdownOf(run, { goals: [REACHED, MISSED], tables: [] });
    expect(report).toContain("Full. 1 of 2 goals hold.");
    expect(report).toContain(
      "| ratio | at least 0.85 | 0.8 | **no** |  | 0.941 | 0.7 to 0.9 | `abc1234` | `npm run bench` |",
    );
  });

  it("marks the missed goals in the terminal", () => {
    expect(goalLines([REACHED, MISSED])).toBe(
      "holds   rows: 5, at most 5\nMISSED  ratio: 0.8 [0.7 to 0.9], at least 0.85",
    );
  });
});

describe("the bill", () => {
  const nothing = {
    workerRequests: 0,
    cpuMs: 0,
    d1RowsRead: 0,
    d1RowsWritten: 0,
    objectRequests: 0,
    objectGbSeconds: 0,
    objectRowsRead: 0,
    objectRowsWritten: 0,
    queueOperations: 0,
    archiveWrites: 0,
    logEvents: 0,
  };

  it("of a million lifecycles is the use of one times the price of a million", () => {
    const { lines, dollars } = billOf({ ...nothing, workerRequests: 3, d1RowsWritten: 7 });
    expect(lines).toHaveLength(Object.keys(PRICES).length);
    expect(lines[0]).toEqual({
      unit: PRICES.workerRequests.unit,
      quantity: 3,
      perMillion: 0.3,
      dollars: expect.closeTo(0.9),
    });
    expect(dollars).toBeCloseTo(7.9);
  });

  it("counts object time at 128 MB, and a message three times", () => {
    expect(gbSecondsOf(1_000)).toBe(0.128);
    expect(queueOperationsOf(2)).toBe(6);
  });

  it("counts a log event for each sampled line and invocation", () => {
    expect(logEventsOf(2, 6, 1)).toBe(8);
    expect(logEventsOf(2, 6, 0.5)).toBe(4);
  });
});

describe("figures of several runs", () => {
  it("use the median", () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 9, 2])).toBe(3);
    expect(() => median([])).toThrow("an empty list");
  });

  it("show the minimum and maximum as their spread", () => {
    expect(spreadOf([5, 1, 9])).toEqual([1, 9]);
  });

  it("have a percentile that does not exceed any of them", () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
    expect([percentile(hundred, 0.5), percentile(hundred, 0.99)]).toEqual([50, 99]);
  });
});

describe("history", () => {
  it("is written in consecutive chunks without gaps", () => {
    expect(rangesOf(11, 10)).toEqual([]);
    expect(rangesOf(11, CLONES_MAX + 20)).toEqual([
      { first: 11, last: CLONES_MAX + 10 },
      { first: CLONES_MAX + 11, last: CLONES_MAX + 20 },
    ]);
  });

  it("copies every column of a row except the ones that identify the copy", () => {
    const cloning = { table: "events", template: "n0 = 1", changed: { seq: "n" } };
    expect(cloneSql(cloning, ["seq", "body"], 2, 9)).toContain(
      "INSERT INTO events (seq, body)\n    SELECT n, body FROM numbers",
    );
  });

  it("that makes a page more expensive is a difference, and the goal names the page", () => {
    const goals = readGoals({ 1000: reads(101), 100000: reads(140) });
    expect(goals.find(({ name }) => name.includes("difference"))).toMatchObject({
      measured: 39,
      note: "the most: events, newest",
    });
    expect(goals.find(({ name }) => name === "rows read: page of 100, events")?.measured).toBe(140);
  });
});

function at(rows: number, alarmRows: number) {
  return { calls: ofEachCall({ least: rows, most: rows + 3 }), alarmRows };
}

function speeds(open: number): Record<MeasuredCall, SpeedPair[]> {
  return ofEachCall<SpeedPair[]>([{ none: 100, open }]);
}

describe("open work", () => {
  const counted = {
    rows: Object.fromEntries(OPEN_WORK.map((kind) => [kind, { 0: at(10, 60), 1000: at(10, 60) }])),
    speeds: { there: speeds(100), away: speeds(80) },
  } as unknown as CountedOpenWork;

  it("must not cost a row and is measured by its most expensive call", () => {
    expect(openWorkFindings(counted).goals.filter(isMet)).toHaveLength(OPEN_WORK.length + 1);
    counted.rows["open charges"] = {
      0: at(10, 60),
      1000: { calls: { ...at(10, 60).calls, pay: { least: 10, most: 1_013 } }, alarmRows: 60 },
    };
    expect(openWorkFindings(counted).goals).toContainEqual({
      name: "open work: rows read, difference between none and many open charges",
      bound: "at most",
      goal: 0,
      measured: 1_000,
      note: "the most: pay",
    });
  });

  it("is measured by the state that slows a call most", () => {
    const speed = openWorkFindings(counted).goals.find(({ name }) =>
      name.includes("withdraws a second"),
    );
    expect(speed).toMatchObject({ measured: 0.8, spread: [0.8, 0.8], note: "away" });
  });
});

it("the GC trace reads the heap size of each isolate and ignores other lines", () => {
  const trace = new GcTrace();
  trace.add("[7:0x1a]   154 ms: Mark-Compact 8.6 (9.6) -> 7.7 (9.3) MB, pooled: 0.0 MB, 19.43 ms");
  trace.add("[7:0x2b]   160 ms: Mark-Compact 3.0 (4.9) -> 1.8 (4.8) MB, pooled: 0.5 MB, 2.45 ms");
  trace.add('{"level":"info","event":"request"}');
  const heapSizes = trace.takeHeapSizes();
  expect([...heapSizes]).toEqual([
    ["0x1a", [7.7]],
    ["0x2b", [1.8]],
  ]);
  expect(largestIsolate(heapSizes)).toBe("0x1a");
  expect(trace.takeHeapSizes().size).toBe(0);
});

it("a profile counts a function once for each sample on its stack, without idle samples", () => {
  const profile = {
    nodes: [
      { id: 1, callFrame: frame("(idle)", "", 0) },
      { id: 2, callFrame: frame("parse", "file:///script-0.mjs", 7) },
      { id: 3, callFrame: frame("parse", "file:///script-0.mjs", 7) },
      { id: 4, callFrame: frame("", "cloudflare-internal:d1-api", 3) },
    ],
    samples: [1, 2, 3, 1, 4],
  };
  expect(selfTimes(profile, (line) => `src/a.ts:${line}`)).toEqual([
    { name: "parse", where: "src/a.ts:7", samples: 2 },
    { name: "(anonymous)", where: "cloudflare-internal:d1-api", samples: 1 },
  ]);
});
