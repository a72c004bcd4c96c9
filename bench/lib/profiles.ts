import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { dirname, relative, resolve } from "node:path";

/** The used part of the DevTools protocol's `Profiler.Profile`. */
export interface CpuProfile {
  nodes: {
    id: number;
    callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number };
  }[];
  /** Ids of nodes, one for each sample. */
  samples: number[];
}

export interface SelfTime {
  name: string;
  /** File and line of the source; empty for the engine's own code. */
  where: string;
  samples: number;
}

/** The samples while no JavaScript runs. */
const NOT_OURS = new Set(["(idle)", "(program)", "(root)"]);
/** Matches the bundle in workerd; other scripts are workerd's own. */
const BUNDLE = /script-\d+\.mjs$/;

/** The source position of a position in the bundle (from 0); empty when it has none. */
export type Locate = (line: number, column: number) => string;

/** Locates by the bundle's source map. Paths are relative to the repository or to the package. */
export function locateBy(sourceMapFile: string, root: string): Locate {
  const map = new SourceMap(JSON.parse(readFileSync(sourceMapFile, "utf8")) as SourceMapPayload);
  return (line, column) => {
    const found = map.findEntry(line, column);
    if (!("originalSource" in found)) return "";
    const file = relative(root, resolve(dirname(sourceMapFile), found.originalSource));
    return `${file.replace(/^.*node_modules\//, "")}:${found.originalLine + 1}`;
  };
}

/** The number of samples in which each function itself ran, the most first. Merges stacks per function. */
export function selfTimes({ nodes, samples }: CpuProfile, locate: Locate): SelfTime[] {
  const functions = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber, columnNumber } }) => [
      id,
      {
        name: functionName === "" ? "(anonymous)" : functionName,
        where: BUNDLE.test(url) ? locate(lineNumber, columnNumber) : url,
      },
    ]),
  );
  const times = new Map<string, SelfTime>();
  for (const id of samples) {
    const found = functions.get(id);
    if (found === undefined || NOT_OURS.has(found.name)) continue;
    const key = `${found.name} ${found.where}`;
    const time = times.get(key) ?? { ...found, samples: 0 };
    time.samples += 1;
    times.set(key, time);
  }
  return [...times.values()].toSorted((left, right) => right.samples - left.samples);
}
