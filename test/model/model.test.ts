import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ledgerMatchesModel, settings } from "./property.ts";
import { silenceLogs } from "./silence-logs.ts";

let silencedLogs: ReturnType<typeof silenceLogs>;
beforeAll(() => {
  silencedLogs = silenceLogs();
});
afterAll(() => silencedLogs.undo());

it(`matches the reference model after every step in ${settings.runs} random lifecycles`, async () => {
  const tally = new Map<string, number>();
  const begun = Date.now();
  const details = await fc.check(ledgerMatchesModel(tally, {}, settings.replayPath), {
    numRuns: settings.runs,
    seed: settings.seed,
    path: settings.path,
    includeErrorInReport: true,
  });
  silencedLogs.say({
    seed: details.seed,
    runs: details.numRuns,
    seconds: Math.round((Date.now() - begun) / 1_000),
    commands: [...tally.values()].reduce((sum, times) => sum + times, 0),
    byKind: Object.fromEntries([...tally].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  });
  expect(details.failed, fc.defaultReportMessage(details) ?? "").toBe(false);
});
