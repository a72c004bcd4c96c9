/** Measures what the first answer of a cold isolate costs, and names the code that the Worker evaluates for it. */
import { bundleStart, type Part } from "../tools/lib/start-bundle.ts";
import type { Findings } from "./lib/goals.ts";
import { cpuMs } from "./lib/process.ts";
import { median } from "./lib/stats.ts";
import type { Size } from "./lib/size.ts";
import { startBaseline, startCentavo, type RunningWorker } from "./lib/worker.ts";

/** CPU of a Worker that only answers, taken so many times. */
const TIMES_MAX = 5;
const STARTS: Record<Size, number> = { full: 7, quick: 3, smoke: 1 };
const KB = 1_024;
/** Number of shown packages and folders. */
const SHOWN = 15;

export async function measureStart(size: Size): Promise<Findings> {
  const { evaluatedAtStart, onDemand } = await bundleStart();
  const own: number[] = [];
  const bare: number[] = [];
  for (let count = 0; count < STARTS[size]; count++) {
    own.push(await cpuOfFirstAnswer(await startCentavo()));
    bare.push(await cpuOfFirstAnswer(await startBaseline("bare")));
  }
  const ratio = median(own) / median(bare);
  return {
    goals: [
      {
        name: "start: CPU to the first answer, by that of a Worker that only answers",
        bound: "at most",
        goal: TIMES_MAX,
        measured: Math.round(ratio * 10) / 10,
        note: `${Math.round(median(own))} and ${Math.round(median(bare))} ms`,
      },
    ],
    tables: [
      {
        title: "Code evaluated at start",
        prose:
          `KB before gzip, the largest first. With gzip ${Math.round(evaluatedAtStart.kilobytes)} KB are evaluated, ` +
          `${Math.round(onDemand.kilobytes)} KB load on demand.`,
        head: ["source", "KB"],
        rows: sizesOf(evaluatedAtStart),
      },
    ],
  };
}

/** CPU of the Worker's process from its start to its first answer, ms. */
async function cpuOfFirstAnswer(worker: RunningWorker): Promise<number> {
  try {
    const answer = await fetch(`http://127.0.0.1:${worker.port}/health`);
    await answer.text();
    return cpuMs(worker.pid);
  } finally {
    await worker.stop();
    worker.remove();
  }
}

function sizesOf({ outputs }: Part): [string, number][] {
  const sizes = new Map<string, number>();
  for (const [path, { bytesInOutput }] of outputs.flatMap(({ inputs }) => Object.entries(inputs))) {
    const source = sourceOf(path);
    sizes.set(source, (sizes.get(source) ?? 0) + bytesInOutput / KB);
  }
  const sorted = [...sizes].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, SHOWN).map(([name, size]) => [name, Math.round(size)]);
}

/** The package of a file, or its folder in `src`. */
function sourceOf(path: string): string {
  const [, file] = path.split(/.*node_modules\//);
  if (file === undefined) return path.split("/").slice(0, 2).join("/");
  return file
    .split("/")
    .slice(0, file.startsWith("@") ? 2 : 1)
    .join("/");
}
