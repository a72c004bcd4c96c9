import type { DebitEnd, EndedBy, MandateEndReason } from "../domain/subscriptions/debit-codes.ts";
import type { ToldTerms } from "../domain/subscriptions/mandate-terms.ts";
import type { Schedule } from "../domain/subscriptions/schedule.ts";
import type {
  DebitAttempt,
  PayerAccount,
  SubscriptionAmount,
  SubscriptionJourney,
} from "../domain/subscriptions/subscription.ts";
import type { TaxDocument } from "../domain/shared/document.ts";
import type { Cents } from "../domain/shared/money.ts";
import type { ChargeDetails, ChargeReport, UnreadableRecord } from "./charge.ts";

/** A mandate to ask a payer for. */
export interface MandateOrder {
  /** 32 hex digits (a UUID without hyphens): the only id of ours at the provider, by which a lost answer is found. */
  subscriptionId: string;
  /** What it is for, which the payer's bank shows. */
  description: string;
  payer: { name: string; document: TaxDocument };
  schedule: Schedule;
  amount: SubscriptionAmount;
  /** Whether up to three retries within seven days are agreed. */
  allowsRetries: boolean;
  journey: SubscriptionJourney;
  /** The charge (`txid`) that the payer pays with the same code; null but for QR_AND_PAY and QR_ON_DUE. */
  firstChargeId: string | null;
}

/** Who ended a mandate or a debit, and why. */
export interface MandateEnd {
  by: EndedBy | null;
  reason: MandateEndReason;
  /** The bank's own code and sentence, as they came. */
  providerCode: string | null;
  message: string | null;
}

/** The newest request to the payer's bank. `open`: without an answer. */
export interface ApprovalRequest {
  id: string;
  status: "open" | "accepted" | "rejected" | "expired" | "cancelled";
}

/** A mandate as its provider reports it. `expired`: after its end, also where the provider still calls it approved. */
export interface MandateDetails {
  /** The provider's id (`idRec`), in which the case of letters counts. */
  mandateId: string;
  /** Of ours; null for a mandate that others made. */
  subscriptionId: string | null;
  status: "created" | "approved" | "rejected" | "cancelled" | "expired";
  /** How the payer approved; null before he did. */
  journey: SubscriptionJourney | null;
  /** Whether a debit of it may be tried again: its id and its policy both say so. */
  allowsRetries: boolean;
  /** The payer's bank and town (IBGE code) as far as they are told; null where his bank is not. */
  payer: { ispb: string; city: string | null } | null;
  /** The code by which a payer approves; null where there is none (yet). */
  code: string | null;
  request: ApprovalRequest | null;
  terms: ToldTerms;
  /** Null while it lasts. */
  end: MandateEnd | null;
}

/** `refused`: no mandate was made. `unknown`: perhaps one was: it is found by its contract before another is asked for. */
export type MandateOutcome =
  | { kind: "created"; mandate: MandateDetails }
  | { kind: "refused"; message: string }
  | { kind: "unknown" };

export type MandateReport =
  | { kind: "known"; mandate: MandateDetails }
  | { kind: "not_found" }
  | { kind: "unknown" };

/** `requested`: by this call, or by an earlier one that is still open. */
export type ApprovalOutcome =
  | { kind: "requested"; requestId: string | null }
  | { kind: "refused"; message: string }
  | { kind: "unknown" };

/** `refused`: it cannot be cancelled as it is. One that is cancelled already is `cancelled`. */
export type MandateCancelOutcome =
  | { kind: "cancelled" }
  | { kind: "refused"; message: string }
  | { kind: "unknown" };

/** A debit to order. Amount in centavos. */
export interface DebitOrder {
  /** The charge's id, which is the debit's (`txid`). */
  chargeId: string;
  mandateId: string;
  dueDate: string;
  amount: Cents;
  /** What the payer's bank shows with it; empty for nothing. */
  info: string;
}

