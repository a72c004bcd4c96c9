import type { BoletoTerms, RegisteredBoleto } from "../methods/boleto/boleto.ts";
import type { CardReport, RawCard } from "../methods/card/card.ts";
import type { PaymentMethod } from "../domain/charges/charge-status.ts";
import type { Cents } from "../domain/shared/money.ts";
import type { ListName } from "../domain/reconciliation/reconciliation.ts";
import type { Payer, PixCharge, ProviderName } from "../domain/charges/transaction.ts";
import type { PayoutOrder } from "../domain/withdraws/withdraw.ts";
import { errorFields, log } from "../lib/log.ts";
import { withTimeout } from "../lib/timeout.ts";

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
  | { kind: "decided"; charge: ChargeDetails }
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

/** Money of a payment that goes back at the receiver's wish, by the provider's own id. Centavos. */
export interface ProviderRefund {
  id: string;
  paymentId: string;
  amount: Cents;
  status: "PROCESSING" | "DONE" | "FAILED";
}

/** `open`: nobody has paid it yet, or its acquirer is still at it. */
export interface ChargeDetails {
  status: "open" | "authorized" | "refused" | "failed" | "expired" | "cancelled";
  payments: ProviderPayment[];
  disputes: ProviderDispute[];
  /** What went back of its payments, also what others than this service asked for. */
  refunds: ProviderRefund[];
  /** Of a card only. */
  card?: CardReport;
}

/**
 * What the provider says of a charge. `unknown` when it said nothing that can be understood.
 * `unreadable`: payments and returns of it that cannot be read; left out where there are none.
 */
export type ChargeReport =
  | ({ kind: "known"; unreadable?: UnreadableRecord[] } & ChargeDetails)
  | { kind: "not_found" }
  | { kind: "unknown" };

/** A payment with all that was asked back of it; `chargeId` null where it is for none of ours. */
export interface ListedPayment extends ProviderPayment {
  chargeId: string | null;
  disputes: ProviderDispute[];
  refunds: ProviderRefund[];
}

/** What the provider says of a payment by its id. `unreadable`: returns of it, as with a charge. */
export type PaymentReport =
  | { kind: "known"; payment: ListedPayment; unreadable?: UnreadableRecord[] }
  | { kind: "not_found" }
  | { kind: "unknown" };

/** A line of a provider's list. */
export type ListedRecord =
  | { kind: "payment"; payment: ListedPayment }
  | { kind: "charge"; chargeId: string; charge: ChargeDetails }
  /** `payoutId` null where it is none of ours: somebody else took money from the account. */
  | { kind: "payout"; payoutId: string | null; id: string; amount: Cents; outcome: PayoutOutcome };

/**
 * A line that cannot be read, or a part of one, as it came (JSON, cut at 4,096 characters): the same
 * again is the same text. It stops no other line, and where it is a part, not its own line either.
 */
export interface UnreadableRecord {
  /** By which it may be asked about by itself; null where it names nothing. */
  paymentId: string | null;
  chargeId: string | null;
  payoutId: string | null;
  body: string;
  fault: string;
}

/** A page of a list; `hasMore` where another page follows. */
export type ListPage =
  | { kind: "known"; records: ListedRecord[]; unreadable: UnreadableRecord[]; hasMore: boolean }
  | { kind: "unknown" };

/** What the provider says stands on the account, in centavos. `unsupported`: its API cannot say. */
export type ProviderBalance =
  | { kind: "known"; balance: Cents }
  | { kind: "unsupported" }
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
  /**
   * `returnedAmount`: of `paid`, the centavos that have come back so far; left out for none. `amount`:
   * what was paid, where a look-up says it.
   */
  | {
      kind: "paid" | "returned";
      endToEndId: string | null;
      returnedAmount?: Cents;
      amount?: Cents;
    }
  | { kind: "failed"; reason: string };

export type PayoutLookup = PayoutOutcome | { kind: "not_found" };

/**
 * What carries charges, refunds and payouts: a bank, a PSP, or the sandbox. Every call names the object by
 * an id fixed beforehand, so that it may be repeated. An answer that did not come, or cannot be
 * read, is `unknown`: never success, never failure.
 */
export interface Provider {
  readonly name: ProviderName;
  /** Which account at the provider: each payment belongs to the one that took it. */
  readonly account: string;
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
  /** What `list` can be asked for. */
  readonly lists: readonly ListName[];
  /**
   * One page, from 0, of what a list has from `from` up to `to` (epoch milliseconds): payments by when
   * they came, payouts by when they were asked for, charges by when they were made. What was lost on the
   * way is found here. `unknown` for a list that it has not.
   */
  list(name: ListName, window: { from: number; to: number }, page: number): Promise<ListPage>;
  /** What stands on the account, beside which the ledger is held. */
  balance(): Promise<ProviderBalance>;
}

/** Puts the time limit around a provider, and turns a throw into `unknown` and a line of the log. */
export async function callProvider<Answer>(
  call: Promise<Answer>,
  logFields: { provider: ProviderName; companyId: number; traceId?: string },
): Promise<Answer | { kind: "unknown" }> {
  try {
    return await withTimeout(call, PROVIDER_TIMEOUT_MS);
  } catch (error) {
    log("warn", "provider_call_failed", { ...errorFields(error), ...logFields });
    return { kind: "unknown" };
  }
}
