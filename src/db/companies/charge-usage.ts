import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import { sql, type SQL } from "drizzle-orm";
import { quotaLimit, type Quota } from "../../domain/storage/quotas.ts";
import type { Database } from "../client.ts";

/** The quotas that a new charge counts against, unless a payer makes it by a link: the object counts those. */
const CHARGE_QUOTAS = [
  "chargesPerDay",
  "chargeBytesPerDay",
  "openCharges",
] as const satisfies Quota[];
type ChargeQuota = (typeof CHARGE_QUOTAS)[number];

/** How much a company may use of each. */
export function chargeQuotaLimits(percent: number): Record<ChargeQuota, number> {
  return {
    chargesPerDay: quotaLimit("chargesPerDay", percent),
    chargeBytesPerDay: quotaLimit("chargeBytesPerDay", percent),
    openCharges: quotaLimit("openCharges", percent),
  };
}

/** A company's newest charge, whose row has the sums of its day; for a join as `newest`. */
export function newestCharge(companyId: number | SQL): SQL {
  return sql`(SELECT seq, created_at, lead_count, day_charges, day_link_charges, day_bytes, day_methods FROM transactions
    WHERE company_id = ${companyId} ORDER BY seq DESC LIMIT 1)`;
}

/** A company's newest event, which says how many charges have ended; for a join as `event`. */
export function newestEvent(companyId: number | SQL): SQL {
  return sql`(SELECT company_sequence, ended_charges FROM events
    WHERE company_id = ${companyId} ORDER BY company_sequence DESC LIMIT 1)`;
}

/**
 * What a company has used so far, of `newest` and `event`. Numbers of charges are dense, so those that have
 * not ended are open. An object from before the count does not know it: then none counts as open. `dayFrom`: the day's
 * first millisecond (`quotaDay`), here and below.
 */
export function chargeUsage(dayFrom: number | SQL): Record<ChargeQuota, SQL<number>> {
  const isToday = isNewestToday(dayFrom);
  return {
    chargesPerDay: sql<number>`iif(${isToday}, newest.day_charges - newest.day_link_charges, 0)`,
    chargeBytesPerDay: sql<number>`iif(${isToday}, newest.day_bytes, 0)`,
    openCharges: sql<number>`coalesce(newest.seq, 0)
      - iif(event.company_sequence IS NULL, 0, coalesce(event.ended_charges, newest.seq, 0))`,
  };
}

/** All of the company's charges of the day so far, and those of links among them. */
export function chargesOfDay(dayFrom: number | SQL): { all: SQL; ofLinks: SQL } {
  const isToday = isNewestToday(dayFrom);
  return {
    all: sql`iif(${isToday}, newest.day_charges, 0)`,
    ofLinks: sql`iif(${isToday}, newest.day_link_charges, 0)`,
  };
}

/**
 * The charges of the day by method, as JSON, with a new one of `method`, whose JSON path is `path`. Null stays null
 * until the day ends: its first charges were not counted.
 */
export function dayMethodsWith(
  { method, path }: { method: PaymentMethod | SQL; path: string | SQL },
  dayFrom: number | SQL,
): SQL {
  return sql`iif(${isNewestToday(dayFrom)},
    json_set(newest.day_methods, ${path}, coalesce(json_extract(newest.day_methods, ${path}), 0) + 1),
    json_object(${method}, 1))`;
}

function isNewestToday(dayFrom: number | SQL): SQL {
  return sql`newest.created_at >= ${dayFrom}`;
}

/** A condition: the company may create another charge, given `newest` and `event`. */
export function isWithinChargeQuota(
  dayFrom: number | SQL,
  limitOf: (quota: ChargeQuota) => number | SQL,
): SQL {
  const usage = chargeUsage(dayFrom);
  const conditions = CHARGE_QUOTAS.map((quota) => sql`${usage[quota]} < ${limitOf(quota)}`);
  return sql.join(conditions, sql` AND `);
}

/** The query for what a company has used so far. */
export function selectChargeUsage(
  db: Database,
  { companyId, dayFrom }: { companyId: number; dayFrom: number },
) {
  return db.select(chargeUsage(dayFrom)).from(
    sql`(SELECT 1) LEFT JOIN ${newestCharge(companyId)} AS newest ON true
        LEFT JOIN ${newestEvent(companyId)} AS event ON true`,
  );
}
