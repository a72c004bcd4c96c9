import { expect, it } from "vitest";
import { NEEDED } from "../lib/load.ts";
import { runKillTest } from "../lib/run.ts";
import { KILL_TIMEOUT_MS } from "../lib/limits.ts";
import { givenStateDir } from "../../e2e/state-dir.ts";

/** Determines the workers' requests and the number of responses before the kill. */
const SEED = 7;

// `npm run test:kill` does this twenty times on one state directory.
it(
  "kill -9 under load loses no acknowledged request, duplicates none, and every webhook arrives",
  async () => {
    const result = await runKillTest({
      stateDir: await givenStateDir("kill"),
      seed: SEED,
      cycles: 1,
      retryOnlyBySweep: false,
      killDuring: "requests",
      log: () => undefined,
    });
    expect(result.problems).toEqual([]);
    for (const kind of NEEDED) expect(result.acknowledged[kind], kind).toBeGreaterThan(0);
    expect(result.events).toBeGreaterThan(0);
  },
  KILL_TIMEOUT_MS,
);
