import { and, asc, between, eq, sql } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { OutboxEntry } from "../../domain/events/outbox-entry.ts";
import type { DailyTotals } from "../../domain/ledger/daily-totals.ts";
import type { Env } from "../../config.ts";
import { databaseFor, type Database } from "../client.ts";
import { inList } from "../in-list.ts";
import { dailyReports } from "../schema/reports.ts";

/** A row of the daily report: what was booked, and how many payments have a fiscal key. */
export type DailyReport = DailyTotals & { fiscalKeys: number };

const REPORT_COLUMNS = {
  day: dailyReports.day,
  paymentMethod: dailyReports.paymentMethod,
  count: dailyReports.count,
  gross: dailyReports.gross,
  fees: dailyReports.fees,
  refunds: dailyReports.refunds,
  version: dailyReports.version,
  fiscalKeys: dailyReports.fiscalKeys,
  hours: dailyReports.hours,
};

/** The newest totals of each day and method among entries: they stand for all before. */
export function newestDailyTotals(entries: readonly OutboxEntry[]): DailyTotals[] {
  const newest = new Map<string, DailyTotals>();
  for (const entry of entries) {
    for (const totals of (entry.kind === "transaction" ? entry.daily : undefined) ?? []) {
      const key = `${totals.day} ${totals.paymentMethod}`;
      if (totals.version > (newest.get(key)?.version ?? 0)) newest.set(key, totals);
    }
  }
  return [...newest.values()];
}

/** Writes totals to the report. Safe to repeat: older totals never overwrite newer ones. */
export function dailyReportStatements(
  db: Database,
  companyId: number,
  totals: readonly DailyTotals[],
): BatchItem<"sqlite">[] {
  return totals.map((each) =>
    db
      .insert(dailyReports)
      .values({ companyId, ...each })
      .onConflictDoUpdate({
        target: [dailyReports.companyId, dailyReports.day, dailyReports.paymentMethod],
        set: {
          count: sql`excluded.count`,
          gross: sql`excluded.gross`,
          fees: sql`excluded.fees`,
          refunds: sql`excluded.refunds`,
          hours: sql`excluded.hours`,
          version: sql`excluded.version`,
        },
        setWhere: sql`${dailyReports.version} < excluded.version`,
      }),
  );
}

/**
 * Overwrites the report's row with the object's totals, unless it has changed since `expectedVersion`, and counts
 * its fiscal keys again.
 */
export function repairDailyReport(
  db: Database,
  companyId: number,
  { day, paymentMethod, ...sums }: DailyTotals,
  expectedVersion: number,
): BatchItem<"sqlite"> {
  const repaired = {
    ...sums,
    fiscalKeys: sql<number>`(SELECT count(*) FROM transactions
      WHERE company_id = ${companyId} AND fiscal_key IS NOT NULL AND booked_day = ${day}
        AND payment_method = ${paymentMethod})`,
  };
  return db
    .insert(dailyReports)
    .values({ companyId, day, paymentMethod, ...repaired })
    .onConflictDoUpdate({
      target: [dailyReports.companyId, dailyReports.day, dailyReports.paymentMethod],
      set: repaired,
      setWhere: eq(dailyReports.version, expectedVersion),
    });
}

/** A company's report of some days. */
export function selectDailyReports(db: Database, companyId: number, days: string[]) {
  return db
    .select(REPORT_COLUMNS)
    .from(dailyReports)
    .where(and(eq(dailyReports.companyId, companyId), inList(dailyReports.day, days)));
}

/** A company's report of the days from `from` to `to`, oldest first. */
export async function listDailyReports(
  env: Env,
  companyId: number,
  { from, to }: { from: string; to: string },
): Promise<DailyReport[]> {
  return databaseFor(env, companyId)
    .select(REPORT_COLUMNS)
    .from(dailyReports)
    .where(and(eq(dailyReports.companyId, companyId), between(dailyReports.day, from, to)))
    .orderBy(asc(dailyReports.day), asc(dailyReports.paymentMethod));
}
