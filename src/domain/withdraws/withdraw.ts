import { isoTime } from "../shared/clock.ts";
import { centsToReais, type Cents } from "../shared/money.ts";
import type { PixKeyType } from "../shared/pix-key.ts";
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
  /** What of a paid one has come back so far. Of one that is Returned: `returnedTotal`. */
  returnedAmount: Cents;
  /** The account at the provider that sends it, and alone can be asked; known with its claim. */
  account: string;
  createdAt: number;
  updatedAt: number;
}

/** The account of every sandbox company. Its bank sends nothing back by itself. */
export const SANDBOX_ACCOUNT = "sandbox";
/** What stands as a withdraw's account before anybody has claimed it. */
export const UNCLAIMED_ACCOUNT = "first";

/** What of a withdraw's amount is back with its company. */
export function returnedTotal({
  status,
  amount,
  returnedAmount,
}: Pick<WithdrawRecord, "status" | "amount" | "returnedAmount">): Cents {
  // One that came back before parts were counted says so by its status alone.
  return status === "Returned" ? amount : returnedAmount;
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

/**
 * The contract's withdraw record: `value`, `fee` and `returnedValue` in reais. What D1 was owed by an
 * older version has no `returnedAmount`.
 */
export function withdrawView(
  record: Omit<WithdrawRecord, "account" | "returnedAmount"> & { returnedAmount?: Cents },
) {
  const { returnedAmount = 0 } = record;
  return {
    id: record.id,
    companyId: record.companyId,
    idempotencyKey: record.idempotencyKey,
    value: centsToReais(record.amount),
    fee: centsToReais(record.fee),
    returnedValue: centsToReais(returnedTotal({ ...record, returnedAmount })),
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
export function toCreatedRecord(record: WithdrawRecord): WithdrawRecord {
  return {
    ...record,
    status: "Awaiting",
    version: 0,
    endToEndId: null,
    failureReason: null,
    returnedAmount: 0,
    updatedAt: record.createdAt,
  };
}
