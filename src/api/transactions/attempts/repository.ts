import { and, eq, inArray, lte, sql } from "drizzle-orm";
import { databaseFor, type Database } from "../../../db/client.ts";
import { COMPANY_COLUMNS, toCompany } from "../../../db/companies/credentials.ts";
import { isCurrentVersion } from "../../../db/companies/credentials-version.ts";
import { companies } from "../../../db/schema/companies.ts";
import { providerRefs } from "../../../db/schema/psp-accounts.ts";
import { shadowCharges, transactions } from "../../../db/schema/transactions.ts";
import type { FanOut } from "../../../db/sharding/fan-out.ts";
import { providerChargeId } from "../../../domain/charges/transaction.ts";
import { runIdempotent } from "../../../db/storage-errors.ts";
import type { TransactionRow } from "../../../db/projection/transaction-mapper.ts";
import type { Env } from "../../../config.ts";

/** A charge that an account may have made, whose code nobody sees. Times in epoch milliseconds. */
export type ShadowCharge = typeof shadowCharges.$inferSelect;

/** Of what is remembered at an account of a charge: it was told to make what can be paid. */
const BOUND = "bound";

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
 * Binds an unanswered create to the account that it asks, before that is told to make what can be paid: no other one is
 * asked from then on. False where another one is asked by now, or the create is answered. May be repeated.
 */
export async function bindToAccount(
  env: Env,
  row: TransactionRow,
  nowMs: number,
): Promise<boolean> {
  const { companyId, seq, attempt, account } = row;
  const isAsked = and(
    eq(transactions.companyId, companyId),
    eq(transactions.seq, seq),
    eq(transactions.attempt, attempt),
    sql`answered_at IS NULL`,
  );
  const bound = await runIdempotent(() =>
    databaseFor(env, companyId)
      .insert(providerRefs)
      .select(
        sql`SELECT ${companyId}, ${account}, ${boundId(row)}, '{}', ${nowMs}
          WHERE EXISTS (SELECT 1 FROM ${transactions} WHERE ${isAsked})`,
      )
      .onConflictDoUpdate({
        target: [providerRefs.companyId, providerRefs.account, providerRefs.id],
        set: { ref: {} },
      })
      .returning({ id: providerRefs.id }),
  );
  return bound.length === 1;
}

/**
 * Forgets that a create is bound to its account, which nothing asks of an answered one. In the batch that saves the
 * answer: from then on nothing binds it or moves it.
 */
export function forgetBinding(db: Database, row: TransactionRow) {
  const isOwn = and(
    eq(providerRefs.companyId, row.companyId),
    eq(providerRefs.account, row.account),
    eq(providerRefs.id, boundId(row)),
  );
  return db.delete(providerRefs).where(isOwn).returning({ id: providerRefs.id });
}

function boundId({ id, attempt }: Pick<TransactionRow, "id" | "attempt">): string {
  return `${BOUND}:${providerChargeId(id, attempt)}`;
}

/**
 * Moves an unanswered create to another account, before that is asked, in one transaction: what the one before may
 * have made is a shadow charge from now on, due at `nextRunAt`. Answers the row as it is then; null where the create
 * is no longer this request's or is bound to its account, or the company has changed since it was read
 * (`credentialsVersion`).
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
  const isBoundTo = and(
    eq(providerRefs.companyId, companyId),
    eq(providerRefs.account, account),
    eq(providerRefs.id, boundId(row)),
  );
  const isOwn = and(
    eq(ofCompany, companyId),
    eq(number, seq),
    eq(transactions.leaseUntil, leaseUntil),
    sql`answered_at IS NULL`,
    // The next account may be disconnected since.
    isCurrentVersion(companyId, credentialsVersion),
    sql`NOT EXISTS (SELECT 1 FROM ${providerRefs} WHERE ${isBoundTo})`,
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
