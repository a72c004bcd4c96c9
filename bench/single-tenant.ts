/**
 * Withdraws of a single tenant over HTTP, in turn with the rival (Node and PostgreSQL) and with baseline
 * Workers; then with more clients than one company's object can serve. Measured on disk and in memory,
 * because a slow disk favours Centavo: the rival holds its row lock during a sync.
 */
import { tmpdir } from "node:os";
import { MEMORY, syncTime } from "./lib/disk.ts";
import { NOT_MEASURED, type Findings, type Goal, type Table } from "./lib/goals.ts";
import { runLoad, type LoadResult, type Request } from "./lib/load.ts";
import { requestJson, fund, withdrawRequest } from "./lib/merchant-load.ts";
import { startRival, type Rival } from "./lib/rival.ts";
import { median, spreadOf } from "./lib/stats.ts";
import type { Size } from "./lib/size.ts";
import { startBaseline, startCentavo, type RunningWorker } from "./lib/worker.ts";

const CONNECTIONS = [1, 8, 32];
type Place = "on disk" | "in memory";

/** Centavo's lowest ratio to the rival, by connections: in memory a floor, since a Worker that stores nothing has 0.64 and 0.8. */
const RATIO_MIN: Record<Place, Map<number, number>> = {
  "on disk": new Map([
    [8, 0.48],
    [32, 0.6],
  ]),
  "in memory": new Map([
    [8, 0.25],
    [32, 0.28],
  ]),
};

interface Scale {
  repeats: number;
  seconds: number;
  /** Numbers of connections for the saturation table. */
  steps: number[];
}

const SCALES: Record<Size, Scale> = {
  full: { repeats: 6, seconds: 3, steps: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] },
  quick: { repeats: 2, seconds: 1, steps: [1, 16, 128] },
  smoke: { repeats: 1, seconds: 0.05, steps: [1] },
};
const WARM_UP_SECONDS = 1;

/** A service that answers the same withdraw. */
interface Contestant {
  port: number;
  request: (key: string) => Request;
  /** Requests answered per second, by connections, one for each repeat. */
  figures: Map<number, number[]>;
}

type Contest = Record<"Centavo" | "baseline" | "bare Worker", Contestant> & {
  rival: Contestant | null;
};

export async function measureSingleTenant(size: Size): Promise<Findings> {
  const scale = SCALES[size];
  const onDisk = await measureIn("on disk", tmpdir(), scale);
  if (MEMORY === null || size === "smoke") return onDisk;
  const inMemory = await measureIn("in memory", MEMORY, scale);
  return {
    goals: [...onDisk.goals, ...inMemory.goals],
    tables: [...onDisk.tables, ...inMemory.tables],
  };
}

async function measureIn(place: Place, below: string, scale: Scale): Promise<Findings> {
  const syncMs = syncTime(below);
  const started: { stop: () => Promise<void>; remove?: () => void }[] = [];
  const keep = async <Each extends (typeof started)[number] | null>(starting: Promise<Each>) => {
    const each = await starting;
    if (each !== null) started.push(each);
    return each;
  };
  try {
    const centavo = await keep(startCentavo({ below }));
    const baseline = await keep(startBaseline("storage", below));
    const bare = await keep(startBaseline("bare", below));
    const rival = await keep(startRival(below));
    await fund(centavo);
    await requestJson(baseline.port, { method: "POST", path: "/setup" });
    const contest = contestOf(centavo, baseline, bare, rival);
    const seconds = Math.min(scale.seconds, WARM_UP_SECONDS);
    await measureInTurn(contest, { ...scale, repeats: 1, seconds }, "warm");
    for (const each of contestants(contest)) each.figures.clear();
    await measureInTurn(contest, scale, "run");
    return {
      goals: [...RATIO_MIN[place]].map(([connections, goal]) =>
        goalOf(contest, place, connections, goal),
      ),
      tables: [
        comparedTable(contest, place, { version: rival?.version, syncMs }),
        await saturationTable(centavo, place, scale),
      ],
    };
  } finally {
    await Promise.all(started.map((each) => each.stop()));
    for (const each of started) each.remove?.();
  }
}

function contestOf(
  centavo: RunningWorker,
  baseline: RunningWorker,
  bare: RunningWorker,
  rival: Rival | null,
): Contest {
  return {
    Centavo: contestant(centavo.port),
    rival: rival === null ? null : contestant(rival.port),
    baseline: contestant(baseline.port, "/withdraw"),
    "bare Worker": contestant(bare.port),
  };
}

function contestant(port: number, path?: string): Contestant {
  return {
    port,
    request: (key) => ({ ...withdrawRequest(key), ...(path === undefined ? {} : { path }) }),
    figures: new Map(),
  };
}

function contestants(contest: Contest): Contestant[] {
  return Object.values(contest).filter((each) => each !== null);
}

