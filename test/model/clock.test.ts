import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { TestClock } from "../support/fakes/clock.ts";
import { assertInvariants } from "../support/probes/ledger/invariants.ts";
import { lives, perform, stepsOf } from "./clock/acts.ts";
import { differencesOf } from "./clock/rows.ts";
import { Shop } from "../support/builders/companies/clocked-shop.ts";
import { settings } from "./property.ts";
import { silenceLogs } from "./silence-logs.ts";

let silencedLogs: ReturnType<typeof silenceLogs>;
beforeAll(() => {
  silencedLogs = silenceLogs();
});
afterAll(() => silencedLogs.undo());

it(`lives the same in jumps as in small steps, in ${settings.banksRuns} random lifecycles`, async () => {
  const begun = Date.now();
  const property = fc.asyncProperty(lives, async (life) => {
    const clock = new TestClock();
    const [jumping, stepping] = [await Shop.open(clock), await Shop.open(clock)];
    for (const { acts, wait } of life) {
      for (const act of acts) {
        expect(await perform(jumping, act)).toBe(await perform(stepping, act));
        // What happens at one millisecond goes by ids, which are random.
        clock.advance(1);
      }
      await jumping.wait(wait.seconds * 1_000);
      for (const ms of stepsOf(wait)) await stepping.wait(ms);
    }
    const differences = await differencesOf(jumping, stepping);
    if (differences.length > 0) throw new Error(differences.join("\n"));
    await assertInvariants();
  });
  const details = await fc.check(property, {
    numRuns: settings.banksRuns,
    seed: settings.seed,
    path: settings.path,
    includeErrorInReport: true,
    endOnFailure: true,
  });
  silencedLogs.say({
    seed: details.seed,
    runs: details.numRuns,
    seconds: Math.round((Date.now() - begun) / 1_000),
  });
  expect(details.failed, fc.defaultReportMessage(details) ?? "").toBe(false);
});
