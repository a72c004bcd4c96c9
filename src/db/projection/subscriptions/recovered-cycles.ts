import { sql, type SQL } from "drizzle-orm";
import type { Env } from "../../../config.ts";
import type { DayPeriod } from "../../../domain/ledger/entries/month.ts";
import { addDays } from "../../../domain/shared/calendar-day.ts";
import type { RetryOutcome } from "../../../domain/subscriptions/reports/recovery-backtest.ts";
import { assert } from "../../../lib/assert.ts";
import { databaseFor } from "../../client.ts";

/** The cycles of a month whose debit had failed, and what of them was recovered. Amounts in centavos. */
export interface RecoveredMonth {
  /** `YYYY-MM` of their due dates. */
  month: string;
  failed: number;
  failedAmount: number;
  retry: number;
  retryAmount: number;
  card: number;
  cardAmount: number;
  hand: number;
  handAmount: number;
}

/** Retries on a day of the week (1 is Monday, ISO 8601). */
export interface WeekdayOutcome {
  weekday: number;
  tried: number;
  paid: number;
}

/** A company's cycles that are due in a period and had a failed attempt, by their index. */
function failedCycles(companyId: number, { from, to }: DayPeriod): SQL {
  return sql`subscription_cycles INDEXED BY subscription_cycles_failed
    WHERE company_id = ${companyId} AND due_date BETWEEN ${from} AND ${to}
      AND instr(attempts, '"failed"') > 0`;
}

/** The day on which a cycle was paid by hand; null where it was not. */
const PAID_ON = sql`date((recovery ->> '$.paid.at') / 1000 - 10800, 'unixepoch')`;
/** The day on which its first attempt failed, or was refused before. */
const FAILED_ON = sql`(SELECT min(coalesce(value ->> 'failedOn', value ->> 'day'))
  FROM json_each(attempts) WHERE value ->> 'status' = 'failed')`;

/** Those of them that another day might have paid: their first failure says so, and they were not paid by hand before it. */
function retryableCycles(companyId: number, period: DayPeriod): SQL {
  return sql`${failedCycles(companyId, period)}
    AND coalesce((SELECT value ->> '$.reason.action' FROM json_each(attempts)
      WHERE value ->> 'status' = 'failed' LIMIT 1), 'retry') = 'retry'
    AND coalesce(${PAID_ON} >= ${FAILED_ON}, true)`;
}

/**
 * The failed and recovered cycles of each month, oldest first. One that is paid by hand before an attempt failed is neither:
 * its day (America/Sao_Paulo, three hours behind UTC) comes first.
 */
export async function listRecoveredMonths(
  env: Env,
  companyId: number,
  period: DayPeriod,
): Promise<RecoveredMonth[]> {
  const months = await Promise.all(
    monthsOf(period).map((month) => recoveredMonth(env, companyId, { month, period })),
  );
  return months.filter(({ failed }) => failed > 0);
}

/** The months (`YYYY-MM`) that a period touches. */
function monthsOf({ from, to }: DayPeriod): string[] {
  const months: string[] = [];
  for (let day = `${from.slice(0, 7)}-01`; day <= to; day = `${addDays(day, 31).slice(0, 7)}-01`)
    months.push(day.slice(0, 7));
  return months;
}

async function recoveredMonth(
  env: Env,
  companyId: number,
  { month, period }: { month: string; period: DayPeriod },
): Promise<RecoveredMonth> {
  const [first, last] = [`${month}-01`, `${month}-31`];
  const days = {
    from: period.from > first ? period.from : first,
    to: period.to < last ? period.to : last,
  };
  const [sums] = await databaseFor(env, companyId).all<Omit<RecoveredMonth, "month">>(sql`
    SELECT count(*) AS failed, coalesce(sum(amount), 0) AS failedAmount,
      coalesce(sum(by_retry), 0) AS retry, coalesce(sum(by_retry * amount), 0) AS retryAmount,
      coalesce(sum(by_card), 0) AS card, coalesce(sum(by_card * amount), 0) AS cardAmount,
      coalesce(sum(by_hand), 0) AS hand, coalesce(sum(by_hand * amount), 0) AS handAmount
    FROM (SELECT amount, paid_on, failed_on,
        status = 'paid' AND paid_on IS NULL AS by_retry,
        status = 'paid' AND paid_on IS NOT NULL AND paid_by = 'card' AS by_card,
        status = 'paid' AND paid_on IS NOT NULL AND paid_by <> 'card' AS by_hand
      FROM (SELECT amount, status, recovery ->> '$.paid.by' AS paid_by, ${PAID_ON} AS paid_on, ${FAILED_ON} AS failed_on
        FROM ${failedCycles(companyId, days)}))
    WHERE paid_on IS NULL OR paid_on >= failed_on`);
  assert(sums !== undefined, "sums have a row");
  return { month, ...sums };
}

const WEEK = [1, 2, 3, 4, 5, 6, 7] as const;

/**
 * How many cycles failed that another day might have paid, and what became of their retries, by their days after the due date
 * and by their days of the week.
 */
export async function listRetryOutcomes(
  env: Env,
  companyId: number,
  period: DayPeriod,
): Promise<{ failed: number; byDaysAfter: RetryOutcome[]; byWeekday: WeekdayOutcome[] }> {
  const db = databaseFor(env, companyId);
  const [[counted], [sums]] = await Promise.all([
    db.all<{ failed: number }>(
      sql`SELECT count(*) AS failed FROM ${retryableCycles(companyId, period)}`,
    ),
    db.all<Record<string, number | null>>(sql`
      SELECT ${sql.join([...outcomeSums("days"), ...outcomeSums("weekday")], sql`, `)}
      FROM (SELECT each.value ->> 'status' = 'paid' AS is_paid,
          CAST(julianday(each.value ->> 'day') - julianday(due_date) AS INTEGER) AS days,
          (CAST(strftime('%w', each.value ->> 'day') AS INTEGER) + 6) % 7 + 1 AS weekday
        FROM (SELECT due_date, attempts FROM ${retryableCycles(companyId, period)}) AS c,
          json_each(c.attempts) AS each
        WHERE each.value ->> 'kind' = 'retry' AND each.value ->> 'status' IN ('paid', 'failed')
          AND each.value ->> 'isUntaken' IS NULL)`),
  ]);
  const outcomesOf = (name: string) =>
    WEEK.map((place) => ({
      place,
      tried: sums?.[`${name}_${place}_tried`] ?? 0,
      paid: sums?.[`${name}_${place}_paid`] ?? 0,
    })).filter(({ tried }) => tried > 0);
  return {
    failed: counted?.failed ?? 0,
    byDaysAfter: outcomesOf("days").map(({ place, tried, paid }) => ({
      daysAfter: place,
      tried,
      paid,
    })),
    byWeekday: outcomesOf("weekday").map(({ place, tried, paid }) => ({
      weekday: place,
      tried,
      paid,
    })),
  };
}

/** One sum for each day: a `GROUP BY` would sort all of them. */
function outcomeSums(name: "days" | "weekday"): SQL[] {
  const column = sql.raw(name);
  return WEEK.flatMap((place) => [
    sql`sum(${column} = ${sql.raw(String(place))}) AS ${sql.raw(`${name}_${place}_tried`)}`,
    sql`sum(${column} = ${sql.raw(String(place))} AND is_paid) AS ${sql.raw(`${name}_${place}_paid`)}`,
  ]);
}
