import type { CardIdentity } from "../domain/charges/payment-details.ts";
import type { PaymentMethod } from "../domain/charges/charge-status.ts";
import type { PayerField } from "../domain/charges/payer-fields.ts";
import type { FailureCode } from "../domain/charges/failure-reason.ts";
import type { Cents } from "../domain/shared/money.ts";
import type { ListName } from "../domain/reconciliation/reconciliation.ts";
import type { SettlementLine } from "../domain/reconciliation/settlement.ts";
import type { CardTokenisation } from "../domain/psp/card-tokenisation.ts";
import type { PspClient } from "../domain/psp/psp-settings.ts";
import type { DisputeDesk } from "./dispute-desk.ts";
import type { DueDates } from "./due-dates.ts";
import type { FieldErrors } from "../domain/shared/problem.ts";
import type { ProviderName } from "../domain/charges/transaction.ts";
import type { PayoutOrder } from "../domain/withdraws/withdraw.ts";
import type { Registration } from "../methods/registry.ts";
import { errorFields, log } from "../lib/log.ts";
import { withTimeout } from "../lib/timeout.ts";
import type { MandateProvider } from "./mandate-provider.ts";
import type {
  ChargeDetails,
  ChargeOrder,
  ChargeReport,
  ProviderDispute,
  ProviderPayment,
  ProviderRefund,
  UnreadableRecord,
} from "./charge.ts";

/** Longest wait for a provider's answer. After it the outcome is unknown, never a failure. */
export const PROVIDER_TIMEOUT_MS = 15_000;

/**
 * `registered`: a push charge that its payer can pay now. `decided`: a pull charge, as `findCharge` would
 * report it. `refused`: no charge was made, and none will be by this id.
 */
export type ChargeOutcome =
  | ({ kind: "registered" } & Registration)
  | { kind: "decided"; charge: ChargeDetails }
  | { kind: "refused"; message: string; code?: FailureCode }
  | { kind: "unknown" };

/**
 * Asked right before the call that makes what a payer can pay, which binds the charge to the account. False where another
 * account is asked for it by now: then nothing payable is made, and the outcome is `unknown`.
 */
export type BindCharge = () => Promise<boolean>;

/** A payment with its disputes and refunds; `chargeId` null where it is for no charge of ours. */
export interface ListedPayment extends ProviderPayment {
  chargeId: string | null;
  /** The txid of a PIX (BACEN), as the PSP writes it, which may be a static code's. */
  txid?: string | null;
  /** The receiver's key (`chave`), where the PSP says it. */
  pixKey?: string | null;
  disputes: ProviderDispute[];
  refunds: ProviderRefund[];
}

/** A provider's report of a payment by its id. `unreadable`: refunds of it, as with a charge. */
export type PaymentReport =
  | { kind: "known"; payment: ListedPayment; unreadable?: UnreadableRecord[] }
  | { kind: "not_found" }
  | { kind: "unknown" };

/** A line of a provider's list. */
export type ListedRecord =
  | { kind: "payment"; payment: ListedPayment }
  | { kind: "charge"; chargeId: string; charge: ChargeDetails }
  /** `payoutId` null for a payout that others ordered from the account. */
  | {
      kind: "payout";
      payoutId: string | null;
      id: string;
      /** There where the PSP does not say from which key of the account it went. */
      isKeyless?: true;
      amount: Cents;
      outcome: PayoutOutcome;
    };

/** A page of a list; `hasMore` where another page follows. */
export type ListPage =
  | { kind: "known"; records: ListedRecord[]; unreadable: UnreadableRecord[]; hasMore: boolean }
  | { kind: "unknown" };

/**
 * A page of settlement lines. `newPayments`: those of which a line was made lately, so that it may be the first to tell of
 * them. `next`: how to ask for the page after it, in the house's words; null for the last one.
 */
export type SettlementPage =
  | {
      kind: "known";
      lines: SettlementLine[];
      newPayments: string[];
      unreadable: UnreadableRecord[];
      next: string | null;
    }
  | { kind: "unknown" };

/** Tells what the house pays out of each payment, and what it takes for it. */
export interface SettlementList {
  /** Lines that were made or changed from `from` up to `to` (epoch milliseconds). */
  page(window: { from: number; to: number }, next: string | null): Promise<SettlementPage>;
}

/** The account's balance at the provider, in centavos. `unsupported`: its API has none. */
export type ProviderBalance =
  | { kind: "known"; balance: Cents }
  | { kind: "unsupported" }
  | { kind: "unknown" };

/** `refused`: it cannot be cancelled, paid or ended as it is. */
export type CancelOutcome =
  | { kind: "cancelled" }
  | { kind: "unknown" }
  | { kind: "refused"; reason: string };

/** `expiresAt`: until when its payer can pay it now, which may be later than asked. */
export type ExtendOutcome =
  | { kind: "extended"; expiresAt: number }
  | { kind: "refused" | "unknown" };

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
  /** The provider's id of the open dispute of that payment, of this amount, that it stands instead of. */
  insteadOf?: string;
  /** The refunds of its charge that have failed, by the ids that the provider knows, be it by the word of operators alone. */
  failedBefore?: string[];
  /** Those that were sent before it and have no end yet, likewise. */
  sentBefore?: string[];
}

/** A provider's report of a refund. Only done and failed are final. */
export type RefundOutcome =
  | { kind: "done" | "processing" | "unknown" }
  | { kind: "failed"; reason: string };

/**
 * `neverSent`: it was never ordered, which only an adapter that remembers its orders can say. Then it may be sent, also
 * where `idempotentRefunds` is false.
 */
export type RefundLookup = RefundOutcome | { kind: "not_found"; neverSent?: true };

