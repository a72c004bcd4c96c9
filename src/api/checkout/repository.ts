import { eq } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor } from "../../db/client.ts";
import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { companies } from "../../db/schema/companies.ts";
import { transactions } from "../../db/schema/transactions.ts";

/** The columns of a company that its payers' pages need. */
export const PAYEE_COLUMNS = {
  id: companies.id,
  name: companies.name,
  mode: companies.mode,
  brand: companies.brand,
  embedOrigins: companies.embedOrigins,
  providerCompanyId: companies.providerCompanyId,
  webhookSecretSealed: companies.webhookSecretSealed,
  webhookSecretsPrevious: companies.webhookSecretsPrevious,
};

/** Whom a payer pays, and what signs for it. */
export type Payee = Pick<typeof companies.$inferSelect, keyof typeof PAYEE_COLUMNS>;

/** A transaction with its company, in one read of two rows; null where there is none. */
export async function findTransactionAndPayee(
  env: Env,
  companyId: number,
  id: string,
): Promise<{ row: TransactionRow; payee: Payee } | null> {
  const [found] = await databaseFor(env, companyId)
    .select({ row: transactions, payee: PAYEE_COLUMNS })
    .from(transactions)
    .innerJoin(companies, eq(companies.id, transactions.companyId))
    .where(eq(transactions.id, id));
  return found?.row.companyId === companyId ? found : null;
}
