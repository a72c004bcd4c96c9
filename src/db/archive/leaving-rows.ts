import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { hasEnded } from "../../domain/charges/payer-erasure.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import type { ArchivedKind, ArchivedRange } from "../../domain/storage/archive-files.ts";
import type { Env } from "../../config.ts";
import { allShards, databaseFor, type Database } from "../client.ts";
import { inList } from "../in-list.ts";
import { PIX_TERMS } from "../projection/listed-transactions.ts";
import { cursors } from "../schema/operations.ts";
import { archiveProgress, archiveWaiting, transactions } from "../schema/transactions.ts";
import { events } from "../schema/webhooks.ts";
import { runIdempotent } from "../storage-errors.ts";
import type { EventLine, TransactionLine } from "./archived-texts.ts";

/** Rows that one look at a company reads. */
export const ROWS_MAX = 200;
/** A row that was open is looked at again after this. */
const WAIT_MS = 24 * 60 * 60_000;

/** A row that is old enough to leave D1, without its texts. */
export interface OldRow {
  number: number;
  createdAt: number;
  /** Whether nothing is open, so that it may leave. */
  isClosed: boolean;
  /** Of its texts. */
  bytes: number;
}

/** A row with its line of the file, and what must still be so when it leaves. */
export interface LeavingRow {
  line: TransactionLine | EventLine;
  unchanged: Record<string, string | number>;
}

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
  const { scan } = RULES[kind];
  // Mostly the next row is too young: then it alone is read.
  const next = await scan(db, companyId, { after, limit: 1 });
  if (!next.some(isOld(madeBefore))) return [];
  return (await scan(db, companyId, { after, limit: ROWS_MAX })).filter(isOld(madeBefore));
}

function isOld(madeBefore: number) {
  return ({ createdAt }: OldRow) => createdAt < madeBefore;
}

/** The numbers of rows that were open and are looked at again, at most `ROWS_MAX`, with those that are there. */
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
    .orderBy(asc(archiveWaiting.nextRunAt))
    .limit(ROWS_MAX);
  const numbers = due.map(({ number }) => number);
  const rows = numbers.length === 0 ? [] : await RULES[kind].scan(db, companyId, { numbers });
  return { numbers, rows };
}

/** Rows with their texts, of those that have not left meanwhile. */
export async function loadLeaving(
  env: Env,
  companyId: number,
  kind: ArchivedKind,
  numbers: number[],
): Promise<LeavingRow[]> {
  return RULES[kind].load(databaseFor(env, companyId), companyId, numbers);
}

/** Rows that leave D1 for a file that has them. */
export interface Leaving {
  file: string;
  range: ArchivedRange;
  rows: LeavingRow[];
}

/**
 * Takes the texts of rows out of D1, of those alone that are as they were read, and moves the company's progress on.
 * Looked-at rows that are still there wait. One batch, safe to repeat. Returns the numbers whose texts the file has.
 */
export async function leaveD1(
  env: Env,
  companyId: number,
  kind: ArchivedKind,
  { lookedAt, leaving }: { lookedAt: number[]; leaving: Leaving | null },
  nowMs: number,
): Promise<Set<number>> {
  const db = databaseFor(env, companyId);
  const rules = RULES[kind];
  const isStillThere = sql`EXISTS (SELECT 1 FROM ${sql.identifier(kind)} WHERE company_id = ${companyId}
    AND ${sql.identifier(rules.numberColumn)} = value AND archive_file IS NULL)`;
  const listed = sql`json_each(${JSON.stringify(lookedAt)})`;
  const counter = `archived_${kind}` as const;
  const left: BatchItem<"sqlite">[] =
    leaving === null
      ? []
      : [
          rules.leave(db, companyId, leaving),
          // The rows that the statement before has changed: none where it is repeated.
          db
            .insert(cursors)
            .select(sql`SELECT ${counter}, changes() WHERE true`)
            .onConflictDoUpdate({
              target: cursors.name,
              set: { value: sql`${cursors.value} + excluded.value` },
            }),
        ];
  const afterNumber = Math.max(0, ...lookedAt);
  const progress = db
    .insert(archiveProgress)
    .values({ companyId, kind, afterNumber, lateSince: null })
    .onConflictDoUpdate({
      target: [archiveProgress.companyId, archiveProgress.kind],
      set: { afterNumber: sql`max(after_number, ${afterNumber})` },
    });
  const waiting = db
    .insert(archiveWaiting)
    .select(
      sql`SELECT ${companyId}, ${kind}, value, ${nowMs + WAIT_MS} FROM ${listed} WHERE ${isStillThere}`,
    )
    .onConflictDoUpdate({
      target: [archiveWaiting.companyId, archiveWaiting.kind, archiveWaiting.number],
      set: { nextRunAt: sql`excluded.next_run_at` },
    });
  const gone = db
    .delete(archiveWaiting)
    .where(
      and(
        isOf(archiveWaiting, companyId, kind),
        sql`number IN (SELECT value FROM ${listed} WHERE NOT ${isStillThere})`,
      ),
    );
  const { first, last } = leaving?.range ?? { first: 0, last: 0 };
  const found = rules.inFile(db, companyId, leaving?.file ?? "", first, last);
  const [start = progress, ...others] = [...left, progress, waiting, gone, found];
  const answers = await runIdempotent(() => db.batch([start, ...others]));
  const numbers = answers.at(-1) as { number: number }[];
  return new Set(numbers.map(({ number }) => number));
}

