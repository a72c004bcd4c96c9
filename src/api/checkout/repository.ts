import { and, eq } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor } from "../../db/client.ts";
import { prepareOnce, type Parameter } from "../../db/prepared-query.ts";
import { LIST_COLUMNS } from "../../db/projection/listed-transactions.ts";
import { withTexts } from "../../db/archive/archived-texts.ts";
import type { TransactionRow } from "../../db/projection/transaction-mapper.ts";
import { companies } from "../../db/schema/companies.ts";
import { paymentLinks } from "../../db/schema/payments.ts";
import { transactions } from "../../db/schema/transactions.ts";

/** The columns of a company that its payers' pages need. */
export const PAYEE_COLUMNS = {
  id: companies.id,
  name: companies.name,
  mode: companies.mode,
  clockOffsetMs: companies.clockOffsetMs,
  brand: companies.brand,
  embedOrigins: companies.embedOrigins,
  providerCompanyId: companies.providerCompanyId,
  webhookSecretSealed: companies.webhookSecretSealed,
  webhookSecretsPrevious: companies.webhookSecretsPrevious,
};

/** Whom a payer pays, and what signs for it. */
export type Payee = Pick<typeof companies.$inferSelect, keyof typeof PAYEE_COLUMNS>;

/** A transaction as its payer's page needs it. */
export interface PayersTransaction {
  row: TransactionRow;
  payee: Payee;
  /** The payment link that it was made under; null of any other. */
  link: typeof paymentLinks.$inferSelect | null;
}

const selectWithPayee = prepareOnce((db, value: Parameter<{ id: string }>) =>
  db
    .select({ row: transactions, payee: PAYEE_COLUMNS, link: paymentLinks })
    .from(transactions)
    .innerJoin(companies, eq(companies.id, transactions.companyId))
    .leftJoin(
      paymentLinks,
      and(
        eq(paymentLinks.companyId, transactions.companyId),
        eq(paymentLinks.id, transactions.paymentLinkId),
      ),
    )
    .where(eq(transactions.id, value("id"))),
);

/** A transaction with its company and its payment link, in one read of three rows; null where there is none. */
export async function findTransactionAndPayee(
  env: Env,
  companyId: number,
  id: string,
): Promise<PayersTransaction | null> {
  const [found] = await selectWithPayee(databaseFor(env, companyId), { id });
  if (found?.row.companyId !== companyId) return null;
  return { ...found, row: await withTexts(env, found.row) };
}

const STATUS_COLUMNS = {
  companyId: transactions.companyId,
  secureRandom: transactions.secureRandom,
  id: LIST_COLUMNS.id,
  status: LIST_COLUMNS.status,
  paymentMethod: LIST_COLUMNS.paymentMethod,
  amount: LIST_COLUMNS.amount,
  currency: LIST_COLUMNS.currency,
  expiresAt: LIST_COLUMNS.expiresAt,
  updatedAt: LIST_COLUMNS.updatedAt,
  paidAt: LIST_COLUMNS.paidAt,
  paidAmount: LIST_COLUMNS.paidAmount,
  cancelReason: LIST_COLUMNS.cancelReason,
  refusedReason: LIST_COLUMNS.refusedReason,
  failureReason: LIST_COLUMNS.failureReason,
  pix: LIST_COLUMNS.pix,
  boleto: LIST_COLUMNS.boleto,
};

const selectStatus = prepareOnce((db, value: Parameter<{ id: string }>) =>
  db
    .select(STATUS_COLUMNS)
    .from(transactions)
    .where(eq(transactions.id, value("id"))),
);

/** What a company's transaction shows a payer who polls it, and its `secureId`; null where there is none. */
export async function findStatus(env: Env, companyId: number, id: string) {
  const [row] = await selectStatus(databaseFor(env, companyId), { id });
  return row?.companyId === companyId ? row : null;
}
