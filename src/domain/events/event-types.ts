import type { BalanceStatus } from "../ledger/balance.ts";
import type { ChargeStatus } from "../charges/charge-status.ts";
import type { Dispute } from "../charges/transaction.ts";
import type { UnexpectedStatus } from "../charges/unexpected-payment.ts";
import type { LinkStatus } from "../links/payment-link.ts";
import type { SubscriptionStatus } from "../subscriptions/subscription.ts";
import type { WithdrawStatus } from "../withdraws/withdraw-status.ts";

export const TRANSACTION_EVENT_TYPES = [
  "transaction.authorized",
  "transaction.paid",
  "transaction.refused",
  "transaction.failed",
  "transaction.cancelled",
  "transaction.refunded",
  "transaction.partially_refunded",
  "transaction.disputed",
  "transaction.chargeback_reversed",
] as const;

export const WITHDRAW_EVENT_TYPES = [
  "withdraw.awaiting_approval",
  "withdraw.approved",
  "withdraw.refused",
  "withdraw.processing",
  "withdraw.paid",
  "withdraw.failed",
  "withdraw.cancelled",
  "withdraw.partially_returned",
  "withdraw.returned",
] as const;

export const DISPUTE_EVENT_TYPES = ["dispute.opened", "dispute.won", "dispute.lost"] as const;
export const PAYMENT_EVENT_TYPES = [
  "payment.unexpected",
  "payment.credited",
  "payment.returned",
  "payment.return_failed",
] as const;

export const PAYMENT_LINK_EVENT_TYPES = ["payment_link.paid", "payment_link.exhausted"] as const;

/** The money of a subscription is announced by its charges, as any other (`transaction.paid`). */
export const SUBSCRIPTION_EVENT_TYPES = [
  "subscription.created",
  "subscription.approved",
  "subscription.rejected",
  "subscription.past_due",
  "subscription.paused",
  "subscription.resumed",
  "subscription.cancelled",
  "subscription.expired",
  "subscription.completed",
  "subscription.charge_scheduled",
  "subscription.charge_attempt_failed",
  "subscription.charge_failed",
] as const;

export const FREEZE_EVENT_TYPES = ["company.frozen", "company.unfrozen"] as const;
export const SETTINGS_EVENT_TYPES = ["company.settings_changing"] as const;

/** Every event type (docs/webhooks.md). */
export const EVENT_TYPES = [
  ...TRANSACTION_EVENT_TYPES,
  ...WITHDRAW_EVENT_TYPES,
  ...DISPUTE_EVENT_TYPES,
  ...PAYMENT_EVENT_TYPES,
  ...PAYMENT_LINK_EVENT_TYPES,
  ...SUBSCRIPTION_EVENT_TYPES,
  ...FREEZE_EVENT_TYPES,
  ...SETTINGS_EVENT_TYPES,
  "balance.released",
  "ledger.anchored",
  "webhook.test",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
export type TransactionEventType = (typeof TRANSACTION_EVENT_TYPES)[number];
export type WithdrawEventType = (typeof WITHDRAW_EVENT_TYPES)[number];
export type DisputeEventType = (typeof DISPUTE_EVENT_TYPES)[number];
export type PaymentEventType = (typeof PAYMENT_EVENT_TYPES)[number];
export type PaymentLinkEventType = (typeof PAYMENT_LINK_EVENT_TYPES)[number];
export type SubscriptionEventType = (typeof SUBSCRIPTION_EVENT_TYPES)[number];
type CompanyEventType = (typeof FREEZE_EVENT_TYPES)[number];
export type SettingsEventType = (typeof SETTINGS_EVENT_TYPES)[number];
type BalanceEventType = "balance.released";
export type AnchorEventType = "ledger.anchored";
export type TestEventType = "webhook.test";

/** The fields of every event. Numbers start at 1 without gaps: `sequence` per object, the other per company. */
interface EventHeader<Type extends EventType, Status> {
  type: Type;
  companySequence: number;
  sequence: number;
  previousStatus: Status;
  timestamp: number;
  /** The company's charges that were paid or had ended by then; null if not counted. */
  endedCharges: number | null;
}

export type TransactionEvent = EventHeader<TransactionEventType, ChargeStatus>;
export type WithdrawEvent = EventHeader<WithdrawEventType, WithdrawStatus>;
/** `previousStatus` is null for the first event of a dispute. */
export type DisputeEvent = EventHeader<DisputeEventType, Dispute["status"] | null>;
/** `previousStatus` is null for the first one. */
export type PaymentEvent = EventHeader<PaymentEventType, UnexpectedStatus | null>;
export type PaymentLinkEvent = EventHeader<PaymentLinkEventType, LinkStatus>;
/** `previousStatus` is null for the first one. */
export type SubscriptionEvent = EventHeader<SubscriptionEventType, SubscriptionStatus | null>;
export type CompanyEvent = EventHeader<CompanyEventType, "active" | "frozen">;
export type SettingsEvent = EventHeader<SettingsEventType, null>;
export type BalanceEvent = EventHeader<BalanceEventType, BalanceStatus>;
export type AnchorEvent = EventHeader<AnchorEventType, null>;
export type TestEvent = EventHeader<TestEventType, null>;

/** The event of a transaction that enters `status`; null for the two statuses without an event. */
export function transactionEventType(status: ChargeStatus): TransactionEventType | null {
  return status === "creating" || status === "waiting_payment" ? null : `transaction.${status}`;
}

const WITHDRAW_EVENTS: Record<WithdrawStatus, WithdrawEventType | null> = {
  Awaiting: null,
  Processing: "withdraw.processing",
  Paid: "withdraw.paid",
  Failed: "withdraw.failed",
  Cancelled: "withdraw.cancelled",
  Returned: "withdraw.returned",
};

/** The event of a withdraw that enters `status`; null for `Awaiting`, which the 201 response announces. */
export function withdrawEventType(status: WithdrawStatus): WithdrawEventType | null {
  return WITHDRAW_EVENTS[status];
}

const DISPUTE_EVENTS: Record<Dispute["status"], DisputeEventType> = {
  OPEN: "dispute.opened",
  WON: "dispute.won",
  LOST: "dispute.lost",
};

/** The event of a dispute that enters `status`. */
export function disputeEventType(status: Dispute["status"]): DisputeEventType {
  return DISPUTE_EVENTS[status];
}