/** Keeps since when rows of a company are old enough and have not left; null: none is known. */
export async function saveLateSince(
  env: Env,
  companyId: number,
  kind: ArchivedKind,
  lateSince: number | null,
): Promise<void> {
  const db = databaseFor(env, companyId);
  if (lateSince !== null) {
    await db
      .insert(archiveProgress)
      .values({ companyId, kind, afterNumber: 0, lateSince })
      .onConflictDoUpdate({
        target: [archiveProgress.companyId, archiveProgress.kind],
        set: { lateSince },
      });
    return;
  }
  await db
    .update(archiveProgress)
    .set({ lateSince: null })
    .where(and(isOf(archiveProgress, companyId, kind), isNotNull(archiveProgress.lateSince)));
}

/** What differs between the kinds. */
interface KindRules {
  numberColumn: string;
  scan: (
    db: Database,
    companyId: number,
    wanted: { after: SQL; limit: number } | { numbers: number[] },
  ) => Promise<OldRow[]>;
  load: (db: Database, companyId: number, numbers: number[]) => Promise<LeavingRow[]>;
  leave: (db: Database, companyId: number, leaving: Leaving) => BatchItem<"sqlite">;
  /** Of the rows between two numbers those whose texts a file has. */
  inFile: (
    db: Database,
    companyId: number,
    file: string,
    first: number,
    last: number,
  ) => BatchItem<"sqlite">;
}

/** A charge may leave once it has ended and the cron has no more check of it. */
const TRANSACTIONS: KindRules = {
  numberColumn: "seq",
  scan: async (db, companyId, wanted) => {
    const rows = await db
      .select({
        number: transactions.seq,
        createdAt: transactions.createdAt,
        status: transactions.status,
        answeredAt: transactions.answeredAt,
        updatedAt: transactions.updatedAt,
        refunds: transactions.refunds,
        dispute: transactions.dispute,
        nextSweepAt: transactions.nextSweepAt,
        bytes: sql<number>`octet_length(payer) + octet_length(items) + coalesce(octet_length(metadata), 0)
          + coalesce(octet_length(pix), 0) + coalesce(octet_length(boleto), 0)`,
      })
      .from(transactions)
      .where(
        and(
          eq(transactions.companyId, companyId),
          "after" in wanted
            ? gt(transactions.seq, wanted.after)
            : inList(transactions.seq, wanted.numbers),
        ),
      )
      .orderBy(asc(transactions.seq))
      .limit("after" in wanted ? wanted.limit : ROWS_MAX);
    return rows.map(({ number, createdAt, bytes, nextSweepAt, dispute, ...charge }) => {
      const isClosed = nextSweepAt === null && hasEnded({ ...charge, dispute: dispute ?? null });
      return { number, createdAt, bytes, isClosed };
    });
  },
  load: async (db, companyId, numbers) => {
    const { seq, id, version, externalRef, endToEndId, amount, createdAt, payer } = transactions;
    const { items, metadata, pix, boleto, returnUrl } = transactions;
    const rows = await db
      .select({
        ...{ seq, id, version, externalRef, endToEndId, amount, createdAt, payer },
        ...{ items, metadata, pix, boleto, returnUrl },
        payerText: sql<string>`payer`.as("payer_text"),
      })
      .from(transactions)
      .where(
        and(
          eq(transactions.companyId, companyId),
          inList(seq, numbers),
          isNull(transactions.archiveFile),
        ),
      )
      .orderBy(asc(seq));
    return rows.map(({ seq: number, payer: { address }, payerText, ...row }) => ({
      line: { number, ...row, createdAt: isoTime(row.createdAt), address },
      unchanged: { number, version: row.version, payer: payerText },
    }));
  },
  leave: (db, companyId, { file, range, rows }) =>
    db
      .update(transactions)
      .set({
        archiveFile: file,
        payer: sql`json_set(payer, '$.address', json('{}'))`,
        items: [],
        metadata: null,
        pix: PIX_TERMS,
        boleto: sql`json_set(boleto, '$.instructions', '', '$.documentNumber', '', '$.origin', '',
          '$.registered', json('null'))`,
        returnUrl: null,
      })
      .where(
        and(
          eq(transactions.companyId, companyId),
          sql`seq BETWEEN ${range.first} AND ${range.last}`,
          isNull(transactions.archiveFile),
          sql`(seq, version, payer) IN (SELECT value ->> 'number', value ->> 'version', value ->> 'payer'
            FROM json_each(${unchangedOf(rows)}))`,
        ),
      ),
  inFile: (db, companyId, file, first, last) =>
    db
      .select({ number: transactions.seq })
      .from(transactions)
      .where(
        and(
          eq(transactions.companyId, companyId),
          sql`seq BETWEEN ${first} AND ${last}`,
          eq(transactions.archiveFile, file),
        ),
      ),
};