/** A debit as its provider reports it. Only payments of `charge` are money. */
export interface DebitDetails {
  chargeId: string;
  mandateId: string;
  /** `created`: not accepted by the payer's bank yet. `paid`: concluded, which alone is no payment. */
  status: "created" | "active" | "paid" | "expired" | "rejected" | "cancelled";
  dueDate: string;
  amount: Cents;
  /** In the provider's order. */
  attempts: DebitAttempt[];
  /** Why it was rejected or cancelled; null otherwise. */
  end: (Omit<MandateEnd, "reason"> & Pick<DebitEnd, "kind">) | null;
  /** The state and the money of it, as of any other charge. */
  charge: ChargeDetails;
}

/** `unreadable`: payments and refunds of it that cannot be read; left out where there are none. */
export interface ReportedDebit {
  debit: DebitDetails;
  unreadable?: UnreadableRecord[];
}

export type DebitReport =
  | ({ kind: "known" } & ReportedDebit)
  | { kind: "not_found" }
  | { kind: "unknown" };

/** A debit as a charge. One that is concluded without a payment is unclear: the list of payments has it, or will have. */
export function chargeOfDebit(report: DebitReport): ChargeReport {
  if (report.kind !== "known") return report;
  const { debit, unreadable } = report;
  if (debit.status === "paid" && debit.charge.payments.length === 0) return { kind: "unknown" };
  return { kind: "known", ...debit.charge, ...(unreadable === undefined ? {} : { unreadable }) };
}

/** `accepted`: ordered by this call or an earlier one. `refused`: nothing was ordered. */
export type DebitOutcome =
  | { kind: "accepted"; debit: DebitDetails }
  | { kind: "refused"; message: string }
  | { kind: "unknown" };

/** A page of a list; `hasMore` where another page follows. */
export type MandateListPage =
  | { kind: "known"; mandates: MandateDetails[]; unreadable: number; hasMore: boolean }
  | { kind: "unknown" };
/** `unreadable`: debits that may be ours. */
export type DebitListPage =
  | {
      kind: "known";
      debits: ReportedDebit[];
      unreadable: UnreadableRecord[];
      hasMore: boolean;
    }
  | { kind: "unknown" };

/** A time window, epoch milliseconds. */
export interface ListWindow {
  from: number;
  to: number;
}

/**
 * The port to a provider of automatic debits: the part of an account that has `AUTOMATIC_PIX`. Debits are named by an id
 * fixed beforehand and may be ordered again. Mandates are named by the provider. An answer that did not come, or cannot be
 * read, is `unknown`: never success, never failure.
 */
export interface MandateProvider {
  /** Whether `createMandate` again never makes a second mandate. Where it may, `findMandateByContract` comes first. */
  readonly idempotentMandates: boolean;
  createMandate(order: MandateOrder): Promise<MandateOutcome>;
  /** `firstChargeId`: of a mandate that is approved with a charge, whose code is then for both. */
  findMandate(mandateId: string, firstChargeId?: string | null): Promise<MandateReport>;
  /**
   * The mandate that an order with a lost answer has made, by the provider's whole list since `since` (epoch milliseconds).
   * `not_found` only where the list is complete.
   */
  findMandateByContract(
    order: Pick<MandateOrder, "subscriptionId" | "payer">,
    since: number,
  ): Promise<MandateReport>;
  cancelMandate(mandateId: string): Promise<MandateCancelOutcome>;
  /** Has the payer's bank ask him, until a time (epoch milliseconds). */
  requestApproval(
    mandateId: string,
    request: { account: PayerAccount & { document: TaxDocument }; expiresAt: number },
  ): Promise<ApprovalOutcome>;
  scheduleDebit(order: DebitOrder): Promise<DebitOutcome>;
  /** Orders a debit that was not paid again, for a day (`YYYY-MM-DD`). An attempt of that day is `accepted`. */
  retryDebit(chargeId: string, day: string): Promise<DebitOutcome>;
  cancelDebit(chargeId: string): Promise<MandateCancelOutcome>;
  findDebit(chargeId: string): Promise<DebitReport>;
  /** One page, from 0, of the mandates of a window. */
  listMandates(window: ListWindow, page: number): Promise<MandateListPage>;
  /** One page, from 0, of the debits of a window. */
  listDebits(window: ListWindow, page: number): Promise<DebitListPage>;
}
