import { expect, it } from "vitest";
import { NEEDED } from "../psp/load.ts";
import { PspKillRun } from "../psp/run.ts";
import { KILL_TIMEOUT_MS } from "../lib/limits.ts";
import { givenStateDir } from "../../e2e/state-dir.ts";

/** Determines the requests, the banks' actions and the callbacks' fates. */
const SEED = 11;

// `npm run test:kill-psp` does this twenty times on one state directory.
it(
  "banks and ledgers agree to the centavo after a kill during lost, duplicated and late callbacks",
  async () => {
    const result = await new PspKillRun({
      stateDir: await givenStateDir("kill-psp"),
      seed: SEED,
      cycles: 1,
      log: () => undefined,
    }).result();
    expect(result.problems).toEqual([]);
    for (const kind of NEEDED) expect(result.acknowledged[kind], kind).toBeGreaterThan(0);
    const { pay, "pay with a due date": due, "callback lost": lost } = result.actionCounts;
    for (const many of [pay, due, lost]) expect(many).toBeGreaterThan(0);
  },
  KILL_TIMEOUT_MS,
);
