/**
 * `npm run fuzz`: random requests against the OpenAPI document, in parts of 5,000 with a new database and a
 * seed each, two parts at a time. `FUZZ_REQUESTS` sets the number of requests, `FUZZ_SEED` the first part's
 * seed. Exits with 1 if a part finds a fault, and prints the requests and the seed that repeats them.
 */
import { runVitest } from "../lib/vitest-run.ts";

const REQUESTS = 100_000;
/** A part's database stays small, so that comparing the companies' rows costs little. */
const PART_REQUESTS = 5_000;
/** Parts at a time: one for each core of a small machine. */
const CONCURRENCY = 2;
const SEED_MAX = 2 ** 31;
/** The end of a failed part's output, which shows the faults. */
const SHOWN_CHARS = 30_000;
/** The line that a part prints about its answers. */
const REPORT = /^\{"seed":.*\}$/m;

const requests = Number(process.env["FUZZ_REQUESTS"] ?? REQUESTS);
const seed = Number(process.env["FUZZ_SEED"] ?? Math.floor(Math.random() * (SEED_MAX - REQUESTS)));
const parts = Math.ceil(requests / PART_REQUESTS);
const startedAt = Date.now();
const statuses: Record<string, number> = {};
let next = 0;
let failures = 0;
console.log(`${requests} requests in ${parts} parts, FUZZ_SEED=${seed}`);
await Promise.all(Array.from({ length: CONCURRENCY }, work));
console.log(`statuses: ${JSON.stringify(statuses)}`);
const seconds = Math.round((Date.now() - startedAt) / 1_000);
console.log(`${failures === 0 ? "no fault" : `${failures} parts with faults`}, ${seconds} s`);
if (failures > 0) process.exitCode = 1;

async function work(): Promise<void> {
  while (next < parts) {
    const part = next;
    next += 1;
    await runPart(part);
  }
}

async function runPart(part: number): Promise<void> {
  const size = Math.min(PART_REQUESTS, requests - part * PART_REQUESTS);
  const variables = { FUZZ_REQUESTS: String(size), FUZZ_SEED: String(seed + part) };
  const { code, printed } = await runVitest(
    ["--project=fuzz", "test/fuzz/fuzz.test.ts"],
    variables,
  );
  const report = REPORT.exec(printed)?.[0];
  const counts = report === undefined ? {} : (JSON.parse(report) as { statuses: object }).statuses;
  for (const [status, count] of Object.entries(counts)) {
    statuses[status] = (statuses[status] ?? 0) + Number(count);
  }
  const repeat = `FUZZ_REQUESTS=${size} FUZZ_SEED=${seed + part} npm run fuzz`;
  console.log(`part ${part + 1} of ${parts}: ${code === 0 ? "no fault" : `failed: ${repeat}`}`);
  if (code === 0) return;
  failures += 1;
  console.error(printed.slice(-SHOWN_CHARS));
}
