import { and, eq, inArray, lte, sql } from "drizzle-orm";
import { databaseFor } from "../../../db/client.ts";
import { COMPANY_COLUMNS, toCompany } from "../../../db/companies/credentials.ts";
import { isCurrentVersion } from "../../../db/companies/credentials-version.ts";
import { companies } from "../../../db/schema/companies.ts";
import { shadowCharges, transactions } from "../../../db/schema/transactions.ts";
import type { FanOut } from "../../../db/sharding/fan-out.ts";
import { runIdempotent } from "../../../db/storage-errors.ts";
import type { TransactionRow } from "../../../db/projection/transaction-mapper.ts";
import type { Env } from "../../../config.ts";

/** A charge that an account may have made, whose code nobody sees. Times in epoch milliseconds. */
export type ShadowCharge = typeof shadowCharges.$inferSelect;

/** The account that a create asks, and which attempt that is. */
export type Attempt = Pick<TransactionRow, "provider" | "account" | "attempt">;

/** The attempts of a transaction that were left for another account and may still be paid. */
export async function shadowsOf(
  env: Env,
  { companyId, id }: Pick<TransactionRow, "companyId" | "id">,
): Promise<ShadowCharge[]> {
  return databaseFor(env, companyId)
    .select()
    .from(shadowCharges)
    .where(and(eq(shadowCharges.companyId, companyId), eq(shadowCharges.transactionId, id)));
}

/**
 * Moves an unanswered create to another account, before that is asked, in one transaction: what the one before may
 * have made is a shadow charge from now on, due at `nextRunAt`. Answers the row as it is then; null where the create
 * is no longer this request's, or the company has changed since it was read (`credentialsVersion`).
 */
export async function moveToAttempt(
  env: Env,
  row: TransactionRow,
  next: Attempt,
  read: { nowMs: number; nextRunAt: number; credentialsVersion: number },
): Promise<TransactionRow | null> {
  const db = databaseFor(env, row.companyId);
  const { companyId, id, seq, attempt, account, leaseUntil } = row;
  const { nowMs, nextRunAt, credentialsVersion } = read;
  const { companyId: ofCompany, seq: number } = transactions;
  const isOwn = and(
    eq(ofCompany, companyId),
    eq(number, seq),
    eq(transactions.leaseUntil, leaseUntil),
    sql`answered_at IS NULL`,
    // The next account may be disconnected since.
    isCurrentVersion(companyId, credentialsVersion),
  );
  const isBefore = sql`EXISTS (
    SELECT 1 FROM ${transactions} WHERE ${and(isOwn, eq(transactions.attempt, attempt))})`;
  const [, , moved] = await runIdempotent(() =>
    db.batch([
      db
        .insert(shadowCharges)
        .select(
          sql`SELECT ${companyId}, ${id}, ${attempt}, ${account}, ${nowMs}, ${nextRunAt} WHERE ${isBefore}`,
        )
        .onConflictDoNothing(),
      db
        .delete(shadowCharges)
        .where(
          and(
            eq(shadowCharges.companyId, companyId),
            eq(shadowCharges.transactionId, id),
            eq(shadowCharges.attempt, next.attempt),
            isBefore,
          ),
        ),
      db
        .update(transactions)
        .set(next)
        // A repeat finds what the first one has written.
        .where(and(isOwn, inArray(transactions.attempt, [attempt, next.attempt])))
        .returning({ attempt: transactions.attempt }),
    ]),
  );
  return moved.length === 0 ? null : { ...row, ...next };
}

/** Shadow charges that are due, with their companies; for the cron. */
export async function dueShadows(fanOut: FanOut, nowMs: number, limit: number) {
  const { nextRunAt, companyId } = shadowCharges;
  const found = await fanOut.rows(limit, ({ db, isLocal }) =>
    db
      .select({ shadow: shadowCharges, ...COMPANY_COLUMNS })
      .from(shadowCharges)
      .innerJoin(companies, eq(companies.id, companyId))
      .where(and(lte(nextRunAt, nowMs), isLocal(companyId)))
      .orderBy(nextRunAt)
      .limit(limit),
  );
  return found.map(({ row: { shadow, ...row }, database }) => ({
    shadow,
    company: toCompany(row),
    database,
  }));
}

/** Puts off the next look at a shadow charge. */
export async function postponeShadow(
  env: Env,
  shadow: ShadowCharge,
  nextRunAt: number,
): Promise<void> {
  await databaseFor(env, shadow.companyId)
    .update(shadowCharges)
    .set({ nextRunAt })
    .where(isShadow(shadow));
}

/** Forgets a shadow charge that nobody can pay any more. */
export async function removeShadow(env: Env, shadow: ShadowCharge): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, shadow.companyId).delete(shadowCharges).where(isShadow(shadow)).run(),
  );
}

function isShadow({ companyId, transactionId, attempt }: ShadowCharge) {
  return and(
    eq(shadowCharges.companyId, companyId),
    eq(shadowCharges.transactionId, transactionId),
    eq(shadowCharges.attempt, attempt),
  );
}