/** Measures the contestants one after the other, in reverse order every second time. */
async function measureInTurn(
  contest: Contest,
  { repeats, seconds }: Scale,
  name: string,
): Promise<void> {
  const order = contestants(contest);
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const connections of CONNECTIONS) {
      for (const each of repeat % 2 === 0 ? order : order.toReversed()) {
        const loaded = await load(each, `${name}-${repeat}`, connections, seconds);
        const before = each.figures.get(connections) ?? [];
        each.figures.set(connections, [...before, loaded.perSecond]);
      }
    }
  }
}

async function load(
  { port, request }: Pick<Contestant, "port" | "request">,
  name: string,
  connections: number,
  seconds: number,
): Promise<LoadResult> {
  const loaded = await runLoad({
    port,
    connections,
    durationMs: seconds * 1_000,
    request: (number) => request(`${name}-${connections}-${number}`),
  });
  if (loaded.done === 0) throw new Error(`${name}: ${JSON.stringify(loaded.statuses)}`);
  return loaded;
}

function goalOf(
  { Centavo, rival }: Contest,
  place: Place,
  connections: number,
  minimum: number,
): Goal {
  const goal = {
    name: `single tenant: withdraws a second ${place}, ${connections} connections, ratio to Hono on Node with PostgreSQL`,
    bound: "at least" as const,
    goal: minimum,
  };
  const ours = Centavo.figures.get(connections) ?? [];
  const theirs = rival?.figures.get(connections);
  if (theirs === undefined) {
    return { ...goal, measured: NOT_MEASURED, note: "PostgreSQL 15 or newer is not installed" };
  }
  const ratios = ratiosOf(ours, theirs);
  return {
    ...goal,
    measured: median(ratios),
    spread: spreadOf(ratios),
    baseline: median(theirs),
    note: `${median(ours).toFixed(0)} of ${median(theirs).toFixed(0)} withdraws a second`,
  };
}

function ratiosOf(ours: number[], theirs: number[]): number[] {
  return ours.map((figure, repeat) => figure / (theirs[repeat] ?? Number.NaN));
}

function comparedTable(
  contest: Contest,
  place: string,
  { version, syncMs }: { version: string | undefined; syncMs: number },
): Table {
  const names = ["Centavo", "rival", "baseline", "bare Worker"] as const;
  return {
    title: `Single tenant, ${place}`,
    prose:
      `Withdraws a second to one company over HTTP, median and spread, in turn on the same cores. The rival is ` +
      `bench/rival: Hono on Node, \`pg\` and ${version ?? "PostgreSQL (not installed)"} with default settings ` +
      `(fsync and synchronous_commit on). A sync takes ${syncMs.toFixed(2)} ms here; the rival holds its row lock ` +
      `during it, and Centavo's withdraws share commits. The baseline is a Worker that reads the credentials and ` +
      `writes 8 rows in an object. The bare Worker stores nothing; it is the upper limit of this machine.`,
    head: ["connections", ...names, "Centavo to rival", "baseline to rival"],
    rows: CONNECTIONS.map((connections) => {
      const figures = names.map((name) => contest[name]?.figures.get(connections));
      const [ours, theirs, baseline] = figures;
      const ratio = (of: number[] | undefined) =>
        of === undefined || theirs === undefined ? NOT_MEASURED : median(ratiosOf(of, theirs));
      const row: (string | number)[] = [connections];
      return row.concat(figures.map(shown), ratio(ours), ratio(baseline));
    }),
  };
}

function shown(figures: number[] | undefined): string {
  if (figures === undefined) return NOT_MEASURED;
  const [least, most] = spreadOf(figures);
  return `${median(figures).toFixed(0)} (${least.toFixed(0)} to ${most.toFixed(0)})`;
}

/** Raises the number of clients until the throughput no longer grows, and shows the answers. */
async function saturationTable(
  centavo: RunningWorker,
  place: string,
  scale: Scale,
): Promise<Table> {
  const rows: (string | number)[][] = [];
  for (const connections of scale.steps) {
    const step = { port: centavo.port, request: withdrawRequest };
    const loaded = await load(step, "step", connections, scale.seconds);
    const { perSecond, medianMs, p99Ms, statuses, retryAfters } = loaded;
    const answers = Object.entries(statuses).map(([status, count]) => `${count} of ${status}`);
    rows.push([
      connections,
      perSecond.toFixed(0),
      medianMs.toFixed(0),
      p99Ms.toFixed(0),
      answers.join(", "),
      retryAfters,
    ]);
  }
  return {
    title: `Saturation of a single tenant, ${place}`,
    prose:
      "Each client sends its next withdraw after the previous answer. On one machine clients mostly wait at " +
      "workerd's socket, before the object can shed load (see ../performance.md).",
    head: ["clients", "withdraws a second", "median ms", "p99 ms", "answers", "with Retry-After"],
    rows,
  };
}
