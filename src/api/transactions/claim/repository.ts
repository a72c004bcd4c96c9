import { and, eq, getTableColumns, or, sql, type SQL } from "drizzle-orm";
import { databaseFor, type Database } from "../../../db/client.ts";
import {
  chargeQuotaLimits,
  chargesOfDay,
  chargeUsage,
  dayMethodsWith,
  isWithinChargeQuota,
  newestCharge,
  newestEvent,
  selectChargeUsage,
} from "../../../db/companies/charge-usage.ts";
import { isCurrentVersion } from "../../../db/companies/credentials-version.ts";
import { batch, prepareOnce, type Parameter, type Query } from "../../../db/prepared-query.ts";
import { runIdempotent } from "../../../db/storage-errors.ts";
import { transactions } from "../../../db/schema/transactions.ts";
import { withTexts } from "../../../db/archive/archived-texts.ts";
import type {
  StoredTransaction,
  TransactionRow,
} from "../../../db/projection/transaction-mapper.ts";
import type { Cents } from "../../../domain/shared/money.ts";
import type { TransactionRecord } from "../../../domain/charges/transaction.ts";
import { exceededQuota, quotaDay } from "../../../domain/storage/quotas.ts";
import type { Env } from "../../../config.ts";
import { quotaExceeded } from "../../../http/quota.ts";
import { assert } from "../../../lib/assert.ts";
import { findByIdempotencyKey, hasIdempotencyKey } from "../repository.ts";

/** A transaction before D1 gave it its `seq`, its payer's number and its place in time. */
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
 * twice; `withIt`: what is written with it. Answers the row under the key: the new one, or an earlier one.
 * Writes nothing and answers null where the company's credentials have changed since the draft was made.
 * Throws 429 if a new charge would exceed a quota.
 */
export async function claimTransaction(
  env: Env,
  draft: TransactionDraft,
  limits: ClaimLimits,
  withIt?: (db: Database) => Query<unknown>,
): Promise<TransactionRow | null> {
  const db = databaseFor(env, draft.companyId);
  const { credentialsVersion, quotaPercent, bytes } = limits;
  const claimed = { ...draft, ...NOT_REGISTERED };
  const values = { ...insertValues(claimed, bytes), credentialsVersion };
  const [inserted] = await runIdempotent(async () => {
    // The object has counted a link's charge as it took its reservation.
    const insert = isOfLink(draft)
      ? insertOfLink(db, values)
      : insertWithinQuota(db, { ...values, ...chargeQuotaLimits(quotaPercent) });
    return withIt === undefined ? insert : (await batch(db, [insert, withIt(db)]))[0];
  });
  if (inserted !== undefined) return newRow(claimed, inserted);
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
  const registered = { ...draft, answeredAt: nowMs, answeredStatus: draft.status, failure: null };
  const [inserted] = await runIdempotent(() =>
    insertTransaction(databaseFor(env, companyId), registered, bytes),
  );
  if (inserted !== undefined) return newRow(registered, inserted);
  const earlier = await findByIdempotencyKey(env, companyId, idempotencyKey);
  assert(earlier !== null, "a payment's charge is there");
  return earlier;
}

/** Inserts a transaction that no limit stops, unless its id or key has one. */
export function insertTransaction(db: Database, draft: RegisteredDraft, bytes: number) {
  return insertAlways(db, insertValues(draft, bytes));
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
  const { companyId, nowMs } = draft;
  const isCurrent = isCurrentVersion(companyId, limits.credentialsVersion);
  const [[row], [usage]] = await db.batch([
    db
      .select()
      .from(transactions)
      .where(and(matchesClaim(draft), or(isCurrent, eq(transactions.id, draft.id)))),
    selectChargeUsage(db, { companyId, dayFrom: quotaDay(nowMs).from }).where(isCurrent),
  ]);
  if (row !== undefined || usage === undefined) return row ?? null;
  const exceeded = isOfLink(draft) ? null : exceededQuota(usage, limits.quotaPercent);
  if (exceeded !== null) throw quotaExceeded(draft.companyId, exceeded, draft.nowMs);
  return null;
}

function matchesClaim(draft: TransactionDraft): SQL | undefined {
  return draft.idempotencyKey === null
    ? eq(transactions.id, draft.id)
    : hasIdempotencyKey(draft.companyId, draft.idempotencyKey);
}

/** Columns that wait for the provider's answer. */
const NOT_REGISTERED = {
  answeredAt: null,
  answeredStatus: null,
  failure: null,
};

/** A draft, and what is known of its registration. */
type RegisteredDraft = TransactionDraft &
  Pick<StoredTransaction, keyof typeof NOT_REGISTERED> & {
    archiveFile?: string | null;
    /** The first where it is left out. */
    attempt?: number;
  };

