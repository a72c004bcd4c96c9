/** Whole PIX lives over HTTP: what CPU each takes, what bytes each leaves, and what a million cost. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startReceiver, type Receiver } from "../tools/lib/receiver.ts";
import { ROOT } from "../tools/lib/wrangler.ts";
import { rowsWritten, lifecycleTotal, type Counted } from "./lib/counted.ts";
import type { Findings, Table } from "./lib/goals.ts";
import { requestJson, createRequest, fund, payRequest, setEndpoint } from "./lib/merchant-load.ts";
import {
  billOf,
  gbSecondsOf,
  logEventsOf,
  queueOperationsOf,
  type BillLine,
} from "./lib/prices.ts";
import { cpuMs } from "./lib/process.ts";
import { sizesBelow, type Sizes } from "./lib/sqlite-size.ts";
import { startCentavo, type RunningWorker } from "./lib/worker.ts";

const DOLLARS_MAX = 30;
const BYTES_MAX = 4_000;
const LIFECYCLES = 5_000;
const QUICK_LIFECYCLES = 200;
/** Lives before it is measured, so that caches are warm and tables are not new. */
const WARM_UP_LIFECYCLES = 50;
/** Lives under way at once. */
const CONCURRENCY = 8;
const IDLE_MS = 3_000;
/** How long the last webhooks may take. */
const DELIVERY_MS = 60_000;
/** A create, a callback and the consumer's run: the most that a life can need. */
const WORKER_REQUESTS = 3;
/** Of the sandbox's bank, which stands for somebody else's storage. */
const BANK = /^d1\.(?:sqlite_autoindex_)?sandbox_/;

interface MeasuredLifecycles {
  lifecycleCount: number;
  cpuMsPerLifecycle: number;
  before: Sizes;
  after: Sizes;
}

export async function measureLifecycles(quick: boolean, counted: Counted): Promise<Findings> {
  const lived = await measureCpu(quick ? QUICK_LIFECYCLES : LIFECYCLES);
  const { lines, dollars } = billOf(quantitiesOf(counted, lived));
  const bytes = bytesPerLifecycle(lived);
  const total = [...bytes.values()].reduce((sum, each) => sum + each, 0);
  return {
    goals: [
      {
        name: "cost: USD per million PIX lives, Workers Logs included",
        bound: "at most",
        goal: DOLLARS_MAX,
        measured: Number(dollars.toFixed(2)),
      },
      {
        name: "storage: bytes per PIX life, D1 and object",
        bound: "at most",
        goal: BYTES_MAX,
        measured: Math.round(total),
        note: `over ${lived.lifecycleCount} whole lives`,
      },
    ],
    tables: [billTable(lines, dollars), bytesTable(bytes, total)],
  };
}

async function measureCpu(lifecycleCount: number): Promise<MeasuredLifecycles> {
  const centavo = await startCentavo({ queues: true });
  const receiver = await startReceiver();
  try {
    await fund(centavo);
    await setEndpoint(centavo, receiver.url);
    await runLifecycles(centavo, receiver, WARM_UP_LIFECYCLES);
    const before = sizesBelow(centavo.stateDir);
    const idle = await cpuWhile(centavo, () => new Promise((wake) => setTimeout(wake, IDLE_MS)));
    const busy = await cpuWhile(centavo, () => runLifecycles(centavo, receiver, lifecycleCount));
    const idleShare = idle.cpuMs / idle.wallMs;
    return {
      lifecycleCount,
      cpuMsPerLifecycle: (busy.cpuMs - idleShare * busy.wallMs) / lifecycleCount,
      before,
      after: sizesBelow(centavo.stateDir),
    };
  } finally {
    await centavo.stop();
    await receiver.close();
    centavo.remove();
  }
}

async function cpuWhile(
  { pid }: RunningWorker,
  work: () => Promise<unknown>,
): Promise<{ cpuMs: number; wallMs: number }> {
  const [cpuBefore, startedAt] = [cpuMs(pid), performance.now()];
  await work();
  return { cpuMs: cpuMs(pid) - cpuBefore, wallMs: performance.now() - startedAt };
}

