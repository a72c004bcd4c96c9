import { isoTime } from "../../../domain/shared/clock.ts";
import {
  returnedTotal,
  withdrawView,
  type WithdrawRecord,
} from "../../../domain/withdraws/withdraw.ts";
import type { WithdrawStatus } from "../../../domain/withdraws/withdraw-status.ts";
import { brazilianHeader, brazilianLine, brazilianTime, type Column } from "../../../http/csv.ts";
import { csvLine } from "../../../lib/csv.ts";

/** Columns in order. Add a new one at the end. */
const COLUMNS: Record<string, (withdraw: WithdrawRecord) => string | number | null> = {
  id: ({ id }) => id,
  status: ({ status }) => status,
  amountCents: ({ amount }) => amount,
  feeCents: ({ fee }) => fee,
  returnedCents: returnedTotal,
  pixKey: ({ pixKey }) => pixKey,
  pixKeyType: ({ pixKeyType }) => pixKeyType,
  creditorDocument: ({ creditorDocument }) => creditorDocument,
  description: ({ description }) => description,
  endToEndId: ({ endToEndId }) => endToEndId,
  failureCode: (withdraw) => withdrawView(withdraw).failureReason?.code ?? null,
  idempotencyKey: ({ idempotencyKey }) => idempotencyKey,
  requestedBy: ({ requestedBy }) => requestedBy?.id ?? "",
  createdAt: ({ createdAt }) => isoTime(createdAt),
  updatedAt: ({ updatedAt }) => isoTime(updatedAt),
};

export const WITHDRAWS_CSV_HEADER = csvLine(Object.keys(COLUMNS));

/** A withdraw as a line of CSV. */
function withdrawCsvLine(withdraw: WithdrawRecord): string {
  return csvLine(Object.values(COLUMNS).map((column) => column(withdraw)));
}

/** The statuses in Portuguese, as the console says them. */
export const STATUS_WORDS: Record<WithdrawStatus, string> = {
  Awaiting: "Aguardando",
  Processing: "Enviando",
  Paid: "Pago",
  Failed: "Falhou",
  Cancelled: "Cancelado",
  Returned: "Devolvido",
};

/** Columns in order, for people in Brazil. Add a new one at the end. */
const BRAZILIAN_COLUMNS: Column<WithdrawRecord>[] = [
  { heading: "Pedido em", day: ({ createdAt }) => createdAt },
  { heading: "Hora", text: ({ createdAt }) => brazilianTime(createdAt) },
  { heading: "Situação", text: ({ status }) => STATUS_WORDS[status] },
  { heading: "Valor", cents: ({ amount }) => amount },
  { heading: "Taxa", cents: ({ fee }) => fee },
  { heading: "Devolvido", cents: returnedTotal },
  { heading: "Chave Pix", text: ({ pixKey }) => pixKey },
  { heading: "CPF/CNPJ do recebedor", text: ({ creditorDocument }) => creditorDocument },
  { heading: "Descrição", text: ({ description }) => description },
  { heading: "Pedido por", text: ({ requestedBy }) => requestedBy?.name ?? "" },
  { heading: "Id do Pix (E2E)", text: ({ endToEndId }) => endToEndId ?? "" },
  { heading: "Saque", text: ({ id }) => String(id) },
];

/** How withdraws are written as CSV: for programs, or for people in Brazil. */
export function withdrawsCsv({ isPortuguese }: { isPortuguese: boolean }) {
  if (!isPortuguese) return { header: WITHDRAWS_CSV_HEADER, line: withdrawCsvLine };
  return {
    header: brazilianHeader(BRAZILIAN_COLUMNS),
    line: (withdraw: WithdrawRecord) => brazilianLine(BRAZILIAN_COLUMNS, withdraw),
  };
}
