import type { ChargeStatus } from "../../domain/charges/charge-status.ts";
import type {
  DueDateChange,
  OperationKind,
  OperationOrder,
  OperationStatus,
} from "../../domain/charges/operation.ts";
import type { ChangedBoleto } from "../../domain/charges/payment-details.ts";
import type { ChargeState, ChargeTerms } from "../../domain/charges/transaction.ts";
import type { UnexpectedPayment } from "../../domain/charges/unexpected-payment.ts";
import type { Requester } from "../../domain/access/requester.ts";
import type { ApproverRefusal, Standing } from "../../domain/access/standing.ts";
import type {
  ExitLimitRefusal,
  ExitLimits,
  OwnLimit,
  RequestedExit,
} from "../../domain/exits/exit-limits.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { ApprovalStatus } from "../../domain/withdraws/withdraw-status.ts";
import type { QuotaRefusal } from "../storage/daily-usage.ts";
import type { VersionConflict, VersionedCommand } from "../runtime/versioned-command.ts";

/** A request that may carry an idempotency key, and the trace id of its answer. */
export interface KeyedRequest {
  key: string | null;
  traceId: string;
}

export interface RequestRefund extends KeyedRequest, VersionedCommand {
  /** Made by the caller, so that a repeated call requests one refund. */
  operationId: string;
  terms: ChargeTerms;
  /** Centavos; null for everything not refunded yet, or for all that the dispute of `insteadOf` asks back. */
  amount: Cents | null;
  /** The provider's id of the open dispute that it stands instead of; null of any other refund. */
  insteadOf: string | null;
  /** The only account that the caller knows to be connected; null for none. Absent from an earlier version's call. */
  connected?: string | null;
  requestedBy: Requester;
  limits: ExitLimits;
  requestHash: string;
  /** The company's part of the usual quotas. */
  quotaPercent: number;
}

/** Cancels an unpaid charge, or captures an authorized card. */
export interface RequestCancelOrCapture extends KeyedRequest, VersionedCommand {
  kind: "cancel" | "capture";
  operationId: string;
  terms: ChargeTerms;
  /** Captures only, in centavos; null for all that is authorized. */
  amount: Cents | null;
  requestedBy: Requester;
  requestHash: string;
  /** The company's part of the usual quotas. */
  quotaPercent: number;
}

/** Changes the due date of a boleto that waits for its payment. */
export interface RequestDueDate extends KeyedRequest, VersionedCommand {
  operationId: string;
  terms: ChargeTerms;
  dueDate: DueDateChange;
  /** Whether the boleto may have that day now; a repeated request is answered whether it may or not. */
  isPossible: boolean;
  requestedBy: Requester;
  requestHash: string;
  /** The company's part of the usual quotas. */
  quotaPercent: number;
}

/** An operation on a charge that is not paid. */
export type ChargeOperation = KeyedRequest &
  Pick<RequestDueDate, "operationId" | "terms" | "requestedBy" | "requestHash"> & {
    kind: RequestCancelOrCapture["kind"] | "due_date";
    amount: Cents;
    dueDate: DueDateChange | null;
  };

export interface RequestReturn extends VersionedCommand {
  operationId: string;
  /** The unexpected payment. */
  paymentId: string;
  requestedBy: Requester;
  /** Of a caller of the company; operators and rules have none. */
  limits?: ExitLimits;
  /** Of a merchant; operators and rules have none. */
  request?: KeyedRequest & { requestHash: string };
}

/** Somebody else approves or refuses a refund or return that waits for it. */
export interface DecideExit extends VersionedCommand {
  /** The refund's public id. */
  operationId: string;
  decision: "approve" | "refuse";
  decidedBy: Requester;
  standing: Standing;
  /** What the one who decides may send back himself. */
  ownLimit: OwnLimit | null;
  /** How old the rights of two must be, where one comes from the other. Milliseconds. */
  coolDownMs: number;
  reason: string | null;
  idempotencyKey: string;
  requestHash: string;
}

/**
 * `not_approver`: the rule of four eyes. `not_allowed`: nothing waits for a decision. `not_possible`: the payer has
 * his money by another way, or his bank asks for it.
 */
export type DecideExitAnswer =
  | { kind: "decided" | "replayed"; exit: RequestedExit }
  | { kind: "key_reused" | "not_found" }
  | { kind: "frozen" }
  | { kind: "not_approver"; why: ApproverRefusal }
  | { kind: "not_possible"; reason: string }
  | { kind: "not_allowed"; status: OperationStatus; approval: ApprovalStatus }
  | ExitLimitRefusal
  | VersionConflict;

