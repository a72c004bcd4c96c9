import type { Cents } from "../../domain/shared/money.ts";
import type { TransactionRecord } from "../../domain/charges/transaction.ts";
import { completeAddress, creationView, type Issuer } from "../../methods/transaction-view.ts";

/** A charge with its payer's data as stored. `shippingFee` in centavos. */
export function exportedCharge(
  record: TransactionRecord,
  shippingFee: Cents | null,
  issuer: Issuer,
) {
  const { seq, leadUuid, payer, ip, items } = record;
  return {
    number: seq,
    payer: { leadId: leadUuid, ...payer, address: completeAddress(payer.address), ip },
    shippingFee,
    items,
    transaction: creationView(record, issuer),
  };
}
