import { storedRequester, type Requester } from "../access/requester.ts";
import { failureReason, type FailureCode } from "../charges/failure-reason.ts";
import { isoTime } from "../shared/clock.ts";
import { centsToReais, type Cents } from "../shared/money.ts";
import type { PixKeyType } from "../shared/pix-key.ts";
import { APPROVAL_WINDOW_MS } from "./withdraw-policy.ts";
import type { ApprovalStatus, WithdrawStatus } from "./withdraw-status.ts";

/** Who asked for a withdraw and who decided about it. */
export interface WithdrawApproval {
  /** `none` if it needs no approval; `refused` also if it was cancelled or expired before a decision. */
  approval: ApprovalStatus;
  /** Null for a withdraw that is older than this field. */
  requestedBy: Requester | null;
  /** Who approved or refused; null if nobody did. */
  decidedBy: Requester | null;
  decisionReason: string | null;
}

/** A withdraw as the company's object stores it. Times in epoch milliseconds, amounts in centavos. */
export interface WithdrawRecord extends WithdrawApproval {
  /** Dense within the company, from 1. */
  id: number;
  companyId: number;
  /** The only id that the provider sees. */
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
  /** The provider's own words, for operators. */
  failureReason: string | null;
  /** What they mean, of a failed one. */
  failureCode: FailureCode | null;
  /** When the payment was booked; null until then, and of a withdraw that was paid before this field. */
  paidAt: number | null;
  /** The part of a paid withdraw that came back so far. When `Returned`, use `returnedTotal`. */
  returnedAmount: Cents;
  /** The provider account that sends it. Set by the claim; only this account knows its outcome. */
  account: string;
  createdAt: number;
  updatedAt: number;
}

/** The account of every sandbox company. The sandbox bank returns nothing by itself. */
export const SANDBOX_ACCOUNT = "sandbox";
/** The account of a withdraw before its claim. */
export const UNCLAIMED_ACCOUNT = "first";

/** Centavos of a withdraw that came back to the company. */
export function returnedTotal({
  status,
  amount,
  returnedAmount,
}: Pick<WithdrawRecord, "status" | "amount" | "returnedAmount">): Cents {
  // Older withdraws have only the status.
  return status === "Returned" ? amount : returnedAmount;
}

/** A payout request to a provider. Amount in centavos. */
export interface PayoutOrder {
  payoutId: string;
  amount: Cents;
  pixKey: string;
  pixKeyType: PixKeyType;
  creditorDocument: string;
  description: string;
}

/** Fields that outbox entries of an older version do not have. */
type LaterField = "returnedAmount" | "failureCode" | "paidAt";
type Actor = "requestedBy" | "decidedBy";

/**
 * The contract's withdraw record: `value`, `fee` and `returnedValue` in reais. Outbox entries of an older
 * version have no `returnedAmount`, no `failureCode`, no `paidAt` and no approval, or name who asked by a client id.
 */
export function withdrawView(
  record: Omit<WithdrawRecord, "account" | LaterField | keyof WithdrawApproval> &
    Partial<Omit<WithdrawApproval, Actor> & Pick<WithdrawRecord, LaterField>> &
    Partial<Record<Actor, Requester | string | null>>,
) {
  const { returnedAmount = 0, paidAt = null, approval = "none" } = record;
  const isPending = approval === "pending";
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
    failureReason: record.status === "Failed" ? failureReason(record.failureCode) : null,
    metadata: record.metadata,
    endToEndId: record.endToEndId,
    approval,
    approvalExpiresAt: isPending ? isoTime(record.createdAt + APPROVAL_WINDOW_MS) : null,
    requestedBy: storedRequester(record.requestedBy),
    decidedBy: storedRequester(record.decidedBy),
    decisionReason: record.decisionReason ?? null,
    paidAt: paidAt === null ? null : isoTime(paidAt),
    createdAt: isoTime(record.createdAt),
    updatedAt: isoTime(record.updatedAt),
  };
}

/** The record as the 201 response showed it, for a replay. */
export function toCreatedRecord(record: WithdrawRecord): WithdrawRecord {
  return {
    ...record,
    status: "Awaiting",
    version: 0,
    endToEndId: null,
    failureReason: null,
    failureCode: null,
    paidAt: null,
    returnedAmount: 0,
    approval: record.approval === "none" ? "none" : "pending",
    decidedBy: null,
    decisionReason: null,
    updatedAt: record.createdAt,
  };
}
