import type { ListedTransaction } from "../domain/charges/transaction.ts";
import { saoPauloDay } from "../domain/shared/business-day.ts";
import { methodOf } from "./registry.ts";

type Paid = Pick<
  ListedTransaction,
  "amount" | "paidAt" | "paidAmount" | "paymentMethod" | "boleto" | "pix"
>;

/** Whether less came than was due on the day of payment (America/Sao_Paulo). False until it is paid. */
export function isUnderpaid(charge: Paid): boolean {
  if (charge.paidAt === null) return false;
  const due = methodOf(charge.paymentMethod).amountDue(charge, saoPauloDay(charge.paidAt));
  return charge.paidAmount < due;
}
