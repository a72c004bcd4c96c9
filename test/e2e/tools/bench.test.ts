import { expect, it } from "vitest";
import { CEILINGS } from "../../worker/costs/ceilings.ts";
import { runScript } from "./run-tool.ts";

/** A minute alone; beside all other services several. */
const BENCH_MS = 600_000;

interface Goal {
  name: string;
  goal: number;
  measured: number | "not measured" | null;
}

/** A part's first goal or table; each part has one. */
const SIGNS_OF_PARTS = [
  "storage trips in sequence: get",
  "cost: USD per million PIX lifecycles",
  "open work: rows read, difference",
  "memory: MB that a search",
  "throughput: create",
  "single tenant: withdraws a second",
  "year by the clock: CPU",
  "Profile: create",
  "start: CPU to the first answer",
];
const COUNTED = /^(?:storage trips|calls to D1|rows|open work: rows)/;
/** Measured only where PostgreSQL is installed. */
const BESIDE_POSTGRES = /^single tenant/;
/** Counted in the suite only. */
const OF_SUITE = /: refund over a PSP/;

it(
  "the bench runs all its parts, and what it counts costs no more than in the suite",
  async () => {
    const { status, stdout, stderr } = await runScript("bench/main.ts", ["--smoke", "--json"]);
    expect(status, stderr).toBe(0);
    for (const sign of SIGNS_OF_PARTS) expect(stdout).toContain(sign);
    const printed = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as { goals: Goal[] };
    const goals = printed.goals.map(({ name, goal, measured }) => ({
      name: name.replace(/ \(at \w+\)$/, ""),
      goal,
      measured,
    }));
    const unmeasured = goals.filter(({ measured }) => typeof measured !== "number");
    expect(unmeasured.filter(({ name }) => !BESIDE_POSTGRES.test(name))).toEqual([]);
    const counted = goals.filter(({ name }) => COUNTED.test(name));
    expect(counted.map(({ name }) => name)).toEqual(
      expect.arrayContaining(Object.keys(CEILINGS).filter((name) => !OF_SUITE.test(name))),
    );
    const dearer = counted.filter(
      ({ name, goal, measured }) => !(Number(measured) <= (CEILINGS[name] ?? goal)),
    );
    expect(dearer).toEqual([]);
  },
  BENCH_MS,
);
