/**
 * `npm run test:kill`: kills the real service with -9 under mixed load, twenty times on one state
 * directory, and then checks that nothing was lost or duplicated. `npm run test:kill-delivery`:
 * the same ten times, with webhooks open at a slow receiver that rejects some. `CYCLES` and
 * `SEED` are honoured. Exits 1 on any problem. `test/kill/kill-psp.ts` includes the PSP.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runKillTest } from "./lib/run.ts";

const CYCLES = { requests: 20, deliveries: 10 };
const SEED_MAX = 2 ** 31;
/** The number of problems to print. */
const SHOWN_PROBLEMS = 40;

const amid = process.argv[2] === "deliveries" ? "deliveries" : "requests";
const cycles = Number(process.env["CYCLES"] ?? CYCLES[amid]);
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * SEED_MAX));
console.log(`seed ${seed}, ${cycles} cycles`);

const result = await runKillTest({
  stateDir: mkdtempSync(join(tmpdir(), "centavo-kill-")),
  seed,
  cycles,
  retryOnlyBySweep: amid === "requests",
  killDuring: amid,
  log: (line) => console.log(line),
});
for (const problem of result.problems.slice(0, SHOWN_PROBLEMS)) console.error(problem);
const count = (what: string) => result.problems.filter((one) => one.startsWith(what)).length;
const kinds = Object.entries(result.acknowledged).map(([kind, many]) => `${kind} ${many}`);
console.log(
  `${cycles} cycles (seed ${seed}); acknowledged: ${kinds.join(", ")}; lost ${count("lost")}, ` +
    `doubled ${count("doubled")}, otherwise wrong ${count("wrong")}; ${result.events} events ` +
    `delivered in ${result.posts} posts (${result.rejections} refused, ${result.repeats} again after ` +
    `a kill); ${result.seconds} s`,
);
if (amid === "deliveries") {
  console.log(`webhooks open at the kills: ${result.openAtKills.join(", ")}`);
}
if (result.problems.length > 0) process.exitCode = 1;
