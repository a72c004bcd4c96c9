import { leadUuidOf } from "../domain/ids.ts";
import {
  initialChargeState,
  type ChargeTerms,
  type PixCharge,
  type TransactionRecord,
} from "../domain/transaction.ts";
import type { Details } from "./packed-details.ts";
import { unpackPix } from "./packed-pix.ts";
import type { transactions } from "./schema/transactions.ts";

export type StoredTransaction = typeof transactions.$inferSelect;

/** A row, unfolded. */
export type TransactionRow = Omit<StoredTransaction, "details" | "pix"> &
  Details & { pix: PixCharge | null };

/** A row as D1 has it, unfolded. */
export function transactionRow({ details, pix, ...stored }: StoredTransaction): TransactionRow {
  return { ...stored, ...details, pix: pix === null ? null : unpackPix(pix, stored) };
}

/** A row as the domain knows it, as the transaction stands now. */
export function toTransactionRecord(row: TransactionRow): TransactionRecord {
  const {
    shippingFee: _fee,
    idempotencyKey: _key,
    requestHash: _hash,
    leaseUntil: _lease,
    answeredAt: _answeredAt,
    answeredStatus: _answeredStatus,
    failure: _failure,
    sweepAt: _sweepAt,
    leadCount: _leadCount,
    isRepeat: _isRepeat,
    eventNumbers: _events,
    ...record
  } = row;
  const { companyId, leadNumber, leadUuid } = record;
  return leadUuid === "" ? { ...record, leadUuid: leadUuidOf(companyId, leadNumber) } : record;
}

/**
 * A row as it stood when the create was answered, which a replay shows again. What an acquirer had
 * decided by then has not changed since; before that a card is known only where it was sent itself
 * (`sentRaw`), not as a token.
 */
export function asAnswered(row: TransactionRow, sentRaw: boolean): TransactionRecord {
  const { card, refusedReason, externalNsu, paidAt, paidAmount } = row;
  const status = row.answeredStatus ?? row.status;
  const decided = status === "authorized" || status === "paid" || status === "refused";
  const sent = card === null || !sentRaw ? null : { ...card, authorizationCode: null };
  return {
    ...toTransactionRecord(row),
    ...initialChargeState(row.answeredAt ?? row.updatedAt),
    card: decided ? card : sent,
    ...(decided ? { refusedReason, externalNsu } : {}),
    ...(status === "paid" ? { paidAt, paidAmount } : {}),
    status,
  };
}

/** The terms of a charge, as the company's object takes them with the first move. */
export function chargeTerms(row: TransactionRow): ChargeTerms {
  return {
    transactionId: row.id,
    amount: row.amount,
    paymentMethod: row.paymentMethod,
    installments: row.installments,
    status: row.version === 0 ? row.status : "waiting_payment",
    fee: { basisPoints: row.feeBasisPoints, fixed: row.feeFixed },
    releaseDays: row.releaseDays,
    card: row.card,
  };
}