/** An event may leave once none of its deliveries is open. */
const EVENTS: KindRules = {
  numberColumn: "company_sequence",
  scan: async (db, companyId, wanted) => {
    const hasOpen = sql<number>`EXISTS (SELECT 1 FROM deliveries AS its WHERE its.company_id = events.company_id
      AND its.company_sequence = events.company_sequence AND its.next_attempt_at IS NOT NULL)`;
    const rows = await db
      .select({
        number: events.companySequence,
        createdAt: events.createdAt,
        hasOpen: hasOpen.as("has_open"),
        bytes: sql<number>`octet_length(${events.body})`.as("bytes"),
      })
      .from(events)
      .where(
        and(
          eq(events.companyId, companyId),
          "after" in wanted
            ? gt(events.companySequence, wanted.after)
            : inList(events.companySequence, wanted.numbers),
        ),
      )
      .orderBy(asc(events.companySequence))
      .limit("after" in wanted ? wanted.limit : ROWS_MAX);
    return rows.map(({ hasOpen: open, ...row }) => ({ ...row, isClosed: open === 0 }));
  },
  load: async (db, companyId, numbers) => {
    const rows = await db
      .select()
      .from(events)
      .where(
        and(
          eq(events.companyId, companyId),
          inList(events.companySequence, numbers),
          isNull(events.archiveFile),
        ),
      )
      .orderBy(asc(events.companySequence));
    return rows.map(({ companySequence: number, type, objectId, createdAt, body }) => ({
      line: { number, type, objectId, createdAt: isoTime(createdAt), body },
      unchanged: { number, body },
    }));
  },
  leave: (db, companyId, { file, range, rows }) =>
    db
      .update(events)
      .set({ archiveFile: file, body: "" })
      .where(
        and(
          eq(events.companyId, companyId),
          sql`company_sequence BETWEEN ${range.first} AND ${range.last}`,
          isNull(events.archiveFile),
          sql`(company_sequence, body) IN (SELECT value ->> 'number', value ->> 'body'
            FROM json_each(${unchangedOf(rows)}))`,
        ),
      ),
  inFile: (db, companyId, file, first, last) =>
    db
      .select({ number: events.companySequence })
      .from(events)
      .where(
        and(
          eq(events.companyId, companyId),
          sql`company_sequence BETWEEN ${first} AND ${last}`,
          eq(events.archiveFile, file),
        ),
      ),
};

const RULES: Record<ArchivedKind, KindRules> = { transactions: TRANSACTIONS, events: EVENTS };

function unchangedOf(rows: LeavingRow[]): string {
  return JSON.stringify(rows.map(({ unchanged }) => unchanged));
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
  const oldest = (late: { lateSince: number | null }[]) =>
    late.reduce<number | null>(
      (first, { lateSince }) =>
        first === null || lateSince === null ? (first ?? lateSince) : Math.min(first, lateSince),
      null,
    );
  return {
    transactions: {
      archived: total("archived_transactions"),
      lateSince: oldest(found.flatMap(([, late]) => late)),
    },
    events: {
      archived: total("archived_events"),
      lateSince: oldest(found.flatMap(([, , late]) => late)),
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
