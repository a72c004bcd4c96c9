import type { Requester } from "../../domain/access/requester.ts";
import type { ApproverRefusal, Standing } from "../../domain/access/standing.ts";
import type { FailureCode } from "../../domain/charges/failure-reason.ts";
import type { Fee } from "../../domain/ledger/fees.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { PixKey } from "../../domain/shared/pix-key.ts";
import type { PageWindow } from "../../domain/shared/page.ts";
import type { AllowedPixKey } from "../../domain/withdraws/allowed-pix-key.ts";
import type {
  SpendingLimits,
  SpendingLimitsRefusal,
} from "../../domain/withdraws/spending-limits.ts";
import type { PolicyRefusal, WithdrawPolicy } from "../../domain/withdraws/withdraw-policy.ts";
import type { PayoutOrder, WithdrawRecord } from "../../domain/withdraws/withdraw.ts";
import type { WithdrawSearch } from "../../domain/withdraws/withdraw-search.ts";
import type { ApprovalStatus, WithdrawStatus } from "../../domain/withdraws/withdraw-status.ts";
import type { QuotaRefusal } from "../storage/daily-usage.ts";
import type { Resend } from "../operations/command-types.ts";
import type { VersionConflict, VersionedCommand } from "../runtime/versioned-command.ts";

export interface RequestWithdraw extends VersionedCommand {
  idempotencyKey: string;
  requestHash: string;
  /** The hash that the same request was stored with before its defaults were left out of it. */
  sentRequestHash?: string;
  amount: Cents;
  currency: string;
  /** The request's key, by default the company's main one; null if there is neither. */
  pixKey: PixKey | null;
  creditorDocument: string;
  description: string;
  metadata: string | null;
  policy: WithdrawPolicy;
  /** The company's main key, to which a policy allows withdraws; null if it has none. */
  mainPixKey: MainPixKey | null;
  /** Who asks, by which API key (its prefix; empty for a person), since when they have the right to, and their spending limits. */
  requestedBy: Requester;
  keyPrefix: string;
  standing: Standing;
  spendingLimits: SpendingLimits | null;
  fee: Fee;
  /** The operator's minimum for a withdraw. Centavos. */
  minimum: Cents;
  /** The earlier withdraw that the caller allows this one to repeat; null if it names none. */
  confirmedDuplicate: number | null;
  /** The company's part of the usual quotas. */
  quotaPercent: number;
  /** A sandbox company's payout waits a moment, so that a merchant can try a cancel. */
  sandbox: boolean;
}

/** A company's main PIX key. `since`: when it was last changed (epoch ms); null if it never was. */
export interface MainPixKey {
  value: string;
  since: number | null;
}

/** Why a withdraw is refused. Amounts in centavos. */
export type WithdrawRefusal =
  | { kind: "below_minimum"; minimum: Cents }
  | { kind: "frozen" }
  | { kind: "no_pix_key" }
  | { kind: "possible_duplicate"; withdrawId: number }
  | SpendingLimitsRefusal
  | PolicyRefusal
  | BalanceRefusal;

/** `available` excludes `held`, which contradictions hold until they are decided. */
export interface BalanceRefusal {
  kind: "insufficient_balance";
  available: Cents;
  held: Cents;
  required: Cents;
}

export type RequestWithdrawAnswer =
  | { kind: "accepted" | "replayed"; withdraw: WithdrawRecord }
  | { kind: "key_reused" }
  | QuotaRefusal
  | VersionConflict
  | WithdrawRefusal;

/** What a request would do now, with every refusal. Amounts in centavos. */
export interface WithdrawPreview {
  fee: Cents;
  /** What the company may withdraw. */
  available: Cents;
  /** Whether it would wait for an approval. */
  isPending: boolean;
  refusals: WithdrawRefusal[];
  /** `repeated`: the key accepted this request before; `reused`: it accepted another one. */
  key: "free" | "repeated" | "reused";
}

export type WithdrawPreviewAnswer = { kind: "preview"; preview: WithdrawPreview } | VersionConflict;

