/** Requests a second, side by side with floor Workers that do the same storage work and nothing else. */
import type { Findings, Goal, Table } from "./lib/goals.ts";
import { runLoad, type Request } from "./lib/load.ts";
import {
  ask,
  COMPANY,
  createRequest,
  fund,
  getRequest,
  TYPICAL_PAYMENT,
  withdrawRequest,
} from "./lib/merchant-load.ts";
import { median, spreadOf } from "./lib/stats.ts";
import { startCentavo, startFloor, type RunningWorker } from "./lib/worker.ts";

const CONNECTIONS = 8;
const RATIO_MIN = 0.85;
const JUDGED = ["create", "withdraw"];

interface Scale {
  repeats: number;
  durationMs: number;
}

const FULL: Scale = { repeats: 7, durationMs: 2_000 };
const QUICK: Scale = { repeats: 3, durationMs: 700 };

/** A request of ours and the floor's for the same endpoint, by a name that no repeat uses twice. */
interface Endpoint {
  ours: (name: string) => Request;
  floor: (name: string) => Request;
}

interface Measured {
  ours: number[];
  floor: number[];
  ratios: number[];
}

export async function measureThroughput(quick: boolean): Promise<Findings> {
  const scale = quick ? QUICK : FULL;
  const workers: RunningWorker[] = [];
  try {
    const centavo = await started(workers, startCentavo(false));
    const floor = await started(workers, startFloor("storage"));
    const bare = await started(workers, startFloor("bare"));
    const endpoints = await endpointsOf(centavo, floor);
    const measured: Record<string, Measured> = {};
    for (const name of Object.keys(endpoints)) measured[name] = { ours: [], floor: [], ratios: [] };
    const bareFigures: number[] = [];
    for (let repeat = -1; repeat < scale.repeats; repeat++) {
      for (const [name, endpoint] of Object.entries(endpoints)) {
        const figures = await abba(centavo, floor, endpoint, `${name}-${repeat}`, scale.durationMs);
        // The first round only warms both up.
        if (repeat >= 0) keep(measured[name], figures);
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
      goals: JUDGED.map((name) => goalOf(name, measured[name])),
      tables: [tableOf(measured, bareFigures)],
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
  floor: RunningWorker,
): Promise<Record<string, Endpoint>> {
  const id = await fund(centavo);
  await ask(floor.port, { method: "POST", path: "/setup" });
  await ask(floor.port, floorPost("/create", "first", TYPICAL_PAYMENT));
  const { id: floorId } = (await ask(floor.port, { method: "GET", path: "/newest" })) as {
    id: string;
  };
  return {
    create: {
      ours: (name) => createRequest(name),
      floor: (name) => floorPost("/create", name, TYPICAL_PAYMENT),
    },
    withdraw: {
      ours: (name) => withdrawRequest(name),
      floor: (name) => floorPost("/withdraw", name, { amount: 1_000 }),
    },
    get: reads(`/api/Transaction/transactionByTransactionId/${id}`, `/get/${floorId}`),
    list: reads("/api/Transaction/company/transactions?pageSize=20", "/list"),
    balance: reads(`/api/Balance/balance/${COMPANY}?currency=BRL`, "/balance"),
    status: reads(`/api/checkout/status/${id}`, `/status/${floorId}`),
  };
}

function reads(ours: string, theirs: string): Endpoint {
  return { ours: () => getRequest(ours), floor: () => ({ method: "GET", path: theirs }) };
}

function floorPost(path: string, key: string, body: object): Request {
  const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
  return { method: "POST", path, headers, body: JSON.stringify(body) };
}

/** Ours, the floor, the floor, ours: a machine that gets slower meanwhile is slower for both. */
async function abba(
  centavo: RunningWorker,
  floor: RunningWorker,
  endpoint: Endpoint,
  name: string,
  durationMs: number,
): Promise<{ ours: number; floor: number }> {
  const half = (worker: RunningWorker, request: (name: string) => Request, turn: string) =>
    runLoad({
      port: worker.port,
      connections: CONNECTIONS,
      durationMs: durationMs / 2,
      request: (number) => request(`${name}-${turn}-${number}`),
    });
  const first = await half(centavo, endpoint.ours, "a");
  const second = await half(floor, endpoint.floor, "b");
  const third = await half(floor, endpoint.floor, "c");
  const fourth = await half(centavo, endpoint.ours, "d");
  for (const { done, statuses } of [first, second, third, fourth]) {
    if (done === 0) throw new Error(`${name}: ${JSON.stringify(statuses)}`);
  }
  return {
    ours: (first.perSecond + fourth.perSecond) / 2,
    floor: (second.perSecond + third.perSecond) / 2,
  };
}

function keep(measured: Measured | undefined, { ours, floor }: { ours: number; floor: number }) {
  measured?.ours.push(ours);
  measured?.floor.push(floor);
  measured?.ratios.push(ours / floor);
}

function goalOf(name: string, measured: Measured | undefined): Goal {
  const { ours, floor, ratios } = measured ?? { ours: [], floor: [], ratios: [] };
  return {
    name: `throughput: ${name}, ratio to its floor Worker`,
    bound: "at least",
    goal: RATIO_MIN,
    measured: median(ratios),
    spread: spreadOf(ratios),
    floor: median(floor),
    note: `${median(ours).toFixed(0)} of ${median(floor).toFixed(0)} requests a second`,
  };
}

function shown(figures: number[]): string {
  const [least, most] = spreadOf(figures);
  return `${median(figures).toFixed(0)} (${least.toFixed(0)} to ${most.toFixed(0)})`;
}

function tableOf(measured: Record<string, Measured>, bare: number[]): Table {
  return {
    title: "Throughput",
    prose:
      `Requests a second over ${CONNECTIONS} connections, median and spread; ours and the floor in turn. ` +
      `A bare Hono Worker that echoes the body of a create: ${shown(bare)}. Queues' hints are given and not followed.`,
    head: ["endpoint", "ours", "floor", "ratio"],
    rows: Object.entries(measured).map(([name, { ours, floor, ratios }]) => [
      name,
      shown(ours),
      shown(floor),
      median(ratios),
    ]),
  };
}
