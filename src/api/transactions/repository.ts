import { and, asc, desc, eq, getTableColumns, or, sql, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { databaseFor, type Database } from "../../db/client.ts";
import { isPresentVersion } from "../../db/credentials-version.ts";
import { packedBytes } from "../../db/packed-column.ts";
import { runIdempotent } from "../../db/faults.ts";
import { leads, transactions, type StoredFailure } from "../../db/schema/transactions.ts";
import type { TransactionRow } from "../../db/transaction-mapper.ts";
import type { BoletoCharge } from "../../domain/boleto.ts";
import type { ChargeStatus } from "../../domain/charge-status.ts";
import type { PageWindow } from "../../domain/page.ts";
import type { PixCharge, TransactionRecord } from "../../domain/transaction.ts";
import type { Env } from "../../env.ts";
import { assert } from "../../lib/assert.ts";

/** A transaction before D1 gave it its `seq`, its lead and its place in time. */
export type TransactionDraft = Omit<
  TransactionRecord,
  "seq" | "leadNumber" | "leadUuid" | "createdAt" | "pix"
> & {
  shipping: { fee?: number } | null;
  idempotencyKey: string | null;
  requestHash: string;
  /** Null where the payer can never be known again. */
  leadMatchKey: string | null;
  leaseUntil: number;
  sweepAt: null;
  nowMs: number;
};

/**
 * Claims the idempotency key and the next `seq` and writes `creating`, in one batch that may be run
 * twice. Answers the row that stands under the key: ours, or an earlier one. Where the draft was made
 * with a version of the company's credentials that is not the present one, nothing is written or shown:
 * null. `credentialsVersion` is null where they were read for this request.
 */
export async function claimTransaction(
  env: Env,
  draft: TransactionDraft,
  credentialsVersion: number | null,
): Promise<TransactionRow | null> {
  const db = databaseFor(env, draft.companyId);
  const { leadMatchKey } = draft;
  const lead = leadMatchKey === null ? [] : [insertLead(db, draft, leadMatchKey)];
  const isPresent =
    credentialsVersion === null ? sql`true` : isPresentVersion(draft.companyId, credentialsVersion);
  // What the batch's first run has written is ours, also where a second one comes too late to write it.
  const isShown = or(isPresent, eq(transactions.id, draft.id));
  const [, [row]] = await runIdempotent(() =>
    db.batch([
      insertTransaction(db, draft, isPresent),
      db
        .select()
        .from(transactions)
        .where(and(claimedBy(draft), isShown)),
      ...lead,
    ]),
  );
  assert(row !== undefined || credentialsVersion !== null, "a claim leaves a row under its key");
  return row ?? null;
}

/** The transaction that a create made under an idempotency key; null where none did. */
export async function findUnderKey(
  env: Env,
  companyId: number,
  idempotencyKey: string,
): Promise<TransactionRow | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(transactions)
    .where(underKey(companyId, idempotencyKey));
  return row ?? null;
}

/** Takes over a create whose lease ran out; null where somebody else was faster or it is answered. */
export async function takeOver(
  env: Env,
  row: TransactionRow,
  leaseUntil: number,
): Promise<TransactionRow | null> {
  const [taken] = await databaseFor(env, row.companyId)
    .update(transactions)
    .set({ leaseUntil })
    .where(and(unanswered(row), eq(transactions.leaseUntil, row.leaseUntil)))
    .returning();
  return taken ?? null;
}

/** Gives the key back to the next request at once: nobody answered this one. */
export async function releaseLease(env: Env, row: TransactionRow): Promise<void> {
  await databaseFor(env, row.companyId)
    .update(transactions)
    .set({ leaseUntil: 0 })
    .where(and(unanswered(row), eq(transactions.leaseUntil, row.leaseUntil)));
}

export interface CreationAnswer {
  status: ChargeStatus;
  pix: PixCharge | null;
  boleto: BoletoCharge | null;
  failure: StoredFailure | null;
  /** Where its provider has the last word on it. */
  expiresAt?: number;
  /** When the cron must look at it, as long as it is open; null where its later look comes in time. */
  sweepAt: number | null;
}

/**
 * Writes what the provider answered. The status only where no move has come before it (`version`
 * 0); an answer that is already there stays. Answers the row as it stands then.
 */
export async function answerTransaction(
  env: Env,
  row: TransactionRow,
  answer: CreationAnswer,
  nowMs: number,
): Promise<TransactionRow> {
  const db = databaseFor(env, row.companyId);
  const [, [answered]] = await runIdempotent(() =>
    db.batch([
      db
        .update(transactions)
        .set({
          pix: answer.pix,
          boleto: answer.boleto,
          failure: answer.failure,
          ...(answer.expiresAt === undefined ? {} : { expiresAt: answer.expiresAt }),
          answeredAt: nowMs,
          answeredStatus: answer.status,
          status: sql`CASE WHEN version = 0 THEN ${answer.status} ELSE status END`,
          updatedAt: sql`CASE WHEN version = 0 THEN ${nowMs} ELSE updated_at END`,
          sweepAt: sql`CASE
            WHEN version = 0 OR status IN ('waiting_payment', 'authorized') THEN ${answer.sweepAt}
            ELSE NULL END`,
        })
        .where(unanswered(row)),
      db.select().from(transactions).where(sameRow(row)),
    ]),
  );
  assert(answered !== undefined, "an answered transaction is there");
  return answered;
}

