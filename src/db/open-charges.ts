import { sql, type SQL } from "drizzle-orm";
import { lastSeqBy } from "./seq-at-time.ts";

/** Charges that D1 does not know to have come to an end. */
export const IS_OPEN: SQL = sql`status IN ('creating', 'waiting_payment', 'authorized')`;

/** The cursor of the cron's look at charges that are still open a day after they were made. */
export const OPEN_LOOK = "open";

/**
 * What a look sees again of what the one before has seen, for a row can come later than the time in its
 * id says: isolates' clocks differ by seconds, and a claim takes at most the 2 s that a request waits
 * for another one and two tries of D1, which gives up after 30 s each. A first look that misses a row
 * all the same leaves it to the second: no row comes a day late.
 */
export const LOOK_OVERLAP_MS = 2 * 60_000;

const DAY_S = 24 * 60 * 60;

/**
 * Whether a company has an open charge: one that the cron has listed, or one that it has not looked at
 * yet. Reads all that is listed in the database, and the company's transactions of the last day.
 */
export function hasOpenCharges(companyId: number): SQL<number> {
  // Never later than a day ago, whatever the clock of the cron that looked last.
  const seen = sql`(SELECT min(coalesce(max(value), 0), (unixepoch() - ${DAY_S}) * 1000)
    - ${LOOK_OVERLAP_MS} FROM cursors WHERE name = ${OPEN_LOOK})`;
  return sql<number>`(
    EXISTS (SELECT 1 FROM transactions INDEXED BY transactions_sweep
      WHERE sweep_at IS NOT NULL AND company_id = ${companyId})
    OR EXISTS (SELECT 1 FROM transactions
      WHERE company_id = ${companyId} AND seq > ${lastSeqBy(companyId, seen)} AND ${IS_OPEN}))`;
}
