/**
 * `npm run simulate`: what 10, 1,000 and 100,000 payments a second need by the bench's figures, and where the first queue
 * builds up. `-- --write` writes docs/generated/scale.md.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lifeOf, planOf, type Plan } from "./lib/plan.ts";
import { tableOf } from "./lib/report.ts";
import {
  firstQueue,
  simulate,
  type Station,
  type StationReport,
  type Visit,
} from "./lib/queueing.ts";

/** Assumed times at D1 (docs/scale.md): a batch that writes, and one that only reads. */
const D1_WRITE_MS = 3;
const D1_READ_MS = 0.5;
/** An object writes 500 times a second (platform: 200 to 500; 1,527 withdraws a second were measured locally). */
const OBJECT_WRITE_MS = 2;
const OBJECT_CALL_MS = 0.5;
/** A queue carries 5,000 messages a second (the platform's limit). */
const QUEUE_MS = 0.2;
/** An invocation of the consumer: it reads the delivery and takes a permit; sending does not hold it. */
const CONSUMER_MS = 15;
const CONSUMER_INVOCATIONS = 250;
const CONSUMER_BATCH = 5;
/** A PSP's answer. */
const PSP_MS = 200;
const SEED = 20_261_123;

const d1 = (ms: number): Visit => ({ station: "databases", ms });
const object = (ms: number): Visit => ({ station: "objects", ms });
const psp: Visit = { station: "PSP", ms: PSP_MS };

/** A PIX created, paid over a PSP, announced and delivered: 8 batches of D1, 3 calls to the object, a message. */
const LIFE: Visit[] = [
  d1(D1_READ_MS),
  d1(D1_WRITE_MS),
  psp,
  d1(D1_WRITE_MS),
  d1(D1_READ_MS),
  psp,
  object(OBJECT_WRITE_MS),
  d1(D1_WRITE_MS),
  object(OBJECT_WRITE_MS),
  { station: "webhook queues", ms: QUEUE_MS },
  { station: "consumers", ms: CONSUMER_MS },
  d1(D1_READ_MS),
  object(OBJECT_CALL_MS),
  d1(D1_WRITE_MS),
  d1(D1_READ_MS),
];

/** Lives a second, and seconds to simulate. */
const RATES = [
  { perSecond: 10, seconds: 600 },
  { perSecond: 1_000, seconds: 20 },
  { perSecond: 100_000, seconds: 2 },
];

const ROOT = join(import.meta.dirname, "..");
const BENCH = join(ROOT, "docs/generated/bench.md");
const REPORT = join(ROOT, "docs/generated/scale.md");

function stationsOf({ databases, objects, queues }: Plan): Station[] {
  return [
    { name: "databases", instances: databases, servers: 1 },
    { name: "objects", instances: objects, servers: 1 },
    { name: "webhook queues", instances: queues, servers: 1 },
    { name: "consumers", instances: queues, servers: CONSUMER_INVOCATIONS * CONSUMER_BATCH },
    { name: "PSP", instances: 1, servers: Infinity },
  ];
}

/** A number with its thousands separated; three digits are enough. */
function shown(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 1 });
}

const gigabytes = (bytes: number) => `${shown(bytes / 1e9)} GB`;

const PLANNED: [name: string, of: (plan: Plan) => string][] = [
  ["lives a month (30 days)", ({ lives }) => `${shown(lives / 1e6)} million`],
  ["databases for the traffic", ({ databases }) => shown(databases)],
  ["D1's growth a month", ({ d1Bytes }) => gigabytes(d1Bytes)],
  ["databases for a month's rows", ({ databasesFilled }) => shown(databasesFilled)],
  ["companies' objects for the traffic, at least", ({ objects }) => shown(objects)],
  ["objects' growth a month", ({ objectBytes }) => gigabytes(objectBytes)],
  ["objects for a month's rows, at least", ({ objectsFilled }) => shown(objectsFilled)],
  ["webhook queues", ({ queues }) => shown(queues)],
  ["USD a month, without storage", ({ dollars }) => shown(dollars)],
  ["storage of a month's rows, USD a month", ({ storageDollars }) => shown(storageDollars)],
];

function stationRow({ perSecond }: Plan, report: StationReport): string[] {
  const { name, instances, load, meanWaitMs, p99WaitMs } = report;
  const waits = load >= 1 ? ["grows", "grows"] : [meanWaitMs.toFixed(1), p99WaitMs.toFixed(1)];
  return [shown(perSecond), name, shown(instances), `${Math.round(load * 100)} %`, ...waits];
}

const life = lifeOf(readFileSync(BENCH, "utf8"));
const stationRows: string[][] = [];
const ends: string[] = [];
const plans = RATES.map(({ perSecond, seconds }) => {
  const plan = planOf(perSecond, life);
  const reports = simulate(stationsOf(plan), LIFE, { perSecond, seconds, seed: SEED });
  const queues = reports.filter(({ name }) => name !== "PSP");
  stationRows.push(...queues.map((report) => stationRow(plan, report)));
  const first = firstQueue(queues);
  if (first !== undefined) {
    const most = shown(Math.floor(perSecond / first.load));
    ends.push(`- ${shown(perSecond)} a second: first at the ${first.name}, full at ${most}.`);
  }
  return plan;
});
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
  cwd: ROOT,
  encoding: "utf8",
});
const report = `# Scale figures

Written by \`npm run simulate -- --write\` at commit ${commit.trim()}. [scale.md](../scale.md) says what each figure means.
A lifecycle takes ${shown(life.d1Bytes)} bytes in D1, ${shown(life.objectBytes)} in the object, and USD ${life.dollars} a million without storage
([bench.md](bench.md), commit ${life.commit}).

## Totals

${tableOf({
  head: ["", ...plans.map(({ perSecond }) => `${shown(perSecond)} a second`)],
  rows: PLANNED.map(([name, of]) => [name].concat(plans.map(of))),
})}

## Simulated

${tableOf({
  head: ["lives a second", "station", "instances", "utilisation", "mean wait, ms", "99 %, ms"],
  rows: stationRows,
})}

Where the first queue builds up:

${ends.join("\n")}
`;
console.log(report);
if (process.argv.includes("--write")) writeFileSync(REPORT, report);
