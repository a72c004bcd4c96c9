import type { Transaction } from "centavo";

/** Why a transaction pays for no order, or for another one. */
export type Refusal =
  | "currency"
  | "unknown"
  | "otherOrder"
  | "used"
  | "notPaid"
  | "refunded"
  | "partlyPaid"
  | "wrongAmount"
  | "cardRefused"
  | "cardPending"
  | "badData"
  | "unavailable";

/** What of a transaction decides. */
export type Facts = Pick<
  Transaction,
  "status" | "paidAmount" | "refundedAmount" | "currency" | "externalRef"
>;

/** What a transaction has to pay: `amount` in centavos. */
export interface Due {
  orderCode: string;
  amount: number;
  currencyCode: string;
}

/** The currency of every transaction. Vendure's minor units of it are centavos too. */
const CURRENCY = "BRL";

/** Why a transaction does not pay what is due; null where it does, to the centavo and all of it still there. */
export function refusalOf(transaction: Facts, due: Due): Refusal | null {
  if (due.currencyCode !== CURRENCY || transaction.currency !== CURRENCY) return "currency";
  if (transaction.externalRef !== due.orderCode) return "otherOrder";
  if (transaction.status === "REFUNDED" || transaction.refundedAmount > 0) return "refunded";
  if (transaction.status !== "PAID") return "notPaid";
  const paid = transaction.paidAmount ?? 0;
  if (paid < due.amount) return "partlyPaid";
  return paid === due.amount ? null : "wrongAmount";
}

/** Whether the payer can still pay it. */
export function isOpen({ status }: Pick<Transaction, "status">): boolean {
  return status === "WAITING_PAYMENT" || status === "AUTHORIZED";
}

/** Whether money came, whatever became of it. */
export function wasPaid({ status }: Pick<Transaction, "status">): boolean {
  return status === "PAID" || status === "REFUNDED";
}
