import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  or,
  sql,
  type Placeholder,
  type SQL,
} from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { builtOnce, runOne, type Slots } from "../../db/built-once.ts";
import { databaseFor, type Database } from "../../db/client.ts";
import { isPresentVersion } from "../../db/credentials-version.ts";
import { runIdempotent } from "../../db/faults.ts";
import type { Details } from "../../db/packed-details.ts";
import { packPix } from "../../db/packed-pix.ts";
import { leads, transactions, type StoredFailure } from "../../db/schema/transactions.ts";
import {
  transactionRow,
  type StoredTransaction,
  type TransactionRow,
} from "../../db/transaction-mapper.ts";
import type { BoletoCharge } from "../../domain/boleto.ts";
import type { ChargeStatus } from "../../domain/charge-status.ts";
import type { Cents } from "../../domain/money.ts";
import type { PageWindow } from "../../domain/page.ts";
import type { PixCharge, TransactionRecord } from "../../domain/transaction.ts";
import type { Env } from "../../env.ts";
import { assert } from "../../lib/assert.ts";

/** A transaction before D1 gave it its `seq`, its lead and its place in time. */
export type TransactionDraft = Omit<
  TransactionRecord,
  "seq" | "leadNumber" | "leadUuid" | "createdAt" | "pix"
