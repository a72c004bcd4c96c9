import { isoTime } from "../../domain/shared/clock.ts";
import { centsToReais, type Cents } from "../../domain/shared/money.ts";
import type { TransactionRecord } from "../../domain/charges/transaction.ts";
import { completeAddress, creationView } from "../../methods/transaction-view.ts";
import type { ListedWithdraw } from "./export-repository.ts";

/** A charge with its payer's data as stored. `shippingFee` in centavos. */
export function exportedCharge(
  record: TransactionRecord,
  shippingFee: Cents | null,
  providerCompanyId: string,
) {
  const { seq, leadUuid, payer, ip, items } = record;
  return {
    number: seq,
    payer: { leadId: leadUuid, ...payer, address: completeAddress(payer.address), ip },
    shippingFee,
    items,
    transaction: creationView(record, providerCompanyId),
  };
}

/** A withdraw to the payer, `value` in reais. */
export function exportedWithdraw(row: ListedWithdraw) {
  return {
    id: row.id,
    value: centsToReais(row.amount),
    pixKey: row.pixKey,
    pixKeyType: row.pixKeyType,
    creditorDocument: row.creditorDocument,
    enTransaction: row.status,
    endToEndId: row.endToEndId,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
  };
}
