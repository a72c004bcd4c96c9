import { and, eq, inArray, isNotNull, min } from "drizzle-orm";
import { unionAll } from "drizzle-orm/sqlite-core";
import { archivedBefore, type ArchivedKind } from "../../domain/storage/archive-files.ts";
import { configOf, type Env } from "../../config.ts";
import { allShards, type Database } from "../client.ts";
import { cursors } from "../schema/operations.ts";
import { archiveProgress, archiveWaiting } from "../schema/transactions.ts";

/** How many rows of a kind have left D1, and since when some should have that have not; null: all have. */
export interface ArchivedRows {
  archived: number;
  lateSince: number | null;
}

/** Of each kind what has left all databases. Nothing is late where nothing has to leave. */
export async function archivedRows(
  env: Env,
  nowMs: number,
): Promise<Record<ArchivedKind, ArchivedRows>> {
  const { archiveAfterMonths } = configOf(env);
  const allowedAge = nowMs - archivedBefore(nowMs, archiveAfterMonths);
  const found = await Promise.all(
    allShards(env).map(async ({ db }) => {
      const [counters, transactions, events] = await db.batch([
        db
          .select()
          .from(cursors)
          .where(inArray(cursors.name, ["archived_transactions", "archived_events"])),
        selectOldestLate(db, "transactions"),
        selectOldestLate(db, "events"),
      ]);
      return { counters, transactions, events };
    }),
  );
  const rowsOf = (kind: ArchivedKind): ArchivedRows => {
    const counted = found
      .flatMap(({ counters }) => counters)
      .filter(({ name }) => name === `archived_${kind}`);
    const late = found.flatMap((each) => each[kind]).flatMap(({ madeAt }) => madeAt ?? []);
    const isLate = archiveAfterMonths > 0 && late.length > 0;
    return {
      archived: counted.reduce((sum, { value }) => sum + value, 0),
      lateSince: isLate ? Math.min(...late) + allowedAge : null,
    };
  };
  return { transactions: rowsOf("transactions"), events: rowsOf("events") };
}

/** When the oldest rows were made that should have left: of those that come next, and of those that waited. */
function selectOldestLate(db: Database, kind: ArchivedKind) {
  const next = db
    .select({ madeAt: min(archiveProgress.oldestLateAt) })
    .from(archiveProgress)
    .where(and(eq(archiveProgress.kind, kind), isNotNull(archiveProgress.oldestLateAt)));
  const waited = db
    .select({ madeAt: min(archiveWaiting.lateAt) })
    .from(archiveWaiting)
    .where(and(eq(archiveWaiting.kind, kind), isNotNull(archiveWaiting.lateAt)));
  return unionAll(next, waited);
}
