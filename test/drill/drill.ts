/**
 * `npm run drill [-- --json] [--only d1_back,queue_down]`: injects each fault of the runbook into a local service of its
 * own, acts by the page's commands, and prints when its alarm came, when it was over, and whether the money is right.
 * Real time, all side by side. `npm run drill -- --night [--seed 7]`: six faults, one after the other in random order, at
 * one service; with `--by-hand` a person on call sees only the alarms and types which fault it is, before the drill acts.
 * The first service listens at PORT, if nothing answers there, and the others at free ports. STATE_DIR is
 * the folder in which each service's folder is made and deleted. Exits with 1 if a fault was not found, did not end, or
 * money is not right.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ROOT } from "../../tools/lib/root.ts";
import { fail } from "../../tools/lib/operator-client.ts";
import { FAULTS } from "./faults/all.ts";
import { OnCall } from "./lib/on-call.ts";
import { runAll, runNight } from "./lib/run.ts";
import { isMastered, type Played } from "./lib/play.ts";

const SEED_MAX = 2 ** 31;
/** The columns of times, by what they are called. */
const TIMES = [
  ["alarm after", "alarmAfterSeconds"],
  ["understood after", "understoodAfterSeconds"],
  ["resolved after", "resolvedAfterSeconds"],
] as const;

const { values: options } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    only: { type: "string" },
    night: { type: "boolean", default: false },
    "by-hand": { type: "boolean", default: false },
    seed: { type: "string" },
  },
});
if (options["by-hand"] && !options.night) fail("--by-hand needs --night.");
const chosen = chosenFaults();
const folder = stateFolder();
const place = { stateDir: folder, port: await portIfFree() };
const startedAt = Date.now();
/** What the drill did: told only at the end where a person must find it out. */
const lines: string[] = [];
const onCall = options["by-hand"] ? personOnCall() : undefined;
const log = onCall === undefined ? console.error : (line: string) => void lines.push(line);
try {
  const played = options.night
    ? await runNight(chosen, { ...place, seed: seedOf(), log, onCall })
    : await runAll(chosen, { ...place, log });
  for (const line of lines) console.error(line);
  if (options.json) console.log(JSON.stringify(played, null, 2));
  else print(played);
  if (!played.every(isMastered)) process.exitCode = 1;
} finally {
  onCall?.close();
  rmSync(folder, { recursive: true, force: true });
}

function personOnCall(): OnCall {
  const names = FAULTS.map((make) => make().name);
  return new OnCall(process.stdin, names, console.error);
}

function chosenFaults() {
  if (options.only === undefined) return FAULTS;
  const names = options.only.split(",");
  const known = FAULTS.map((make) => make().name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) fail(`Unknown: ${unknown.join(", ")}. There are ${known.join(", ")}.`);
  return FAULTS.filter((make) => names.includes(make().name));
}

function stateFolder(): string {
  const given = process.env["STATE_DIR"];
  const parent = given === undefined ? tmpdir() : resolve(process.env["INIT_CWD"] ?? ROOT, given);
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, "drill-"));
}

/** PORT; undefined if something answers there, which is left alone: a drill takes databases back in time. */
async function portIfFree(): Promise<number | undefined> {
  const port = Number(process.env["PORT"] ?? 8787);
  const answer = await fetch(`http://localhost:${port}/health`).catch(() => null);
  await answer?.arrayBuffer();
  if (answer === null) return port;
  console.error(`A service answers at ${port}. It is left alone: the drill starts others.`);
  return undefined;
}

function seedOf(): number {
  return Number(options.seed ?? Math.floor(Math.random() * SEED_MAX));
}

/** `6 min 18 s`; `-` for what did not happen. */
function duration(seconds: number | null): string {
  if (seconds === null) return "-";
  const minutes = Math.floor(seconds / 60);
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`;
}

function print(played: Played[]): void {
  console.log(
    `${["fault".padEnd(30), ...TIMES.map(([title]) => title.padEnd(18))].join("")}money right`,
  );
  for (const { fault, moneyRight, ...seconds } of played) {
    const times = TIMES.map(([, name]) => duration(seconds[name]).padEnd(18));
    console.log(`${fault.padEnd(30)}${times.join("")}${moneyRight ? "yes" : "NO"}`);
  }
  const minutes = Math.round((Date.now() - startedAt) / 60_000);
  console.log(`${played.filter(isMastered).length} of ${played.length}, ${minutes} min`);
}
