import { and, asc, eq, isNotNull, lte, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { ArchivedKind } from "../../domain/storage/archive-files.ts";
import type { Env } from "../../config.ts";
import { databaseFor, type Database } from "../client.ts";
import { inList } from "../in-list.ts";
import { cursors } from "../schema/operations.ts";
import { archiveProgress, archiveWaiting } from "../schema/transactions.ts";
import { runIdempotent } from "../storage-errors.ts";
import {
  ARCHIVE_RULES,
  ROWS_MAX,
  type Leaving,
  type LeavingRow,
  type OldRow,
} from "./archive-rules.ts";

/** A row that was open is looked at again after this. */
const WAIT_MS = 24 * 60 * 60_000;
/** One that could not leave is tried again after this. */
const RETRY_MS = 2 * 60 * 60_000;

/** Rows of a company after those that have left, made before a time, oldest first: at most `ROWS_MAX`. */
export async function nextOldRows(
  env: Env,
  companyId: number,
  kind: ArchivedKind,
  madeBefore: number,
): Promise<OldRow[]> {
  const db = databaseFor(env, companyId);
  const after = sql`coalesce((SELECT after_number FROM archive_progress
    WHERE company_id = ${companyId} AND kind = ${kind}), 0)`;
  const { scan } = ARCHIVE_RULES[kind];
  // Mostly the next row is too young: then it alone is read.
  const next = await scan(db, companyId, { after, limit: 1 });
  if (!next.some(isOld(madeBefore))) return [];
  const rows = await scan(db, companyId, { after });
  // What comes behind a young row waits for it: the progress is one number.
  const young = rows.findIndex((row) => !isOld(madeBefore)(row));
  return young === -1 ? rows : rows.slice(0, young);
}

function isOld(madeBefore: number) {
  return ({ createdAt }: OldRow) => createdAt < madeBefore;
}

/**
 * The numbers of rows that were open and are looked at again, at most `ROWS_MAX`, with those that are there. The one
 * that has waited longest comes first.
 */
export async function waitingRows(
  env: Env,
  companyId: number,
  kind: ArchivedKind,
  nowMs: number,
): Promise<{ numbers: number[]; rows: OldRow[] }> {
  const db = databaseFor(env, companyId);
  const due = await db
    .select({ number: archiveWaiting.number })
    .from(archiveWaiting)
    .where(and(isOf(archiveWaiting, companyId, kind), lte(archiveWaiting.nextRunAt, nowMs)))
    .orderBy(asc(archiveWaiting.nextRunAt), asc(archiveWaiting.number))
    .limit(ROWS_MAX);
  const numbers = due.map(({ number }) => number);
  const found =
    numbers.length === 0 ? [] : await ARCHIVE_RULES[kind].scan(db, companyId, { numbers });
  const byNumber = new Map(found.map((row) => [row.number, row]));
  return { numbers, rows: numbers.flatMap((number) => byNumber.get(number) ?? []) };
}

/** Rows with their texts, of those that have not left meanwhile. */
export async function loadLeaving(
  env: Env,
  companyId: number,
  kind: ArchivedKind,
  numbers: number[],
): Promise<LeavingRow[]> {
  return ARCHIVE_RULES[kind].load(databaseFor(env, companyId), companyId, numbers);
}

/**
 * Takes the texts of rows out of D1, of those alone that are as they were read, and moves the company's progress on.
 * Looked-at rows that are still there wait. One batch, safe to repeat. Returns the numbers whose texts the file has.
 */
export async function leaveD1(
  env: Env,
  companyId: number,
  kind: ArchivedKind,
  { lookedAt, leaving }: { lookedAt: number[]; leaving: Leaving },
  nowMs: number,
): Promise<Set<number>> {
  const db = databaseFor(env, companyId);
  const { leave, inFile } = ARCHIVE_RULES[kind];
  const counter = `archived_${kind}` as const;
  // The rows that the statement before it has changed: none where that is repeated.
  const counted = db
    .insert(cursors)
    .select(sql`SELECT ${counter}, changes() WHERE true`)
    .onConflictDoUpdate({
      target: cursors.name,
      set: { value: sql`${cursors.value} + excluded.value` },
    });
  const answers = await runIdempotent(() =>
    db.batch([
      leave(db, companyId, leaving),
      counted,
      ...progressStatements(db, companyId, kind, lookedAt, nowMs),
      inFile(db, companyId, leaving),
    ]),
  );
  const numbers = answers.at(-1) as { number: number }[];
  return new Set(numbers.map(({ number }) => number));
}

/** Moves a company's progress over rows that all stay: they wait. Safe to repeat. */
export async function passOver(
  env: Env,
  companyId: number,
  kind: ArchivedKind,
  lookedAt: number[],
  nowMs: number,
): Promise<void> {
  const db = databaseFor(env, companyId);
  await runIdempotent(() => db.batch(progressStatements(db, companyId, kind, lookedAt, nowMs)));
}

/** Closed rows that could not leave: they are late, and are looked at again after a while. */
export async function postponeWaiting(
  env: Env,
  companyId: number,
  kind: ArchivedKind,
  rows: OldRow[],
  nowMs: number,
): Promise<void> {
  if (rows.length === 0) return;
  const numbers = rows.map(({ number }) => number);
  const lateAt = Math.min(...rows.map(({ createdAt }) => createdAt));
  await databaseFor(env, companyId)
    .update(archiveWaiting)
    .set({ nextRunAt: nowMs + RETRY_MS, lateAt })
    .where(and(isOf(archiveWaiting, companyId, kind), inList(archiveWaiting.number, numbers)));
}

/** After the rows have left: those that have not wait, the others wait no more. */
function progressStatements(
  db: Database,
  companyId: number,
  kind: ArchivedKind,
  lookedAt: number[],
  nowMs: number,
): [BatchItem<"sqlite">, ...BatchItem<"sqlite">[]] {
  const { numberColumn } = ARCHIVE_RULES[kind];
  const isStillThere = sql`EXISTS (SELECT 1 FROM ${sql.identifier(kind)} WHERE company_id = ${companyId}
    AND ${sql.identifier(numberColumn)} = value AND archive_file IS NULL)`;
  const listed = sql`json_each(${JSON.stringify(lookedAt)})`;
  const afterNumber = Math.max(0, ...lookedAt);
  return [
    db
      .insert(archiveProgress)
      .values({ companyId, kind, afterNumber, oldestLateAt: null })
      .onConflictDoUpdate({
        target: [archiveProgress.companyId, archiveProgress.kind],
        set: { afterNumber: sql`max(after_number, ${afterNumber})` },
      }),
    db
      .insert(archiveWaiting)
      .select(
        sql`SELECT ${companyId}, ${kind}, value, ${nowMs + WAIT_MS}, NULL FROM ${listed} WHERE ${isStillThere}`,
      )
      .onConflictDoUpdate({
        target: [archiveWaiting.companyId, archiveWaiting.kind, archiveWaiting.number],
        set: { nextRunAt: sql`excluded.next_run_at`, lateAt: null },
      }),
    db
      .delete(archiveWaiting)
      .where(
        and(
          isOf(archiveWaiting, companyId, kind),
          sql`number IN (SELECT value FROM ${listed} WHERE NOT ${isStillThere})`,
        ),
      ),
  ];
}

/** Keeps since when rows of a company are old enough and have not left; null: none is known. */
export async function saveOldestLate(
  env: Env,
  companyId: number,
  kind: ArchivedKind,
  oldestLateAt: number | null,
): Promise<void> {
  const db = databaseFor(env, companyId);
  if (oldestLateAt !== null) {
    await db
      .insert(archiveProgress)
      .values({ companyId, kind, afterNumber: 0, oldestLateAt })
      .onConflictDoUpdate({
        target: [archiveProgress.companyId, archiveProgress.kind],
        set: { oldestLateAt },
      });
    return;
  }
  await db
    .update(archiveProgress)
    .set({ oldestLateAt: null })
    .where(and(isOf(archiveProgress, companyId, kind), isNotNull(archiveProgress.oldestLateAt)));
}

function isOf(
  table: typeof archiveProgress | typeof archiveWaiting,
  companyId: number,
  kind: ArchivedKind,
): SQL | undefined {
  return and(eq(table.companyId, companyId), eq(table.kind, kind));
}

/** The numbers and times of events of objects, which say in which files they may be. */
export async function eventsOfObjects(
  env: Env,
  companyId: number,
  objectIds: string[],
): Promise<{ number: number; createdAt: number; objectId: string }[]> {
  return databaseFor(env, companyId).all<{
    number: number;
    createdAt: number;
    objectId: string;
  }>(sql`
    SELECT events.company_sequence AS number, events.created_at AS "createdAt", events.object_id AS "objectId"
    FROM json_each(${JSON.stringify(objectIds)}) AS wanted
    CROSS JOIN events INDEXED BY events_object
    ON events.company_id = ${companyId} AND events.object_id = wanted.value`);
}