export type CancelWithdrawAnswer =
  | { kind: "cancelled" | "replayed"; withdraw: WithdrawRecord }
  | { kind: "key_reused" | "not_found" }
  | { kind: "not_allowed"; status: WithdrawStatus };

/** Somebody else approves or refuses a withdraw that waits for it. */
export interface DecideWithdraw extends VersionedCommand {
  id: number;
  decision: "approve" | "refuse";
  /** Who decides, since when they have the right to, and their spending limits, which must cover the withdraw. */
  decidedBy: Requester;
  standing: Standing;
  spendingLimits: SpendingLimits | null;
  reason: string | null;
  policy: WithdrawPolicy;
  mainPixKey: MainPixKey | null;
  sandbox: boolean;
  idempotencyKey: string;
  requestHash: string;
}

export type ApprovalRefusal =
  | { kind: "frozen" }
  | SpendingLimitsRefusal
  | PolicyRefusal
  | BalanceRefusal;

/** `no_four_eyes`: who decides may not, for this one. `not_allowed`: nothing waits for a decision. */
export type DecideWithdrawAnswer =
  | { kind: "decided" | "replayed"; withdraw: WithdrawRecord }
  | { kind: "key_reused" | "not_found" }
  | { kind: "no_four_eyes"; why: ApproverRefusal }
  | { kind: "not_allowed"; status: WithdrawStatus; approval: ApprovalStatus }
  | { kind: "refused"; refusal: ApprovalRefusal }
  | VersionConflict;

export interface AddAllowedPixKey extends VersionedCommand {
  key: PixKey;
  coolDownHours: number;
}

/** `known`: the list has the key, whose cool-down goes on. `full`: the list has its most keys. */
export type AddAllowedPixKeyAnswer =
  | { kind: "added" | "known"; key: AllowedPixKey }
  | { kind: "full"; limit: number }
  | VersionConflict;

/** A page by number, or of a search. */
export type WithdrawQuery = PageWindow | WithdrawSearch;

export interface WithdrawPage {
  items: WithdrawRecord[];
  totalItems: number;
  /** Where the next page of a search begins; null at the end, and for a page by number. */
  after: number | null;
}

/**
 * `send`: the caller must send the order. `query`: it may have been sent, so query the provider by its
 * `payoutId` first; `maySend` is false for a frozen company. `wait`: another request holds the lease.
 * `awaiting_approval`: nobody has approved the withdraw yet.
 * `no_account`: no provider account pays out for the company. `settled`: nothing is left to do.
 */
export type ClaimPayoutAnswer =
  | { kind: "send"; order: PayoutOrder }
  | ({ kind: "query"; order: PayoutOrder; account: string; maySend: boolean } & Resend)
  | { kind: "awaiting_approval" | "wait" | "frozen" | "no_account" | "settled" | "not_found" };

/**
 * A provider's report on a payout. `unknown` is never final. `returnedAmount` (centavos) is the total
 * that came back; absent from `returned` it means all. `queriedAt` (epoch ms): a report that was
 * requested before the withdraw's last change and has a smaller total is late, not a contradiction.
 */
export type PayoutReport =
  | { kind: "processing" | "unknown" }
  | {
      kind: "paid" | "returned";
      endToEndId: string | null;
      returnedAmount?: Cents;
      /** The amount paid, if the provider reports it. */
      amount?: Cents;
      queriedAt?: number;
    }
  | { kind: "failed"; reason: string; code?: FailureCode };

/** `unreachable`: the account that sends or sent it is not connected, so nothing was queried. */
export type PayoutPollResult = PayoutReport | { kind: "unreachable" };

export type RecordPayoutAnswer =
  | { kind: "recorded"; withdraw: WithdrawRecord }
  | { kind: "contradiction"; status: WithdrawStatus }
  | { kind: "not_found" };

/** `in_progress`: another request holds the lease, or the provider was not queried yet. */
export type ResolvePayoutAnswer = RecordPayoutAnswer | { kind: "in_progress" };
