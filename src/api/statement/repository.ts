import { and, eq } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor } from "../../db/client.ts";
import { inList } from "../../db/in-list.ts";
import { transactions } from "../../db/schema/transactions.ts";

/** What an entry says of its transaction. */
export type EntryTransaction = Awaited<ReturnType<typeof findEntryTransactions>>[number];

/** A company's transactions by their ids, in no order: each one look-up in an index. */
export function findEntryTransactions(env: Env, companyId: number, ids: string[]) {
  const { id, externalRef, paymentMethod, payer, paidBy } = transactions;
  return databaseFor(env, companyId)
    .select({ id, externalRef, paymentMethod, payer, paidBy })
    .from(transactions)
    .where(and(eq(transactions.companyId, companyId), inList(id, ids)));
}
