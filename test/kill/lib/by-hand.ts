import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareDatabase } from "../../../tools/lib/prepare.ts";
import type { KillOptions, KillResult } from "./counterpart-run.ts";

const CYCLES = 20;
const SEED_MAX = 2 ** 31;
/** The number of problems to print. */
const SHOWN_PROBLEMS = 40;

/** A kill test whose counterparts outlive the service: what it needs, and what it found. */
interface KillTest {
  /** In the name of its state directory. */
  name: string;
  /** Who outlives the service, as the last line says it. */
  counterparts: string;
  run: (options: KillOptions) => Promise<KillResult>;
}

/** Runs a kill test by hand, on a state of its own, and prints what it found. `CYCLES` and `SEED` are honoured. */
export async function runByHand({ name, counterparts, run }: KillTest): Promise<void> {
  const cycles = Number(process.env["CYCLES"] ?? CYCLES);
  const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * SEED_MAX));
  console.log(`seed ${seed}, ${cycles} cycles`);
  const stateDir = mkdtempSync(join(tmpdir(), `centavo-kill-${name}-`));
  await prepareDatabase(stateDir);
  const result = await run({ stateDir, seed, cycles, log: (line) => console.log(line) });
  for (const problem of result.problems.slice(0, SHOWN_PROBLEMS)) console.error(problem);
  const count = (what: string) => result.problems.filter((one) => one.startsWith(what)).length;
  console.log(
    `${cycles} cycles (seed ${seed}); acknowledged: ${listed(result.acknowledged)}; at the ${counterparts}: ` +
      `${listed(result.actionCounts)}; lost ${count("lost")}, doubled ${count("doubled")}, otherwise ` +
      `wrong ${count("wrong")}; ${result.contradictionCount} differences for a person to decide; ${result.seconds} s`,
  );
  if (result.problems.length > 0) process.exitCode = 1;
}

function listed(counts: Record<string, number>): string {
  return Object.entries(counts)
    .filter(([, times]) => times > 0)
    .map(([what, times]) => `${what} ${times}`)
    .join(", ");
}
