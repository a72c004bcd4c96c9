import { sql, type SQL } from "drizzle-orm";

/**
 * A condition: the company has an open charge. Every open charge has a next sweep time. Scans the sweep
 * index of the whole database, which is acceptable only for a rare operator request.
 */
export function hasOpenCharges(companyId: number): SQL<number> {
  return sql<number>`EXISTS (SELECT 1 FROM transactions INDEXED BY transactions_sweep
    WHERE next_sweep_at IS NOT NULL AND company_id = ${companyId})`;
}
