import type { Cents } from "../shared/money.ts";

/** A return of a payment (BACEN: devolução) as a callback reports it, by the receiver or by a MED. */
export interface ReportedReturn {
  /** The PSP's id, unique within the payment. */
  id: string;
  /** Any status that is not final is `OPEN`. */
  status: "OPEN" | "DONE" | "FAILED";
}

/** A callback's report of a received payment. */
export interface ReportedPayment {
  kind: "payment";
  paymentId: string;
  returns: ReportedReturn[];
}

/** A callback's report of a payout. */
export interface ReportedPayout {
  kind: "payout";
  status: "OPEN" | "PAID" | "FAILED" | "RETURNED";
  /** Centavos returned so far. */
  returned: Cents;
}

/** A notification that cannot be parsed. */
export interface UnreadableReport {
  kind: "unreadable";
}

/** A callback's report. It is never trusted by itself: the provider's own answer must confirm it. */
export type CallbackReport = ReportedPayment | ReportedPayout | UnreadableReport;
