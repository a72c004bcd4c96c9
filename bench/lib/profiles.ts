import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { dirname, relative, resolve } from "node:path";

/** As workerd's inspector answers (`Profiler.Profile` of the DevTools protocol), as far as it is needed. */
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
  /** File and line of the source; empty where it is the engine's. */
  where: string;
  samples: number;
}

/** What is sampled while no JavaScript runs: waiting, and what workerd does itself. */
const NOT_OURS = new Set(["(idle)", "(program)", "(root)"]);
/** The bundle's name in workerd; its other scripts are workerd's own. */
const BUNDLE = /script-\d+\.mjs$/;

/** Where a place of the bundle (from 0) is in the source; empty where it is nobody's. */
export type Locate = (line: number, column: number) => string;

/** By the map of a bundle, in words of the repository or of the package that the source is from. */
export function locateBy(sourceMapFile: string, root: string): Locate {
  const map = new SourceMap(JSON.parse(readFileSync(sourceMapFile, "utf8")) as SourceMapPayload);
  return (line, column) => {
    const found = map.findEntry(line, column);
    if (!("originalSource" in found)) return "";
    const file = relative(root, resolve(dirname(sourceMapFile), found.originalSource));
    return `${file.replace(/^.*node_modules\//, "")}:${found.originalLine + 1}`;
  };
}

/** In how many samples each function itself ran, the most first; one function in several stacks is one. */
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
