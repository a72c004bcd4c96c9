import type { TransactionRecord } from "../../domain/charges/transaction.ts";
import { methodOf } from "../../methods/registry.ts";
import { isUnderpaid } from "../../methods/underpaid.ts";

/** What a payer is told of a charge: each has its own words. */
export type PayerState =
  | "preparing"
  | "processing"
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
    case "waiting_payment":
      return openStateOf(record);
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

/** A charge that we pull waits for the answer to it; the payer pays any other by its code. */
function openStateOf(record: TransactionRecord): PayerState {
  const method = methodOf(record.paymentMethod);
  if (method.initiation === "pull") return "processing";
  const isOpen = record.status === "waiting_payment" && method.isRegistered(record);
  return isOpen ? "open" : "preparing";
}

function paidStateOf(record: TransactionRecord): PayerState {
  if (record.dispute?.status === "OPEN") return "analysis";
  if (record.refundedAmount > 0) return "partlyRefunded";
  if (isUnderpaid(record)) return "underpaid";
  const { paidAt, expiresAt } = record;
  return paidAt !== null && expiresAt !== null && paidAt > expiresAt ? "paidLate" : "paid";
}
