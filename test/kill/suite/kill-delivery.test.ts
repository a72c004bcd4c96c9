import { expect, it } from "vitest";
import { runKillTest } from "../lib/run.ts";
import { KILL_TIMEOUT_MS } from "../lib/limits.ts";
import { givenStateDir } from "../../e2e/state-dir.ts";

/** Determines the workers' requests and the number of open webhooks at the kill. */
const SEED = 11;

// `npm run test:kill-delivery` does this ten times on one state directory.
it(
  "kill -9 during deliveries loses no webhook and repeats each only under its webhook-id",
  async () => {
    const result = await runKillTest({
      stateDir: await givenStateDir("kill"),
      seed: SEED,
      cycles: 1,
      retryOnlyBySweep: false,
      killDuring: "deliveries",
      log: () => undefined,
    });
    expect(result.problems).toEqual([]);
    const { create, pay, refund, dispute, withdraw } = result.acknowledged;
    const { events, rejections } = result;
    for (const many of [create, pay, refund, dispute, withdraw, events, rejections]) {
      expect(many).toBeGreaterThan(0);
    }
  },
  KILL_TIMEOUT_MS,
);
