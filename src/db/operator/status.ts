import { and, asc, eq, exists, getTableColumns, gt, lt, sql, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import {
  lagAlertAfterMs,
  PASS_NAMES,
  type PassList,
  type PassName,
} from "../../domain/reconciliation/reconciliation.ts";
import { firstDayInTime, readableAt, windowOfDay } from "../../domain/reconciliation/settlement.ts";
import { addDays } from "../../domain/shared/calendar-day.ts";
import type { Env } from "../../config.ts";
import { databaseFor, allShards } from "../client.ts";
import { databasesOf } from "../sharding/databases.ts";
import { companies } from "../schema/companies.ts";
import { storageFigures } from "../schema/anchors.ts";
import { pspAccounts } from "../schema/psp-accounts.ts";
import { reconciliationPasses, settlementPasses } from "../schema/reconciliation.ts";

/** A pass over a list, or over the settlements, of an account. */
export type PassRow = Omit<typeof reconciliationPasses.$inferSelect, "list" | "windowMs"> & {
  list: PassList;
};

/** The number of companies, each database counted up to a limit. */
export async function countCompanies(env: Env, limit: number): Promise<number> {
  const counts = await Promise.all(
    allShards(env).map(async ({ db, isLocal }) => {
      const rows = await db
        .select({ id: companies.id })
        .from(companies)
        .where(and(gt(companies.id, 0), isLocal(companies.id)))
        .limit(limit);
      return rows.length;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * The passes that no run has claimed since `dueBefore`, and the passes that run but do not finish within
 * `lagAlertAfterMs` (a silent PSP, or more records than a run reads). Longest overdue first.
 */
export async function listOverduePasses(
  env: Env,
  { nowMs, dueBefore }: { nowMs: number; dueBefore: number },
  limit: number,
): Promise<PassRow[]> {
  const { nextRunAt, finishedAt, companyId } = reconciliationPasses;
  const found = await Promise.all(
    allShards(env).map(({ db, isLocal }) => {
      const selectFirst = (isLate: SQL | undefined, by: SQLiteColumn) =>
        db
          .select()
          .from(reconciliationPasses)
          .where(and(isLate, isLocal(companyId)))
          .orderBy(asc(by))
          .limit(limit);
      return db.batch([
        selectFirst(lt(nextRunAt, dueBefore), nextRunAt),
        ...PASS_NAMES.map((name) => selectFirst(isBehind(name, nowMs), finishedAt)),
      ]);
    }),
  );
  const rows: PassRow[] = [...found.flat(2), ...(await lateSettlementPasses(env, nowMs, limit))];
  const overdue = new Map(rows.map((row) => [passKey(row), row]));
  return [...overdue.values()]
    .toSorted((left, right) => overdueSince(left) - overdueSince(right))
    .slice(0, limit);
}

/** Passes over the settlements of connected accounts whose day could be read long ago. */
async function lateSettlementPasses(env: Env, nowMs: number, limit: number): Promise<PassRow[]> {
  const { companyId, account, day } = settlementPasses;
  const found = await Promise.all(
    allShards(env).map(({ db, isLocal }) =>
      db
        .select(getTableColumns(settlementPasses))
        .from(settlementPasses)
        .innerJoin(
          pspAccounts,
          and(eq(pspAccounts.companyId, companyId), eq(pspAccounts.account, account)),
        )
        .where(
          and(
            lt(day, firstDayInTime(nowMs)),
            // Of another contract the house tells none any more.
            sql`${pspAccounts.settings} ->> 'kind' = 'psp'`,
            exists(
              db
                .select({ one: sql`1` })
                .from(reconciliationPasses)
                .where(
                  and(
                    eq(reconciliationPasses.companyId, companyId),
                    eq(reconciliationPasses.account, account),
                  ),
                ),
            ),
            isLocal(companyId),
          ),
        )
        .orderBy(asc(day))
        .limit(limit),
    ),
  );
  return found.flat().map((row) => ({
    companyId: row.companyId,
    account: row.account,
    list: "settlements",
    pass: "newest",
    readUntil: windowOfDay(row.day).from,
    nextRunAt: row.nextRunAt,
    finishedAt: readableAt(addDays(row.day, -1)),
  }));
}

function isBehind(name: PassName, nowMs: number): SQL | undefined {
  const { pass, finishedAt } = reconciliationPasses;
  return and(eq(pass, name), lt(finishedAt, nowMs - lagAlertAfterMs(name)));
}

function passKey({ companyId, account, list, pass }: PassRow): string {
  return JSON.stringify([companyId, account, list, pass]);
}

function overdueSince({ nextRunAt, finishedAt }: PassRow): number {
  return Math.min(nextRunAt, finishedAt ?? nextRunAt);
}

/** The progress of the passes over a company's accounts. */
export async function listPasses(env: Env, companyId: number, limit: number): Promise<PassRow[]> {
  return databaseFor(env, companyId)
    .select()
    .from(reconciliationPasses)
    .where(eq(reconciliationPasses.companyId, companyId))
    .limit(limit);
}

/** The newest measured size of each database; databases never measured are left out. */
export async function databaseFigures(env: Env) {
  const names = [...databasesOf(env).keys()];
  const found = await Promise.all(
    allShards(env).map(({ db }) =>
      db
        .select()
        .from(storageFigures)
        .where(
          sql`${storageFigures.name} IN (SELECT value FROM json_each(${JSON.stringify(names)}))`,
        ),
    ),
  );
  const newest = new Map<string, (typeof found)[number][number]>();
  for (const figure of found.flat()) {
    const known = newest.get(figure.name);
    if (known === undefined || known.measuredAt < figure.measuredAt)
      newest.set(figure.name, figure);
  }
  return [...newest.values()];
}
