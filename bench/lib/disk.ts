import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { median } from "./stats.ts";

const SYNCS = 200;
const PAGE = Buffer.alloc(4_096, 1);

/** How long a folder's disk takes to keep a page for good, ms, median. */
export function syncTime(folder: string): number {
  const file = join(folder, `centavo-bench-sync-${process.pid}`);
  const descriptor = openSync(file, "w");
  try {
    const times = Array.from({ length: SYNCS }, () => {
      writeSync(descriptor, PAGE);
      const startedAt = performance.now();
      fdatasyncSync(descriptor);
      return performance.now() - startedAt;
    });
    return median(times);
  } finally {
    closeSync(descriptor);
    rmSync(file, { force: true });
  }
}
