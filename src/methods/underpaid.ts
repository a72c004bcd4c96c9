import type { ListedTransaction } from "../domain/charges/transaction.ts";
import { saoPauloDay } from "../domain/shared/business-day.ts";
import { methodOf } from "./registry.ts";

type Paid = Pick<
  ListedTransaction,
  "amount" | "paidAt" | "paidAmount" | "paymentMethod" | "boleto" | "pix"
>;

/**
 * Whether less came than was due on the day of payment (America/Sao_Paulo), and than the payer's bank could
 * rightly ask. False until it is paid.
 */
export function isUnderpaid(charge: Paid): boolean {
  if (charge.paidAt === null) return false;
  const method = methodOf(charge.paymentMethod);
  const due = method.amountDue(charge, saoPauloDay(charge.paidAt));
  return charge.paidAmount < due && !method.isRightAmount(charge, charge.paidAmount, charge.paidAt);
}
