import { and, asc, desc, eq, getTableColumns, is, or, SQL, sql } from "drizzle-orm";
import { databaseFor, type Database } from "../../db/client.ts";
import {
  chargesOfDay,
  chargeUsage,
  dayMethodsWith,
  isWithinChargeQuota,
  newestCharge,
  newestEvent,
  selectChargeUsage,
} from "../../db/companies/charge-usage.ts";
import { isCurrentVersion } from "../../db/companies/credentials-version.ts";
import { runIdempotent } from "../../db/storage-errors.ts";
import { LIST_COLUMNS, toListedTransaction } from "../../db/projection/listed-transactions.ts";
import { transactions, type StoredFailure } from "../../db/schema/transactions.ts";
import { withTexts } from "../../db/archive/archived-texts.ts";
import type { StoredTransaction, TransactionRow } from "../../db/projection/transaction-mapper.ts";
import type { MethodColumns } from "../../methods/method.ts";
import type { ChargeStatus } from "../../domain/charges/charge-status.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { PageWindow } from "../../domain/shared/page.ts";
import type { ListedTransaction, TransactionRecord } from "../../domain/charges/transaction.ts";
import { exceededQuota } from "../../domain/storage/quotas.ts";
import type { Env } from "../../config.ts";
import { quotaExceeded } from "../../http/quota.ts";
import { assert } from "../../lib/assert.ts";

/** A transaction before D1 gave it its `seq`, its lead and its place in time. */
export type TransactionDraft = Omit<
  TransactionRecord,
  "seq" | "leadNumber" | "leadUuid" | "createdAt" | "archived" | "textsMissing"
> & {
  shippingFee: Cents | null;
  returnUrl: string | null;
  traceId: string | null;
  idempotencyKey: string | null;
  requestHash: string;
  /** Null where the payer can never be known again. */
  leadKey: string | null;
  leaseUntil: number;
  nextSweepAt: number | null;
  nowMs: number;
};

/** What a claim is checked against: the caller's credentials, and the company's part of the quotas. */
export interface ClaimLimits {
  credentialsVersion: number;
  quotaPercent: number;
  /** What the charge counts against the quota of bytes. */
  bytes: number;
}

/**
 * Claims the idempotency key and the next `seq` and writes `creating`, in one statement that may be run
 * twice. Answers the row under the key: the new one, or an earlier one. Writes nothing and answers null
 * where the company's credentials have changed since the draft was made. Throws 429 if a new charge would
 * exceed a quota.
 */
export async function claimTransaction(
  env: Env,
  draft: TransactionDraft,
  limits: ClaimLimits,
): Promise<TransactionRow | null> {
  const db = databaseFor(env, draft.companyId);
  const isAllowed = and(
    isCurrentVersion(draft.companyId, limits.credentialsVersion),
    // The object has counted a link's charge as it held its place.
    isOfLink(draft) ? undefined : isWithinChargeQuota(draft.nowMs, limits.quotaPercent),
  );
  const [inserted] = await runIdempotent(() =>
    insertTransaction(db, { ...draft, ...NOT_REGISTERED }, limits.bytes, isAllowed),
  );
  if (inserted !== undefined) return newRow({ ...draft, ...NOT_REGISTERED }, inserted);
  const existing = await findExistingClaim(db, draft, limits);
  return existing === null ? null : withTexts(env, existing);
}

/**
 * Inserts the charge of a payment, registered and open, unless its key has one: then that one is the answer.
 * It counts against the quotas, but none stops it: the money has come.
 */
export async function insertPaymentCharge(
  env: Env,
  draft: TransactionDraft & { idempotencyKey: string },
  bytes: number,
): Promise<TransactionRow> {
  const { companyId, idempotencyKey, nowMs } = draft;
  const registered = { answeredAt: nowMs, answeredStatus: draft.status, failure: null };
  const [inserted] = await runIdempotent(() =>
    insertTransaction(databaseFor(env, companyId), { ...draft, ...registered }, bytes, sql`true`),
  );
  if (inserted !== undefined) return newRow({ ...draft, ...registered }, inserted);
  const earlier = await findByIdempotencyKey(env, companyId, idempotencyKey);
  assert(earlier !== null, "a payment's charge is there");
  return earlier;
}

function isOfLink({ paymentLinkId }: Pick<TransactionDraft, "paymentLinkId">): boolean {
  return paymentLinkId !== null;
}

/** The row of an earlier claim, or this draft's own row where the answer to its claim was lost. */
async function findExistingClaim(
  db: Database,
  draft: TransactionDraft,
  limits: ClaimLimits,
): Promise<StoredTransaction | null> {
  const isCurrent = isCurrentVersion(draft.companyId, limits.credentialsVersion);
  const [[row], [usage]] = await db.batch([
    db
      .select()
      .from(transactions)
      .where(and(matchesClaim(draft), or(isCurrent, eq(transactions.id, draft.id)))),
    selectChargeUsage(db, draft).where(isCurrent),
  ]);
  if (row !== undefined || usage === undefined) return row ?? null;
  const exceeded = isOfLink(draft) ? null : exceededQuota(usage, limits.quotaPercent);
  if (exceeded !== null) throw quotaExceeded(draft.companyId, exceeded, draft.nowMs);
  return null;
}

