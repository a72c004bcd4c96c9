import { and, asc, between, eq, gt, sql, type SQL } from "drizzle-orm";
import type { Env } from "../../config.ts";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import { endOfDay, saoPauloDay, startOfDay } from "../../domain/shared/business-day.ts";
import { databaseFor } from "../client.ts";
import { dailyReports } from "../schema/reports.ts";
import { lastSeqAt } from "./seq-at-time.ts";

/** What became of a day's offers by one method. */
export interface Conversion {
  /** `YYYY-MM-DD` in America/Sao_Paulo. */
  day: string;
  paymentMethod: PaymentMethod;
  /** Charges created on the day; null on a day from before they were counted. */
  created: number | null;
  /** Payments that the ledger booked on the day. */
  paid: number;
}

/** The last charge of a day, which knows those of its day. */
interface DayEnd {
  created_at: number;
  /** JSON: charges by method; null where they were not counted. */
  day_methods: string | null;
}

/**
 * Created and paid charges of the days from `from` to `to`, oldest first. Reads the last charge of each day, about 20
 * more to find the first of them, and the daily report: however long the history is and however many the charges are.
 */
export async function listConversion(
  env: Env,
  companyId: number,
  { from, to }: { from: string; to: string },
): Promise<Conversion[]> {
  const db = databaseFor(env, companyId);
  const [ends, paid] = await db.batch([
    db
      .select({ created_at: sql<number>`created_at`, day_methods: sql<string | null>`day_methods` })
      .from(dayEnds(companyId, startOfDay(from), endOfDay(to) + 999)),
    db
      .select({
        day: dailyReports.day,
        paymentMethod: dailyReports.paymentMethod,
        count: dailyReports.count,
      })
      .from(dailyReports)
      .where(
        and(
          eq(dailyReports.companyId, companyId),
          between(dailyReports.day, from, to),
          gt(dailyReports.count, 0),
        ),
      )
      .orderBy(asc(dailyReports.day)),
  ]);
  return merged(ends, paid);
}

/**
 * The last charge of each day, newest first. Numbers are dense and a charge knows its place in its day, so the last
 * one of the day before is found by its number.
 */
function dayEnds(companyId: number, fromMs: number, toMs: number): SQL {
  const columns = sql`seq, created_at, day_charges, day_methods`;
  return sql`(
    WITH RECURSIVE ends (seq, created_at, day_charges, day_methods) AS (
      SELECT ${columns} FROM transactions
        WHERE company_id = ${companyId} AND seq = ${lastSeqAt(companyId, toMs)} AND created_at >= ${fromMs}
      UNION ALL
      SELECT earlier.seq, earlier.created_at, earlier.day_charges, earlier.day_methods
        FROM ends JOIN transactions AS earlier
          ON earlier.company_id = ${companyId} AND earlier.seq = ends.seq - ends.day_charges
        WHERE ends.day_charges > 0 AND earlier.created_at >= ${fromMs})
    SELECT created_at, day_methods FROM ends)`;
}

function merged(
  ends: DayEnd[],
  paid: { day: string; paymentMethod: PaymentMethod; count: number }[],
): Conversion[] {
  const rows = new Map<string, Conversion>();
  const uncounted = ends.filter((end) => end.day_methods === null).map(dayOf);
  // Days are counted from some day on.
  const countedAfter = uncounted.toSorted().at(-1) ?? "";
  const rowOf = (day: string, paymentMethod: PaymentMethod): Conversion => {
    const key = `${day} ${paymentMethod}`;
    const created = day > countedAfter ? 0 : null;
    const row = rows.get(key) ?? { day, paymentMethod, created, paid: 0 };
    rows.set(key, row);
    return row;
  };
  for (const end of ends.filter((each) => dayOf(each) > countedAfter)) {
    const counts = JSON.parse(end.day_methods ?? "{}") as Partial<Record<PaymentMethod, number>>;
    for (const [method, count] of Object.entries(counts)) {
      rowOf(dayOf(end), method as PaymentMethod).created = count;
    }
  }
  for (const { day, paymentMethod, count } of paid) rowOf(day, paymentMethod).paid = count;
  return [...rows.values()].toSorted(
    (one, other) =>
      one.day.localeCompare(other.day) || one.paymentMethod.localeCompare(other.paymentMethod),
  );
}

function dayOf(end: DayEnd): string {
  return saoPauloDay(end.created_at);
}
