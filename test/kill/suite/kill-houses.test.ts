import { expect, it } from "vitest";
import { NEEDED, NEEDED_ACTS } from "../houses/load.ts";
import { HousesKillRun } from "../houses/run.ts";
import { KILL_TIMEOUT_MS } from "../lib/limits.ts";
import { givenStateDir } from "../../e2e/state-dir.ts";

/** Determines the requests, the houses' acts and the notices' fates. */
const SEED = 7;

// `npm run test:kill-houses` does this twenty times on one state directory.
it(
  "houses and ledger agree to the centavo after a kill during lost, doubled and late notices",
  async () => {
    const result = await new HousesKillRun({
      stateDir: await givenStateDir("kill-houses"),
      seed: SEED,
      cycles: 1,
      log: () => undefined,
    }).result();
    expect(result.problems).toEqual([]);
    for (const kind of NEEDED) expect(result.acknowledged[kind], kind).toBeGreaterThan(0);
    for (const act of NEEDED_ACTS) expect(result.actionCounts[act], act).toBeGreaterThan(0);
  },
  KILL_TIMEOUT_MS,
);
