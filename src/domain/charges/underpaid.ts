import { amountDue } from "../../methods/boleto/boleto-terms.ts";
import { saoPauloDay } from "../shared/business-day.ts";
import type { TransactionRecord } from "./transaction.ts";

type Paid = Pick<TransactionRecord, "amount" | "paidAt" | "paidAmount" | "boleto">;

/**
 * Whether less came than was due on the day of payment (America/Sao_Paulo): of a boleto its amount less
 * discount, plus fine and interest; of everything else its amount. False until it is paid.
 */
export function isUnderpaid({ amount, paidAt, paidAmount, boleto }: Paid): boolean {
  if (paidAt === null) return false;
  const due = boleto === null ? amount : amountDue(boleto, amount, saoPauloDay(paidAt));
  return paidAmount < due;
}
