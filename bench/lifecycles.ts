/** Runs PIX lifecycles over HTTP: CPU and bytes of each, and the cost of a million. */
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
import type { Size } from "./lib/size.ts";
import { sizesBelow, type Sizes } from "./lib/sqlite-size.ts";
import { startCentavo, type RunningWorker } from "./lib/worker.ts";

const DOLLARS_MAX = 30;
const BYTES_MAX = 4_000;
const LIFECYCLES: Record<Size, number> = { full: 5_000, quick: 200, smoke: 8 };
/** Lifecycles before the measurement, so that caches are warm and tables are not empty. */
const WARM_UP_LIFECYCLES: Record<Size, number> = { full: 50, quick: 50, smoke: 8 };
/** Lifecycles at once. */
const CONCURRENCY = 8;
const IDLE_MS = 3_000;
/** The longest wait for the last webhooks. */
const DELIVERY_MS = 60_000;
/** A create, a callback and the consumer's run: the most for one lifecycle. */
const WORKER_REQUESTS = 3;
/** Tables of the sandbox bank, which stands for another company's storage. */
const BANK = /^d1\.(?:sqlite_autoindex_)?sandbox_/;

interface MeasuredLifecycles {
  lifecycleCount: number;
  cpuMsPerLifecycle: number;
  before: Sizes;
  after: Sizes;
}

export async function measureLifecycles(size: Size, counted: Counted): Promise<Findings> {
  const measured = await measureCpu(LIFECYCLES[size], WARM_UP_LIFECYCLES[size]);
  const { lines, dollars } = billOf(quantitiesOf(counted, measured));
  const bytes = bytesPerLifecycle(measured);
  const total = [...bytes.values()].reduce((sum, each) => sum + each, 0);
  return {
    goals: [
      {
        name: "cost: USD per million PIX lifecycles, Workers Logs included",
        bound: "at most",
        goal: DOLLARS_MAX,
        measured: Number(dollars.toFixed(2)),
      },
      {
        name: "storage: bytes per PIX lifecycle, D1 and object",
        bound: "at most",
        goal: BYTES_MAX,
        measured: Math.round(total),
        note: `over ${measured.lifecycleCount} lifecycles`,
      },
    ],
    tables: [billTable(lines, dollars), bytesTable(bytes, total)],
  };
}

async function measureCpu(
  lifecycleCount: number,
  warmUpCount: number,
): Promise<MeasuredLifecycles> {
  const centavo = await startCentavo({ queues: true });
  const receiver = await startReceiver();
  try {
    await fund(centavo);
    await setEndpoint(centavo, receiver.url);
    await runLifecycles(centavo, receiver, warmUpCount);
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

/** Creates and pays charges, and waits until all their events are delivered. */
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
    archiveWrites: pix.archiveWrites,
    logEvents: logEventsOf(
      pix.logLines,
      WORKER_REQUESTS + pix.objectCalls + pix.alarms,
      samplingRate(),
    ),
  };
}

/** The share of logged invocations (0 to 1), the highest of all environments. */
function samplingRate(): number {
  const config = readFileSync(join(ROOT, "wrangler.toml"), "utf8");
  const rates = [...config.matchAll(/^head_sampling_rate\s*=\s*([\d.]+)/gm)].map(([, rate]) =>
    Number(rate),
  );
  if (rates.length === 0) throw new Error("wrangler.toml has no head_sampling_rate");
  return Math.max(...rates);
}

function billTable(lines: BillLine[], dollars: number): Table {
  return {
    title: "Cost of a million PIX lifecycles",
    prose:
      "Created, paid over a PSP, called back, delivered; at Cloudflare's prices (bench/lib/prices.ts), beyond " +
      "the plan's allowance. CPU is workerd's total for a lifecycle in the sandbox (D1, queues and HTTP included) " +
      "minus its idle CPU, which is more than is billed. The object's duration is the wall time of its calls, " +
      "measured in workerd over 30 lifecycles. The consumer's run counts as a request, and each alarm set counts " +
      "as fired. Storage, of D1, objects and archive, and the cron, which costs by the minute, are not included.",
    head: ["resource", "per lifecycle", "USD per million", "USD per million lifecycles"],
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

/** Bytes that a lifecycle adds to each table and index, without the sandbox bank's. */
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
    title: "Bytes per PIX lifecycle",
    prose:
      "Growth of each table and index in whole pages, with typical payloads (payer with document, e-mail, phone " +
      "and address, one item, metadata of 40 characters, a key of 39), without freelists and the sandbox bank.",
    head: ["table or index", "bytes"],
    rows: [
      ...[...bytes].map(([name, each]): [string, number] => [name, Math.round(each)]),
      ["all", Math.round(total)],
    ],
  };
}
