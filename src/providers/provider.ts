import type { PaymentMethod } from "../domain/charge-status.ts";
import type { Cents } from "../domain/money.ts";
import type { Payer, PixCharge, ProviderName } from "../domain/transaction.ts";
import type { PayoutOrder } from "../domain/withdraw.ts";
import { errorFields, log } from "../lib/log.ts";
import { withTimeLimit } from "../lib/time-limit.ts";

/** Longest wait for a provider's answer. After it the outcome is unknown, never a no. */
export const PROVIDER_TIMEOUT_MS = 15_000;

/** What a provider is asked to register. Amount in centavos, times in epoch milliseconds. */
export interface ChargeOrder {
  /** Global and fixed before the first attempt; the only id the provider sees. */
  chargeId: string;
  amount: Cents;
  paymentMethod: PaymentMethod;
  /** Shown to the payer as the receiver's name. */
  merchantName: string;
  payer: Payer;
  expiresAt: number;
}

export type ChargeOutcome =
  | { kind: "registered"; pix: PixCharge }
  | { kind: "refused"; message: string }
  | { kind: "unknown" };

/** Money that came for a charge, known by its end-to-end id (BACEN). */
export interface ProviderPayment {
  endToEndId: string;
  amount: Cents;
  paidAt: number;
}

/** Money that a payer's bank asks back, or has taken back, by the provider's own id. Centavos. */
export interface ProviderDispute {
  id: string;
  kind: "DISPUTE" | "CHARGEBACK";
  amount: Cents;
  status: "OPEN" | "WON" | "LOST";
}

/** What the provider says of a charge. `unknown` when it said nothing that can be understood. */
export type ChargeReport =
  | {
      kind: "known";
      status: "open" | "failed" | "expired" | "cancelled";
      payments: ProviderPayment[];
      disputes: ProviderDispute[];
    }
  | { kind: "not_found" }
  | { kind: "unknown" };

/** What the provider says of a payment by its end-to-end id; `chargeId` null where it is for none. */
export type PaymentReport =
  | { kind: "known"; payment: ProviderPayment; chargeId: string | null }
  | { kind: "not_found" }
  | { kind: "unknown" };

/** `refused`: it cannot be cancelled, paid or ended as it is. */
export type CancelOutcome =
  | { kind: "cancelled" }
  | { kind: "unknown" }
  | { kind: "refused"; reason: string };

/** A payment, or a part of it, that goes back to the payer. Amount in centavos. */
export interface RefundOrder {
  /** Global and fixed before the first attempt; the only id the provider sees. */
  refundId: string;
  /** Null where the payment matched no charge. */
  chargeId: string | null;
  /** The payment it is taken from (BACEN); null where the provider knows it by its charge. */
  endToEndId: string | null;
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
  findPayment(endToEndId: string): Promise<PaymentReport>;
  /** Ends an unpaid charge. One that is cancelled already is `cancelled`. */
  cancelCharge(chargeId: string): Promise<CancelOutcome>;
  /** Whether `sendRefund` with a known `refundId` never refunds twice. */
  readonly idempotentRefunds: boolean;
  sendRefund(order: RefundOrder): Promise<RefundOutcome>;
  findRefund(order: RefundOrder): Promise<RefundLookup>;
  sendPayout(order: PayoutOrder): Promise<PayoutOutcome>;
  findPayout(payoutId: string): Promise<PayoutLookup>;
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
