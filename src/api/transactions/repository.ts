import { and, asc, desc, eq, sql, type SQL } from "drizzle-orm";
import { databaseFor, type Database } from "../../db/client.ts";
import { batch, prepareOnce, type Parameter } from "../../db/prepared-query.ts";
import { runIdempotent } from "../../db/storage-errors.ts";
import { LIST_COLUMNS, toListedTransaction } from "../../db/projection/listed-transactions.ts";
import { transactions, type StoredFailure } from "../../db/schema/transactions.ts";
import { withTexts } from "../../db/archive/archived-texts.ts";
import type { StoredTransaction, TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { methodOf } from "../../methods/registry.ts";
import type { MethodColumns } from "../../methods/method.ts";
import type { ChargeStatus } from "../../domain/charges/charge-status.ts";
import { NO_PAYMENT_DETAILS, type PaymentDetails } from "../../domain/charges/payment-details.ts";
import type { PageWindow } from "../../domain/shared/page.ts";
import type { ListedTransaction } from "../../domain/charges/transaction.ts";
import type { Env } from "../../config.ts";
import { assert } from "../../lib/assert.ts";
import { forgetBinding } from "./attempts/repository.ts";

const selectByIdempotencyKey = prepareOnce(
  (db, value: Parameter<{ companyId: number; idempotencyKey: string }>) =>
    db
      .select()
      .from(transactions)
      .where(hasIdempotencyKey(value("companyId"), value("idempotencyKey"))),
);

/** The transaction under an idempotency key; null where there is none. */
export async function findByIdempotencyKey(
  env: Env,
  companyId: number,
  idempotencyKey: string,
): Promise<TransactionRow | null> {
  const db = databaseFor(env, companyId);
  const [row] = await selectByIdempotencyKey(db, { companyId, idempotencyKey });
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
 * Saves the provider's answer, unless one is saved already or another account is asked by now. The status is written only before the first
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
  const { companyId, seq, attempt } = row;
  const save = saveOf(Object.keys(columns) as DetailName[], result.nextSweepAt !== undefined);
  const values = { ...NO_PAYMENT_DETAILS, ...registration, nextSweepAt, status, updatedAt: nowMs };
  const method = methodOf(row.paymentMethod);
  const isBound = method.initiation === "push" && method.leaves === "until_bound";
  const [updated] = await runIdempotent(async () => {
    const saved = save(db, { ...values, companyId, seq, attempt });
    if (!isBound) return saved;
    const [rows] = await batch(db, [saved, forgetBinding(db, row)]);
    return rows;
  });
  if (updated?.version === 0) {
    return { ...row, ...registration, status, updatedAt: nowMs, nextSweepAt };
  }
  const [current] = await db.select().from(transactions).where(sameRow(row));
  assert(current !== undefined, "an answered transaction is there");
  return withTexts(env, current);
}

type DetailName = keyof PaymentDetails;
type RegistrationColumn =
  | DetailName
  | "failure"
  | "expiresAt"
  | "answeredAt"
  | "answeredStatus"
  | "leaseUntil"
  | "nextSweepAt"
  | "status"
  | "updatedAt";

/** By the columns that they write. */
const saves = new Map<string, ReturnType<typeof prepareSave>>();

function saveOf(details: DetailName[], isSwept: boolean) {
  const key = [...details, isSwept].join();
  const save = saves.get(key) ?? prepareSave(details, isSwept);
  saves.set(key, save);
  return save;
}

function prepareSave(details: DetailName[], isSwept: boolean) {
  type Values = Pick<StoredTransaction, RegistrationColumn | "companyId" | "seq" | "attempt">;
  return prepareOnce((db, value: Parameter<Values>) =>
    db
      .update(transactions)
      .set({
        ...Object.fromEntries(details.map((name) => [name, value(name, transactions[name])])),
        failure: value("failure", transactions.failure),
        expiresAt: value("expiresAt"),
        answeredAt: value("answeredAt"),
        answeredStatus: value("answeredStatus"),
        leaseUntil: value("leaseUntil"),
        ...(isSwept
          ? {
              nextSweepAt: sql`CASE
                WHEN version = 0 OR status IN ('waiting_payment', 'authorized') THEN ${value("nextSweepAt")}
                ELSE NULL END`,
            }
          : {}),
        status: sql`CASE WHEN version = 0 THEN ${value("status")} ELSE status END`,
        updatedAt: sql`CASE WHEN version = 0 THEN ${value("updatedAt")} ELSE updated_at END`,
      })
      .where(
        and(
          isNotRegistered({ companyId: value("companyId"), seq: value("seq") }),
          eq(transactions.attempt, value("attempt")),
        ),
      )
      .returning({ version: transactions.version }),
  );
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

const selectById = prepareOnce((db, value: Parameter<{ id: string }>) =>
  db
    .select()
    .from(transactions)
    .where(eq(transactions.id, value("id"))),
);

/** A company's transaction with its texts; null where there is none. */
export async function findTransaction(
  env: Env,
  companyId: number,
  id: string,
): Promise<TransactionRow | null> {
  const [row] = await selectById(databaseFor(env, companyId), { id });
  return row?.companyId === companyId ? withTexts(env, row) : null;
}

const totalOf = (companyId: SQL) =>
  sql<number>`(
    SELECT coalesce(max(seq), 0) FROM transactions WHERE company_id = ${companyId})`;

const selectTotal = prepareOnce((db, value: Parameter<{ companyId: number }>) =>
  db.select({ total: totalOf(value("companyId")) }).from(sql`(SELECT 1)`),
);

type Page = { companyId: number; offset: number; upTo: number };
const selectPage = {
  newestFirst: prepareOnce((db, value: Parameter<Page>) => {
    const total = totalOf(value("companyId"));
    const range = sql`seq > ${total} - ${value("upTo")} AND seq <= ${total} - ${value("offset")}`;
    return rowsOf(db, value("companyId"), range).orderBy(desc(transactions.seq));
  }),
  oldestFirst: prepareOnce((db, value: Parameter<Page>) => {
    const range = sql`seq > ${value("offset")} AND seq <= ${value("upTo")}`;
    return rowsOf(db, value("companyId"), range).orderBy(asc(transactions.seq));
  }),
};

function rowsOf(db: Database, companyId: SQL, range: SQL) {
  return db
    .select(LIST_COLUMNS)
    .from(transactions)
    .where(and(eq(transactions.companyId, companyId), range));
}

/** The number of a company's transactions (their `seq` is dense), and the rows of a page. */
export async function listTransactions(
  env: Env,
  companyId: number,
  page: PageWindow,
): Promise<{ rows: ListedTransaction[]; total: number }> {
  const db = databaseFor(env, companyId);
  const { offset, size } = page;
  const order = page.newestFirst ? "newestFirst" : "oldestFirst";
  const [[counted], rows] = await batch(db, [
    selectTotal(db, { companyId }),
    selectPage[order](db, { companyId, offset, upTo: offset + size }),
  ]);
  return { rows: rows.map(toListedTransaction), total: counted?.total ?? 0 };
}

type RowKey = { companyId: number | SQL; seq: number | SQL };

function sameRow({ companyId, seq }: RowKey): SQL | undefined {
  return and(eq(transactions.companyId, companyId), eq(transactions.seq, seq));
}

function isNotRegistered(row: RowKey): SQL | undefined {
  return and(sameRow(row), sql`${transactions.answeredAt} IS NULL`);
}

/** A condition: the transaction under an idempotency key. */
export function hasIdempotencyKey(
  companyId: number | SQL,
  idempotencyKey: string | SQL,
): SQL | undefined {
  return and(
    eq(transactions.companyId, companyId),
    eq(transactions.idempotencyKey, idempotencyKey),
  );
}