/** Creates and pays so many, and waits until each one's event was delivered. */
async function runLifecycles(
  { port }: RunningWorker,
  receiver: Receiver,
  lifecycleCount: number,
): Promise<void> {
  const expected = receiver.received.length + lifecycleCount;
  let next = 0;
  const one = async () => {
    while (next < lifecycleCount) {
      next += 1;
      const created = await requestJson(port, createRequest(`tx_${randomUUID()}`));
      await requestJson(port, payRequest((created as { data: { id: string } }).data.id));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, one));
  await receiver.waitFor(() => receiver.received.length >= expected, DELIVERY_MS);
}

function quantitiesOf(
  { lifecycles, durations }: Counted,
  { cpuMsPerLifecycle }: MeasuredLifecycles,
) {
  const pix = lifecycleTotal(lifecycles.livePix);
  return {
    workerRequests: WORKER_REQUESTS,
    cpuMs: cpuMsPerLifecycle,
    d1RowsRead: pix.d1.read,
    d1RowsWritten: pix.d1.written,
    objectRequests: pix.objectCalls,
    objectGbSeconds: gbSecondsOf(durations.livePixObjectMs),
    objectRowsRead: pix.object.read,
    objectRowsWritten: rowsWritten(pix) - pix.d1.written,
    queueOperations: queueOperationsOf(pix.messages),
    logEvents: logEventsOf(
      pix.logLines,
      WORKER_REQUESTS + pix.objectCalls + pix.alarms,
      samplingRate(),
    ),
  };
}

/** Which share of invocations is logged, the most of all environments: 1 is all of them. */
function samplingRate(): number {
  const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
  const rates = [...config.matchAll(/^head_sampling_rate\s*=\s*([\d.]+)/gm)].map(([, rate]) =>
    Number(rate),
  );
  if (rates.length === 0) throw new Error("wrangler.toml does not say head_sampling_rate");
  return Math.max(...rates);
}

function billTable(lines: BillLine[], dollars: number): Table {
  return {
    title: "What a million PIX lives cost",
    prose:
      "Created, paid over a PSP, called back, delivered; by Cloudflare's prices (bench/lib/prices.ts), beyond " +
      "what the plan includes. CPU is all that workerd uses for a life in the sandbox, its D1, queues and HTTP " +
      "included, minus what it uses idle: more than is billed. The object's duration is the wall time of its " +
      "calls, measured in workerd over 30 lives. The consumer's run is counted as a request. An alarm that is set " +
      "is taken to fire. Storage is apart; so is the cron, which costs by the minute.",
    head: ["resource", "per life", "USD per million", "USD per million lives"],
    rows: [
      ...lines.map(({ unit, quantity, perMillion, dollars: each }) => [
        unit,
        quantity.toPrecision(4).replace(/\.?0+$/, ""),
        perMillion,
        each.toFixed(3),
      ]),
      ["all", "", "", dollars.toFixed(2)],
    ],
  };
}

/** By table and index, what a life added; the bank's left out. */
function bytesPerLifecycle({
  lifecycleCount,
  before,
  after,
}: MeasuredLifecycles): Map<string, number> {
  const grown = [...after]
    .filter(([name]) => !BANK.test(name))
    .map(([name, bytes]): [string, number] => [
      name,
      (bytes - (before.get(name) ?? 0)) / lifecycleCount,
    ])
    .filter(([, bytes]) => bytes !== 0);
  return new Map(grown.sort(([, a], [, b]) => b - a));
}

function bytesTable(bytes: Map<string, number>, total: number): Table {
  return {
    title: "Bytes per PIX life",
    prose:
      "Growth in whole pages by table and index over whole lives with typical payloads (payer with document, " +
      "e-mail, phone and address, one item, metadata of 40 characters, a key of 39), freelists and the sandbox's bank left out.",
    head: ["table or index", "bytes"],
    rows: [
      ...[...bytes].map(([name, each]): [string, number] => [name, Math.round(each)]),
      ["all", Math.round(total)],
    ],
  };
}