/**
 * A provider's report of a payout. Only paid, failed and returned are final. `reason`: its own words, for
 * operators; `code`: what they mean, `UNKNOWN` where it is left out.
 */
export type PayoutOutcome =
  | { kind: "processing" | "unknown" }
  /**
   * `returnedAmount`: the centavos of a `paid` one that came back so far; left out for none. `amount`:
   * the paid amount, where a look-up gives it.
   */
  | {
      kind: "paid" | "returned";
      endToEndId: string | null;
      returnedAmount?: Cents;
      amount?: Cents;
    }
  | { kind: "failed"; reason: string; code?: FailureCode };

export type PayoutLookup = PayoutOutcome | { kind: "not_found" };

/** `deleted`: the provider keeps it no longer, or never did. */
export interface CardDeletion {
  kind: "deleted" | "unknown";
}

/**
 * The port to a bank, a PSP or the sandbox, which carry charges, refunds and payouts. Every call names its
 * object by an id fixed beforehand, so that it may be repeated. An answer that did not come, or cannot be
 * read, is `unknown`: never success, never failure.
 */
export interface Provider {
  readonly name: ProviderName;
  /** The account at the provider. Only the account that received a payment can refund it. */
  readonly account: string;
  readonly paymentMethods: readonly PaymentMethod[];
  /** The PIX key that static codes name; null where the account has none. */
  readonly pixKey: string | null;
  /** The client of the PSP's API, which several companies may share; null of a bank without one. */
  readonly pspClient: PspClient | null;
  /** How the account's payers make tokens of cards in the browser; null where it takes no cards. */
  readonly cardTokenisation: CardTokenisation | null;
  /** Whether it keeps a card that its payer lets it keep (`CardReport.savedCard`). */
  readonly savesCards: boolean;
  /** How its payers agree to automatic debits; null where the account has none. */
  readonly mandates: MandateProvider | null;
  /** Whether `sendPayout` with a known `payoutId` never pays twice. */
  readonly idempotentPayouts: boolean;
  /** What the account asks of each payer of a method, besides what the method does, so that a page asks it first. */
  requirements(method: PaymentMethod): readonly PayerField[];
  /**
   * What of an order the account cannot carry out as it is, by the field of the create request: a missing e-mail, terms
   * that its API cannot express. Asked before anything is stored. Empty where it can.
   */
  orderFaults(order: ChargeOrder): FieldErrors;
  /** `bind`: given for a charge that its payer's bank may show him unasked (`PushMethod.leaves`). */
  createCharge(order: ChargeOrder, bind?: BindCharge): Promise<ChargeOutcome>;
  findCharge(chargeId: string): Promise<ChargeReport>;
  findPayment(paymentId: string): Promise<PaymentReport>;
  /** Ends a charge that is unpaid or only authorized. One that is cancelled already is `cancelled`. */
  cancelCharge(chargeId: string): Promise<CancelOutcome>;
  /** Gives an unpaid charge until then (epoch milliseconds), under the code that its payer has. */
  extendCharge(chargeId: string, expiresAt: number): Promise<ExtendOutcome>;
  /** Left out where the account changes no due date by API. */
  readonly dueDates?: DueDates;
  /** The card that a token stands for, without charging it; null where the provider does not tell. */
  cardOfToken(token: string): Promise<CardIdentity | null>;
  /**
   * Deletes a saved card (`CardReport.savedCard`), unless one of `kept` is the same card there: then it stays, and is
   * `deleted`. Safe to repeat.
   */
  deleteCard(savedCard: string, kept: string[]): Promise<CardDeletion>;
  /**
   * Takes an authorized amount, or a part of it (centavos), and releases the rest. Works once; the same
   * amount of a captured charge again is `captured`.
   */
  captureCharge(chargeId: string, amount: Cents): Promise<CaptureOutcome>;
  /** Whether `sendRefund` with a known `refundId` never refunds twice. */
  readonly idempotentRefunds: boolean;
  /** The methods whose payments it gives back by API. */
  readonly refundMethods: readonly PaymentMethod[];
  sendRefund(order: RefundOrder): Promise<RefundOutcome>;
  findRefund(order: RefundOrder): Promise<RefundLookup>;
  sendPayout(order: PayoutOrder): Promise<PayoutOutcome>;
  findPayout(payoutId: string): Promise<PayoutLookup>;
  /** Where the account takes answers to disputes; null or left out where it takes none by API. */
  readonly disputeDesk?: DisputeDesk | null;
  /** The lists that `list` supports. */
  readonly lists: readonly ListName[];
  /**
   * One page, from 0, of a list from `from` up to `to` (epoch milliseconds): payments by arrival, payouts
   * by order, charges by creation. Reconciliation finds lost callbacks here. `unknown` for an unsupported
   * list.
   */
  list(name: ListName, window: { from: number; to: number }, page: number): Promise<ListPage>;
  /** Left out where the provider does not tell what it took. */
  readonly settlements?: SettlementList | undefined;
  /** The account's balance, which reconciliation compares with the ledger. */
  balance(): Promise<ProviderBalance>;
}

/** Limits the time of a provider's call, and turns a throw into `unknown` and a line of the log. */
export async function callProvider<Answer>(
  call: Promise<Answer>,
  logFields: { provider: ProviderName; companyId: number; traceId?: string },
  limitMs = PROVIDER_TIMEOUT_MS,
): Promise<Answer | { kind: "unknown" }> {
  try {
    return await withTimeout(call, limitMs);
  } catch (error) {
    log("warn", "provider_call_failed", { ...errorFields(error), ...logFields });
    return { kind: "unknown" };
  }
}
