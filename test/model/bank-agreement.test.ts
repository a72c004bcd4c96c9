import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { banksAgree } from "./agreement/property.ts";
import { settings } from "./property.ts";
import { quietly } from "./quiet.ts";

let quiet: ReturnType<typeof quietly>;
beforeAll(() => {
  quiet = quietly();
});
afterAll(() => quiet.undo());

it(`in ${settings.banksRuns} random lives with two banks, whatever they do not say, every centavo is found within a month`, async () => {
  const tally = new Map<string, number>();
  const begun = Date.now();
  const details = await fc.check(banksAgree(tally), {
    numRuns: settings.banksRuns,
    seed: settings.seed,
    path: settings.path,
    includeErrorInReport: true,
  });
  quiet.say({
    seed: details.seed,
    runs: details.numRuns,
    seconds: Math.round((Date.now() - begun) / 1_000),
    byKind: Object.fromEntries([...tally].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  });
  expect(details.failed, fc.defaultReportMessage(details) ?? "").toBe(false);
});
