/**
 * `npm run test:kill-houses`: a live company sells at two houses that outlive the service. The service is killed with -9
 * under load twenty times while notices are lost, doubled and late. At the end houses and ledger must agree to the
 * centavo; otherwise it exits 1. `CYCLES` and `SEED` are honoured.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareDatabase } from "../../tools/lib/prepare.ts";
import { runHousesKillTest } from "./houses/run.ts";

const CYCLES = 20;
const SEED_MAX = 2 ** 31;
/** The number of problems to print. */
const SHOWN_PROBLEMS = 40;

const cycles = Number(process.env["CYCLES"] ?? CYCLES);
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * SEED_MAX));
console.log(`seed ${seed}, ${cycles} cycles`);
const stateDir = mkdtempSync(join(tmpdir(), "centavo-kill-houses-"));
await prepareDatabase(stateDir);
const result = await runHousesKillTest({
  stateDir,
  seed,
  cycles,
  log: (line) => console.log(line),
});
for (const problem of result.problems.slice(0, SHOWN_PROBLEMS)) console.error(problem);
const count = (what: string) => result.problems.filter((one) => one.startsWith(what)).length;
const listed = (counts: Record<string, number>) =>
  Object.entries(counts)
    .filter(([, times]) => times > 0)
    .map(([what, times]) => `${what} ${times}`)
    .join(", ");
console.log(
  `${cycles} cycles (seed ${seed}); acknowledged: ${listed(result.acknowledged)}; at the houses: ` +
    `${listed(result.actionCounts)}; lost ${count("lost")}, doubled ${count("doubled")}, otherwise ` +
    `wrong ${count("wrong")}; ${result.contradictionCount} differences for a person to decide; ${result.seconds} s`,
);
if (result.problems.length > 0) process.exitCode = 1;