> & {
  shippingFee: Cents | null;
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
 * twice. Answers the row that stands under the key: ours, of which D1 is only asked what it gave it, or an
 * earlier one. Where the draft was made with a version of the company's credentials that is not the
 * present one, nothing is written or shown: null.
 */
export async function claimTransaction(
  env: Env,
  draft: TransactionDraft,
  credentialsVersion: number,
): Promise<TransactionRow | null> {
  const db = databaseFor(env, draft.companyId);
  const claim = insertTransaction(db, { ...draft, details: draft, credentialsVersion });
  const { leadMatchKey, nowMs, id } = draft;
  const lead = leadMatchKey === null ? [] : [insertLead(db, { id, leadMatchKey, nowMs })];
  const [[given]] = await runIdempotent(() => db.batch([claim, ...lead]));
  return given === undefined
    ? findClaimed(db, draft, credentialsVersion)
    : { ...storedOf(draft), ...NOT_ANSWERED, ...given };
}

/** What stands where nothing could be claimed, and what is ours where the claim's answer was lost. */
async function findClaimed(
  db: Database,
  draft: TransactionDraft,
  credentialsVersion: number,
): Promise<TransactionRow | null> {
  const isPresent = isPresentVersion(draft.companyId, credentialsVersion);
  const [row] = await db
    .select()
    .from(transactions)
    .where(and(claimedBy(draft), or(isPresent, eq(transactions.id, draft.id))));
  return rowOrNull(row);
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
  return rowOrNull(row);
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
  return rowOrNull(taken);
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
  const { companyId, seq } = row;
  const { status, sweepAt, expiresAt, ...brought } = answer;
  const written = updateAnswered(db, {
    companyId,
    seq,
    status,
    sweepAt,
    nowMs,
    expiresAt: expiresAt ?? null,
    answeredStatus: status,
    ...brought,
    pix: brought.pix === null ? null : packPix(brought.pix, row),
  });
  const [answered] = await runIdempotent(() => runOne(db, written));
  if (answered?.version === 0) {
    const times = { expiresAt: expiresAt ?? row.expiresAt, answeredAt: nowMs, updatedAt: nowMs };
    const said = { status, answeredStatus: status, leaseUntil: 0 };
    return { ...row, ...brought, ...times, ...said, sweepAt };
  }
  const [standing] = await db.select().from(transactions).where(sameRow(row));
  assert(standing !== undefined, "an answered transaction is there");
  return transactionRow(standing);
}

const updateAnswered = builtOnce(
  (
    db,
    slots: Slots<{
      companyId: number;
      seq: number;
      status: ChargeStatus;
      sweepAt: number | null;
      nowMs: number;
      expiresAt: number | null;
      answeredStatus: ChargeStatus;
      pix: Uint8Array | null;
      boleto: BoletoCharge | null;
      failure: StoredFailure | null;
    }>,
  ) =>
    db
      .update(transactions)
      .set({
        pix: sql`${sql.param(slots.pix, transactions.pix)}`,
        boleto: sql`${sql.param(slots.boleto, transactions.boleto)}`,
        failure: sql`${sql.param(slots.failure, transactions.failure)}`,
        expiresAt: sql`coalesce(${slots.expiresAt}, expires_at)`,
        answeredAt: sql`${slots.nowMs}`,
        answeredStatus: sql`${sql.param(slots.answeredStatus, transactions.answeredStatus)}`,
        leaseUntil: 0,
        status: sql`CASE WHEN version = 0 THEN ${slots.status} ELSE status END`,
        updatedAt: sql`CASE WHEN version = 0 THEN ${slots.nowMs} ELSE updated_at END`,
        sweepAt: sql`CASE
          WHEN version = 0 OR status IN ('waiting_payment', 'authorized') THEN ${slots.sweepAt}
          ELSE NULL END`,
      })
      .where(unanswered(slots))
      .returning({ version: transactions.version }),
);

const selectById = builtOnce((db, slots: Slots<{ id: string }>) =>
  db.select().from(transactions).where(hasId(slots.id)),
);

export async function findTransaction(
  env: Env,
  companyId: number,
  id: string,
): Promise<TransactionRow | null> {
  const db = databaseFor(env, companyId);
  const [row] = await runOne(db, selectById(db, { id }));
  return row?.companyId === companyId ? transactionRow(row) : null;
}

/** How many transactions a company has (their `seq` is dense), and those of a page's range. */
export async function listTransactions(
  env: Env,
  companyId: number,
  page: PageWindow,
): Promise<{ rows: TransactionRow[]; total: number }> {
  const db = databaseFor(env, companyId);
  const range = { companyId, before: page.before, upTo: page.before + page.size };
  const [[counted], rows] = await db.batch([
    selectTotal(db, { companyId }),
    page.newestFirst ? selectNewest(db, range) : selectOldest(db, range),
  ]);
  return { rows: rows.map(transactionRow), total: counted?.total ?? 0 };
}

const selectTotal = builtOnce((db, { companyId }: Slots<{ companyId: number }>) =>
  db.select({ total: sql<number>`${newestSeq(companyId)}` }).from(sql`(SELECT 1)`),
);

/** A page without the rows `before` it. */
type PageSlots = Slots<{ companyId: number; before: number; upTo: number }>;

const selectNewest = builtOnce((db, { companyId, before, upTo }: PageSlots) => {
  const total = newestSeq(companyId);
  return db
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.companyId, companyId),
        sql`seq > ${total} - ${upTo} AND seq <= ${total} - ${before}`,
      ),
    )
    .orderBy(desc(transactions.seq));
});

const selectOldest = builtOnce((db, { companyId, before, upTo }: PageSlots) =>
  db
    .select()
    .from(transactions)
    .where(and(eq(transactions.companyId, companyId), sql`seq > ${before} AND seq <= ${upTo}`))
    .orderBy(asc(transactions.seq)),
);

function newestSeq(companyId: Placeholder): SQL {
  return sql`(SELECT coalesce(max(seq), 0) FROM transactions WHERE company_id = ${companyId})`;
}

/** drizzle hands a slot as it is to whatever it is compared with, unless it is told the column. */
function hasId(id: Placeholder): SQL {
  return sql`id = ${sql.param(id, transactions.id)}`;
}

function rowOrNull(stored: StoredTransaction | undefined): TransactionRow | null {
  return stored === undefined ? null : transactionRow(stored);
}

type Place = Pick<TransactionRow, "companyId" | "seq">;

function sameRow({ companyId, seq }: Place | Slots<Place>): SQL | undefined {
  return and(eq(transactions.companyId, companyId), eq(transactions.seq, seq));
}

