import { sql, type SQL } from "drizzle-orm";

/**
 * Whether a company has a charge that is not over: each has a time at which the cron looks at it. Reads
 * the index of all of the database's, which only an operator's rare request may.
 */
export function hasOpenCharges(companyId: number): SQL<number> {
  return sql<number>`EXISTS (SELECT 1 FROM transactions INDEXED BY transactions_sweep
    WHERE next_sweep_at IS NOT NULL AND company_id = ${companyId})`;
}
