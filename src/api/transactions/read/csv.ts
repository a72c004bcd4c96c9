import type { ListedTransaction } from "../../../domain/charges/transaction.ts";
import { isoTime } from "../../../domain/shared/clock.ts";
import { typedReais } from "../../../domain/shared/money.ts";
import {
  brazilianDay,
  brazilianHeader,
  brazilianLine,
  brazilianTime,
  type Column,
} from "../../../http/csv.ts";
import { csvLine } from "../../../lib/csv.ts";
import { methodOf } from "../../../methods/registry.ts";
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
  subscriptionId: ({ subscriptionId }) => subscriptionId ?? null,
} satisfies Record<
  string,
  (item: ListItem, record: ListedTransaction) => string | number | boolean | null
>;

type ListItem = ReturnType<typeof listItemView>;

export const TRANSACTIONS_CSV_HEADER = csvLine(Object.keys(COLUMNS));

/** A transaction of the list as a line of CSV. */
function transactionCsvLine(record: ListedTransaction): string {
  const item = listItemView(record);
  return csvLine(Object.values(COLUMNS).map((column) => column(item, record)));
}

/** A list's statuses in Portuguese, as the console says them. */
export const STATUS_WORDS: Record<ListItem["status"], string> = {
  PENDING: "Aguardando",
  PAID: "Pago",
  FAILED: "Falhou",
  CANCELLED: "Cancelado",
  REFUNDED: "Devolvido",
};

/** Columns in order, for people in Brazil. Add a new one at the end. */
const BRAZILIAN_COLUMNS: Column<ListedTransaction>[] = [
  { heading: "Criada em", day: ({ createdAt }) => createdAt },
  { heading: "Hora", text: ({ createdAt }) => brazilianTime(createdAt) },
  { heading: "Pagador", text: (record) => listItemView(record).lead.name },
  { heading: "CPF/CNPJ", text: (record) => listItemView(record).lead.documentNumber },
  { heading: "E-mail", text: (record) => listItemView(record).lead.email },
  { heading: "Pedido", text: ({ externalRef }) => externalRef ?? "" },
  { heading: "Forma de pagamento", text: ({ paymentMethod }) => methodOf(paymentMethod).label },
  { heading: "Situação", text: (record) => STATUS_WORDS[listItemView(record).status] },
  { heading: "Valor", cents: ({ amount }) => amount },
  { heading: "Valor pago", text: ({ paidAmount }) => typedReais(paidAmount, "pt-BR") },
  { heading: "Valor devolvido", cents: ({ refundedAmount }) => refundedAmount },
  { heading: "Pago em", text: ({ paidAt }) => (paidAt === null ? "" : brazilianDay(paidAt)) },
  {
    heading: "Hora do pagamento",
    text: ({ paidAt }) => (paidAt === null ? "" : brazilianTime(paidAt)),
  },
  { heading: "Id do Pix (E2E)", text: ({ endToEndId }) => endToEndId ?? "" },
  { heading: "Chave da nota fiscal", text: ({ fiscalKey }) => fiscalKey ?? "" },
  { heading: "Transação", text: ({ id }) => id },
];

/** How transactions are written as CSV: for programs, or for people in Brazil. */
export function transactionsCsv({ isPortuguese }: { isPortuguese: boolean }) {
  if (!isPortuguese) return { header: TRANSACTIONS_CSV_HEADER, line: transactionCsvLine };
  return {
    header: brazilianHeader(BRAZILIAN_COLUMNS),
    line: (record: ListedTransaction) => brazilianLine(BRAZILIAN_COLUMNS, record),
  };
}
