import type { TransactionRecord } from "../../domain/charges/transaction.ts";
import { isUnderpaid } from "../../methods/underpaid.ts";

/** What a payer is told of a charge: each has its own words. */
export type PayerState =
  | "preparing"
  | "open"
  | "authorized"
  | "paid"
  | "paidLate"
  | "underpaid"
  | "partlyRefunded"
  | "refunded"
  | "analysis"
  | "expired"
  | "cancelled"
  | "refused"
  | "failed";

/** The state of a charge as its payer sees it. The record has its expiry applied. */
export function payerStateOf(record: TransactionRecord): PayerState {
  switch (record.status) {
    case "creating":
      return "preparing";
    case "waiting_payment":
      return record.pix?.qrcode === undefined && !record.boleto?.registered ? "preparing" : "open";
    case "authorized":
      return "authorized";
    case "paid":
      return paidStateOf(record);
    case "refunded":
      return "refunded";
    case "cancelled":
      return record.cancelReason === "EXPIRED" ? "expired" : "cancelled";
    case "refused":
      return "refused";
    case "failed":
      return "failed";
  }
}

/** Whether money of the payer has arrived. */
export function isPaidState(state: PayerState): boolean {
  return ["paid", "paidLate", "underpaid", "partlyRefunded", "refunded", "analysis"].includes(
    state,
  );
}

function paidStateOf(record: TransactionRecord): PayerState {
  if (record.dispute?.status === "OPEN") return "analysis";
  if (record.refundedAmount > 0) return "partlyRefunded";
  if (isUnderpaid(record)) return "underpaid";
  const { paidAt, expiresAt } = record;
  return paidAt !== null && expiresAt !== null && paidAt > expiresAt ? "paidLate" : "paid";
}
