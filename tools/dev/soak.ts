/**
 * `npm run test:soak`: thousands of random lives of the model test, and for each eight one with banks and one by
 * the clock, in parts of 250 lives, two parts at a time, each with its own seed. Prints its progress after each part.
 * `MODEL_RUNS` sets the number of lives; `SEED` and `FROM`, which it prints, resume a stopped soak. Exits
 * with 1 at the first part that finds a difference, and prints the seed that reproduces it.
 */
import { runVitest } from "../lib/vitest-run.ts";

const RUNS = 10_000;
/** Lives of one part: some minutes, so that starting the runtime costs little. */
const PART_RUNS = 250;
/** Parts at a time: one for each core of a small machine. */
const CONCURRENCY = 2;
const SEED_MAX = 2 ** 31;
const TESTS = [
  "test/model/model.test.ts",
  "test/model/bank-agreement.test.ts",
  "test/model/clock.test.ts",
];
/** The end of a failed part's output, which shows the failed run. */
const SHOWN_CHARS = 8_000;

const runs = Number(process.env["MODEL_RUNS"] ?? RUNS);
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * (SEED_MAX - RUNS)));
const from = Number(process.env["FROM"] ?? 1);
const parts = Math.ceil(runs / PART_RUNS);
const startedAt = Date.now();
let next = from;
let completedRuns = 0;
let failed = false;
console.log(`${runs} runs in ${parts} parts, seed ${seed}, from part ${from}`);
await Promise.all(Array.from({ length: CONCURRENCY }, work));
console.log(
  `${failed ? "the model differs" : "no difference"}; ${completedRuns} runs, ${secondsSince(startedAt)} s`,
);
if (failed) process.exitCode = 1;

async function work(): Promise<void> {
  while (next <= parts && !failed) {
    const part = next;
    next += 1;
    const { code, printed } = await runPart(part);
    if (code === 0) completedRuns += PART_RUNS;
    else {
      failed = true;
      console.error(printed.slice(-SHOWN_CHARS));
    }
    const verdict = code === 0 ? "no difference" : `failed: MODEL_SEED=${seed + part}`;
    console.log(
      `part ${part} of ${parts}: ${verdict}; ${completedRuns} runs so far, ` +
        `${secondsSince(startedAt)} s (resume with SEED=${seed} FROM=${part})`,
    );
  }
}

function secondsSince(time: number): number {
  return Math.round((Date.now() - time) / 1_000);
}

/** Runs one part. `printed` shows the run that failed. */
function runPart(part: number): Promise<{ code: number | null; printed: string }> {
  return runVitest(["--project=model", ...TESTS], {
    MODEL_RUNS: String(PART_RUNS),
    MODEL_SEED: String(seed + part),
  });
}
