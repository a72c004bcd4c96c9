/**
 * `npm run test:soak`: thousands of random lives, by both properties of the model test, in parts that
 * run two at a time and each have a seed of their own. Says how far it is after each part.
 * `MODEL_RUNS` lives in all; after a stop `SEED` and `FROM`, which it prints, go on with the part that
 * comes next. Exits 1 at the first part that finds a difference, with the seed that finds it again.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { ROOT } from "../lib/root.ts";

const RUNS = 10_000;
/** Lives of one part: some minutes, of which the start of the runtime is little. */
const PART_RUNS = 250;
/** One for each core of a small machine. */
const CONCURRENCY = 2;
const SEED_MAX = 2 ** 31;
const TESTS = ["test/model/model.test.ts", "test/model/bank-agreement.test.ts"];
/** Enough of what a part printed to see the life that went wrong. */
const SHOWN_CHARS = 8_000;

const runs = Number(process.env["MODEL_RUNS"] ?? RUNS);
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * (SEED_MAX - RUNS)));
const from = Number(process.env["FROM"] ?? 1);
const parts = Math.ceil(runs / PART_RUNS);
const begun = Date.now();
let next = from;
let completedRuns = 0;
let failed = false;
console.log(`${runs} lives in ${parts} parts, seed ${seed}, from part ${from}`);
await Promise.all(Array.from({ length: CONCURRENCY }, work));
const seconds = Math.round((Date.now() - begun) / 1_000);
console.log(
  `${failed ? "a difference was found" : "no difference"}; ${completedRuns} lives, ${seconds} s`,
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
      `part ${part} of ${parts}: ${verdict}; ${completedRuns} lives so far, ` +
        `${Math.round((Date.now() - begun) / 1_000)} s (go on by SEED=${seed} FROM=${part})`,
    );
  }
}

/** One part. `printed` says which life went wrong. */
async function runPart(part: number): Promise<{ code: number | null; printed: string }> {
  const child = spawn(
    join(ROOT, "node_modules/.bin/vitest"),
    ["run", "--project=model", "--silent=false", ...TESTS],
    {
      cwd: ROOT,
      env: { ...process.env, MODEL_RUNS: String(PART_RUNS), MODEL_SEED: String(seed + part) },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const printed: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => printed.push(chunk));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  return { code, printed: Buffer.concat(printed).toString("utf8") };
}
