import type { UnexpectedPayment } from "../charges/unexpected-payment.ts";
import type { DisputeRecord } from "../disputes/dispute.ts";
import type { PaymentLink } from "../links/payment-link.ts";
import type { Subscription, SubscriptionCycle } from "../subscriptions/records.ts";
import type { Contradiction } from "../reconciliation/contradiction.ts";

/**
 * What a company's object numbers densely from 1, beside its withdraws, and copies to D1 under the same number: by the
 * kind of its outbox entries.
 */
export interface NumberedRecords {
  dispute: DisputeRecord[];
  payment: UnexpectedPayment[];
  link: PaymentLink[];
  subscription: Subscription[];
  cycle: SubscriptionCycle[];
  contradiction: Contradiction[];
}

export type NumberedKind = keyof NumberedRecords;

/** What the object finds each by: a dispute's id, a payment's id, a number. */
export interface RecordKeys {
  dispute: string[];
  payment: string[];
  link: number[];
  subscription: number[];
  cycle: number[];
  contradiction: number[];
}

/** Where a walk over numbered records is: the last key of each kind. */
export interface RecordCursor {
  dispute: string;
  /** Of all payments that were received, of which some are unexpected. */
  payment: string;
  link: number;
  subscription: number;
  cycle: number;
  contradiction: number;
}

export function noKeys(): RecordKeys {
  return { dispute: [], payment: [], link: [], subscription: [], cycle: [], contradiction: [] };
}

/** The keys of some records. */
export function keysOf(records: NumberedRecords): RecordKeys {
  return {
    dispute: records.dispute.map(({ id }) => id),
    payment: records.payment.map(({ paymentId }) => paymentId),
    link: records.link.map(({ number }) => number),
    subscription: records.subscription.map(({ number }) => number),
    cycle: records.cycle.map(({ number }) => number),
    contradiction: records.contradiction.map(({ number }) => number),
  };
}
