import type { LedgerAnchor } from "../domain/ledger/anchor.ts";
import type { CardReport } from "../domain/charges/payment-details.ts";
import type { CancelReason, ChargeStatus, PaymentMethod } from "../domain/charges/charge-status.ts";
import type { Balances, LedgerHead } from "../domain/ledger/balance.ts";
import type {
  DecisionAction,
  Contradiction,
  Decision,
} from "../domain/reconciliation/contradiction.ts";
import type { DeliveryTarget } from "../domain/events/delivery.ts";
import type { Fee } from "../domain/ledger/fees.ts";

import type {
  OperationKind,
  OperationOrder,
  OperationStatus,
} from "../domain/charges/operation.ts";
import type { Cents } from "../domain/shared/money.ts";

import type { PixKey } from "../domain/shared/pix-key.ts";

import type { ChargeState, ChargeTerms } from "../domain/charges/transaction.ts";
import type { WithdrawPolicy } from "../domain/withdraws/withdraw-policy.ts";
import type { PayoutOrder, WithdrawRecord } from "../domain/withdraws/withdraw.ts";
import type { WithdrawStatus } from "../domain/withdraws/withdraw-status.ts";

import type { ClaimRecheckAnswer, RecheckOutcome } from "./contradictions/recheck-store.ts";

export type { ClaimRecheckAnswer, RecheckOutcome };

export type * from "./rpc-refund-types.ts";

/** A request that is refused where the object was told of newer credentials than it came with. */
export interface VersionedCommand {
  companyId: number;
  /** Of the company as the Worker has read or kept it (`credentialsVersionOf`). */
  credentialsVersion: number;
}

/** Nothing was done. D1 must be at the `newest` version before what is read of it counts. */
export interface VersionConflict {
  kind: "version_conflict";
  newest: number;
}

/**
 * What crosses the Durable Object's RPC. Answers are plain unions: an error's own properties do not
 * survive RPC, so throwing is kept for bugs.
 */
export interface RequestWithdraw extends VersionedCommand {
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
  fee: Fee;
  /** What the operator lets a company withdraw at least. Centavos. */
  minimum: Cents;
  /** The earlier withdraw that the caller says this one may repeat; null where it says nothing. */
  confirmedDuplicate: number | null;
  credentialsVersion: number;
  /** Of a sandbox company: its payout waits a moment, so that a merchant can try a cancel. */
  sandbox: boolean;
}

/** Why a withdraw is not accepted. Amounts in centavos. */
export type WithdrawRefusal =
  | { kind: "below_minimum"; minimum: Cents }
  | { kind: "frozen" }
  | { kind: "no_pix_key" }
  | { kind: "possible_duplicate"; withdrawId: number }
  | { kind: "daily_limit_exceeded"; limit: Cents; withdrawnToday: Cents }
  /** `available` may be withdrawn; `held` is what of the balance may not, until it was decided. */
  | { kind: "insufficient_balance"; available: Cents; held: Cents; required: Cents };

export type RequestWithdrawAnswer =
  | { kind: "accepted" | "replayed"; withdraw: WithdrawRecord }
  | { kind: "key_reused" }
  | VersionConflict
  | WithdrawRefusal;

/** What a withdraw would do, with every refusal there is. Amounts in centavos. */
export interface WithdrawPreview {
  fee: Cents;
  /** What may be withdrawn. */
  available: Cents;
  refusals: WithdrawRefusal[];
  /** `repeated`: the same request was accepted under the key; `reused`: another one was. */
  key: "free" | "repeated" | "reused";
}

export type WithdrawPreviewAnswer = { kind: "preview"; preview: WithdrawPreview } | VersionConflict;

export type CancelWithdrawAnswer =
  | { kind: "cancelled" | "replayed"; withdraw: WithdrawRecord }
  | { kind: "key_reused" | "not_found" }
  | { kind: "not_allowed"; status: WithdrawStatus };

export interface SettlePayment {
  companyId: number;
  terms: ChargeTerms;
  /** `paymentId` as its provider gave it, of a PIX the end-to-end id (BACEN); `method`: how it came. */
  payment: {
    paymentId: string;
    method: PaymentMethod;
    amount: Cents;
    paidAt: number;
    /** Of the provider that took it; the one its charge was made with where it is left out. */
    account?: string | undefined;
  };
  /** Of a card only. */
  card?: CardReport | undefined;
}

/** Money that came without a charge, such as a transfer to the company's key. */
export interface SuspendPayment {
  companyId: number;
  paymentMethod: PaymentMethod;
  payment: SettlePayment["payment"];
}

