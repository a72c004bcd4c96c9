import { and, eq, sql } from "drizzle-orm";
import type { Env } from "../../../config.ts";
import { databaseFor, type Database } from "../../../db/client.ts";
import { inList } from "../../../db/in-list.ts";
import { batch, type Query } from "../../../db/prepared-query.ts";
import type { ArchivedCharge } from "../../../db/archive/read-archive.ts";
import { transactions } from "../../../db/schema/transactions.ts";
import { isRowRejected, runIdempotent } from "../../../db/storage-errors.ts";
import { insertTransaction } from "../../transactions/claim/repository.ts";

/**
 * Writes a batch of charges of the archive again, in their order; if D1 refuses it, one by one, without those that it
 * refuses. What D1 has stays; a charge gets the provider's answer if it has none. Safe to repeat. Returns the ids that
 * are there now: another charge may have taken an idempotency key.
 */
export async function restoreCharges(
  env: Env,
  companyId: number,
  rows: ArchivedCharge[],
): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  try {
    return await writeCharges(env, companyId, rows);
  } catch (error) {
    if (!isRowRejected(error)) throw error;
    if (rows.length === 1) return new Set();
  }
  const there = new Set<string>();
  for (const row of rows) {
    for (const id of await restoreCharges(env, companyId, [row])) there.add(id);
  }
  return there;
}

/** Where charges of a company were made, of those that D1 knows by these ids. */
export function chargesWithAccounts(env: Env, companyId: number, ids: string[]) {
  const { id, account, attempt, provider } = transactions;
  return databaseFor(env, companyId)
    .select({ id, account, attempt, provider })
    .from(transactions)
    .where(and(eq(transactions.companyId, companyId), inList(id, ids)));
}

function writeCharges(env: Env, companyId: number, rows: ArchivedCharge[]): Promise<Set<string>> {
  const db = databaseFor(env, companyId);
  const ids = rows.map(({ id }) => id);
  return runIdempotent(async () => {
    const read = db
      .select({ id: transactions.id })
      .from(transactions)
      .where(and(eq(transactions.companyId, companyId), inList(transactions.id, ids)));
    const writes = rows.flatMap((row) => restoreStatements(db, row));
    const found = (await batch(db, [...writes, read])).at(-1) as { id: string }[];
    return new Set(found.map(({ id }) => id));
  });
}

function restoreStatements(db: Database, row: ArchivedCharge): Query<unknown>[] {
  const { seq: _seq, leadNumber: _lead, leadCount: _leads, ...archived } = row;
  const { dayCharges: _charges, dayLinkCharges: _ofLinks, ...counted } = archived;
  const { dayMethods: _methods, dayBytes: _bytes, createdAt, ...draft } = counted;
  const bytes = JSON.stringify(row).length;
  const insert = insertTransaction(
    db,
    { ...draft, archiveFile: row.archiveFile ?? null, leaseUntil: 0, nowMs: createdAt },
    bytes,
  );
  const { answeredAt, answeredStatus, failure, pix, boleto, expiresAt, nextSweepAt } = row;
  if (answeredAt === null) return [insert];
  // Its answer may have come from another account than D1 knows it to be asked of.
  const { provider, account, attempt = 1 } = row;
  const at = { provider, account, attempt, expiresAt, leaseUntil: 0 };
  const answer = { answeredAt, answeredStatus, failure, pix, boleto, ...at };
  const isThere = and(eq(transactions.companyId, row.companyId), eq(transactions.id, row.id));
  const update = db
    .update(transactions)
    .set({
      ...answer,
      status: sql`CASE WHEN version = 0 THEN ${row.status} ELSE status END`,
      nextSweepAt: sql`CASE WHEN version = 0 THEN ${nextSweepAt} ELSE next_sweep_at END`,
    })
    .where(and(isThere, sql`${transactions.answeredAt} IS NULL`));
  return [insert, update];
}
