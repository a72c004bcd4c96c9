import { isoTime } from "./clock.ts";
import { centsToReais, type Cents } from "./money.ts";
import type { PixKeyType } from "./pix-key.ts";
import type { WithdrawStatus } from "./withdraw-status.ts";

/** A withdraw as its company's Durable Object keeps it. Times epoch milliseconds, amounts centavos. */
export interface WithdrawRecord {
  /** Dense within the company, from 1. */
  id: number;
  companyId: number;
  /** The only id a provider ever sees. */
  payoutId: string;
  idempotencyKey: string;
  amount: Cents;
  fee: Cents;
  currency: string;
  pixKey: string;
  pixKeyType: PixKeyType;
  creditorDocument: string;
  description: string;
  metadata: string | null;
  status: WithdrawStatus;
  version: number;
  endToEndId: string | null;
  failureReason: string | null;
  createdAt: number;
  updatedAt: number;
}

/** What a provider is asked to pay out. Amount in centavos. */
export interface PayoutOrder {
  payoutId: string;
  amount: Cents;
  pixKey: string;
  pixKeyType: PixKeyType;
  creditorDocument: string;
  description: string;
}

/** The contract's withdraw record: `value` and `fee` in reais. */
export function withdrawView(record: WithdrawRecord) {
  return {
    id: record.id,
    companyId: record.companyId,
    idempotencyKey: record.idempotencyKey,
    value: centsToReais(record.amount),
    fee: centsToReais(record.fee),
    pixKey: record.pixKey,
    pixKeyType: record.pixKeyType,
    creditorDocument: record.creditorDocument,
    description: record.description,
    currency: record.currency,
    enTransaction: record.status,
    metadata: record.metadata,
    endToEndId: record.endToEndId,
    createdAt: isoTime(record.createdAt),
    updatedAt: isoTime(record.updatedAt),
  };
}

/** The record as the 201 showed it, which a replay shows again. */
export function asCreated(record: WithdrawRecord): WithdrawRecord {
  return {
    ...record,
    status: "Awaiting",
    version: 0,
    endToEndId: null,
    failureReason: null,
    updatedAt: record.createdAt,
  };
}
