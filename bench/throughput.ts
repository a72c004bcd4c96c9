/**
 * CPU time and requests a second, in turn with baseline Workers that do only the same storage work. Uses a
 * folder in memory if there is one: waiting for a disk would hide the difference.
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
import { cpuMs } from "./lib/process.ts";
import { median, spreadOf } from "./lib/stats.ts";
import type { Size } from "./lib/size.ts";
import { startCentavo, startBaseline, type RunningWorker } from "./lib/worker.ts";

const CONNECTIONS = 8;
/** The minimum of the baseline's CPU time to ours, a call of each endpoint. */
const RATIO_MIN = {
  create: 0.7,
  withdraw: 0.95,
  get: 0.9,
  status: 0.65,
  list: 0.65,
  balance: 0.68,
};
type Name = keyof typeof RATIO_MIN;
const NAMES = Object.keys(RATIO_MIN) as Name[];

interface Scale {
  repeats: number;
  durationMs: number;
}

const SCALES: Record<Size, Scale> = {
  full: { repeats: 7, durationMs: 2_000 },
  quick: { repeats: 3, durationMs: 700 },
  smoke: { repeats: 1, durationMs: 60 },
};

/** Centavo's request and the baseline's for one endpoint. `name` is unique per repeat. */
interface Endpoint {
  ours: (name: string) => Request;
  baseline: (name: string) => Request;
}

/** What one Worker did in one repeat. */
interface Figures {
  perSecond: number;
  /** CPU time of its whole process, ms a call. */
  cpuMs: number;
}

interface Measured {
  ours: Figures[];
  baseline: Figures[];
}

export async function measureThroughput(size: Size): Promise<Findings> {
  const scale = SCALES[size];
  const below = MEMORY ?? tmpdir();
  const workers: RunningWorker[] = [];
  try {
    const centavo = await started(workers, startCentavo({ below }));
    const baseline = await started(workers, startBaseline("storage", below));
    const bare = await started(workers, startBaseline("bare", below));
    const endpoints = await endpointsOf(centavo, baseline);
    const measured = Object.fromEntries(
      NAMES.map((name) => [name, { ours: [], baseline: [] }]),
    ) as unknown as Record<Name, Measured>;
    const bareFigures: number[] = [];
    for (let repeat = -1; repeat < scale.repeats; repeat++) {
      for (const name of NAMES) {
        const run = `${name}-${repeat}`;
        const figures = await abba(centavo, baseline, endpoints[name], run, scale.durationMs);
        // The first round only warms both up.
        if (repeat < 0) continue;
        measured[name].ours.push(figures.ours);
        measured[name].baseline.push(figures.baseline);
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
): Promise<{ ours: Figures; baseline: Figures }> {
  const half = async (
    worker: RunningWorker,
    request: (name: string) => Request,
    part: string,
  ): Promise<Figures> => {
    const cpuBefore = cpuMs(worker.pid);
    const { done, perSecond, statuses } = await runLoad({
      port: worker.port,
      connections: CONNECTIONS,
      durationMs: durationMs / 2,
      request: (number) => request(`${name}-${part}-${number}`),
    });
    if (done === 0) throw new Error(`${name}: ${JSON.stringify(statuses)}`);
    return { perSecond, cpuMs: (cpuMs(worker.pid) - cpuBefore) / done };
  };
  const first = await half(centavo, endpoint.ours, "a");
  const second = await half(baseline, endpoint.baseline, "b");
  const third = await half(baseline, endpoint.baseline, "c");
  const fourth = await half(centavo, endpoint.ours, "d");
  return { ours: meanOf(first, fourth), baseline: meanOf(second, third) };
}

function meanOf(one: Figures, other: Figures): Figures {
  return {
    perSecond: (one.perSecond + other.perSecond) / 2,
    cpuMs: (one.cpuMs + other.cpuMs) / 2,
  };
}

/** By the repeat: the baseline's CPU time to ours. */
function ratiosOf({ ours, baseline }: Measured): number[] {
  return ours.map((figures, repeat) => (baseline[repeat]?.cpuMs ?? Number.NaN) / figures.cpuMs);
}

function medianCpu(figures: Figures[]): number {
  return median(figures.map((each) => each.cpuMs));
}

function goalOf(name: Name, measured: Measured): Goal {
  const ratios = ratiosOf(measured);
  const [ours, baseline] = [medianCpu(measured.ours), medianCpu(measured.baseline)];
  return {
    name: `throughput: ${name}, its baseline Worker's CPU time to ours`,
    bound: "at least",
    goal: RATIO_MIN[name],
    measured: median(ratios),
    spread: spreadOf(ratios),
    baseline,
    note: `${baseline.toFixed(2)} to ${ours.toFixed(2)} ms a call`,
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
    head: ["endpoint", "ours", "baseline", "ratio of CPU time"],
    rows: Object.entries(measured).map(([name, each]) => [
      name,
      shown(each.ours.map(({ perSecond }) => perSecond)),
      shown(each.baseline.map(({ perSecond }) => perSecond)),
      median(ratiosOf(each)),
    ]),
  };
}
