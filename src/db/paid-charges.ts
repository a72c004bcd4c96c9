import { inArray } from "drizzle-orm";
import type { Env } from "../env.ts";
import { databaseFor } from "./client.ts";
import { transactions } from "./schema/transactions.ts";

/** Ids in one statement: D1 binds 100 values at most. */
const IDS_MAX = 90;

/** The payments that these transactions were paid by, as far as D1 was told. */
export async function endToEndIdsOf(
  env: Env,
  companyId: number,
  transactionIds: string[],
): Promise<Set<string>> {
  const found = new Set<string>();
  for (let first = 0; first < transactionIds.length; first += IDS_MAX) {
    const rows = await databaseFor(env, companyId)
      .select({ endToEndId: transactions.endToEndId })
      .from(transactions)
      .where(inArray(transactions.id, transactionIds.slice(first, first + IDS_MAX)));
    for (const { endToEndId } of rows) if (endToEndId !== null) found.add(endToEndId);
  }
  return found;
}
