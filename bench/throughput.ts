/**
 * Requests a second, in turn with baseline Workers that do only the same storage work. Uses a folder in
 * memory if there is one: waiting for a disk would hide the difference.
 */
import { tmpdir } from "node:os";
import { MEMORY, syncTime } from "./lib/disk.ts";
import type { Findings, Goal, Table } from "./lib/goals.ts";
import { runLoad, type Request } from "./lib/load.ts";
import {
  requestJson,
  COMPANY,
  createRequest,
  fund,
  getRequest,
  TYPICAL_PAYMENT,
  withdrawRequest,
} from "./lib/merchant-load.ts";
import { median, spreadOf } from "./lib/stats.ts";
import { startCentavo, startBaseline, type RunningWorker } from "./lib/worker.ts";

const CONNECTIONS = 8;
/** The minimum ratio of each endpoint to its baseline. */
const RATIO_MIN = {
  create: 0.75,
  withdraw: 0.75,
  get: 0.6,
  status: 0.6,
  list: 0.6,
  balance: 0.6,
};
type Name = keyof typeof RATIO_MIN;
const NAMES = Object.keys(RATIO_MIN) as Name[];

interface Scale {
  repeats: number;
  durationMs: number;
}

const FULL: Scale = { repeats: 7, durationMs: 2_000 };
const QUICK: Scale = { repeats: 3, durationMs: 700 };

/** Centavo's request and the baseline's for one endpoint. `name` is unique per repeat. */
interface Endpoint {
  ours: (name: string) => Request;
  baseline: (name: string) => Request;
}

interface Measured {
  ours: number[];
  baseline: number[];
  ratios: number[];
}

export async function measureThroughput(quick: boolean): Promise<Findings> {
  const scale = quick ? QUICK : FULL;
  const below = MEMORY ?? tmpdir();
  const workers: RunningWorker[] = [];
  try {
    const centavo = await started(workers, startCentavo({ below }));
    const baseline = await started(workers, startBaseline("storage", below));
    const bare = await started(workers, startBaseline("bare", below));
    const endpoints = await endpointsOf(centavo, baseline);
    const measured = Object.fromEntries(
      NAMES.map((name) => [name, { ours: [], baseline: [], ratios: [] }]),
    ) as unknown as Record<Name, Measured>;
    const bareFigures: number[] = [];
    for (let repeat = -1; repeat < scale.repeats; repeat++) {
      for (const name of NAMES) {
        const run = `${name}-${repeat}`;
        const figures = await abba(centavo, baseline, endpoints[name], run, scale.durationMs);
        // The first round only warms both up.
        if (repeat >= 0) addFigures(measured[name], figures);
      }
      const alone = await runLoad({
        port: bare.port,
        connections: CONNECTIONS,
        durationMs: scale.durationMs,
        request: () => ({ method: "POST", path: "/", body: JSON.stringify(TYPICAL_PAYMENT) }),
      });
      if (repeat >= 0) bareFigures.push(alone.perSecond);
    }
    return {
      goals: NAMES.map((name) => goalOf(name, measured[name])),
      tables: [tableOf(measured, bareFigures, syncTime(below))],
    };
  } finally {
    await Promise.all(workers.map((worker) => worker.stop()));
    for (const worker of workers) worker.remove();
  }
}

async function started(
  workers: RunningWorker[],
  starting: Promise<RunningWorker>,
): Promise<RunningWorker> {
  const worker = await starting;
  workers.push(worker);
  return worker;
}

async function endpointsOf(
  centavo: RunningWorker,
  baseline: RunningWorker,
): Promise<Record<Name, Endpoint>> {
  const id = await fund(centavo);
  await requestJson(baseline.port, { method: "POST", path: "/setup" });
  await requestJson(baseline.port, to("/create", createRequest("first")));
  const { id: baselineId } = (await requestJson(baseline.port, {
    method: "GET",
    path: "/newest",
  })) as {
    id: string;
  };
  return {
    create: {
      ours: (name) => createRequest(name),
      baseline: (name) => to("/create", createRequest(name)),
    },
    withdraw: {
      ours: (name) => withdrawRequest(name),
      baseline: (name) => to("/withdraw", withdrawRequest(name)),
    },
    get: reads(`/api/Transaction/transactionByTransactionId/${id}`, `/get/${baselineId}`),
    list: reads("/api/Transaction/company/transactions?pageSize=20", "/list"),
    balance: reads(`/api/Balance/balance/${COMPANY}?currency=BRL`, "/balance"),
    status: reads(`/api/checkout/status/${id}`, `/status/${baselineId}`),
  };
}

function reads(ours: string, theirs: string): Endpoint {
  return { ours: () => getRequest(ours), baseline: () => getRequest(theirs) };
}

/** The same request, at the baseline's path. */
function to(path: string, request: Request): Request {
  return { ...request, path };
}

/** Measures ours, baseline, baseline, ours: a machine that slows down then slows both equally. */
async function abba(
  centavo: RunningWorker,
  baseline: RunningWorker,
  endpoint: Endpoint,
  name: string,
  durationMs: number,
): Promise<{ ours: number; baseline: number }> {
  const half = (worker: RunningWorker, request: (name: string) => Request, part: string) =>
    runLoad({
      port: worker.port,
      connections: CONNECTIONS,
      durationMs: durationMs / 2,
      request: (number) => request(`${name}-${part}-${number}`),
    });
  const first = await half(centavo, endpoint.ours, "a");
  const second = await half(baseline, endpoint.baseline, "b");
  const third = await half(baseline, endpoint.baseline, "c");
  const fourth = await half(centavo, endpoint.ours, "d");
  for (const { done, statuses } of [first, second, third, fourth]) {
    if (done === 0) throw new Error(`${name}: ${JSON.stringify(statuses)}`);
  }
  return {
    ours: (first.perSecond + fourth.perSecond) / 2,
    baseline: (second.perSecond + third.perSecond) / 2,
  };
}

function addFigures(
  measured: Measured,
  { ours, baseline }: { ours: number; baseline: number },
): void {
  measured.ours.push(ours);
  measured.baseline.push(baseline);
  measured.ratios.push(ours / baseline);
}

function goalOf(name: Name, { ours, baseline, ratios }: Measured): Goal {
  return {
    name: `throughput: ${name}, ratio to its baseline Worker`,
    bound: "at least",
    goal: RATIO_MIN[name],
    measured: median(ratios),
    spread: spreadOf(ratios),
    baseline: median(baseline),
    note: `${median(ours).toFixed(0)} of ${median(baseline).toFixed(0)} requests a second`,
  };
}

function shown(figures: number[]): string {
  const [least, most] = spreadOf(figures);
  return `${median(figures).toFixed(0)} (${least.toFixed(0)} to ${most.toFixed(0)})`;
}

function tableOf(measured: Record<string, Measured>, bare: number[], syncMs: number): Table {
  return {
    title: "Throughput",
    prose:
      `Requests a second over ${CONNECTIONS} connections, median and spread; ours and the baseline in turn, where a sync ` +
      `takes ${syncMs.toFixed(2)} ms. ` +
      `A bare Hono Worker that echoes the body of a create: ${shown(bare)}. Queue messages are sent but not consumed.`,
    head: ["endpoint", "ours", "baseline", "ratio"],
    rows: Object.entries(measured).map(([name, { ours, baseline, ratios }]) => [
      name,
      shown(ours),
      shown(baseline),
      median(ratios),
    ]),
  };
}
