import { leadUuidOf } from "../../domain/shared/ids.ts";
import {
  initialChargeState,
  type ChargeTerms,
  type TransactionRecord,
} from "../../domain/charges/transaction.ts";
import type { transactions } from "../schema/transactions.ts";

/** A row of `transactions`: JSON columns parsed. */
export type TransactionRow = typeof transactions.$inferSelect;

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
    nextSweepAt: _nextSweepAt,
    leadKey: _leadKey,
    leadCount: _leadCount,
    ...record
  } = row;
  return { ...record, leadUuid: leadUuidOf(row.companyId, row.leadNumber) };
}

/**
 * A row as it stood when the create was answered, which a replay shows again. What an acquirer had
 * decided by then has not changed since; before that a card is known only where it was sent itself
 * (`sentRaw`), not as a token.
 */
export function toReplayedRecord(row: TransactionRow, sentRaw: boolean): TransactionRecord {
  const { card, refusedReason, externalNsu, paidAt, paidAmount } = row;
  const status = row.answeredStatus ?? row.status;
  const isDecided = status === "authorized" || status === "paid" || status === "refused";
  const sentCard = card === null || !sentRaw ? null : { ...card, authorizationCode: null };
  return {
    ...toTransactionRecord(row),
    ...initialChargeState(row.answeredAt ?? row.updatedAt),
    card: isDecided ? card : sentCard,
    ...(isDecided ? { refusedReason, externalNsu } : {}),
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
    account: row.account,
    card: row.card,
  };
}
