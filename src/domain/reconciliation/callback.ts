import type { Cents } from "../shared/money.ts";

/** A return of a payment (BACEN: devolução), at the receiver's wish or the payer's bank's, as it was told. */
export interface ReportedReturn {
  /** As the PSP has it within its payment. */
  id: string;
  /** Any word that is not one of the two ends is `OPEN`. */
  status: "OPEN" | "DONE" | "FAILED";
}

/** What a callback says of a payment that was received. */
export interface ReportedPayment {
  kind: "payment";
  paymentId: string;
  returns: ReportedReturn[];
}

/** What a callback says of a payout. */
export interface ReportedPayout {
  kind: "payout";
  status: "OPEN" | "PAID" | "FAILED" | "RETURNED";
  /** Centavos that have come back so far. */
  returned: Cents;
}

/** A notice of a callback that says nothing which can be read. */
export interface UnreadableReport {
  kind: "unreadable";
}

/** What a callback says, which is to be found in the provider's own answer: it is never believed by itself. */
export type CallbackReport = ReportedPayment | ReportedPayout | UnreadableReport;
