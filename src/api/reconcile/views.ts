import { toCreateStatus } from "../../domain/charges/charge-status.ts";
import type { ComparedTransaction } from "../../domain/reconcile/merchant-lines.ts";
import { isoTime } from "../../domain/shared/clock.ts";

/** A transaction that the merchant's lines lack. Amounts in centavos. */
export function onlyHereView(transaction: ComparedTransaction) {
  const { id, externalRef, endToEndId, amount, paidAt, paidAmount, paymentMethod } = transaction;
  return {
    id,
    externalRef,
    endToEndId,
    amount,
    paidAmount: paidAt === null ? null : paidAmount,
    status: toCreateStatus(transaction.status),
    paymentMethod,
    createdAt: isoTime(transaction.createdAt),
    paidAt: paidAt === null ? null : isoTime(paidAt),
  };
}
