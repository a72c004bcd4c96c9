import { and, eq } from "drizzle-orm";
import { databaseFor } from "../../../db/client.ts";
import { withTexts } from "../../../db/archive/archived-texts.ts";
import type { TransactionRow } from "../../../db/projection/transaction-mapper.ts";
import { transactions } from "../../../db/schema/transactions.ts";
import { runIdempotent } from "../../../db/storage-errors.ts";
import type { Env } from "../../../config.ts";

/**
 * Links a fiscal document to a company's transaction, or removes the link. A trigger keeps the day's number of
 * links in the daily report. Null if there is no such transaction.
 */
export async function saveFiscalKey(
  env: Env,
  companyId: number,
  transactionId: string,
  fiscalKey: string | null,
): Promise<TransactionRow | null> {
  const [row] = await runIdempotent(() =>
    databaseFor(env, companyId)
      .update(transactions)
      .set({ fiscalKey })
      .where(and(eq(transactions.id, transactionId), eq(transactions.companyId, companyId)))
      .returning(),
  );
  return row === undefined ? null : withTexts(env, row);
}
