import type { PaymentMethod } from "../domain/charges/charge-status.ts";
import type { CardReport } from "../domain/charges/payment-details.ts";
import type { ReportedPayer } from "../domain/charges/payer-match.ts";
import type { Payer } from "../domain/charges/transaction.ts";
import type { DisputeReason } from "../domain/disputes/dispute.ts";
import type { Cents } from "../domain/shared/money.ts";
import type { MethodOrder } from "../methods/registry.ts";

/** An order for a charge, with its method's part. Amount in centavos, times in epoch milliseconds. */
export type ChargeOrder = {
  /** Global and fixed before the first attempt; the only id the provider sees. */
  chargeId: string;
  /** When the charge was made, epoch milliseconds; the time in its id may be later. Left out before it is. */
  createdAt?: number;
  amount: Cents;
  /** Shown to the payer as the receiver's name. */
  merchantName: string;
  payer: Payer;
} & MethodOrder;

/** Money that came for a charge, known by the id its provider gave it. */
export interface ProviderPayment {
  /** Of a PIX its end-to-end id (BACEN). */
  paymentId: string;
  /** How it came: a boleto may be paid by its PIX code. */
  method: PaymentMethod;
  amount: Cents;
  paidAt: number;
  /** Who paid; `customer`: the charge's customer did. Left out where the provider does not say. */
  payer?: ReportedPayer | "customer" | undefined;
}

/** Money that a payer's bank claims or has taken back, by the provider's own id. Centavos. */
export interface ProviderDispute {
  id: string;
  /** The disputed payment; left out where the provider knows it by its charge. */
  paymentId?: string;
  kind: "DISPUTE" | "CHARGEBACK";
  amount: Cents;
  /** There where the provider names no amount: it is of all that was not given back of `amount`. */
  isOfRest?: true;
  status: "OPEN" | "WON" | "LOST";
  /** Left out where the provider does not say. */
  reason?: DisputeReason;
  /** Until when it takes evidence, epoch milliseconds; left out where the provider does not say. */
  deadline?: number;
}

/** A refund that the receiver ordered, by the provider's own id. Centavos. */
export interface ProviderRefund {
  id: string;
  /** There where the provider lists no refunds, only what it gave back of the payment in all, whoever ordered it. */
  isSum?: true;
  paymentId: string;
  amount: Cents;
  status: "PROCESSING" | "DONE" | "FAILED";
}

/** `open`: unpaid, or not yet decided by its acquirer. */
export interface ChargeDetails {
  status: "open" | "authorized" | "refused" | "failed" | "expired" | "cancelled";
  payments: ProviderPayment[];
  disputes: ProviderDispute[];
  /** Refunds of its payments, also those that others than this service ordered. */
  refunds: ProviderRefund[];
  /** Only for a card. */
  card?: CardReport;
}

/**
 * A provider's report of a charge. `unknown` where its answer did not come or cannot be read.
 * `unreadable`: payments and refunds of it that cannot be read; left out where there are none.
 */
export type ChargeReport =
  | ({ kind: "known"; unreadable?: UnreadableRecord[] } & ChargeDetails)
  | { kind: "not_found" }
  | { kind: "unknown" };

/**
 * An unreadable line, or part of a line, as it came (JSON, cut at 4,096 characters), so that the same
 * line gives the same text. Other lines, and the readable parts of its own, are still processed.
 */
export interface UnreadableRecord {
  /** The ids it names, to query the provider by; null where it names none. */
  paymentId: string | null;
  chargeId: string | null;
  payoutId: string | null;
  body: string;
  fault: string;
}
