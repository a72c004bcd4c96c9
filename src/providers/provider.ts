import type { BoletoTerms, RegisteredBoleto } from "../domain/boleto.ts";
import type { CardReport, RawCard } from "../domain/card.ts";
import type { PaymentMethod } from "../domain/charge-status.ts";
import type { Cents } from "../domain/money.ts";
import type { Payer, PixCharge, ProviderName } from "../domain/transaction.ts";
import type { PayoutOrder } from "../domain/withdraw.ts";
import { errorFields, log } from "../lib/log.ts";
import { withTimeLimit } from "../lib/time-limit.ts";

/** Longest wait for a provider's answer. After it the outcome is unknown, never a no. */
export const PROVIDER_TIMEOUT_MS = 15_000;

/** What a card is charged with. Of a live company always a token of its acquirer. */
export interface CardOrder {
  source: { token: string } | RawCard;
  /** Whether the money is taken at once; otherwise it is authorized, to be captured later. */
  capture: boolean;
  installments: number;
  /** Shown on the payer's statement; `""` for the merchant's usual one. */
  statementDescriptor: string;
}

/** What a provider is asked to register. Amount in centavos, times in epoch milliseconds. */
export type ChargeOrder = {
  /** Global and fixed before the first attempt; the only id the provider sees. */
  chargeId: string;
  amount: Cents;
  /** Shown to the payer as the receiver's name. */
  merchantName: string;
  payer: Payer;
} & (
  | { paymentMethod: "PIX"; expiresAt: number }
  | { paymentMethod: "BOLETO"; expiresAt: number; boleto: BoletoTerms }
  | { paymentMethod: "CREDIT_CARD"; card: CardOrder }
);

/**
 * `registered`: to be paid by its payer. `decided`: an acquirer's answer, as `findCharge` would
 * give it. `refused`: no charge was made, and none will be by this id.
 */
export type ChargeOutcome =
  | { kind: "registered"; pix: PixCharge }
  | { kind: "registered"; boleto: RegisteredBoleto }
  | { kind: "decided"; charge: KnownCharge }
  | { kind: "refused"; message: string }
  | { kind: "unknown" };

/** Money that came for a charge, known by the id its provider gave it. */
export interface ProviderPayment {
  /** Of a PIX its end-to-end id (BACEN). */
  paymentId: string;
  /** How it came: a boleto may be paid by its PIX code. */
  method: PaymentMethod;
  amount: Cents;
  paidAt: number;
}

/** Money that a payer's bank asks back, or has taken back, by the provider's own id. Centavos. */
export interface ProviderDispute {
  id: string;
  /** The payment that is asked back; left out where the provider knows it by its charge. */
  paymentId?: string;
  kind: "DISPUTE" | "CHARGEBACK";
  amount: Cents;
  status: "OPEN" | "WON" | "LOST";
}

/** `open`: nobody has paid it yet, or its acquirer is still at it. */
export interface KnownCharge {
  status: "open" | "authorized" | "refused" | "failed" | "expired" | "cancelled";
  payments: ProviderPayment[];
  disputes: ProviderDispute[];
  /** Of a card only. */
  card?: CardReport;
}

/** What the provider says of a charge. `unknown` when it said nothing that can be understood. */
export type ChargeReport =
  | ({ kind: "known" } & KnownCharge)
  | { kind: "not_found" }
  | { kind: "unknown" };

/** What the provider says of a payment by its id; `chargeId` null where it is for none. */
export type PaymentReport =
  | { kind: "known"; payment: ProviderPayment; chargeId: string | null }
  | { kind: "not_found" }
  | { kind: "unknown" };

/** A payment in the list of what came; `chargeId` null where it is for none of ours. */
export interface ListedPayment extends ProviderPayment {
  chargeId: string | null;
}

/** A page of what came; `hasMore` where another page follows. */
export type RecentPayments =
  | { kind: "known"; payments: ListedPayment[]; hasMore: boolean }
  | { kind: "unknown" };

/** `refused`: it cannot be cancelled, paid or ended as it is. */
export type CancelOutcome =
  | { kind: "cancelled" }
  | { kind: "unknown" }
  | { kind: "refused"; reason: string };

/** `refused`: it is not authorized, or not for that much. */
export type CaptureOutcome =
  | { kind: "captured" }
  | { kind: "unknown" }
  | { kind: "refused"; reason: string };

/** A payment, or a part of it, that goes back to the payer. Amount in centavos. */
export interface RefundOrder {
  /** Global and fixed before the first attempt; the only id the provider sees. */
  refundId: string;
  /** Null where the payment matched no charge. */
  chargeId: string | null;
  /** The payment it is taken from; null where the provider knows it by its charge. */
  paymentId: string | null;
  amount: Cents;
}

/** What the provider says of a refund. Only done and failed are final. */
export type RefundOutcome =
  | { kind: "done" | "processing" | "unknown" }
  | { kind: "failed"; reason: string };

export type RefundLookup = RefundOutcome | { kind: "not_found" };

/** What the provider says of a payout. Only paid, failed and returned are final. */
export type PayoutOutcome =
  | { kind: "processing" | "unknown" }
  | { kind: "paid" | "returned"; endToEndId: string | null }
  | { kind: "failed"; reason: string };

export type PayoutLookup = PayoutOutcome | { kind: "not_found" };

/**
 * What carries charges, refunds and payouts: a bank, a PSP, or the sandbox. Every call names the object by
 * an id fixed beforehand, so that it may be repeated. An answer that did not come, or cannot be
 * read, is `unknown`: never success, never failure.
 */
export interface Provider {
  readonly name: ProviderName;
  readonly paymentMethods: readonly PaymentMethod[];
  /** Whether `sendPayout` with a known `payoutId` never pays twice. */
  readonly idempotentPayouts: boolean;
  createCharge(order: ChargeOrder): Promise<ChargeOutcome>;
  findCharge(chargeId: string): Promise<ChargeReport>;
  findPayment(paymentId: string): Promise<PaymentReport>;
  /** Ends a charge that is unpaid or only authorized. One that is cancelled already is `cancelled`. */
  cancelCharge(chargeId: string): Promise<CancelOutcome>;
  /**
   * Takes the money of an authorized card, or a part of it (centavos), and lets go of the rest. Once:
   * of a charge that was captured already the same amount again is `captured`.
   */
  captureCharge(chargeId: string, amount: Cents): Promise<CaptureOutcome>;
  /** Whether `sendRefund` with a known `refundId` never refunds twice. */
  readonly idempotentRefunds: boolean;
  sendRefund(order: RefundOrder): Promise<RefundOutcome>;
  findRefund(order: RefundOrder): Promise<RefundLookup>;
  sendPayout(order: PayoutOrder): Promise<PayoutOutcome>;
  findPayout(payoutId: string): Promise<PayoutLookup>;
  /**
   * Lists what came from `from` up to `to` (epoch milliseconds), pages from 0, so that a payment
   * whose callback was lost is found.
   */
  recentPayments(window: { from: number; to: number }, page: number): Promise<RecentPayments>;
}

/** Puts the time limit around a provider, and turns a throw into `unknown` and a line of the log. */
export async function answerOf<Answer>(
  call: Promise<Answer>,
  about: { provider: ProviderName; companyId: number; traceId?: string },
): Promise<Answer | { kind: "unknown" }> {
  try {
    return await withTimeLimit(call, PROVIDER_TIMEOUT_MS);
  } catch (error) {
    log("warn", "provider_failed", { ...errorFields(error), ...about });
    return { kind: "unknown" };
  }
}
