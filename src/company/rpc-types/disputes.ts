import type { ChargeStatus } from "../../domain/charges/charge-status.ts";
import type { DisputeKind } from "../../domain/charges/charge-history.ts";
import type { ChargeTerms, Dispute } from "../../domain/charges/transaction.ts";
import type { Cents } from "../../domain/shared/money.ts";

/** A provider's report on a dispute or chargeback; `id` is the provider's. Amount in centavos. */
export interface DisputeReport {
  id: string;
  /** The disputed payment; absent if the provider identifies it by its charge. */
  paymentId?: string;
  kind: DisputeKind;
  amount: Cents;
  status: Dispute["status"];
}

export interface RecordDispute {
  companyId: number;
  /** Null for a payment that matched no charge. */
  terms: ChargeTerms | null;
  report: DisputeReport;
}

/** `contradiction`: the report disagrees with what is booked, and an operator must decide. */
export type RecordDisputeAnswer =
  | { kind: "recorded" | "already" | "contradiction" | "not_found" }
  | { kind: "not_allowed"; status: ChargeStatus };

/** A dispute's subject and status. */
export interface DisputeSummary {
  /** Null if the provider identifies it by its payment only. */
  transactionId: string | null;
  /** Set for a payment without a charge: suspended, or credited by operators. */
  paymentId: string | null;
  /** The provider account that received the payment. */
  account: string;
  status: Dispute["status"];
}
