import { and, asc, eq, inArray, isNotNull } from "drizzle-orm";
import type { ArchivedKind } from "../../domain/storage/archive-files.ts";
import type { Env } from "../../config.ts";
import { allShards, type Database } from "../client.ts";
import { cursors } from "../schema/operations.ts";
import { archiveProgress } from "../schema/transactions.ts";

/** How many rows of a kind have left D1, and when the oldest was made that should have and has not; null: all have. */
export interface ArchivedRows {
  archived: number;
  lateSince: number | null;
}

/** Of each kind what has left all databases. */
export async function archivedRows(env: Env): Promise<Record<ArchivedKind, ArchivedRows>> {
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
  return {
    transactions: {
      archived: total("archived_transactions"),
      lateSince: oldestOf(found.flatMap(([, late]) => late)),
    },
    events: {
      archived: total("archived_events"),
      lateSince: oldestOf(found.flatMap(([, , late]) => late)),
    },
  };
}

function selectLateSince(db: Database, kind: ArchivedKind) {
  return db
    .select({ lateSince: archiveProgress.lateSince })
    .from(archiveProgress)
    .where(and(eq(archiveProgress.kind, kind), isNotNull(archiveProgress.lateSince)))
    .orderBy(asc(archiveProgress.lateSince))
    .limit(1);
}

function oldestOf(late: { lateSince: number | null }[]): number | null {
  const times = late.flatMap(({ lateSince }) => lateSince ?? []);
  return times.length === 0 ? null : Math.min(...times);
}