function unanswered(row: Place | Slots<Place>): SQL | undefined {
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

/** What a row is claimed with: whatever is known before its provider is asked. */
function storedOf({ nowMs: _now, leadMatchKey: _key, ...stored }: TransactionDraft) {
  return stored;
}

/** What there is of a row only once its provider has answered. */
const NOT_ANSWERED = {
  dispute: null,
  pix: null,
  refusedReason: null,
  answeredAt: null,
  answeredStatus: null,
  failure: null,
  eventNumbers: [],
};

/**
 * `seq` is the next dense number, and `created_at` never falls as it rises (invariant I7). The numbers
 * of leads are counted on from transaction to transaction; only a row that was written before they
 * were has its company's leads looked through for the highest.
 */
type Claim = TransactionDraft & { details: Details; credentialsVersion: number | null };

const insertTransaction = builtOnce((db, slots: Slots<Claim>) => {
  const { companyId, leadMatchKey, nowMs, credentialsVersion } = slots;
  const leadCount = sql`coalesce(newest.lead_count,
    (SELECT max(number) FROM leads WHERE company_id = ${companyId}), 0)`;
  const isNew = sql`lead.number IS NULL`;
  const row = selectRow(transactions, slots, {
    ...NOT_ANSWERED,
    eventNumbers: "[]",
    seq: sql`coalesce(newest.seq, 0) + 1`,
    leadNumber: sql`coalesce(lead.number, ${leadCount} + 1)`,
    leadUuid: sql`coalesce(lead.uuid, '')`,
    leadCount: sql`${leadCount} + (${isNew})`,
    isRepeat: sql`NOT (${isNew})`,
    createdAt: sql`max(${nowMs}, coalesce(newest.created_at, 0))`,
  });
  return db
    .insert(transactions)
    .select(
      sql`SELECT ${row} FROM (SELECT 1)
        LEFT JOIN (SELECT seq, created_at, lead_count FROM transactions
          WHERE company_id = ${companyId} ORDER BY seq DESC LIMIT 1) AS newest ON true
        LEFT JOIN leads AS lead
          ON lead.company_id = ${companyId} AND lead.match_key = ${leadMatchKey}
        WHERE ${isPresentVersion(companyId, credentialsVersion)}`,
    )
    .onConflictDoNothing()
    .returning({
      seq: transactions.seq,
      leadNumber: transactions.leadNumber,
      leadUuid: transactions.leadUuid,
      leadCount: transactions.leadCount,
      isRepeat: transactions.isRepeat,
      createdAt: transactions.createdAt,
    });
});

/** The lead of a transaction that was just claimed, where its payer is new and may come back. */
const insertLead = builtOnce(
  (db, slots: Slots<{ id: string; leadMatchKey: string; nowMs: number }>) => {
    const row = selectRow(leads, slots, {
      companyId: sql`company_id`,
      matchKey: slots.leadMatchKey,
      number: sql`lead_number`,
      uuid: sql`lead_uuid`,
      createdAt: slots.nowMs,
      firstSeq: sql`seq`,
    });
    return db
      .insert(leads)
      .select(sql`SELECT ${row} FROM transactions WHERE ${hasId(slots.id)} AND is_repeat = 0`)
      .onConflictDoNothing();
  },
);

/**
 * The select list of an INSERT ... SELECT: every column of the table, in the table's order. Of those
 * that have no SQL of their own each is the slot of its name, stored as its column stores a value.
 */
function selectRow<
  Table extends SQLiteTable,
  Values extends Partial<Record<keyof Table["_"]["columns"], SQL | Placeholder | string | null>>,
>(
  table: Table,
  slots: Record<Exclude<keyof Table["_"]["columns"], keyof Values>, Placeholder>,
  values: Values,
): SQL {
  const all: Partial<Record<string, unknown>> = values;
  const rest: Record<string, Placeholder> = slots;
  return sql.join(
    Object.entries(getTableColumns(table)).map(([name, column]) =>
      name in all ? sql`${all[name]}` : sql`${sql.param(rest[name], column)}`,
    ),
    sql`, `,
  );
}
