import type { ChargeStatus } from "../../domain/charges/charge-status.ts";
import type {
  OperationKind,
  OperationOrder,
  OperationStatus,
} from "../../domain/charges/operation.ts";
import type { ChargeState, ChargeTerms } from "../../domain/charges/transaction.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { QuotaRefusal } from "./company.ts";
import type { VersionConflict, VersionedCommand } from "./versioned-command.ts";

/** A request that may carry an idempotency key, and the trace id of its answer. */
export interface KeyedRequest {
  key: string | null;
  traceId: string;
}

export interface RequestRefund extends KeyedRequest, VersionedCommand {
  /** Made by the caller, so that a repeated call requests one refund. */
  operationId: string;
  terms: ChargeTerms;
  /** Centavos; null for everything not refunded yet. */
  amount: Cents | null;
  /** Centavos up to which who asks may refund the charge, earlier refunds counted; absent for no limit. */
  refundLimit?: Cents;
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
  requestHash: string;
  /** The company's part of the usual quotas. */
  quotaPercent: number;
}

export interface RequestReturn extends VersionedCommand {
  operationId: string;
  /** The suspended payment. */
  paymentId: string;
  /** Of a merchant; operators and rules have none. */
  request?: KeyedRequest & { requestHash: string };
}

/** An operation's result for clients. Stored as JSON under its idempotency key. */
export interface OperationReply {
  outcome: OperationStatus;
  /** The provider's reason for a refusal. */
  reason: string | null;
  /** The charge after the operation; null if it did not change. */
  state: ChargeState | null;
  /** The trace id of the first answered request. */
  traceId: string | null;
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

/**
 * `send`: the caller must send the order. `query`: it may have been sent, so query the provider by its
 * id first. `answered`: nothing is left to do. The other kinds are refusals; amounts in centavos.
 */
export type RequestOperationAnswer =
  | OperationToSend
  | ({ kind: "query"; id: number; order: OperationOrder } & Resend)
  | { kind: "answered"; reply: OperationReply }
  | QuotaRefusal
  | VersionConflict
  | { kind: "in_progress" | "key_reused" | "disputed" | "not_found" }
  | { kind: "not_allowed"; status: ChargeStatus }
  | { kind: "conflicting_operation"; operation: OperationKind }
  | { kind: "exceeds_paid"; refundable: Cents }
  | { kind: "exceeds_refund_limit"; refunded: Cents }
  | { kind: "exceeds_authorized"; authorized: Cents }
  | { kind: "too_many"; limit: number }
  | { kind: "insufficient_balance"; available: Cents; required: Cents };

export type ClaimOperationAnswer =
  | ({ kind: "query"; id: number; order: OperationOrder } & Resend)
  | { kind: "wait" | "settled" | "not_found" };

/** A provider's report on an operation. Only `done` and `failed` are final. */
export type OperationReport =
  | { kind: "done" }
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