/** The transaction under an idempotency key; null where there is none. */
export async function findByIdempotencyKey(
  env: Env,
  companyId: number,
  idempotencyKey: string,
): Promise<TransactionRow | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(transactions)
    .where(hasIdempotencyKey(companyId, idempotencyKey));
  return row === undefined ? null : withTexts(env, row);
}

/** Takes over a create with an expired lease; null where another request was faster or it is answered. */
export async function stealLease(
  env: Env,
  row: TransactionRow,
  leaseUntil: number,
): Promise<TransactionRow | null> {
  const [leased] = await databaseFor(env, row.companyId)
    .update(transactions)
    .set({ leaseUntil })
    .where(and(isNotRegistered(row), eq(transactions.leaseUntil, row.leaseUntil)))
    .returning();
  return leased === undefined ? null : withTexts(env, leased);
}

/** Ends the lease of an unanswered create, so that the next request need not wait for it. */
export async function releaseLease(env: Env, row: TransactionRow): Promise<void> {
  await databaseFor(env, row.companyId)
    .update(transactions)
    .set({ leaseUntil: 0 })
    .where(and(isNotRegistered(row), eq(transactions.leaseUntil, row.leaseUntil)));
}

/** The provider's answer to a new charge. */
export interface ProviderResult {
  status: ChargeStatus;
  /** Left out where the answer fills none. */
  columns?: MethodColumns;
  failure: StoredFailure | null;
  /** Left out where it stays as it was claimed. */
  expiresAt?: number;
  /** The cron's next check while the charge is open; left out where it stays as it was claimed. */
  nextSweepAt?: number | null;
}

/**
 * Saves the provider's answer, unless one is saved already. The status is written only before the first
 * transition (`version` 0), because the object's status is newer. Answers the row as it stands then.
 */
export async function saveProviderResult(
  env: Env,
  row: TransactionRow,
  result: ProviderResult,
  nowMs: number,
): Promise<TransactionRow> {
  const db = databaseFor(env, row.companyId);
  const { status, columns = {}, failure } = result;
  const { expiresAt = row.expiresAt, nextSweepAt = row.nextSweepAt } = result;
  const registration = {
    ...columns,
    failure,
    expiresAt,
    answeredAt: nowMs,
    answeredStatus: status,
    leaseUntil: 0,
  };
  const sweep =
    result.nextSweepAt === undefined
      ? {}
      : {
          nextSweepAt: sql`CASE
            WHEN version = 0 OR status IN ('waiting_payment', 'authorized') THEN ${nextSweepAt}
            ELSE NULL END`,
        };
  const [updated] = await runIdempotent(() =>
    db
      .update(transactions)
      .set({
        ...registration,
        ...sweep,
        status: sql`CASE WHEN version = 0 THEN ${status} ELSE status END`,
        updatedAt: sql`CASE WHEN version = 0 THEN ${nowMs} ELSE updated_at END`,
      })
      .where(isNotRegistered(row))
      .returning({ version: transactions.version }),
  );
  if (updated?.version === 0) {
    return { ...row, ...registration, status, updatedAt: nowMs, nextSweepAt };
  }
  const [current] = await db.select().from(transactions).where(sameRow(row));
  assert(current !== undefined, "an answered transaction is there");
  return withTexts(env, current);
}

/**
 * Saves a later end of an open PIX, which its provider has taken, and when the cron asks about it. Answers the
 * row as it stands then; null if it has ended meanwhile.
 */
export async function saveExpiry(
  env: Env,
  row: TransactionRow,
  expiresAt: number,
): Promise<TransactionRow | null> {
  const pix = row.pix === null ? null : { ...row.pix, expirationDate: expiresAt };
  const [saved] = await runIdempotent(() =>
    databaseFor(env, row.companyId)
      .update(transactions)
      .set({ pix, expiresAt, nextSweepAt: expiresAt })
      .where(and(sameRow(row), eq(transactions.status, "waiting_payment")))
      .returning(),
  );
  return saved === undefined ? null : withTexts(env, saved);
}

/** A company's transaction with its texts; null where there is none. */
export async function findTransaction(
  env: Env,
  companyId: number,
  id: string,
): Promise<TransactionRow | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(transactions)
    .where(eq(transactions.id, id));
  return row?.companyId === companyId ? withTexts(env, row) : null;
}

/** The number of a company's transactions (their `seq` is dense), and the rows of a page. */
export async function listTransactions(
  env: Env,
  companyId: number,
  page: PageWindow,
): Promise<{ rows: ListedTransaction[]; total: number }> {
  const db = databaseFor(env, companyId);
  const total = sql<number>`(
    SELECT coalesce(max(seq), 0) FROM transactions WHERE company_id = ${companyId})`;
  const upTo = page.offset + page.size;
  const range = page.newestFirst
    ? sql`seq > ${total} - ${upTo} AND seq <= ${total} - ${page.offset}`
    : sql`seq > ${page.offset} AND seq <= ${upTo}`;
  const [[counted], rows] = await db.batch([
    db.select({ total }).from(sql`(SELECT 1)`),
    db
      .select(LIST_COLUMNS)
      .from(transactions)
      .where(and(eq(transactions.companyId, companyId), range))
      .orderBy(page.newestFirst ? desc(transactions.seq) : asc(transactions.seq)),
  ]);
  return { rows: rows.map(toListedTransaction), total: counted?.total ?? 0 };
}

