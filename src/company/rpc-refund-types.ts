import type { ChargeStatus } from "../domain/charges/charge-status.ts";
import type { Cents } from "../domain/shared/money.ts";
import type { DisputeKind } from "../domain/charges/charge-history.ts";
import type { ChargeTerms, Dispute } from "../domain/charges/transaction.ts";

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
  /** Null where it is about a payment that matched no charge. */
  terms: ChargeTerms | null;
  report: DisputeReport;
}

/** `contradiction`: it says otherwise than what was booked, and is written down for a person. */
export type RecordDisputeAnswer =
  | { kind: "recorded" | "already" | "contradiction" | "not_found" }
  | { kind: "not_allowed"; status: ChargeStatus };

/** What a dispute is about, and how it stands. */
export interface DisputeSummary {
  /** Null where its provider knows it by its payment only. */
  transactionId: string | null;
  /** Of a payment that came for no charge: it is set aside, or operators credited it. */
  paymentId: string | null;
  /** The account at the provider that took the payment. */
  account: string;
  status: Dispute["status"];
}

/** A refund that a provider lists of a payment, by the id it gave it. Amount in centavos. */
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

/** `not_found`: the payment is not known. `contradiction`: what does not fit is kept for a person. */
export interface RecordProviderRefundAnswer {
  kind: "recorded" | "already" | "contradiction" | "not_found";
}
