/**
 * One busy company: withdraws over HTTP, in turn with what a team would write instead on PostgreSQL, and
 * with the least that a Worker can do for them; then more clients than the company carries. All of it on
 * the disk and in memory: the rival holds its lock while the disk syncs, so a slow disk flatters Centavo.
 */
import { tmpdir } from "node:os";
import { MEMORY, syncTime } from "./lib/disk.ts";
import { lowerOf, NOT_MEASURED, type Findings, type Goal, type Table } from "./lib/goals.ts";
import { runLoad, type LoadResult, type Request } from "./lib/load.ts";
import { requestJson, fund, withdrawRequest } from "./lib/merchant-load.ts";
import { startRival, type Rival } from "./lib/rival.ts";
import { median, spreadOf } from "./lib/stats.ts";
import { startBaseline, startCentavo, type RunningWorker } from "./lib/worker.ts";

const CONNECTIONS = [1, 8, 32];
/** What share of the rival's withdraws Centavo must do, by connections. One alone is only shown. */
const RATIO_MIN = new Map([
  [8, 0.6],
  [32, 0.9],
]);

interface Scale {
  repeats: number;
  seconds: number;
  /** Connections of the load that is raised until the company carries no more. */
  steps: number[];
}

const FULL: Scale = { repeats: 6, seconds: 3, steps: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] };
const QUICK: Scale = { repeats: 2, seconds: 1, steps: [1, 16, 128] };

/** Somebody who answers the same withdraw. */
interface Contestant {
  port: number;
  request: (key: string) => Request;
  /** Requests answered a second, by connections, one for each repeat. */
  figures: Map<number, number[]>;
}

type Contest = Record<"Centavo" | "baseline" | "bare Worker", Contestant> & {
  rival: Contestant | null;
};

export async function measureSingleTenant(quick: boolean): Promise<Findings> {
  const scale = quick ? QUICK : FULL;
  const onDisk = await measureIn("on disk", tmpdir(), scale);
  if (MEMORY === null) return onDisk;
  const inMemory = await measureIn("in memory", MEMORY, scale);
  return {
    goals: onDisk.goals.map((goal, index) => lowerOf(goal, inMemory.goals[index] ?? goal)),
    tables: [...onDisk.tables, ...inMemory.tables],
  };
}

async function measureIn(place: string, below: string, scale: Scale): Promise<Findings> {
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
    await measureInTurn(contest, { ...scale, repeats: 1, seconds: 1 }, "warm");
    for (const each of contestants(contest)) each.figures.clear();
    await measureInTurn(contest, scale, "run");
    return {
      goals: [...RATIO_MIN].map(([connections, goal]) => goalOf(contest, place, connections, goal)),
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

/** All of them after each other, the next time in the other direction, so that none has the better turn. */
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
  place: string,
  connections: number,
  minimum: number,
): Goal {
  const goal = {
    name: `one busy company: withdraws a second at ${connections} connections, ratio to Hono on Node with PostgreSQL`,
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
    note: `${median(ours).toFixed(0)} of ${median(theirs).toFixed(0)} withdraws a second, ${place}`,
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
    title: `One busy company, ${place}`,
    prose:
      `Withdraws a second to one company over HTTP, median and spread, in turn on the same cores. The rival is ` +
      `bench/rival: Hono on Node, \`pg\` and ${version ?? "PostgreSQL (not installed)"} as it comes (fsync and ` +
      `synchronous_commit on). A sync takes ${syncMs.toFixed(2)} ms here, for which the rival holds its lock and ` +
      `Centavo's withdraws share a commit. The baseline is a Worker that reads the credentials and writes 8 rows in an ` +
      `object. The bare Worker stores nothing: no Worker answers more on this machine.`,
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

/** More and more clients at once: where it carries no more, and what they are answered then. */
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
    title: `What one company's object carries, ${place}`,
    prose:
      "Each client sends its next withdraw when the one before is answered. On one machine most of the wait " +
      "is at workerd's socket, before the object could shed anything (see ../performance.md).",
    head: ["clients", "withdraws a second", "median ms", "p99 ms", "answers", "with Retry-After"],
    rows,
  };
}
