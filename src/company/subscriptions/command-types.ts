import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { DebitEnd, DebitReason } from "../../domain/subscriptions/debit-codes.ts";
import type { DebitRefusal } from "../../domain/subscriptions/debit-rules.ts";
import type { Dunning } from "../../domain/subscriptions/subscription.ts";
import type { Step } from "../../domain/subscriptions/next-step.ts";
import type {
  DebitState,
  MandateState,
  SkippedCard,
  Subscription,
  SubscriptionCustomer,
  SubscriptionCycle,
  SubscriptionMandate,
  SubscriptionTerms,
} from "../../domain/subscriptions/records.ts";
import type { DebitAttempt } from "../../domain/subscriptions/subscription.ts";
import type { Cents } from "../../domain/shared/money.ts";
import type { VersionConflict, VersionedCommand } from "../runtime/versioned-command.ts";
import type { QuotaRefusal, TakeQuota } from "../storage/daily-usage.ts";

/** A new subscription. The caller makes `id`, so that a repeated call makes no second one. */
export interface CreateSubscription extends VersionedCommand, Pick<TakeQuota, "quotaPercent"> {
  id: string;
  subscription: {
    externalRef: string;
    description: string;
    customer: SubscriptionCustomer;
    terms: SubscriptionTerms;
    amount: Cents;
    account: string;
    approvalExpiresAt: number;
    secureRandom: string;
    dunning: Dunning | null;
    metadata: string | null;
  };
  /** The client's idempotency key, if it sent one. */
  key: string | null;
  requestHash: string;
  /** Whether the caller found nothing against it; a replay is answered all the same. */
  isPossible: boolean;
}

/** `written` as the subscription stood right after. */
export type CreateSubscriptionAnswer =
  | { kind: "written"; subscription: Subscription; replayed: boolean }
  | { kind: "key_reused" | "too_many" | "impossible" }
  | QuotaRefusal
  | VersionConflict;

/** What a merchant does with a subscription. Amount in centavos; what is undefined stays as it is. */
export type SubscriptionAction =
  | { kind: "cancel" | "pause" | "resume" }
  | { kind: "change"; amount: Cents | undefined; dunning: Dunning | null | undefined };

export interface ActOnSubscription extends VersionedCommand {
  id: string;
  action: SubscriptionAction;
}

/**
 * `not_allowed`: not in its status. `fixed`: its payer approved one amount. `below`: what the payer agreed to at least.
 * `no_email`: its payer has no address for the link.
 */
export type ActOnSubscriptionAnswer =
  | { kind: "done"; subscription: Subscription }
  | { kind: "not_found" | "not_allowed" | "fixed" | "no_email" }
  | { kind: "below"; minimum: Cents }
  | VersionConflict;

/** A payer's subscriptions, by their numbers. */
export interface ErasePayersOf {
  companyId: number;
  numbers: number[];
}

/** The subscriptions whose payers D1 has no more, or is to erase. `isAsked`: a payer asked for it, also of his charges. */
export interface EraseRestoredPayers {
  companyId: number;
  subscriptions: { id: string; isAsked: boolean }[];
}

/** How many have no payer now, and how many last: they lose theirs as they end. */
export interface ErasePayersOfAnswer {
  erased: number;
  open: number;
}

/** What a merchant does with the charge of a cycle. Days are `YYYY-MM-DD`, amounts centavos. */
export type ChargeAction =
  | { kind: "open"; dueDate: string; amount: Cents | null }
  | { kind: "retry"; transactionId: string; day: string }
  | { kind: "cancel"; transactionId: string }
  | { kind: "by_hand"; transactionId: string };

export interface ActOnCharge extends VersionedCommand {
  id: string;
  action: ChargeAction;
  key: string | null;
  requestHash: string;
}

/**
 * `refused`: by a rule of the scheme, with its source. `not_next`: only the next cycle can be opened; null for none.
 * `no_payer`: the payer is erased, or is to be. `card_open`: its payer's saved card is being charged.
 */
export type ActOnChargeAnswer =
  | { kind: "done"; subscription: Subscription; cycle: SubscriptionCycle; replayed: boolean }
  | {
      kind:
        | "not_found"
        | "key_reused"
        | "not_allowed"
        | "closed"
        | "fixed"
        | "invited"
        | "card_open"
        | "no_payer";
    }
  | { kind: "below"; minimum: Cents }
  | { kind: "not_next"; dueDate: string | null }
  | { kind: "refused"; refusal: DebitRefusal }
  | VersionConflict;

/** A Worker takes the next step of a subscription. */
export interface ClaimSubscriptionStep {
  companyId: number;
  number: number;
}

/**
 * `do`: the caller has the step until its lease ends. `isRepeated`: its order may have been sent before. `idle`: nothing is
 * due now.
 */
export type ClaimSubscriptionAnswer =
  | {
      kind: "do";
      step: Step;
      subscription: Subscription;
      cycle: SubscriptionCycle | null;
      isRepeated: boolean;
      /** Whether an order that was sent before and is found nowhere may be sent again. */
      maySend: boolean;
      /** Names this lease in the report. */
      lease: number;
    }
  | { kind: "idle" | "not_found" };

/** What the provider tells of a mandate. */
export type ToldMandate = Pick<
  SubscriptionMandate,
  "requestId" | "qrcode" | "payerIspb" | "reason" | "end"
> & {
  id: string;
  status: Exclude<MandateState, "none">;
  /** The payer's town by its IBGE code; null where it is not told. */
  city: string | null;
};

/** What the provider tells of a debit: all of its attempts, oldest first. */
export interface ToldDebit {
  status: Exclude<DebitState, "none">;
  attempts: DebitAttempt[];
  /** Why it is over unpaid; left out where that was not told. */
  end?: DebitEnd;
}

/**
 * How a step ended. `mandate_refused`, `debit_refused`: the provider did not take the order, and never will as it is.
 * `order_refused`: it did not take the order of a debit, which is sent again tomorrow.
 * `unmade`: it never heard of it, and its time is over. `closed`: the charge of the cycle has ended or is paid;
 * `isByHandOver`: and so is that which is paid by hand, or there is none.
 * `made_by_hand`: the charge beside the debit is made, with this half of its `secureId`; by a PIX where no method is told;
 * `not_made`: it came to nothing. `card_skipped`: no saved card was charged for it, before a time or (null) ever.
 * `emailed`: the e-mail with the link is due. `checked`: it was read. `unknown`: no usable answer.
 */
export type StepResult =
  | { kind: "mandate"; mandate: ToldMandate }
  | { kind: "debit"; debit: ToldDebit }
  | { kind: "debit_refused" | "order_refused"; reason: DebitReason }
  | { kind: "mandate_refused"; message: string | null }
  | {
      kind: "made_by_hand";
      secureRandom: string;
      method?: PaymentMethod;
      /** Of a boleto. */
      digitableLine?: string;
    }
  | { kind: "card_skipped"; why: SkippedCard["why"]; notBefore: number | null }
  | { kind: "closed"; isByHandOver: boolean }
  | { kind: "unmade" | "checked" | "emailed" | "not_made" | "unknown" };

export interface ReportSubscriptionStep {
  companyId: number;
  number: number;
  /** The step, whether or not its lease has ended; null for news without one, as a callback brings. */
  step: Pick<Step, "kind" | "cycle"> | null;
  /** The lease of the step; null for news. */
  lease: number | null;
  result: StepResult;
}
