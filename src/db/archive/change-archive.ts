import type { Env } from "../../config.ts";
import type { ArchivedChange } from "../../domain/events/archived-change.ts";
import { CHANGES_PREFIX } from "../../domain/storage/archive-files.ts";
import { withTimeout } from "../../lib/timeout.ts";
import { stateOf } from "../../service-state/stub.ts";

/** Nothing waits longer for the archive: what it has not taken by then is kept by the company's object. */
const ARCHIVE_TIMEOUT_MS = 5_000;
const REPORT_TIMEOUT_MS = 3_000;
/** Digits of a time in a key, so that keys sort by time for some thousand years. */
const TIME_DIGITS = 15;

/** The archive of what D1 took, so that D1 can be written again (docs/restore.md); null without a bucket. */
export function changeArchive(env: Env) {
  const bucket = env.ARCHIVE;
  if (bucket === undefined) return null;
  return {
    /** Takes a change of a time (Unix milliseconds). Rejects if the bucket has not taken it after five seconds. */
    put: async (companyId: number, change: ArchivedChange, atMs: number): Promise<void> => {
      const key = `${archiveKeyAt(companyId, atMs)}-${crypto.randomUUID()}`;
      await withTimeout(bucket.put(key, JSON.stringify(change)), ARCHIVE_TIMEOUT_MS);
    },
    /** Tells the service since when it lacks changes of a company; null: it has all. Rejects if nobody has heard it. */
    report: async (companyId: number, since: number | null): Promise<void> => {
      await withTimeout(stateOf(env).reportArchive(companyId, since), REPORT_TIMEOUT_MS);
    },
  };
}

/** The key before all changes from a time on (Unix milliseconds). */
export function archiveKeyAt(companyId: number, timeMs: number): string {
  return `${CHANGES_PREFIX}${companyId}/${String(timeMs).padStart(TIME_DIGITS, "0")}`;
}
