import type { PixCharge } from "../../domain/charges/payment-details.ts";
import { payerUuidOf } from "../../domain/shared/ids.ts";
import {
  initialChargeState,
  type ChargeTerms,
  type TransactionRecord,
} from "../../domain/charges/transaction.ts";
import { jsonBytes } from "../../domain/storage/quotas.ts";
import type { MethodColumns } from "../../methods/method.ts";
import type { transactions } from "../schema/transactions.ts";

/** A row of `transactions` as D1 has it, JSON columns parsed: one with an `archiveFile` lacks its texts. */
export type StoredTransaction = typeof transactions.$inferSelect;

/** A row with its texts, wherever they were: `withTexts` makes it. */
export type TransactionRow = StoredTransaction & {
  /** Why its texts are missing: the archive did not answer, or has lost them; null where they are here. */
  textsMissing: "unreachable" | "lost" | null;
};

/** A row as the domain knows it, as the transaction stands now. */
export function toTransactionRecord(row: TransactionRow): TransactionRecord {
  const {
    shippingFee: _fee,
    returnUrl: _returnUrl,
    traceId: _traceId,
    idempotencyKey: _key,
    requestHash: _hash,
    leaseUntil: _lease,
    answeredAt: _answeredAt,
    answeredStatus: _answeredStatus,
    failure: _failure,
    nextSweepAt: _nextSweepAt,
    leadKey: _leadKey,
    leadCount: _leadCount,
    dayCharges: _dayCharges,
    dayBytes: _dayBytes,
    dayLinkCharges: _dayLinkCharges,
    dayMethods: _dayMethods,
    attempt: _attempt,
    archiveFile,
    textsMissing,
    ...record
  } = row;
  const leadUuid = payerUuidOf(row.companyId, row.leadNumber);
  const isMissing = textsMissing !== null;
  return { ...record, leadUuid, archived: archiveFile !== null, textsMissing: isMissing };
}

/**
 * A row as it stood when the create was answered, for a replay of that answer. A decision made by then
 * has not changed since. Without one the replay shows only the columns that the request itself filled.
 */
export function toReplayedRecord(
  row: TransactionRow,
  asRequested: MethodColumns,
): TransactionRecord {
  const { card, refusedReason, failureReason, externalNsu, paidAt, paidAmount } = row;
  const status = row.answeredStatus ?? row.status;
  const isDecided = status === "authorized" || status === "paid" || status === "refused";
  return {
    ...toTransactionRecord(row),
    ...initialChargeState(row.answeredAt ?? row.updatedAt),
    ...(isDecided ? { card, refusedReason, failureReason, externalNsu } : asRequested),
    ...(status === "paid" ? { paidAt, paidAmount } : {}),
    status,
  };
}

/** The terms of a charge, which the company's object keeps from its first transition on. */
export function chargeTerms(row: TransactionRow): ChargeTerms {
  return {
    transactionId: row.id,
    amount: row.amount,
    paymentMethod: row.paymentMethod,
    installments: row.installments,
    status: row.version === 0 ? row.status : "waiting_payment",
    fee: { basisPoints: row.feeBasisPoints, fixed: row.feeFixed },
    releaseDays: row.releaseDays,
    account: row.account,
    card: row.card,
    textBytes: jsonBytes([
      row.externalRef,
      row.postbackUrl,
      row.metadata,
      row.ip,
      shownPix(row.pix),
      row.boleto,
      ...(row.fiscalKey === null ? [] : [row.fiscalKey]),
    ]),
  };
}

/** The part of a PIX that its events show: only the payer sees the texts. */
function shownPix(pix: PixCharge | null): PixCharge | null {
  if (pix === null) return null;
  const { payerMessage: _message, additionalInfo: _info, ...shown } = pix;
  return shown;
}
