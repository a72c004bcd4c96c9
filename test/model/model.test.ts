import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { booksFollowTheModel, settings } from "./property.ts";
import { quietly } from "./quiet.ts";

let quiet: ReturnType<typeof quietly>;
beforeAll(() => {
  quiet = quietly();
});
afterAll(() => quiet.undo());

it(`in ${settings.runs} random lives of a company, its books are the model's after every step`, async () => {
  const tally = new Map<string, number>();
  const begun = Date.now();
  const details = await fc.check(booksFollowTheModel(tally, {}, settings.replayPath), {
    numRuns: settings.runs,
    seed: settings.seed,
    path: settings.path,
    includeErrorInReport: true,
  });
  quiet.say({
    seed: details.seed,
    runs: details.numRuns,
    seconds: Math.round((Date.now() - begun) / 1_000),
    commands: [...tally.values()].reduce((sum, times) => sum + times, 0),
    byKind: Object.fromEntries([...tally].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  });
  expect(details.failed, fc.defaultReportMessage(details) ?? "").toBe(false);
});
