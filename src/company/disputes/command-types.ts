import type { ChargeStatus } from "../../domain/charges/charge-status.ts";
import type { DisputeKind } from "../../domain/charges/charge-history.ts";
import type { ChargeTerms, Dispute } from "../../domain/charges/transaction.ts";
import type { DisputeReason, DisputeRecord } from "../../domain/disputes/dispute.ts";
import type { EvidenceChange } from "../../domain/disputes/evidence.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { QuotaRefusal, TakeQuota } from "../storage/daily-usage.ts";
import type { VersionConflict, VersionedCommand } from "../runtime/versioned-command.ts";

/** A provider's report on a dispute or chargeback; `id` is the provider's. Amount in centavos. */
export interface DisputeReport {
  id: string;
  /** The disputed payment; absent if the provider identifies it by its charge. */
  paymentId?: string;
  kind: DisputeKind;
  amount: Cents;
  /** There where the provider names no amount: it is of all that was not given back of the payment. */
  isOfRest?: true;
  status: Dispute["status"];
  /** Left out where the provider does not say. */
  reason?: DisputeReason;
  /** Until when the provider takes evidence, epoch milliseconds; left out where it does not say. */
  deadline?: number;
}

export interface RecordDispute {
  companyId: number;
  /** Null for a payment that matched no charge. */
  terms: ChargeTerms | null;
  report: DisputeReport;
}

/** `contradiction`: the report disagrees with the books; operators decide. */
export type RecordDisputeAnswer =
  | { kind: "recorded" | "already" | "contradiction" | "not_found" }
  | { kind: "not_allowed"; status: ChargeStatus };

/** A dispute's subject and status. */
export interface DisputeSummary {
  /** Null if the provider identifies it by its payment only. */
  transactionId: string | null;
  /** Set for a payment without a charge: unexpected, or credited by operators. */
  paymentId: string | null;
  /** The provider account that received the payment. */
  account: string;
  status: Dispute["status"];
}

/** Evidence of a merchant; `disputeId` is the provider's id. */
export interface SubmitEvidence extends VersionedCommand, Pick<TakeQuota, "quotaPercent"> {
  disputeId: string;
  change: EvidenceChange;
  /** The client's idempotency key, if it sent one. */
  key: string | null;
  requestHash: string;
}

/** `accepted` as the dispute stood right after. `deadline` in epoch milliseconds. */
export type SubmitEvidenceAnswer =
  | { kind: "accepted"; dispute: DisputeRecord; replayed: boolean }
  | { kind: "key_reused" | "not_found" }
  | { kind: "not_open"; status: Dispute["status"] }
  | { kind: "deadline_passed"; deadline: number }
  | { kind: "too_large"; bytes: number }
  | { kind: "too_many_files" }
  | QuotaRefusal
  | VersionConflict;
