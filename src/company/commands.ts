import type { CardReport } from "../domain/card.ts";
import type { CancelReason, ChargeStatus, PaymentMethod } from "../domain/charge-status.ts";
import type { Balances, LedgerHead } from "../domain/balance.ts";
import type { DeliveryTarget } from "../domain/delivery.ts";
import type { Fee } from "../domain/fees.ts";
import type { ForecastDay } from "../domain/release.ts";
import type { OperationKind, OperationOrder, OperationStatus } from "../domain/operation.ts";
import type { Cents } from "../domain/money.ts";
import type { FreedSlot, SlotAnswer, SlotRequest } from "../domain/send-slot.ts";
import type { StatementLine, StatementQuery } from "../domain/statement.ts";
import type { Rows } from "../domain/inspection.ts";
import type { PageWindow } from "../domain/page.ts";
import type { PixKey } from "../domain/pix-key.ts";
import type { ChargeHistory } from "../domain/timeline.ts";
import type { DisputeKind } from "../domain/trail.ts";
import type { ChargeState, ChargeTerms, Dispute } from "../domain/transaction.ts";
import type { WithdrawPolicy } from "../domain/withdraw-policy.ts";
import type { PayoutOrder, WithdrawRecord } from "../domain/withdraw.ts";
import type { WithdrawStatus } from "../domain/withdraw-status.ts";
import type { AuditStep, AuditWalk } from "./audit.ts";
import type { Asked, ClientAnswer } from "./client-calls.ts";
import type { InspectQuery } from "./inspect.ts";

/** A request that is refused where the object was told of newer credentials than it came with. */
export interface Credentialed {
  companyId: number;
  /** Of the company as the Worker has read or kept it (`credentialsVersionOf`). */
  credentialsVersion: number;
}

/** Nothing was done. D1 must be at the `newest` version before what is read of it counts. */
export interface StaleAnswer {
  kind: "stale_credentials";
  newest: number;
}

/**
 * What crosses the Durable Object's RPC. Answers are plain unions: an error's own properties do not
 * survive RPC, so throwing is kept for bugs.
 */
