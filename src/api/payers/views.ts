import { maskDocument } from "../../domain/access/masks.ts";
import { isoTime } from "../../domain/shared/clock.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { TransactionRecord } from "../../domain/charges/transaction.ts";
import { completeAddress, creationView, type Issuer } from "../../methods/transaction-view.ts";
import type { attemptsView } from "../../domain/subscriptions/subscription-view.ts";
import type { ListedPayer } from "./list-repository.ts";

interface DebitView {
  attempts: ReturnType<typeof attemptsView>;
}

/** A payer of the list: its document is masked for everybody, since a list needs no more. */
export function listedPayer({ payer, lastChargedAt, lastPaidAt, ...sums }: ListedPayer) {
  return {
    ...sums,
    name: payer.name,
    documentMasked: maskDocument(payer.documentNumber),
    lastChargedAt: isoTime(lastChargedAt),
    lastPaidAt: lastPaidAt === null ? null : isoTime(lastPaidAt),
  };
}

/** A charge with its payer's data as stored. `shippingFee` in centavos. `debit`: the attempts to debit it, if it is debited. */
export function exportedCharge(
  record: TransactionRecord,
  { shippingFee, debit }: { shippingFee: Cents | null; debit?: DebitView | undefined },
  issuer: Issuer,
) {
  const { seq, leadUuid, payer, ip, items } = record;
  return {
    number: seq,
    payer: { leadId: leadUuid, ...payer, address: completeAddress(payer.address), ip },
    shippingFee,
    items,
    transaction: { ...creationView(record, issuer), ...debit },
  };
}