/** A row as it was inserted, from its draft and the columns that the database filled. */
function newRow(
  { nowMs: _now, ...stored }: RegisteredDraft,
  inserted: Pick<StoredTransaction, keyof typeof COMPUTED_COLUMNS>,
): TransactionRow {
  return { attempt: 1, ...stored, ...inserted, archiveFile: null, textsMissing: null };
}

/** The columns of a new row that its database fills. */
const COMPUTED_COLUMNS = {
  seq: transactions.seq,
  leadNumber: transactions.leadNumber,
  leadCount: transactions.leadCount,
  dayCharges: transactions.dayCharges,
  dayLinkCharges: transactions.dayLinkCharges,
  dayBytes: transactions.dayBytes,
  dayMethods: transactions.dayMethods,
  createdAt: transactions.createdAt,
};

/** What an insert is given: the other columns by their names, and what is computed from. */
type InsertValues = Omit<StoredTransaction, keyof typeof COMPUTED_COLUMNS> & {
  nowMs: number;
  /** The first millisecond of the day that the charge counts for. */
  dayFrom: number;
  /** Of its method in `day_methods`. */
  methodPath: string;
  /** What it adds to the day's charges of links, and to the bytes of the others. */
  linkCharges: 0 | 1;
  chargeBytes: number;
};

function insertValues(draft: RegisteredDraft, bytes: number): InsertValues {
  const isLink = isOfLink(draft);
  return {
    archiveFile: null,
    attempt: 1,
    ...draft,
    dayFrom: quotaDay(draft.nowMs).from,
    methodPath: `$.${draft.paymentMethod}`,
    linkCharges: isLink ? 1 : 0,
    chargeBytes: isLink ? 0 : bytes,
  };
}

const insertAlways = prepareOnce((db, value: Parameter<InsertValues>) =>
  insertQuery(db, value, sql`true`),
);

type VersionedInsert = InsertValues & Pick<ClaimLimits, "credentialsVersion">;
const insertOfLink = prepareOnce((db, value: Parameter<VersionedInsert>) =>
  insertQuery(db, value, isCurrentVersion(value("companyId"), value("credentialsVersion"))),
);

type LimitedInsert = VersionedInsert & ReturnType<typeof chargeQuotaLimits>;
const insertWithinQuota = prepareOnce((db, value: Parameter<LimitedInsert>) =>
  insertQuery(
    db,
    value,
    and(
      isCurrentVersion(value("companyId"), value("credentialsVersion")),
      isWithinChargeQuota(value("dayFrom"), value),
    ),
  ),
);

/**
 * `seq` is the next dense number, and `created_at` never falls as it rises (invariant I7). A payer's
 * number is that of its newest transaction; a new one's is one more than there have been so far.
 */
function insertQuery(db: Database, value: Parameter<InsertValues>, isAllowed: SQL | undefined) {
  const companyId = value("companyId");
  const leadCount = sql`coalesce(newest.lead_count, 0)`;
  const usage = chargeUsage(value("dayFrom"));
  const day = chargesOfDay(value("dayFrom"));
  const method = { method: value("paymentMethod"), path: value("methodPath") };
  const row = selectRow(value, {
    seq: sql`coalesce(newest.seq, 0) + 1`,
    leadNumber: sql`coalesce(known.lead_number, ${leadCount} + 1)`,
    leadCount: sql`${leadCount} + (known.lead_number IS NULL)`,
    dayCharges: sql`${day.all} + 1`,
    dayLinkCharges: sql`${day.ofLinks} + ${value("linkCharges")}`,
    dayMethods: dayMethodsWith(method, value("dayFrom")),
    dayBytes: sql`${usage.chargeBytesPerDay} + ${value("chargeBytes")}`,
    createdAt: sql`max(${value("nowMs")}, coalesce(newest.created_at, 0))`,
  });
  return db
    .insert(transactions)
    .select(
      sql`SELECT ${row} FROM (SELECT 1)
        LEFT JOIN ${newestCharge(companyId)} AS newest ON true
        LEFT JOIN (SELECT lead_number FROM transactions INDEXED BY transactions_lead
          WHERE company_id = ${companyId} AND lead_key = ${value("leadKey")}
          ORDER BY seq DESC LIMIT 1) AS known ON true
        LEFT JOIN ${newestEvent(companyId)} AS event ON true
        WHERE ${isAllowed}`,
    )
    .onConflictDoNothing()
    .returning(COMPUTED_COLUMNS);
}

/** The select list of an INSERT ... SELECT: every column in the table's order. */
function selectRow(
  value: Parameter<InsertValues>,
  computed: Record<keyof typeof COMPUTED_COLUMNS, SQL>,
): SQL {
  const columns = Object.entries(getTableColumns(transactions));
  return sql.join(
    columns.map(([name, column]) =>
      name in computed
        ? computed[name as keyof typeof computed]
        : value(name as Exclude<keyof StoredTransaction, keyof typeof computed>, column),
    ),
    sql`, `,
  );
}
