import type { Company } from "../../../domain/shared/company.ts";
import { and, eq, gte, isNotNull, lte, not, sql } from "drizzle-orm";
import { databaseFor, type Shard } from "../../../db/client.ts";
import { COMPANY_COLUMNS, toCompany } from "../../../db/companies/credentials.ts";
import { inList } from "../../../db/in-list.ts";
import type { FanOut } from "../../../db/sharding/fan-out.ts";
import { companies } from "../../../db/schema/companies.ts";
import { transactions } from "../../../db/schema/transactions.ts";
import type { StoredTransaction } from "../../../db/projection/transaction-mapper.ts";
import type { Env } from "../../../config.ts";

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
  /** The part of the due rows that this invocation takes, of so many that sweep at the same time. */
  lane: { index: number; count: number };
}

/** How many charges are due, up to a limit in each database. Reads the index only. */
export async function countDue(fanOut: FanOut, nowMs: number, limit: number): Promise<number> {
  const { nextSweepAt, companyId } = transactions;
  const counts = await fanOut.query(({ db, isLocal }) =>
    db.$count(
      db
        .select({ nextSweepAt })
        .from(transactions)
        .where(and(lte(nextSweepAt, nowMs), isLocal(companyId)))
        .limit(limit),
    ),
  );
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/**
 * Takes due rows until `until`, when they are due again if nobody has settled them: rows for the cron are
 * interrupted creates and charges past their expiry. No two invocations take the same row, whether a message
 * came twice or a minute began before the last one's sweep was done.
 */
export async function claimDue(
  fanOut: FanOut,
  nowMs: number,
  until: number,
  limit: number,
  progress: SweepProgress,
) {
  const due = await dueTransactions(fanOut, nowMs, limit, progress);
  const claimed = new Set<string>();
  const claims = [...Map.groupBy(due, ({ database }) => database)].map(async ([database, rows]) => {
    try {
      const ids = rows.map(({ transaction }) => transaction.id);
      for (const id of await claimIn(database, ids, nowMs, until)) claimed.add(id);
    } catch (error) {
      fanOut.exclude(database, error);
    }
  });
  await Promise.all(claims);
  return { found: due.length, rows: due.filter(({ transaction }) => claimed.has(transaction.id)) };
}

async function claimIn({ db, isLocal }: Shard, ids: string[], nowMs: number, until: number) {
  const { id, nextSweepAt, companyId } = transactions;
  const claimed = await db
    .update(transactions)
    .set({ nextSweepAt: until })
    .where(and(inList(id, ids), lte(nextSweepAt, nowMs), isLocal(companyId)))
    .returning({ id });
  return claimed.map((row) => row.id);
}

/** Rows for the cron: interrupted creates and charges past their expiry. */
async function dueTransactions(
  fanOut: FanOut,
  nowMs: number,
  limit: number,
  progress: SweepProgress,
) {
  const { nextSweepAt, companyId, seq } = transactions;
  const { index, count } = progress.lane;
  const isInLane = count === 1 ? undefined : sql`(${seq} + ${companyId}) % ${count} = ${index}`;
  const isAhead = (database: Shard) =>
    progress.companies.size === 0
      ? undefined
      : and(
          gte(nextSweepAt, progress.reached.get(database.name) ?? 0),
          not(inList(companyId, [...progress.companies])),
        );
  const found = await fanOut.rows(limit, (database) =>
    database.db
      .select()
      .from(transactions)
      .where(and(lte(nextSweepAt, nowMs), isAhead(database), isInLane, database.isLocal(companyId)))
      .orderBy(nextSweepAt)
      .limit(limit),
  );
  for (const { row, database } of found) {
    progress.reached.set(database.name, row.nextSweepAt ?? 0);
  }
  const owners = await companiesOf(fanOut, found);
  return found.flatMap(({ row: transaction, database }) => {
    const company = owners.get(transaction.companyId);
    return company === undefined ? [] : [{ transaction, company, database }];
  });
}

/** The companies of due rows. Read apart: a row and its company have more than the 100 columns of a D1 result. */
async function companiesOf(
  fanOut: FanOut,
  due: { row: StoredTransaction; database: Shard }[],
): Promise<Map<number, Company>> {
  const reads = [...Map.groupBy(due, ({ database }) => database)].map(async ([database, rows]) => {
    const ids = [...new Set(rows.map(({ row }) => row.companyId))];
    try {
      return await database.db
        .select(COMPANY_COLUMNS)
        .from(companies)
        .where(inList(companies.id, ids));
    } catch (error) {
      fanOut.exclude(database, error);
      return [];
    }
  });
  const found = (await Promise.all(reads)).flat();
  return new Map(found.map((row) => [row.company.id, toCompany(row)]));
}

/** Postpones the next sweep of a row, unless the row has ended meanwhile. */
export async function postponeSweep(
  env: Env,
  row: Pick<StoredTransaction, "companyId" | "seq">,
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
