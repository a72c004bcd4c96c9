import { inArray } from "drizzle-orm";
import type { Env } from "../../config.ts";
import type { OutboxEntry } from "../../domain/events/outbox-entry.ts";
import { errorFields, log } from "../../lib/log.ts";
import { withTimeout } from "../../lib/timeout.ts";
import { databaseFor } from "../client.ts";
import type { TransactionRow } from "../projection/transaction-mapper.ts";
import { projectionWriter } from "../projection/projection-writer.ts";
import { transactions } from "../schema/transactions.ts";

/** Changes that D1 took at one time: a drain's entries with their charges' rows, or one charge as it was created. */
interface ArchivedChange {
  charges: TransactionRow[];
  entries: OutboxEntry[];
}

/** A page of the archive; `after` is null after the last one. */
interface ArchivePage {
  changes: ArchivedChange[];
  after: string | null;
}

/** A drain waits no longer for the archive: what is missing there is missed only by a restore, which says so. */
const ARCHIVE_TIMEOUT_MS = 5_000;
/** Digits of a time in a key, so that keys sort by time for some thousand years. */
const TIME_DIGITS = 15;

/** Whether changes are archived: without the bucket nothing is. */
export function hasArchive(env: Env): boolean {
  return env.ARCHIVE !== undefined;
}

/**
 * The drain's writer, which also archives what it writes, so that D1 can be written again (docs/restore.md). An
 * entry leaves the outbox only after both. A failure of the archive is logged and stops nothing.
 */
export function archivingWriter(env: Env): ReturnType<typeof projectionWriter> {
  const writer = projectionWriter(env);
  if (env.ARCHIVE === undefined) return writer;
  return {
    write: async (companyId, entries, nowMs) => {
      const due = await writer.write(companyId, entries, nowMs);
      // Afterwards, so that the archive has nothing that D1 refused.
      await archiveEntries(env, companyId, entries, nowMs);
      return due;
    },
  };
}

/** Archives a charge as its create was answered, without waiting for it. A failure is logged. */
export async function archiveCharge(env: Env, row: TransactionRow, nowMs: number): Promise<void> {
  if (env.ARCHIVE === undefined) return;
  const { companyId } = row;
  // Only the platform has it: tests of the document's routes run without.
  const { waitUntil } = await import("cloudflare:workers");
  waitUntil(put(env, companyId, nowMs, async () => ({ charges: [row], entries: [] })));
}

/** The changes of a company after a key, oldest first. Reads `limit` objects of the bucket. */
export async function readArchive(
  env: Env,
  companyId: number,
  after: string,
  limit: number,
): Promise<ArchivePage> {
  const bucket = env.ARCHIVE;
  if (bucket === undefined) return { changes: [], after: null };
  const startAfter = after === "" ? {} : { startAfter: after };
  const { objects } = await bucket.list({ prefix: `${companyId}/`, limit, ...startAfter });
  const changes = await Promise.all(
    objects.map(async ({ key }) => {
      const object = await bucket.get(key);
      // Its lifecycle rule may have deleted it meanwhile.
      return object === null ? [] : [await object.json<ArchivedChange>()];
    }),
  );
  const last = objects.at(-1)?.key ?? null;
  return { changes: changes.flat(), after: objects.length < limit ? null : last };
}

/** The key before all changes from a time on (Unix milliseconds). */
export function archiveKeyAt(companyId: number, timeMs: number): string {
  return `${companyId}/${String(timeMs).padStart(TIME_DIGITS, "0")}`;
}

function archiveEntries(
  env: Env,
  companyId: number,
  entries: OutboxEntry[],
  nowMs: number,
): Promise<void> {
  return put(env, companyId, nowMs, async () => {
    const ids = entries.flatMap((entry) =>
      entry.kind === "transaction" ? [entry.transactionId] : [],
    );
    const charges =
      ids.length === 0
        ? []
        : await databaseFor(env, companyId)
            .select()
            .from(transactions)
            .where(inArray(transactions.id, [...new Set(ids)]));
    return { charges, entries };
  });
}

async function put(
  env: Env,
  companyId: number,
  nowMs: number,
  changeOf: () => Promise<ArchivedChange>,
): Promise<void> {
  try {
    const key = `${archiveKeyAt(companyId, nowMs)}-${crypto.randomUUID()}`;
    const write = async () => env.ARCHIVE?.put(key, JSON.stringify(await changeOf()));
    await withTimeout(write(), ARCHIVE_TIMEOUT_MS);
  } catch (error) {
    log("error", "archive_failed", { ...errorFields(error), companyId });
  }
}
