import { and, eq, gte, isNotNull, lte, not, sql } from "drizzle-orm";
import { databaseFor, type Shard } from "../../db/client.ts";
import { JOIN_PIX_API, PIX_API_COLUMNS, toCompany } from "../../db/companies/credentials.ts";
import { inList } from "../../db/in-list.ts";
import type { FanOut } from "../../db/sharding/fan-out.ts";
import { companyProviders } from "../../db/schema/company-providers.ts";
import { companies } from "../../db/schema/companies.ts";
import { transactions } from "../../db/schema/transactions.ts";
import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import type { Env } from "../../config.ts";

/** Charges that one statement of a database defers. */
const DEFERRALS_MAX = 1_000;

/**
 * Every create is due once, after its lease. Those that were answered since and are not over wait for
 * their expiry from then on: puts off up to a bounded number of each database, without asking anybody.
 * Answers whether all are.
 */
export async function deferToExpiry(fanOut: FanOut, nowMs: number): Promise<boolean> {
  const { id, nextSweepAt, companyId } = transactions;
  const counts = await fanOut.query(async ({ db, isLocal }) => {
    const waiting = db
      .select({ id })
      .from(transactions)
      .where(
        and(
          lte(nextSweepAt, nowMs),
          sql`answered_at IS NOT NULL AND status = 'waiting_payment'`,
          sql`expires_at > ${nowMs}`,
          isLocal(companyId),
        ),
      )
      .limit(DEFERRALS_MAX);
    const { meta } = await db
      .update(transactions)
      .set({ nextSweepAt: sql`expires_at` })
      .where(sql`${id} IN ${waiting}`)
      .run();
    return meta.changes;
  });
  return [...counts.values()].every((count) => count < DEFERRALS_MAX);
}

/** The rows that a run of the sweep skips. */
export interface SweepProgress {
  /** Companies whose charges wait for the next run. */
  companies: Set<number>;
  /**
   * The `next_sweep_at` up to which each database was read, by its name: what is behind it is theirs
   * alone.
   */
  reached: Map<string, number>;
}

/** Rows for the cron: interrupted creates and charges past their expiry. */
export async function dueTransactions(
  fanOut: FanOut,
  nowMs: number,
  limit: number,
  progress: SweepProgress,
) {
  const { nextSweepAt, companyId } = transactions;
  const isAhead = (database: Shard) =>
    progress.companies.size === 0
      ? undefined
      : and(
          gte(nextSweepAt, progress.reached.get(database.name) ?? 0),
          not(inList(companyId, [...progress.companies])),
        );
  const found = await fanOut.rows(limit, (database) =>
    database.db
      .select({ transaction: transactions, company: companies, pixApi: PIX_API_COLUMNS })
      .from(transactions)
      .innerJoin(companies, eq(companies.id, companyId))
      .leftJoin(companyProviders, JOIN_PIX_API)
      .where(and(lte(nextSweepAt, nowMs), isAhead(database), database.isLocal(companyId)))
      .orderBy(nextSweepAt)
      .limit(limit),
  );
  for (const { row, database } of found) {
    progress.reached.set(database.name, row.transaction.nextSweepAt ?? 0);
  }
  return found.map(({ row: { transaction, company, pixApi }, database }) => ({
    transaction,
    company: toCompany(company, pixApi),
    database,
  }));
}

/** Postpones the next sweep of a row, unless the row has ended meanwhile. */
export async function postponeSweep(
  env: Env,
  row: TransactionRow,
  nextSweepAt: number,
): Promise<void> {
  await databaseFor(env, row.companyId)
    .update(transactions)
    .set({ nextSweepAt })
    .where(
      and(
        eq(transactions.companyId, row.companyId),
        eq(transactions.seq, row.seq),
        isNotNull(transactions.nextSweepAt),
      ),
    );
}
