/** `npm run simulate`: where the first queue builds up at 10, 1,000 and 100,000 payments a second. */
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

/** The plan of docs/scale.md for each rate, and seconds to simulate. */
const PLANS = [
  { perSecond: 10, seconds: 600, databases: 1, objects: 1, queues: 1 },
  { perSecond: 1_000, seconds: 20, databases: 29, objects: 10, queues: 1 },
  { perSecond: 100_000, seconds: 2, databases: 2_860, objects: 1_000, queues: 40 },
];

type Size = Pick<(typeof PLANS)[number], "databases" | "objects" | "queues">;

function stationsOf({ databases, objects, queues }: Size): Station[] {
  return [
    { name: "databases", instances: databases, servers: 1 },
    { name: "objects", instances: objects, servers: 1 },
    { name: "webhook queues", instances: queues, servers: 1 },
    { name: "consumers", instances: queues, servers: CONSUMER_INVOCATIONS * CONSUMER_BATCH },
    { name: "PSP", instances: 1, servers: Infinity },
  ];
}

function rowOf(perSecond: number, { name, instances, load, meanWaitMs, p99WaitMs }: StationReport) {
  const waits = load >= 1 ? ["grows", "grows"] : [meanWaitMs.toFixed(1), p99WaitMs.toFixed(1)];
  const parts = [perSecond.toLocaleString("en"), name, instances.toLocaleString("en")];
  return `| ${[...parts, `${Math.round(load * 100)} %`, ...waits].join(" | ")} |`;
}

console.log("| lives a second | station | instances | utilisation | mean wait, ms | 99 %, ms |");
console.log("| --- | --- | --- | --- | --- | --- |");
const ends: string[] = [];
for (const { perSecond, seconds, ...size } of PLANS) {
  const reports = simulate(stationsOf(size), LIFE, { perSecond, seconds, seed: SEED });
  const queues = reports.filter(({ name }) => name !== "PSP");
  for (const report of queues) console.log(rowOf(perSecond, report));
  const first = firstQueue(queues);
  if (first !== undefined) {
    const most = Math.floor(perSecond / first.load).toLocaleString("en");
    ends.push(
      `${perSecond.toLocaleString("en")}: first at the ${first.name}, full at ${most} lives a second`,
    );
  }
}
console.log(`\n${ends.join("\n")}`);