/** An operation's result for clients. Stored as JSON under its idempotency key. */
export interface OperationReply {
  outcome: OperationStatus;
  /** The provider's reason for a refusal. */
  reason: string | null;
  /** The charge after the operation; null if it did not change. */
  state: ChargeState | null;
  /** The trace id of the first answered request. */
  traceId: string | null;
  /** Of a return: what of its payment changes later. Absent from one that an earlier version stored. */
  payment?: Pick<UnexpectedPayment, "transactionId" | "requestedBy" | "approval">;
  /** The boleto after a change of its due date; left out of any other. */
  boleto?: ChangedBoleto;
}

/** For a repeated send: whether the provider's refusal is final by now. */
export interface Resend {
  refusalIsFinal: boolean;
}

/** An operation that the caller must send. */
export interface OperationToSend {
  kind: "send";
  id: number;
  order: OperationOrder;
}

/** An operation that may have been sent: query the provider by its id first. */
export type OperationToQuery = {
  kind: "query";
  id: number;
  order: OperationOrder;
  /** False while the company is frozen: its money may not leave. */
  maySend: boolean;
  /** There where the bank took the money meanwhile: one that the provider does not know is not sent, it has failed. */
  isMoot?: true;
} & Resend;

/**
 * `send`: the caller must send the order. `query`: it may have been sent, so query the provider by its
 * id first. `answered`: nothing is left to do. `waiting`: somebody else must approve it first, or sends it. The other
 * kinds are refusals; amounts in centavos.
 */
export type RequestOperationAnswer =
  | OperationToSend
  | OperationToQuery
  | { kind: "answered" | "waiting"; reply: OperationReply }
  | { kind: "frozen" }
  | { kind: "charges_frozen" }
  | ExitLimitRefusal
  | QuotaRefusal
  | VersionConflict
  | { kind: "in_progress" | "key_reused" | "disputed" | "not_found" }
  | { kind: "not_allowed"; status: ChargeStatus }
  | { kind: "conflicting_operation"; operation: OperationKind }
  | { kind: "exceeds_paid"; refundable: Cents }
  /** Of a refund instead of a dispute: that is not open here, or has one already, or asks back another amount. */
  | { kind: "dispute_not_open" | "refunded_instead" }
  | { kind: "not_disputed_amount"; disputed: Cents }
  | { kind: "exceeds_authorized"; authorized: Cents }
  | { kind: "too_many"; limit: number }
  /** `available` excludes `held`, which contradictions hold until they are decided. */
  | { kind: "insufficient_balance"; available: Cents; held: Cents; required: Cents };

/** `taken_by`: nothing is held, for it is not known whether the account that took the payment is connected. */
export type RequestRefundAnswer = RequestOperationAnswer | { kind: "taken_by"; account: string };

/** `not_possible`: the boleto cannot have that day now. */
export type RequestDueDateAnswer = RequestOperationAnswer | { kind: "not_possible" };

/** A return that a decision claimed. */
export type ClaimedReturn = Extract<RequestOperationAnswer, { kind: "send" | "query" }>;

/** `send`: nobody has sent it yet. */
export type ClaimOperationAnswer =
  | OperationToSend
  | OperationToQuery
  | { kind: "wait" | "settled" | "not_found" };

/** A provider's report on an operation. Only `done` and `failed` are final. */
export type OperationReport =
  /** `boleto`: of a change of a due date, as its house has it since. */
  | { kind: "done"; boleto?: ChangedBoleto }
  | { kind: "processing" }
  | { kind: "unknown" }
  | { kind: "failed"; reason: string };

export type RecordOperationAnswer =
  | { kind: "recorded" | "contradiction"; reply: OperationReply }
  | { kind: "not_found" };

/** `in_progress`: another request holds the lease, or the provider was not queried yet. */
export type ResolveOperationAnswer = RecordOperationAnswer | { kind: "in_progress" };

/** A refund in a provider's list of a payment; `id` is the provider's. Amount in centavos. */
export interface ProviderRefundReport {
  id: string;
  /** There where `amount` is all that went back of the payment, whoever ordered it. */
  isSum?: true;
  paymentId: string;
  amount: Cents;
  status: "PROCESSING" | "DONE" | "FAILED";
}

export interface RecordProviderRefund {
  companyId: number;
  refund: ProviderRefundReport;
}

/** `not_found`: unknown payment. `contradiction`: some of it cannot be booked; operators decide. */
export interface RecordProviderRefundAnswer {
  kind: "recorded" | "already" | "contradiction" | "not_found";
}