export async function findTransaction(
  env: Env,
  companyId: number,
  id: string,
): Promise<TransactionRow | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(transactions)
    .where(eq(transactions.id, id));
  return row?.companyId === companyId ? row : null;
}

/** How many transactions a company has (their `seq` is dense), and those of a page's range. */
export async function listTransactions(
  env: Env,
  companyId: number,
  page: PageWindow,
): Promise<{ rows: TransactionRow[]; total: number }> {
  const db = databaseFor(env, companyId);
  const total = newestSeq(companyId);
  const range = page.newestFirst
    ? sql`seq > ${total} - ${page.before + page.size} AND seq <= ${total} - ${page.before}`
    : sql`seq > ${page.before} AND seq <= ${page.before + page.size}`;
  const [[counted], rows] = await db.batch([
    db.select({ total: sql<number>`${total}` }).from(sql`(SELECT 1)`),
    db
      .select()
      .from(transactions)
      .where(and(eq(transactions.companyId, companyId), range))
      .orderBy(page.newestFirst ? desc(transactions.seq) : asc(transactions.seq)),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

function newestSeq(companyId: number): SQL {
  return sql`(SELECT coalesce(max(seq), 0) FROM transactions WHERE company_id = ${companyId})`;
}

function sameRow(row: TransactionRow): SQL | undefined {
  return and(eq(transactions.companyId, row.companyId), eq(transactions.seq, row.seq));
}

function unanswered(row: TransactionRow): SQL | undefined {
  return and(sameRow(row), sql`${transactions.answeredAt} IS NULL`);
}

function claimedBy(draft: TransactionDraft): SQL | undefined {
  return draft.idempotencyKey === null
    ? eq(transactions.id, draft.id)
    : underKey(draft.companyId, draft.idempotencyKey);
}

function underKey(companyId: number, idempotencyKey: string): SQL | undefined {
  return and(
    eq(transactions.companyId, companyId),
    eq(transactions.idempotencyKey, idempotencyKey),
  );
}

/**
 * `seq` is the next dense number, and `created_at` never falls as it rises (invariant I7). The numbers
 * of leads are counted on from transaction to transaction; only a row that was written before they
 * were has its company's leads looked through for the highest.
 */
function insertTransaction(db: Database, draft: TransactionDraft, isPresent: SQL) {
  const { companyId, leadMatchKey, nowMs, ...stored } = draft;
  const leadCount = sql`coalesce(newest.lead_count,
    (SELECT max(number) FROM leads WHERE company_id = ${companyId}), 0)`;
  const isNew = sql`lead.number IS NULL`;
  const row = selectRow(transactions, {
    ...stored,
    companyId,
    seq: sql`coalesce(newest.seq, 0) + 1`,
    leadNumber: sql`coalesce(lead.number, ${leadCount} + 1)`,
    leadUuid: sql`coalesce(lead.uuid, '')`,
    leadCount: sql`${leadCount} + (${isNew})`,
    isRepeat: sql`NOT (${isNew})`,
    traceable: stored.traceable ? 1 : 0,
    metadata: stored.metadata === null ? null : packedBytes(stored.metadata),
    payer: packedBytes(JSON.stringify(stored.payer)),
    shipping: toJson(stored.shipping),
    items: packedBytes(JSON.stringify(stored.items)),
    refunds: JSON.stringify(stored.refunds),
    dispute: null,
    pix: null,
    boleto: stored.boleto === null ? null : packedBytes(JSON.stringify(stored.boleto)),
    card: toJson(stored.card),
    refusedReason: null,
    createdAt: sql`max(${nowMs}, coalesce(newest.created_at, 0))`,
    answeredAt: null,
    answeredStatus: null,
    failure: null,
    eventNumbers: "[]",
  });
  return db
    .insert(transactions)
    .select(
      sql`SELECT ${row} FROM (SELECT 1)
        LEFT JOIN (SELECT seq, created_at, lead_count FROM transactions
          WHERE company_id = ${companyId} ORDER BY seq DESC LIMIT 1) AS newest ON true
        LEFT JOIN leads AS lead
          ON lead.company_id = ${companyId} AND lead.match_key = ${leadMatchKey}
        WHERE ${isPresent}`,
    )
    .onConflictDoNothing();
}

/** The lead of a transaction that was just claimed, where its payer is new and may come back. */
function insertLead(db: Database, draft: TransactionDraft, matchKey: string) {
  const row = selectRow(leads, {
    companyId: sql`company_id`,
    matchKey,
    number: sql`lead_number`,
    uuid: sql`lead_uuid`,
    createdAt: draft.nowMs,
    firstSeq: sql`seq`,
  });
  return db
    .insert(leads)
    .select(sql`SELECT ${row} FROM transactions WHERE id = ${draft.id} AND is_repeat = 0`)
    .onConflictDoNothing();
}

function toJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** The select list of an INSERT ... SELECT: every column of the table, in the table's order. */
function selectRow<Table extends SQLiteTable>(
  table: Table,
  values: Record<keyof Table["_"]["columns"], SQL | string | number | ArrayBuffer | null>,
): SQL {
  const names = Object.keys(getTableColumns(table)) as (keyof Table["_"]["columns"])[];
  return sql.join(
    names.map((name) => sql`${values[name]}`),
    sql`, `,
  );
}