export interface RequestWithdraw extends Credentialed {
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
  | { kind: "insufficient_balance"; available: Cents; required: Cents };

export type RequestWithdrawAnswer =
  | { kind: "accepted" | "replayed"; withdraw: WithdrawRecord }
  | { kind: "key_reused" }
  | StaleAnswer
  | WithdrawRefusal;

/** What a withdraw would do, with every refusal there is. Amounts in centavos. */
export interface WithdrawPreview {
  fee: Cents;
  available: Cents;
  refusals: WithdrawRefusal[];
  /** `repeated`: the same request was accepted under the key; `reused`: another one was. */
  key: "free" | "repeated" | "reused";
}

export type WithdrawPreviewAnswer = { kind: "preview"; preview: WithdrawPreview } | StaleAnswer;

export type CancelWithdrawAnswer =
  | { kind: "cancelled" | "replayed"; withdraw: WithdrawRecord }
  | { kind: "key_reused" | "not_found" }
  | { kind: "not_allowed"; status: WithdrawStatus };

export interface SettlePayment {
  companyId: number;
  terms: ChargeTerms;
  /** `paymentId` as its provider gave it, of a PIX the end-to-end id (BACEN); `method`: how it came. */
  payment: { paymentId: string; method: PaymentMethod; amount: Cents; paidAt: number };
  /** Of a card only. */
  card?: CardReport | undefined;
}

/** Money that came without a charge, such as a transfer to the company's key. */
export interface SuspendPayment {
  companyId: number;
  paymentMethod: PaymentMethod;
  payment: SettlePayment["payment"];
}

/** `suspended`: the money is safe, but no open charge expected it. */
export type SettlePaymentAnswer = { kind: "credited" | "suspended" | "already" };

export interface MoveCharge {
  companyId: number;
  terms: ChargeTerms;
  to: Extract<ChargeStatus, "authorized" | "refused" | "failed" | "cancelled">;
  cancelReason?: CancelReason;
  /** Of a card only. */
  card?: CardReport | undefined;
}

export type MoveChargeAnswer =
  | { kind: "moved" | "already" }
  | { kind: "not_allowed"; status: ChargeStatus };

/** Of what may have been sent before: whether a refusal of it is the provider's last word by now. */
interface Repeat {
  refusalIsFinal: boolean;
}

/**
 * `send`: ours to send now. `ask`: it may have been sent, ask the provider by its `payoutId`.
 * `wait`: somebody is at it. `held`: the company is frozen. `settled`: nothing to do.
 */
export type ClaimPayoutAnswer =
  | { kind: "send"; order: PayoutOrder }
  /** `maySend` is false while the company is frozen: it is asked about, and not sent again. */
  | ({ kind: "ask"; order: PayoutOrder; maySend: boolean } & Repeat)
  | { kind: "wait" | "held" | "settled" | "not_found" };

/** A request that may carry an idempotency key, and the trace id of its answer. */
export interface KeyedRequest {
  key: string | null;
  traceId: string;
}

export interface RequestRefund extends KeyedRequest, Credentialed {
  /** Made by the caller, so that a call that is made twice asks for one refund. */
  operationId: string;
  terms: ChargeTerms;
  /** Centavos; null for all that was not refunded yet. */
  amount: Cents | null;
  requestHash: string;
}

/** The end of a charge that nobody paid, or the money of an authorized card. */
export interface RequestMove extends KeyedRequest, Credentialed {
  kind: "cancel" | "capture";
  operationId: string;
  terms: ChargeTerms;
  /** Of a capture, in centavos; null for all that is authorized. */
  amount: Cents | null;
  requestHash: string;
}

export interface RequestReturn extends Credentialed {
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
 * `send`: ours to send now. `ask`: it may have been sent, ask the provider by its id. `answered`:
 * there is nothing left to do. Otherwise why it is not accepted; amounts in centavos.
 */
export type RequestOperationAnswer =
  | { kind: "send"; id: number; order: OperationOrder }
  | ({ kind: "ask"; id: number; order: OperationOrder } & Repeat)
  | { kind: "answered"; reply: OperationReply }
  | StaleAnswer
  | { kind: "in_progress" | "key_reused" | "disputed" | "not_found" }
  | { kind: "not_allowed"; status: ChargeStatus }
  | { kind: "under_way"; operation: OperationKind }
  | { kind: "exceeds_paid"; refundable: Cents }
  | { kind: "exceeds_authorized"; authorized: Cents }
  | { kind: "too_many"; limit: number }
  | { kind: "insufficient_balance"; available: Cents; required: Cents };

export type ClaimOperationAnswer =
  | ({ kind: "ask"; id: number; order: OperationOrder } & Repeat)
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

/** `left`: nothing is open, and nothing will be by the credentials that this was asked with. */
export type LeaveProviderAnswer = { kind: "left" | "open" } | StaleAnswer;

/** What a provider says of a dispute or a chargeback, by the id it gave it. Amount in centavos. */
export interface DisputeReport {
  id: string;
  /** The payment that is asked back; left out where the provider knows it by its charge. */
  paymentId?: string;
  kind: DisputeKind;
  amount: Cents;
  status: Dispute["status"];
}

export interface RecordDispute {
  companyId: number;
  terms: ChargeTerms;
  report: DisputeReport;
}

export type RecordDisputeAnswer =
  /** `not_credited`: it is about money that nobody expected, which the company was never given. */
  | { kind: "recorded" | "already" | "contradiction" | "not_credited" }
  | { kind: "not_allowed"; status: ChargeStatus };

/** A payment that nobody expected, as the operator sees it. */
export interface SuspendedPayment {
  paymentId: string;
  /** Null where it matched no charge. */
  transactionId: string | null;
  amount: Cents;
  paidAt: number;
  /** Of its return; null where none was asked for. */
  returnStatus: OperationStatus | null;
}

/** What a provider says of a payout. `unknown` is never final. */
export type PayoutReport =
  | { kind: "processing" | "unknown" }
  | { kind: "paid" | "returned"; endToEndId: string | null }
  | { kind: "failed"; reason: string };

export type RecordPayoutAnswer =
  | { kind: "recorded"; withdraw: WithdrawRecord }
  | { kind: "contradiction"; status: WithdrawStatus }
  | { kind: "not_found" };

/** `under_way`: somebody is at it, or its provider was not asked yet. */
export type DecidePayoutAnswer = RecordPayoutAnswer | { kind: "under_way" };
export type DecideOperationAnswer = RecordOperationAnswer | { kind: "under_way" };

export interface WithdrawPage {
  items: WithdrawRecord[];
  totalItems: number;
}

/** Which of an object's charges and withdraws are meant: by their ids, or the next ones after. */
export type CopyQuery =
  | { transactionIds: string[]; withdrawIds: number[] }
  | { afterTransaction: string; afterWithdraw: number; limit: number };

/** What the object says of its charges and withdraws, of which D1 holds a copy. */
export interface Originals {
  charges: { transactionId: string; state: ChargeState }[];
  withdraws: WithdrawRecord[];
  /** Events so far. */
  companySequence: number;
  withdrawCount: number;
  owed: Owed;
}

/** What the object still owes D1, whose copy of these may be older. */
export interface Owed {
  entries: number;
  /** How often the oldest was tried in vain. */
  attempts: number;
  /** Ids of transactions, and numbers of withdraws. */
  transactionIds: string[];
  withdrawIds: number[];
}

/** A try-out of a webhook URL, under an id of its own so that it may be asked for twice. */
export interface AnnounceTest {
  companyId: number;
  testId: string;
  target: DeliveryTarget;
  url: string;
}

/** A company's object as its callers see it. Every call may be repeated without further effect. */
export interface CompanyRpc {
  /** One of the calls below that a client began, unless the object is too far behind. */
  askedByClient(asked: Asked): Promise<ClientAnswer>;
  settlePayment(command: SettlePayment): Promise<SettlePaymentAnswer>;
  suspendPayment(command: SuspendPayment): Promise<SettlePaymentAnswer>;
  moveCharge(command: MoveCharge): Promise<MoveChargeAnswer>;
  /** All that of a charge can change; null before its first move. D1's copy may be older. */
  findCharge(transactionId: string): Promise<ChargeState | null>;
  requestWithdraw(command: RequestWithdraw): Promise<RequestWithdrawAnswer>;
  previewWithdraw(command: RequestWithdraw): Promise<WithdrawPreviewAnswer>;
  cancelWithdraw(companyId: number, id: number, key: string | null): Promise<CancelWithdrawAnswer>;
  findWithdraw(id: number): Promise<WithdrawRecord | null>;
  /** The withdraw whose payout has this id, whatever its age. */
  findPayout(payoutId: string): Promise<WithdrawRecord | null>;
  listWithdraws(page: PageWindow): Promise<WithdrawPage>;
  claimPayout(companyId: number, id: number): Promise<ClaimPayoutAnswer>;
  recordPayout(companyId: number, id: number, report: PayoutReport): Promise<RecordPayoutAnswer>;
  requestRefund(command: RequestRefund): Promise<RequestOperationAnswer>;
  requestMove(command: RequestMove): Promise<RequestOperationAnswer>;
  requestReturn(command: RequestReturn): Promise<RequestOperationAnswer>;
  claimOperation(companyId: number, id: number): Promise<ClaimOperationAnswer>;
  recordOperation(
    companyId: number,
    id: number,
    report: OperationReport,
    reply: KeyedRequest | null,
  ): Promise<RecordOperationAnswer>;
  recordDispute(command: RecordDispute): Promise<RecordDisputeAnswer>;
  findOperation(operationId: string): Promise<number | null>;
  decidePayout(companyId: number, id: number, report: PayoutReport): Promise<DecidePayoutAnswer>;
  decideOperation(
    companyId: number,
    id: number,
    report: OperationReport,
  ): Promise<DecideOperationAnswer>;
  suspendedPayment(paymentId: string): Promise<SuspendedPayment | null>;
  suspendedPayments(after: string, limit: number): Promise<SuspendedPayment[]>;
  isFrozen(): Promise<boolean>;
  setFrozen(companyId: number, frozen: boolean): Promise<void>;
  balances(): Promise<{ balances: Balances; head: LedgerHead }>;
  forecast(): Promise<ForecastDay[]>;
  statement(query: StatementQuery): Promise<StatementLine[]>;
  auditLedger(companyId: number, walk: AuditWalk, fromStart: boolean): Promise<AuditStep>;
  leaveProvider(command: Credentialed): Promise<LeaveProviderAnswer>;
  history(transactionId: string, limit: number): Promise<ChargeHistory>;
  originals(query: CopyQuery): Promise<Originals>;
  inspect(query: InspectQuery): Promise<Rows>;
  announceTest(command: AnnounceTest): Promise<number>;
  takeSendSlot(request: SlotRequest): Promise<SlotAnswer>;
  freeSendSlot(request: SlotRequest, goOn: boolean): Promise<FreedSlot>;
  tellCredentialsVersion(version: number): Promise<void>;
  tick(): Promise<void>;
}
