import { sql, type SQL } from "drizzle-orm";

/**
 * A condition: the company, or one account of it, has an open charge. Every open charge has a next sweep time. Scans the sweep
 * index of the whole database, which is acceptable only for a rare operator request.
 */
export function hasOpenCharges(companyId: number, account: string | null = null): SQL<number> {
  const isAtAccount = account === null ? sql`` : sql`AND account = ${account}`;
  return sql<number>`EXISTS (SELECT 1 FROM transactions INDEXED BY transactions_sweep
    WHERE next_sweep_at IS NOT NULL AND company_id = ${companyId} ${isAtAccount})`;
}
