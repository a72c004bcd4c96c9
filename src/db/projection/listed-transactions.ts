import { sql, type SQL } from "drizzle-orm";
import { leadUuidOf } from "../../domain/shared/ids.ts";
import type { ListedTransaction } from "../../domain/charges/transaction.ts";
import { transactions } from "../schema/transactions.ts";

/** A row of the columns that a list shows a transaction by. */
type ListedRow = Omit<ListedTransaction, "leadUuid">;

const COLUMNS = {
  id: transactions.id,
  companyId: transactions.companyId,
  seq: transactions.seq,
  leadNumber: transactions.leadNumber,
  externalRef: transactions.externalRef,
  amount: transactions.amount,
  currency: transactions.currency,
  paymentMethod: transactions.paymentMethod,
  installments: transactions.installments,
  payer: transactions.payer,
  boleto: transactions.boleto,
  provider: transactions.provider,
  createdAt: transactions.createdAt,
  expiresAt: transactions.expiresAt,
  status: transactions.status,
  updatedAt: transactions.updatedAt,
  paidAt: transactions.paidAt,
  paidAmount: transactions.paidAmount,
  refundedAmount: transactions.refundedAmount,
  endToEndId: transactions.endToEndId,
  cancelReason: transactions.cancelReason,
} satisfies Record<keyof ListedRow, unknown>;

/**
 * What a list selects. Of the wide columns only the payer and the boleto: a row of the largest legal
 * request comes to a few kilobytes, not to the 60 that all of it may have. By name, so that a query may
 * also be of SQL that names an index, which drizzle does not take for the table.
 */
export const LIST_COLUMNS = Object.fromEntries(
  Object.entries(COLUMNS).map(([name, column]) => [
    name,
    sql`${sql.identifier(column.name)}`.mapWith(column),
  ]),
) as { [Name in keyof ListedRow]: SQL<ListedRow[Name]> };

/** A row of these columns, as the domain knows it. */
export function toListedTransaction(row: ListedRow): ListedTransaction {
  return { ...row, leadUuid: leadUuidOf(row.companyId, row.leadNumber) };
}
