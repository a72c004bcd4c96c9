import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { banksMatchLedger } from "./agreement/property.ts";
import { companiesShareTheBank } from "./agreement/shared-client.ts";
import { settings } from "./property.ts";
import { silenceLogs } from "./silence-logs.ts";

let silencedLogs: ReturnType<typeof silenceLogs>;
beforeAll(() => {
  silencedLogs = silenceLogs();
});
afterAll(() => silencedLogs.undo());

it.each([
  ["finds every centavo within a month", "two unreliable banks", banksMatchLedger],
  ["credits no payment twice", "two companies behind one client of a PSP", companiesShareTheBank],
])(`%s in ${settings.banksRuns} random lifecycles with %s`, async (_what, _with, property) => {
  const tally = new Map<string, number>();
  const begun = Date.now();
  const details = await fc.check<any>(property(tally), {
    numRuns: settings.banksRuns,
    seed: settings.seed,
    path: settings.path,
    includeErrorInReport: true,
  });
  silencedLogs.say({
    seed: details.seed,
    runs: details.numRuns,
    seconds: Math.round((Date.now() - begun) / 1_000),
    byKind: Object.fromEntries([...tally].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  });
  expect(details.failed, fc.defaultReportMessage(details) ?? "").toBe(false);
});
