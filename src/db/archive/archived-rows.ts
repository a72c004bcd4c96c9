import { and, asc, eq, inArray, isNotNull } from "drizzle-orm";
import { archivedBefore, type ArchivedKind } from "../../domain/storage/archive-files.ts";
import { configOf, type Env } from "../../config.ts";
import { allShards, type Database } from "../client.ts";
import { cursors } from "../schema/operations.ts";
import { archiveProgress } from "../schema/transactions.ts";

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
    allShards(env).map(({ db }) =>
      db.batch([
        db
          .select()
          .from(cursors)
          .where(inArray(cursors.name, ["archived_transactions", "archived_events"])),
        selectLateSince(db, "transactions"),
        selectLateSince(db, "events"),
      ]),
    ),
  );
  const counters = found.flatMap(([each]) => each);
  const total = (name: string) =>
    counters.filter((row) => row.name === name).reduce((sum, { value }) => sum + value, 0);
  const lateSince = (late: { madeAt: number | null }[]) => {
    const times = late.flatMap(({ madeAt }) => madeAt ?? []);
    const isLate = archiveAfterMonths > 0 && times.length > 0;
    return isLate ? Math.min(...times) + allowedAge : null;
  };
  return {
    transactions: {
      archived: total("archived_transactions"),
      lateSince: lateSince(found.flatMap(([, late]) => late)),
    },
    events: {
      archived: total("archived_events"),
      lateSince: lateSince(found.flatMap(([, , late]) => late)),
    },
  };
}

function selectLateSince(db: Database, kind: ArchivedKind) {
  return db
    .select({ madeAt: archiveProgress.oldestLateAt })
    .from(archiveProgress)
    .where(and(eq(archiveProgress.kind, kind), isNotNull(archiveProgress.oldestLateAt)))
    .orderBy(asc(archiveProgress.oldestLateAt))
    .limit(1);
}
