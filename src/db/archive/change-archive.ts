import { inArray } from "drizzle-orm";
import type { Env } from "../../config.ts";
import type { ArchivedChange } from "../../domain/events/archived-change.ts";
import type { OutboxEntry } from "../../domain/events/outbox-entry.ts";
import { CHANGES_PREFIX } from "../../domain/storage/archive-files.ts";
import { withTimeout } from "../../lib/timeout.ts";
import { stateOf } from "../../service-state/stub.ts";
import { databaseFor } from "../client.ts";
import type { StoredTransaction } from "../projection/transaction-mapper.ts";
import { transactions } from "../schema/transactions.ts";

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
    /** Entries, with the rows that D1 has of their charges. Rejects if D1 does not answer. */
    read: async (companyId: number, entries: OutboxEntry[]): Promise<ArchivedChange> => {
      const charges = await chargesOf(env, companyId, entries);
      return { charges, entries };
    },
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

async function chargesOf(
  env: Env,
  companyId: number,
  entries: OutboxEntry[],
): Promise<StoredTransaction[]> {
  const ids = entries.flatMap((entry) =>
    entry.kind === "transaction" ? [entry.transactionId] : [],
  );
  if (ids.length === 0) return [];
  return databaseFor(env, companyId)
    .select()
    .from(transactions)
    .where(inArray(transactions.id, [...new Set(ids)]));
}
