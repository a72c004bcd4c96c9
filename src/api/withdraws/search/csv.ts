import { isoTime } from "../../../domain/shared/clock.ts";
import {
  returnedTotal,
  withdrawView,
  type WithdrawRecord,
} from "../../../domain/withdraws/withdraw.ts";
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
export function withdrawCsvLine(withdraw: WithdrawRecord): string {
  return csvLine(Object.values(COLUMNS).map((column) => column(withdraw)));
}
