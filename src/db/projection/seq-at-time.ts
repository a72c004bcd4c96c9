import { sql, type SQL } from "drizzle-orm";

/**
 * The last `seq` that a company created by a time (Unix milliseconds), 0 if none. Binary search, because
 * `created_at` never falls along `seq`: about 20 steps among a million rows.
 */
export function lastSeqAt(companyId: number, timeMs: SQL | number): SQL<number> {
  const middle = sql`(low + high + 1) / 2`;
  const isCreatedByThen = sql`(SELECT created_at FROM transactions
    WHERE company_id = ${companyId} AND seq = ${middle}) <= ${timeMs}`;
  return sql<number>`(
    WITH RECURSIVE bisect (low, high) AS (
      SELECT 0, (SELECT coalesce(max(seq), 0) FROM transactions WHERE company_id = ${companyId})
      UNION ALL
      SELECT
        CASE WHEN ${isCreatedByThen} THEN ${middle} ELSE low END,
        CASE WHEN ${isCreatedByThen} THEN high ELSE ${middle} - 1 END
      FROM bisect WHERE low < high)
    SELECT max(low) FROM bisect)`;
}
