import { toCreateStatus } from "../../domain/charges/charge-status.ts";
import type { TransactionRecord } from "../../domain/charges/transaction.ts";
import { maskDocument, maskPixKey } from "../../domain/access/masks.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import type { Company } from "../../domain/shared/company.ts";
import type { Problem } from "../../domain/shared/problem.ts";
import { invalidState } from "../../http/problems.ts";
import { returnedTotal, type WithdrawRecord } from "../../domain/withdraws/withdraw.ts";

type Issuer = Pick<Company, "id" | "name">;

/**
 * The receipt of a payment: what was paid, when, by whom and to whom. Amounts in centavos. Documents are always
 * masked, because a receipt is passed on. Throws 409 for a transaction that was never paid.
 */
export function paymentReceipt({ id, name }: Issuer, record: TransactionRecord) {
  if (record.paidAt === null) throw unpaid("transaction");
  const { payer, paidBy } = record;
  return {
    type: "payment" as const,
    company: { id, name },
    transactionId: record.id,
    status: toCreateStatus(record.status),
    amount: record.amount,
    paidAmount: record.paidAmount,
    refundedAmount: record.refundedAmount,
    currency: record.currency,
    paymentMethod: record.paymentMethod,
    paidAt: isoTime(record.paidAt),
    endToEndId: record.endToEndId,
    payer: {
      name: paidBy?.name ?? payer.name,
      documentMasked: paidBy?.documentMasked ?? maskDocument(payer.documentNumber),
      ispb: paidBy?.ispb ?? null,
    },
  };
}

/**
 * The receipt of a withdraw. Amounts in centavos, the PIX key and its owner's document masked. Throws 409 for a
 * withdraw that was never paid.
 */
export function withdrawReceipt({ id, name }: Issuer, record: WithdrawRecord) {
  const isPaid = record.status === "Paid" || record.status === "Returned";
  if (!isPaid) throw unpaid("withdraw");
  return {
    type: "withdraw" as const,
    company: { id, name },
    withdrawId: record.id,
    status: record.status,
    amount: record.amount,
    fee: record.fee,
    returnedAmount: returnedTotal(record),
    currency: record.currency,
    pixKeyMasked: maskPixKey({ type: record.pixKeyType, value: record.pixKey }),
    pixKeyType: record.pixKeyType,
    creditorDocumentMasked: maskDocument(record.creditorDocument),
    description: record.description,
    paidAt: isoTime(record.paidAt ?? record.updatedAt),
    endToEndId: record.endToEndId,
  };
}

export type Receipt = ReturnType<typeof paymentReceipt> | ReturnType<typeof withdrawReceipt>;

function unpaid(what: string): Problem {
  return invalidState(`The ${what} has no receipt, because it was not paid`, "not_paid");
}
