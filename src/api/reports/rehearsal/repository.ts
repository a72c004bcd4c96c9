import { and, between, eq, sql, type SQL } from "drizzle-orm";
import type { Env } from "../../../config.ts";
import { databaseFor } from "../../../db/client.ts";
import { lastSeqAt } from "../../../db/projection/seq-at-time.ts";
import { dailyReports } from "../../../db/schema/reports.ts";
import { METHODS_WITH_CODE, type PaymentMethod } from "../../../domain/charges/charge-status.ts";
import type { CompanyTerms } from "../../../domain/ledger/fees.ts";
import type { EndedCharges, OpenCharges } from "../../../domain/rehearsal/payment-odds.ts";
import { addDays } from "../../../domain/shared/calendar-day.ts";
import type { Company } from "../../../domain/shared/company.ts";

const DAY_MS = 86_400_000;
/** How far back a company's own past goes. */
export const PAST_DAYS = 90;
/** Charges of the past that are read at most, evenly spread over it. */
const PAST_CHARGES_MAX = 5_000;
/** Charges open for so long or less are not in the index `transactions_open`, whose condition has the number too. */
const OPEN_SHORT_MS = 90_000_000;
/** Of these charges, the newest that are read. */
const OPEN_SHORT_MAX = 10_000;

/** SQLite knows no time zone; São Paulo has been three hours behind UTC since 2019. */
const dayOf = (time: string) => sql.raw(`date(${time} / 1000, 'unixepoch', '-3 hours')`);
const DUE_DATE = sql`coalesce(boleto ->> '$.dueDate', pix ->> '$.due.dueDate')`;
const LAST_DAY = sql`coalesce(${DUE_DATE}, ${dayOf("expires_at")})`;
const IS_LASTING = sql.raw(`expires_at - created_at > ${OPEN_SHORT_MS}`);
/** No parameter: D1 binds numbers as REAL, by which SQLite divides into fractions. */
const STEP = sql.raw(`1 + (newest - before) / ${PAST_CHARGES_MAX}`);

type PastRow = EndedCharges & { paymentMethod: PaymentMethod };

/** A company's open charges and its own past, in sums. */
export interface Payments {
  open: OpenCharges[];
  past: PastRow[];
  /** Centavos paid in the past, and what of payments went back in it. */
  gross: number;
  refunds: number;
}

/**
 * Reads what a rehearsal knows of a company's charges, as sums by day: an index entry of each open charge that lasts,
 * the newest of the others, and at most `PAST_CHARGES_MAX` of the past.
 */
export async function readPayments(
  env: Env,
  { id: companyId, terms }: Pick<Company, "id" | "terms">,
  { today, nowMs }: { today: string; nowMs: number },
): Promise<Payments> {
  const db = databaseFor(env, companyId);
  const from = addDays(today, -PAST_DAYS);
  const [open, past, [sums]] = await db.batch([
    db
      .select({
        paymentMethod: sql<PaymentMethod>`payment_method`,
        lastDay: sql<string>`last_day`,
        isDue: sql`is_due`.mapWith(Boolean),
        gross: sql<number>`sum(amount)`,
        fees: sql<number>`sum(${feeOf(terms.fees)})`,
        squares: sql<number>`sum(1.0 * amount * amount)`,
      })
      .from(openCharges(companyId, nowMs))
      .where(sql`last_day >= ${today}`)
      .groupBy(sql`payment_method, last_day, is_due`),
    db
      .select({
        paymentMethod: sql<PaymentMethod>`payment_method`,
        daysEarly: sql<number | null>`days_early`,
        count: sql<number>`count(*)`,
      })
      .from(endedCharges(companyId, nowMs))
      .where(sql`last_day < ${today}`)
      .groupBy(sql`payment_method, days_early`),
    db
      .select({
        gross: sql<number>`coalesce(sum(${dailyReports.gross}), 0)`,
        refunds: sql<number>`coalesce(sum(${dailyReports.refunds}), 0)`,
      })
      .from(dailyReports)
      .where(and(eq(dailyReports.companyId, companyId), between(dailyReports.day, from, today))),
  ]);
  return {
    open,
    past,
    gross: sums?.gross ?? 0,
    refunds: sums?.refunds ?? 0,
  };
}

/** The fee of a row's amount, as `feeOn` counts it. No parameters, for the reason of `STEP`. */
function feeOf(fees: CompanyTerms["fees"]): SQL {
  const cases = METHODS_WITH_CODE.map((method) => {
    const { basisPoints, fixed } = fees[method];
    return `WHEN '${method}' THEN min(amount, (amount * ${basisPoints} + 5000) / 10000 + ${fixed})`;
  });
  return sql.raw(`CASE payment_method ${cases.join(" ")} END`);
}

/** Charges that can be paid, each with its last day. */
function openCharges(companyId: number, nowMs: number): SQL {
  const columns = sql`payment_method, amount, ${LAST_DAY} AS last_day, ${DUE_DATE} IS NOT NULL AS is_due`;
  const isOpen = sql`company_id = ${companyId} AND status = 'waiting_payment' AND expires_at > ${nowMs}`;
  const newest = sql`(SELECT max(seq) FROM transactions WHERE company_id = ${companyId})`;
  const before = lastSeqAt(companyId, nowMs - OPEN_SHORT_MS);
  return sql`(
    SELECT ${columns} FROM transactions INDEXED BY transactions_open WHERE ${isOpen} AND ${IS_LASTING}
    UNION ALL
    SELECT ${columns} FROM transactions
      WHERE ${isOpen} AND NOT (${IS_LASTING})
        AND seq > max(${before}, ${newest} - ${OPEN_SHORT_MAX}))`;
}

/** Charges of the past, evenly spread where they are many, each with the days that it was paid before its last one. */
function endedCharges(companyId: number, nowMs: number): SQL {
  const before = lastSeqAt(companyId, nowMs - PAST_DAYS * DAY_MS);
  return sql`(
    WITH RECURSIVE
      past (before, newest) AS (
        SELECT ${before}, (SELECT max(seq) FROM transactions WHERE company_id = ${companyId})),
      picked (seq, step, newest) AS (
        SELECT before + 1, ${STEP}, newest FROM past
        UNION ALL
        SELECT seq + step, step, newest FROM picked WHERE seq + step <= newest)
    SELECT payment_method, ${LAST_DAY} AS last_day,
        CAST(julianday(${LAST_DAY}) - julianday(${dayOf("paid_at")}) AS INTEGER) AS days_early
      FROM picked CROSS JOIN transactions
      WHERE company_id = ${companyId} AND transactions.seq = picked.seq AND expires_at IS NOT NULL
        AND status IN ('waiting_payment', 'paid', 'refunded', 'cancelled'))`;
}
