import type { Env } from "../env.ts";
import { databaseFor } from "./client.ts";
import { isOneOf } from "./one-of.ts";
import { transactions } from "./schema/transactions.ts";

/** The payments that these transactions were paid by, as far as D1 was told. */
export async function endToEndIdsOf(
  env: Env,
  companyId: number,
  transactionIds: string[],
): Promise<Set<string>> {
  const rows = await databaseFor(env, companyId)
    .select({ endToEndId: transactions.endToEndId })
    .from(transactions)
    .where(isOneOf(transactions.id, transactionIds));
  return new Set(rows.flatMap(({ endToEndId }) => (endToEndId === null ? [] : [endToEndId])));
}
