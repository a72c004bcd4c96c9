/** One hot company: withdraws over HTTP beside the same transfers on PostgreSQL, and beyond what it carries. */
import { join } from "node:path";
import { ROOT } from "../scripts/lib/wrangler.ts";
import { NOT_MEASURED, type Findings, type Goal, type Table } from "./lib/goals.ts";
import { runLoad, type Loaded } from "./lib/load.ts";
import { fund, withdrawRequest } from "./lib/merchant-load.ts";
import { startPostgres, type Postgres } from "./lib/postgres.ts";
import { median, spreadOf } from "./lib/stats.ts";
import { startCentavo, type RunningWorker } from "./lib/worker.ts";

const TRANSFER = join(ROOT, "bench/transfer.sql");
const RATIO_MIN = 2;
const CONNECTIONS = [1, 8, 32];

interface Scale {
  repeats: number;
  seconds: number;
  /** Connections of the load that is raised until the company carries no more. */
  steps: number[];
}

const FULL: Scale = { repeats: 5, seconds: 3, steps: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] };
const QUICK: Scale = { repeats: 3, seconds: 1, steps: [1, 16, 128] };

/** What was done a second over so many connections, by repeat. */
type Figures = Map<number, number[]>;

export async function measureHotCompany(quick: boolean): Promise<Findings> {
  const scale = quick ? QUICK : FULL;
  const centavo = await startCentavo(false);
  let postgres: Postgres | null = null;
  try {
    postgres = startPostgres();
    await fund(centavo);
    await withdrawLoad(centavo, "warm", 8, 1);
    const [ours, theirs] = await inTurn(centavo, postgres, scale);
    return {
      goals: [goalOf(ours, theirs)],
      tables: [
        comparedTable(ours, theirs, postgres?.version),
        await saturationTable(centavo, scale),
      ],
    };
  } finally {
    postgres?.stop();
    await centavo.stop();
    centavo.remove();
  }
}

async function inTurn(
  centavo: RunningWorker,
  postgres: Postgres | null,
  { repeats, seconds }: Scale,
): Promise<[Figures, Figures]> {
  const ours: Figures = new Map(CONNECTIONS.map((connections) => [connections, []]));
  const theirs: Figures = new Map(CONNECTIONS.map((connections) => [connections, []]));
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const connections of CONNECTIONS) {
      const loaded = await withdrawLoad(centavo, `hot-${repeat}`, connections, seconds);
      ours.get(connections)?.push(loaded.perSecond);
      if (postgres === null) continue;
      theirs.get(connections)?.push(postgres.transfersPerSecond(TRANSFER, connections, seconds));
    }
  }
  return [ours, theirs];
}

function withdrawLoad(
  { port }: RunningWorker,
  name: string,
  connections: number,
  seconds: number,
): Promise<Loaded> {
  return runLoad({
    port,
    connections,
    durationMs: seconds * 1_000,
    request: (number) => withdrawRequest(`${name}-${connections}-${number}`),
  });
}

function goalOf(ours: Figures, theirs: Figures): Goal {
  const name = "one hot company: withdraws a second over HTTP, ratio to PostgreSQL at its best";
  const goal = { name, bound: "at least" as const, goal: RATIO_MIN };
  const best = bestOf(theirs);
  if (best === null) {
    return { ...goal, measured: NOT_MEASURED, note: "PostgreSQL 15 or newer is not installed" };
  }
  const own = bestOf(ours) ?? best;
  const ratios = own.figures.map((figure, repeat) => figure / (best.figures[repeat] ?? NaN));
  return {
    ...goal,
    measured: median(ratios),
    spread: spreadOf(ratios),
    floor: median(best.figures),
    note: `${median(own.figures).toFixed(0)} at ${own.connections} connections, PostgreSQL ${median(best.figures).toFixed(0)} at ${best.connections}`,
  };
}

/** The number of connections at which most was done; null where nothing was measured. */
function bestOf(figures: Figures): { connections: number; figures: number[] } | null {
  const measured = [...figures].filter(([, each]) => each.length > 0);
  const [best] = measured.sort(([, a], [, b]) => median(b) - median(a));
  return best === undefined ? null : { connections: best[0], figures: best[1] };
}

function comparedTable(ours: Figures, theirs: Figures, version: string | undefined): Table {
  return {
    title: "One hot company",
    prose:
      `Withdraws a second to one company over HTTP, and transfers a second of bench/transfer.sql by pgbench ` +
      `on its socket (${version ?? "no PostgreSQL is installed"}; as it comes: fsync and synchronous_commit on). ` +
      `PostgreSQL is not put behind HTTP: that would take a client of it, which nothing else needs; the ratio is the lower for it.`,
    head: ["connections", "Centavo", "spread", "PostgreSQL", "spread"],
    rows: CONNECTIONS.map((connections) => {
      const [own, ownSpread] = shown(ours.get(connections) ?? []);
      const [other, otherSpread] = shown(theirs.get(connections) ?? []);
      return [connections, own, ownSpread, other, otherSpread];
    }),
  };
}

function shown(figures: number[]): [string, string] {
  if (figures.length === 0) return [NOT_MEASURED, ""];
  const [least, most] = spreadOf(figures);
  return [median(figures).toFixed(0), `${least.toFixed(0)} to ${most.toFixed(0)}`];
}

/** More and more clients at once: where it carries no more, and what they are answered then. */
async function saturationTable(centavo: RunningWorker, scale: Scale): Promise<Table> {
  const rows: (string | number)[][] = [];
  for (const connections of scale.steps) {
    const loaded = await withdrawLoad(centavo, "step", connections, scale.seconds);
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
    title: "What one company's object carries",
    prose:
      "Each client sends its next withdraw when the one before is answered. On one machine most of the wait " +
      "is at workerd's socket, before the object could shed anything (see above).",
    head: ["clients", "withdraws a second", "median ms", "p99 ms", "answers", "with Retry-After"],
    rows,
  };
}
