import type { ListedTransaction } from "../../../domain/charges/transaction.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import { csvLine } from "../../../lib/csv.ts";
import { listItemView } from "../../../methods/transaction-view.ts";

/** Columns in order, amounts in centavos. Add a new one at the end. */
const COLUMNS = {
  id: ({ id }) => id,
  providerTxId: ({ providerTxId }) => providerTxId,
  externalRef: ({ externalRef }) => externalRef,
  paymentMethod: ({ paymentMethod }) => paymentMethod,
  status: ({ status }) => status,
  amount: ({ amount }) => amount,
  paidAmount: ({ paidAmount }) => paidAmount,
  underpaid: ({ underpaid }) => underpaid,
  refundedAmount: (_, { refundedAmount }) => refundedAmount,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  paidAt: (_, { paidAt }) => (paidAt === null ? null : isoTime(paidAt)),
  endToEndId: ({ endToEndId }) => endToEndId,
  fiscalKey: (_, { fiscalKey }) => fiscalKey,
  failureCode: ({ failureReason }) => failureReason?.code ?? null,
  leadName: ({ lead }) => lead.name,
  leadDocument: ({ lead }) => lead.documentNumber,
  leadEmail: ({ lead }) => lead.email,
} satisfies Record<
  string,
  (item: ListItem, record: ListedTransaction) => string | number | boolean | null
>;

type ListItem = ReturnType<typeof listItemView>;

export const TRANSACTIONS_CSV_HEADER = csvLine(Object.keys(COLUMNS));

/** A transaction of the list as a line of CSV. */
export function transactionCsvLine(record: ListedTransaction): string {
  const item = listItemView(record);
  return csvLine(Object.values(COLUMNS).map((column) => column(item, record)));
}
