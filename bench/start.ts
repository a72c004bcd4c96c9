/** Measures the code that the Worker evaluates at start and the code behind an `import()`. */
import { bundleStart, type Part } from "../tools/lib/start-bundle.ts";
import type { Findings } from "./lib/goals.ts";

const START_MAX_KB = 300;
const KB = 1_024;
/** Number of shown packages and folders. */
const SHOWN = 15;

export async function measureStart(): Promise<Findings> {
  const { evaluatedAtStart, onDemand } = await bundleStart();
  return {
    goals: [
      {
        name: "start: KB gzip evaluated",
        bound: "at most",
        goal: START_MAX_KB,
        measured: Math.round(evaluatedAtStart.kilobytes),
        note: `${Math.round(onDemand.kilobytes)} KB load on demand`,
      },
    ],
    tables: [
      {
        title: "Code evaluated at start",
        prose: "KB before gzip, the largest first.",
        head: ["source", "KB"],
        rows: sizesOf(evaluatedAtStart),
      },
    ],
  };
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
