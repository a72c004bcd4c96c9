import type { CancelReason, ChargeStatus } from "../domain/charge-status.ts";
import type { Balances } from "../domain/balance.ts";
import type { Cents } from "../domain/money.ts";
import type { StatementLine, StatementQuery } from "../domain/statement.ts";
import type { PageWindow } from "../domain/page.ts";
import type { PixKey } from "../domain/pix-key.ts";
import type { ChargeTerms } from "../domain/transaction.ts";
import type { WithdrawPolicy } from "../domain/withdraw-policy.ts";
import type { PayoutOrder, WithdrawRecord } from "../domain/withdraw.ts";
import type { WithdrawStatus } from "../domain/withdraw-status.ts";

/**
 * What crosses the Durable Object's RPC. Answers are plain unions: an error's own properties do not
 * survive RPC, so throwing is kept for bugs.
 */
export interface RequestWithdraw {
  companyId: number;
  idempotencyKey: string;
  requestHash: string;
  amount: Cents;
  currency: string;
  /** The key of the request, else the main one of the company; null where there is neither. */
  pixKey: PixKey | null;
  creditorDocument: string;
  description: string;
  metadata: string | null;
  policy: WithdrawPolicy;
  /** The earlier withdraw that the caller says this one may repeat; null where it says nothing. */
  confirmedDuplicate: number | null;
}

/** Why a withdraw is not accepted. Amounts in centavos. */
export type WithdrawRefusal =
  | { kind: "frozen" }
  | { kind: "no_pix_key" }
  | { kind: "possible_duplicate"; withdrawId: number }
  | { kind: "daily_limit_exceeded"; limit: Cents; withdrawnToday: Cents }
  | { kind: "insufficient_balance"; available: Cents; required: Cents };

export type RequestWithdrawAnswer =
  | { kind: "accepted" | "replayed"; withdraw: WithdrawRecord }
  | { kind: "key_reused" }
  | WithdrawRefusal;

/** What a withdraw would do, with every refusal there is. Amounts in centavos. */
export interface WithdrawPreview {
  fee: Cents;
  available: Cents;
  refusals: WithdrawRefusal[];
  keyIsUsed: boolean;
}

export type CancelWithdrawAnswer =
  | { kind: "cancelled" | "replayed"; withdraw: WithdrawRecord }
  | { kind: "key_reused" | "not_found" }
  | { kind: "not_allowed"; status: WithdrawStatus };

export interface SettlePayment {
  companyId: number;
  terms: ChargeTerms;
  payment: { endToEndId: string; amount: Cents; paidAt: number };
}

/** `suspended`: the money is safe, but no open charge expected it. */
export type SettlePaymentAnswer = { kind: "credited" | "suspended" | "already" };

export interface MoveCharge {
  companyId: number;
  terms: ChargeTerms;
  to: Extract<ChargeStatus, "failed" | "cancelled">;
  cancelReason?: CancelReason;
}

export type MoveChargeAnswer =
  | { kind: "moved" | "already" }
  | { kind: "not_allowed"; status: ChargeStatus };

/**
 * `send`: ours to send now. `ask`: it may have been sent, ask the provider by its `payoutId`.
 * `wait`: somebody is at it. `settled`: nothing to do.
 */
export type ClaimPayoutAnswer =
  | { kind: "send" | "ask"; order: PayoutOrder }
  | { kind: "wait" | "settled" | "not_found" };

/** What a provider says of a payout. `unknown` is never final. */
export type PayoutReport =
  | { kind: "processing" | "unknown" }
  | { kind: "paid" | "returned"; endToEndId: string | null }
  | { kind: "failed"; reason: string };

export type RecordPayoutAnswer =
  | { kind: "recorded"; withdraw: WithdrawRecord }
  | { kind: "contradiction"; status: WithdrawStatus }
  | { kind: "not_found" };

export interface WithdrawPage {
  items: WithdrawRecord[];
  totalItems: number;
}

/** Violations of the invariants of docs/architecture.md that an object can see by itself. */
export interface SelfCheck {
  violations: string[];
}

/** A company's object as its callers see it. Every call may be repeated without further effect. */
export interface CompanyRpc {
  settlePayment(command: SettlePayment): Promise<SettlePaymentAnswer>;
  endCharge(command: MoveCharge): Promise<MoveChargeAnswer>;
  requestWithdraw(command: RequestWithdraw): Promise<RequestWithdrawAnswer>;
  previewWithdraw(command: RequestWithdraw): Promise<WithdrawPreview>;
  cancelWithdraw(companyId: number, id: number, key: string | null): Promise<CancelWithdrawAnswer>;
  findWithdraw(id: number): Promise<WithdrawRecord | null>;
  listWithdraws(page: PageWindow): Promise<WithdrawPage>;
  claimPayout(companyId: number, id: number): Promise<ClaimPayoutAnswer>;
  recordPayout(companyId: number, id: number, report: PayoutReport): Promise<RecordPayoutAnswer>;
  balances(currency: string): Promise<Balances>;
  statement(query: StatementQuery): Promise<StatementLine[]>;
  selfCheck(): Promise<SelfCheck>;
  tick(): Promise<void>;
}
