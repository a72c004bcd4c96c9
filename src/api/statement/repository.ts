import type { Env } from "../../config.ts";
import { databaseFor } from "../../db/client.ts";
import { inList } from "../../db/in-list.ts";
import { transactions } from "../../db/schema/transactions.ts";
import { companyIdOfTransactionId } from "../../domain/shared/ids.ts";

/** What an entry says of its transaction. */
export type EntryTransaction = Awaited<ReturnType<typeof findEntryTransactions>>[number];

/**
 * A company's transactions by their ids, in no order: each one look-up in an index. The company is told by the ids: a
 * condition on it would have SQLite walk all of its rows.
 */
export function findEntryTransactions(env: Env, companyId: number, ids: string[]) {
  const { id, externalRef, paymentMethod, payer, paidBy } = transactions;
  const own = ids.filter((each) => companyIdOfTransactionId(each) === companyId);
  return databaseFor(env, companyId)
    .select({ id, externalRef, paymentMethod, payer, paidBy })
    .from(transactions)
    .where(inList(id, own));
}
