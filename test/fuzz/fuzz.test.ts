import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { silenceLogs } from "../model/silence-logs.ts";
import { Fuzz } from "./fuzz.ts";

const { requests, seed } = (env as unknown as { FUZZ: { requests: number; seed: number } }).FUZZ;

/** Many operations need what no fuzzed company has: a live one, a PSP, a second operator. */
const REFUSED_MAX = 0.6;

let silencedLogs: ReturnType<typeof silenceLogs>;
beforeAll(() => {
  silencedLogs = silenceLogs();
});
afterAll(() => silencedLogs.undo());

it(`answers ${requests} valid and broken requests as documented, and keeps the companies apart (seed ${seed})`, async () => {
  const startedAt = Date.now();
  const { faults, ...report } = await new Fuzz(seed).run(requests);
  silencedLogs.say({ seed, ...report, faults: faults.length, ms: Date.now() - startedAt });
  expect(faults, `FUZZ_SEED=${seed}`).toEqual([]);
  // A run that is refused everywhere proves little.
  if (requests >= 2_000)
    expect(report.neverSucceeded.length).toBeLessThan(report.operations * REFUSED_MAX);
});
