import {
  closeSync,
  existsSync,
  fdatasyncSync,
  openSync,
  rmSync,
  statfsSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { median } from "./stats.ts";

const SHARED_MEMORY = "/dev/shm";
/** More than a run stores: databases of a few Workers and a PostgreSQL cluster. */
const FREE_BYTES_MIN = 2_000_000_000;
/** A folder in memory, where a sync costs nothing; null without one with enough space. */
export const MEMORY = hasFreeSpace(SHARED_MEMORY) ? SHARED_MEMORY : null;

const SYNCS = 200;
const PAGE = Buffer.alloc(4_096, 1);

/** The median time of a sync of one page on a folder's disk, ms. */
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

function hasFreeSpace(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= FREE_BYTES_MIN;
}