type RowKey = Pick<TransactionRow, "companyId" | "seq">;

function sameRow({ companyId, seq }: RowKey): SQL | undefined {
  return and(eq(transactions.companyId, companyId), eq(transactions.seq, seq));
}

function isNotRegistered(row: RowKey): SQL | undefined {
  return and(sameRow(row), sql`${transactions.answeredAt} IS NULL`);
}

function matchesClaim(draft: TransactionDraft): SQL | undefined {
  return draft.idempotencyKey === null
    ? eq(transactions.id, draft.id)
    : hasIdempotencyKey(draft.companyId, draft.idempotencyKey);
}

function hasIdempotencyKey(companyId: number, idempotencyKey: string): SQL | undefined {
  return and(
    eq(transactions.companyId, companyId),
    eq(transactions.idempotencyKey, idempotencyKey),
  );
}

/** The columns of a claim: all that is known before the provider is asked. */
function draftColumns<Draft extends TransactionDraft>({ nowMs: _now, ...stored }: Draft) {
  return stored;
}

/** A row as it was inserted, from its draft and the columns that the database filled. */
function newRow(
  draft: TransactionDraft & Pick<StoredTransaction, keyof typeof NOT_REGISTERED>,
  inserted: InsertedColumns,
): TransactionRow {
  return { ...draftColumns(draft), ...inserted, archiveFile: null, textsMissing: null };
}

/** The columns of a new row that its database fills. */
type InsertedColumns = Pick<
  StoredTransaction,
  | "seq"
  | "leadNumber"
  | "leadCount"
  | "dayCharges"
  | "dayLinkCharges"
  | "dayBytes"
  | "dayMethods"
  | "createdAt"
>;

/** Columns that wait for the provider's answer. */
const NOT_REGISTERED = {
  answeredAt: null,
  answeredStatus: null,
  failure: null,
};

/**
 * `seq` is the next dense number, and `created_at` never falls as it rises (invariant I7). A payer's
 * number is that of its newest transaction; a new one's is one more than there have been so far.
 */
export function insertTransaction(
  db: Database,
  draft: TransactionDraft &
    Pick<StoredTransaction, keyof typeof NOT_REGISTERED> & { archiveFile?: string | null },
  bytes: number,
  isAllowed: SQL | undefined,
) {
  const { companyId, leadKey, nowMs } = draft;
  const leadCount = sql`coalesce(newest.lead_count, 0)`;
  const usage = chargeUsage(nowMs);
  const day = chargesOfDay(nowMs);
  const row = selectRow({
    archiveFile: null,
    ...draftColumns(draft),
    seq: sql`coalesce(newest.seq, 0) + 1`,
    leadNumber: sql`coalesce(known.lead_number, ${leadCount} + 1)`,
    leadCount: sql`${leadCount} + (known.lead_number IS NULL)`,
    dayCharges: sql`${day.all} + 1`,
    dayLinkCharges: sql`${day.ofLinks} + ${isOfLink(draft) ? 1 : 0}`,
    dayMethods: dayMethodsWith(draft.paymentMethod, nowMs),
    dayBytes: sql`${usage.chargeBytesPerDay} + ${isOfLink(draft) ? 0 : bytes}`,
    createdAt: sql`max(${nowMs}, coalesce(newest.created_at, 0))`,
  });
  return db
    .insert(transactions)
    .select(
      sql`SELECT ${row} FROM (SELECT 1)
        LEFT JOIN ${newestCharge(companyId)} AS newest ON true
        LEFT JOIN (SELECT lead_number FROM transactions INDEXED BY transactions_lead
          WHERE company_id = ${companyId} AND lead_key = ${leadKey}
          ORDER BY seq DESC LIMIT 1) AS known ON true
        LEFT JOIN ${newestEvent(companyId)} AS event ON true
        WHERE ${isAllowed}`,
    )
    .onConflictDoNothing()
    .returning({
      seq: transactions.seq,
      leadNumber: transactions.leadNumber,
      leadCount: transactions.leadCount,
      dayCharges: transactions.dayCharges,
      dayLinkCharges: transactions.dayLinkCharges,
      dayBytes: transactions.dayBytes,
      dayMethods: transactions.dayMethods,
      createdAt: transactions.createdAt,
    });
}

/** The select list of an INSERT ... SELECT: a value or SQL for every column, in the table's order. */
function selectRow(values: {
  [Name in keyof StoredTransaction]: StoredTransaction[Name] | SQL;
}): SQL {
  const columns = Object.entries(getTableColumns(transactions));
  return sql.join(
    columns.map(([name, column]) => {
      const value = values[name as keyof StoredTransaction];
      return is(value, SQL) ? value : sql`${sql.param(value, column)}`;
    }),
    sql`, `,
  );
}