/**
 * `suspended`: the money is safe, but no open charge expected it. `contradiction`: it was booked before
 * with another amount or for another charge, which stays until a person decides.
 */
export type SettlePaymentAnswer = { kind: "credited" | "suspended" | "already" | "contradiction" };

/** `returned`: it goes back or did, in part or whole. `disputed`: its payer's bank asks it back. */
export type CreditSuspendedAnswer =
  | { kind: "credited" | "not_found" | "returned" | "disputed" }
  | { kind: "not_allowed"; status: ChargeStatus };

export interface TransitionCharge {
  companyId: number;
  terms: ChargeTerms;
  to: Extract<ChargeStatus, "authorized" | "refused" | "failed" | "cancelled">;
  cancelReason?: CancelReason;
  /** Of a card only. */
  card?: CardReport | undefined;
}

export type TransitionChargeAnswer =
  | { kind: "transitioned" | "already" }
  | { kind: "not_allowed"; status: ChargeStatus };

/** Of what may have been sent before: whether a refusal of it is the provider's last word by now. */
interface Resend {
  refusalIsFinal: boolean;
}

/**
 * `send`: ours to send now. `query`: it may have been sent, query the provider by its `payoutId`.
 * `wait`: somebody is at it. `frozen`: the company is frozen. `no_account`: nobody pays out for it.
 * `settled`: nothing to do.
 */
export type ClaimPayoutAnswer =
  | { kind: "send"; order: PayoutOrder }
  /** `maySend` is false while the company is frozen: it is asked about, and not sent again. */
  | ({ kind: "query"; order: PayoutOrder; account: string; maySend: boolean } & Resend)
  | { kind: "wait" | "frozen" | "no_account" | "settled" | "not_found" };

/** A request that may carry an idempotency key, and the trace id of its answer. */
export interface KeyedRequest {
  key: string | null;
  traceId: string;
}

export interface RequestRefund extends KeyedRequest, VersionedCommand {
  /** Made by the caller, so that a call that is made twice asks for one refund. */
  operationId: string;
  terms: ChargeTerms;
  /** Centavos; null for all that was not refunded yet. */
  amount: Cents | null;
  requestHash: string;
}

/** The end of a charge that nobody paid, or the money of an authorized card. */
export interface RequestCancelOrCapture extends KeyedRequest, VersionedCommand {
  kind: "cancel" | "capture";
  operationId: string;
  terms: ChargeTerms;
  /** Of a capture, in centavos; null for all that is authorized. */
  amount: Cents | null;
  requestHash: string;
}

export interface RequestReturn extends VersionedCommand {
  operationId: string;
  /** The payment that nobody expected. */
  paymentId: string;
}

/** What a client is told of an operation: how it stands and, of a charge that moved, its state. */
export interface OperationReply {
  outcome: OperationStatus;
  /** Why the provider refused. */
  reason: string | null;
  state: ChargeState | null;
  /** Of the request that was answered first. */
  traceId: string | null;
}

/**
 * `send`: ours to send now. `query`: it may have been sent, query the provider by its id. `answered`:
 * there is nothing left to do. Otherwise why it is not accepted; amounts in centavos.
 */
export type RequestOperationAnswer =
  | { kind: "send"; id: number; order: OperationOrder }
  | ({ kind: "query"; id: number; order: OperationOrder } & Resend)
  | { kind: "answered"; reply: OperationReply }
  | VersionConflict
  | { kind: "in_progress" | "key_reused" | "disputed" | "not_found" }
  | { kind: "not_allowed"; status: ChargeStatus }
  | { kind: "conflicting_operation"; operation: OperationKind }
  | { kind: "exceeds_paid"; refundable: Cents }
  | { kind: "exceeds_authorized"; authorized: Cents }
  | { kind: "too_many"; limit: number }
  | { kind: "insufficient_balance"; available: Cents; required: Cents };

export type ClaimOperationAnswer =
  | ({ kind: "query"; id: number; order: OperationOrder } & Resend)
  | { kind: "wait" | "settled" | "not_found" };

/** What a provider says of an operation. Only done and failed are final. */
export type OperationReport =
  | { kind: "done" }
  | { kind: "processing" }
  | { kind: "unknown" }
  | { kind: "failed"; reason: string };

export type RecordOperationAnswer =
  | { kind: "recorded" | "contradiction"; reply: OperationReply }
  | { kind: "not_found" };

