import { sql, type SQL } from "drizzle-orm";
import { payerUuidOf } from "../../domain/shared/ids.ts";
import type { ListedTransaction } from "../../domain/charges/transaction.ts";
import { transactions } from "../schema/transactions.ts";

/** A row of `LIST_COLUMNS`. */
type ListedRow = Omit<ListedTransaction, "leadUuid" | "archived"> & { archiveFile: string | null };

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
  pix: transactions.pix,
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
  refusedReason: transactions.refusedReason,
  failureReason: transactions.failureReason,
  fiscalKey: transactions.fiscalKey,
  archiveFile: transactions.archiveFile,
} satisfies Record<keyof ListedRow, unknown>;

const DUE = sql`'due', pix -> '$.due'`;
const SUBSCRIPTION = sql`'subscriptionId', pix ->> '$.subscriptionId'`;

/** SQL: of a PIX its due date and terms, and its subscription: its texts for the payer may be long. */
export const PIX_TERMS = sql`CASE (pix ->> '$.due' IS NOT NULL) + 2 * (pix ->> '$.subscriptionId' IS NOT NULL)
  WHEN 1 THEN json_object(${DUE}) WHEN 2 THEN json_object(${SUBSCRIPTION})
  WHEN 3 THEN json_object(${DUE}, ${SUBSCRIPTION}) END`;

const PIX = PIX_TERMS.mapWith(transactions.pix);

/**
 * The columns of a list. Of the wide columns only the payer, the boleto and a PIX's terms, so that the
 * largest row has a few kilobytes and not 60.
 */
export const LIST_COLUMNS = { ...COLUMNS, pix: PIX };

/** The same by name, for a query whose table is SQL with `INDEXED BY`. */
export const LIST_COLUMNS_BY_NAME = {
  ...(Object.fromEntries(
    Object.entries(COLUMNS).map(([name, column]) => [
      name,
      sql`${sql.identifier(column.name)}`.mapWith(column),
    ]),
  ) as { [Name in keyof ListedRow]: SQL<ListedRow[Name]> }),
  pix: PIX,
};

/** Maps a row of `LIST_COLUMNS` to the domain's record. */
export function toListedTransaction({ archiveFile, ...row }: ListedRow): ListedTransaction {
  const leadUuid = payerUuidOf(row.companyId, row.leadNumber);
  return { ...row, leadUuid, archived: archiveFile !== null };
}
