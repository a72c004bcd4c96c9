import { sql, type SQL } from "drizzle-orm";

/** Tables whose numbers are dense within a company and whose times never fall along them. */
const TRANSACTIONS = { rows: sql`transactions`, number: sql`seq`, time: sql`created_at` };
const AUDIT_ENTRIES = { rows: sql`audit_entries`, number: sql`sequence`, time: sql`at` };

/** The last `seq` that a company created by a time (Unix milliseconds), 0 if none. */
export function lastSeqAt(companyId: number, timeMs: SQL | number): SQL<number> {
  return lastNumberAt(TRANSACTIONS, companyId, timeMs);
}

/**
 * The last entry of a trail by a time (Unix milliseconds), 0 if none. The clocks of writers differ a little, so
 * entries near that time may lie on its other side.
 */
export function lastAuditSequenceAt(trail: number, timeMs: number): SQL<number> {
  return lastNumberAt(AUDIT_ENTRIES, trail, timeMs);
}

/** Binary search, because times do not fall along the numbers: about 20 steps among a million rows. */
function lastNumberAt(
  { rows, number, time }: typeof TRANSACTIONS,
  companyId: number,
  timeMs: SQL | number,
): SQL<number> {
  const middle = sql`(low + high + 1) / 2`;
  const isCreatedByThen = sql`(SELECT ${time} FROM ${rows}
    WHERE company_id = ${companyId} AND ${number} = ${middle}) <= ${timeMs}`;
  return sql<number>`(
    WITH RECURSIVE bisect (low, high) AS (
      SELECT 0, (SELECT coalesce(max(${number}), 0) FROM ${rows} WHERE company_id = ${companyId})
      UNION ALL
      SELECT
        CASE WHEN ${isCreatedByThen} THEN ${middle} ELSE low END,
        CASE WHEN ${isCreatedByThen} THEN high ELSE ${middle} - 1 END
      FROM bisect WHERE low < high)
    SELECT max(low) FROM bisect)`;
}