/** `disconnected`: nothing is open, and nothing will be by the credentials that this was asked with. */
export type DisconnectProviderAnswer = { kind: "disconnected" | "open" } | VersionConflict;

/** A payment that nobody expected, as the operator sees it. */
export interface SuspendedPayment {
  paymentId: string;
  /** Null where it matched no charge. */
  transactionId: string | null;
  amount: Cents;
  paidAt: number;
  /** The account at the provider that took it. */
  account: string;
  /** Centavos of it that went back by other hands than ours. */
  returnedAmount: Cents;
  /** Of its return; null where none was asked for. */
  returnStatus: OperationStatus | null;
}

/**
 * What a provider says of a payout. `unknown` is never final. `returnedAmount` in centavos: what has come
 * back in all; of `returned` the whole, where it is left out. `queriedAt` (epoch ms): an answer that was
 * asked for before the last change, and says that less is back, is only late.
 */
export type PayoutReport =
  | { kind: "processing" | "unknown" }
  | {
      kind: "paid" | "returned";
      endToEndId: string | null;
      returnedAmount?: Cents;
      /** What was paid, where the provider says it. */
      amount?: Cents;
      queriedAt?: number;
    }
  | { kind: "failed"; reason: string };

/** `unreachable`: the account that sends it, or sent it, is not connected, and nobody could be asked. */
export type PayoutPollResult = PayoutReport | { kind: "unreachable" };

export type RecordPayoutAnswer =
  | { kind: "recorded"; withdraw: WithdrawRecord }
  | { kind: "contradiction"; status: WithdrawStatus }
  | { kind: "not_found" };

/** `in_progress`: another request holds the lease, or its provider was not asked yet. */
export type ResolvePayoutAnswer = RecordPayoutAnswer | { kind: "in_progress" };
export type ResolveOperationAnswer = RecordOperationAnswer | { kind: "in_progress" };

/** What an operator says of a contradiction, and what only the Worker knows of it. */
export interface DecideContradiction extends VersionedCommand {
  number: number;
  decision: Decision;
  /** The operator who says it. */
  by: string;
  /** Of the charge that a payment is to be credited to; null for every other action. */
  terms: ChargeTerms | null;
  /** Made by the caller, for a return. */
  operationId: string;
}

/**
 * `proposed`: another operator has still to say the same. `own_proposal`: this one has proposed it.
 * `not_possible`: nothing was booked, and it stays open. Of a return `claimed` is what to send now.
 */
export type DecideContradictionAnswer =
  | { kind: "proposed"; contradiction: Contradiction }
  | { kind: "decided"; contradiction: Contradiction; claimed: ClaimedReturn | null }
  | VersionConflict
  | { kind: "not_found" | "own_proposal" | "decided_before" }
  | { kind: "action_not_allowed"; allowed: readonly DecisionAction[] }
  | { kind: "not_possible"; reason: string };

export type ClaimedReturn = Extract<RequestOperationAnswer, { kind: "send" | "query" }>;

export interface WithdrawPage {
  items: WithdrawRecord[];
  totalItems: number;
}

/** Which of an object's charges and withdraws are meant: by their ids, or the next ones after. */
export type SnapshotQuery =
  | { transactionIds: string[]; withdrawIds: number[] }
  | { afterTransaction: string; afterWithdraw: number; limit: number };

/** What the object says of its charges and withdraws, of which D1 holds a copy. */
export interface Snapshot {
  charges: { transactionId: string; state: ChargeState }[];
  withdraws: WithdrawRecord[];
  /** Events so far. */
  companySequence: number;
  withdrawCount: number;
  backlog: Backlog;
}

/** What the object still owes D1, whose copy of these may be older. */
export interface Backlog {
  entries: number;
  /** Of these, the ones that D1 refuses, with those of the same object behind them. */
  setAside: number;
  /** How often the oldest was tried in vain. */
  attempts: number;
  /** Ids of transactions, and numbers of withdraws. */
  transactionIds: string[];
  withdrawIds: number[];
  /** Numbers of the events that D1 has not, though it has later ones: they were set aside. */
  setAsideEvents: number[];
}

/** A try-out of a webhook URL, under an id of its own so that it may be asked for twice. */
export interface AnnounceTestEvent {
  companyId: number;
  testId: string;
  target: DeliveryTarget;
  url: string;
}

/** The balances with where the ledger stands; `anchor` is null before the first. */
export interface BalancesAnswer {
  balances: Balances;
  head: LedgerHead;
  anchor: LedgerAnchor | null;
}
