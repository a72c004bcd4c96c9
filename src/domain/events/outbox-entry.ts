import type { FreezeCause, FreezeScope } from "../access/freeze.ts";
import type { PendingSetting } from "../access/pending-setting.ts";
import type { Requester } from "../access/requester.ts";
import type { LedgerAnchor } from "../ledger/anchor.ts";
import type { Balances } from "../ledger/balance.ts";
import type { DailyTotals } from "../ledger/daily-totals.ts";
import type { Contradiction, OperatorEvent } from "../reconciliation/contradiction.ts";
import type { DeliveryTarget } from "./delivery.ts";
import type {
  AnchorEvent,
  BalanceEvent,
  CompanyEvent,
  DisputeEvent,
  PaymentEvent,
  PaymentLinkEvent,
  SettingsEvent,
  SubscriptionEvent,
  TestEvent,
  TransactionEvent,
  WithdrawEvent,
} from "./event-types.ts";
import type { Cents } from "../shared/money.ts";
import {
  balanceSubject,
  disputeSubject,
  FREEZE_SUBJECT,
  ledgerSubject,
  paymentLinkSubject,
  SETTINGS_SUBJECT,
  subscriptionSubject,
  testSubject,
  unexpectedPaymentSubject,
  withdrawSubject,
} from "../shared/event-subject.ts";
import type { LinkPayment, PaymentLink } from "../links/payment-link.ts";
import type { Subscription, SubscriptionCycle } from "../subscriptions/records.ts";
import type { DisputeRecord } from "../disputes/dispute.ts";
import type { ChangedBoleto } from "../charges/payment-details.ts";
import type { ChargeState } from "../charges/transaction.ts";
import type { UnexpectedPayment } from "../charges/unexpected-payment.ts";
import type { WithdrawRecord } from "../withdraws/withdraw.ts";

/**
 * One change that a commit of the Durable Object still has to write to D1: the new state and its event, if
 * it has one. Writing an entry twice changes nothing.
 */
export type OutboxEntry =
  | TransactionEntry
  | WithdrawEntry
  | DisputeEntry
  | PaymentEntry
  | PaymentLinkEntry
  | SubscriptionEntry
  | BalanceEntry
  | SettingsEntry
  | TestEntry
  | AnchorEntry
  | FreezeEntry
  | ContradictionEntry
  | StorageEntry;

/** When and for which request an entry was made; missing in those of older code. */
export interface EntryOrigin {
  /** Unix milliseconds. */
  madeAt?: number;
  /** The trace id of the request, callback or cron task that caused it. */
  traceId?: string | undefined;
}

export interface TransactionEntry {
  kind: "transaction";
  transactionId: string;
  state: ChargeState;
  event: TransactionEvent | null;
  /** The totals of the days that it changed, after the change; absent if none. */
  daily?: DailyTotals[];
  /** The boleto since a change of its due date, which the object does not keep; absent if that did not change. */
  boleto?: ChangedBoleto;
}

export interface WithdrawEntry {
  kind: "withdraw";
  withdraw: WithdrawRecord;
  event: WithdrawEvent | null;
}

/** A dispute, its event for merchants, and for operators the one that evidence came. */
export interface DisputeEntry {
  kind: "dispute";
  dispute: DisputeRecord;
  event: DisputeEvent | null;
  operatorEvent: OperatorEvent | null;
}

/** An unexpected payment. */
export interface PaymentEntry {
  kind: "payment";
  payment: UnexpectedPayment;
  updatedAt: number;
  event: PaymentEvent | null;
}

/** A payment link, and the payment that its event is about. */
export interface PaymentLinkEntry {
  kind: "payment_link";
  link: PaymentLink;
  payment: LinkPayment | null;
  event: PaymentLinkEvent | null;
}

/**
 * A subscription, and the cycle that changed with it; its event is about that cycle, if there is one. `isLinkOver`: nobody can
 * pay it by the charge that was made for a payment by hand; left out where one can, or there is none.
 */
export interface SubscriptionEntry {
  kind: "subscription";
  subscription: Subscription;
  cycle: SubscriptionCycle | null;
  event: SubscriptionEvent | null;
  isLinkOver?: true;
}

/** A released part of a transaction's credit. Centavos. */
export interface ReleasedCredit {
  transactionId: string;
  installment: number;
  amount: Cents;
}

/** Money became available. `balances` is the state right after. */
export interface BalanceEntry {
  kind: "balance";
  currency: string;
  balances: Balances;
  releases: ReleasedCredit[];
  event: BalanceEvent;
}

/** A setting that was loosened: `PendingSetting` without who did it. */
export type SettingChange = Omit<PendingSetting, "by">;

/** Settings of a company, or limits of one of its applications, were loosened and wait. */
export interface SettingsEntry {
  kind: "settings";
  /** The application whose limits they are; null for settings of the company. */
  applicationId: string | null;
  changes: SettingChange[];
  requestedBy: Requester;
  event: SettingsEvent;
}

/** A merchant sends a test event to a webhook URL. */
export interface TestEntry {
  kind: "test";
  /** Counts the company's tests, from 1. */
  testNumber: number;
  target: DeliveryTarget;
  url: string;
  event: TestEvent;
}

/** The head of the company's ledger was anchored. */
export interface AnchorEntry {
  kind: "anchor";
  currency: string;
  anchor: LedgerAnchor;
  event: AnchorEvent;
}

/** The company was frozen, or its freeze ended. */
export interface FreezeEntry {
  kind: "freeze";
  cause: FreezeCause;
  /** What is frozen now; absent in an entry of before charges could be. */
  scope?: FreezeScope;
  /** Since when; absent like `scope`. */
  since?: number;
  event: CompanyEvent;
}

/** A contradiction, for operators only. Merchants get no event. */
export interface ContradictionEntry {
  kind: "contradiction";
  contradiction: Contradiction;
  event: OperatorEvent;
}

/** The object's storage is filling up, for operators only. Merchants get no event. */
interface StorageEntry {
  kind: "storage";
  bytes: number;
  event: OperatorEvent;
}

/**
 * D1 answered that it cannot apply the entries: a transaction is missing or a constraint fails. Thrown for
 * an explicit answer only, never when D1 did not respond.
 */
export class EntryRejected extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "EntryRejected";
  }
}

/** The id of the object that an entry changes. Entries with the same id keep their order. */
export function subjectOf(entry: OutboxEntry): string {
  switch (entry.kind) {
    case "transaction":
      return entry.transactionId;
    case "withdraw":
      return withdrawSubject(entry.withdraw.id);
    case "dispute":
      return disputeSubject(entry.dispute.id);
    case "payment":
      return unexpectedPaymentSubject(entry.payment.paymentId);
    case "payment_link":
      return paymentLinkSubject(entry.link.id);
    case "subscription":
      return subscriptionSubject(entry.subscription.id);
    case "settings":
      return SETTINGS_SUBJECT;
    case "balance":
      return balanceSubject(entry.currency);
    case "test":
      return testSubject(entry.testNumber);
    case "anchor":
      return ledgerSubject(entry.currency);
    case "freeze":
      return FREEZE_SUBJECT;
    case "contradiction":
      return `contradiction:${entry.contradiction.number}`;
    case "storage":
      return `storage:${entry.event.number}`;
  }
}

/** The entry's version, unique among the entries of its object. */
export function versionOf(entry: OutboxEntry): number {
  switch (entry.kind) {
    case "transaction":
      return entry.state.version;
    case "withdraw":
      return entry.withdraw.version;
    case "dispute":
      return entry.dispute.version;
    case "payment":
      return entry.payment.version;
    case "payment_link":
      return entry.link.version;
    case "subscription":
      return entry.subscription.version;
    case "balance":
    case "settings":
    case "test":
    case "anchor":
    case "freeze":
      return entry.event.companySequence;
    case "contradiction":
      return entry.contradiction.version;
    case "storage":
      return entry.event.number;
  }
}

/** The number of the entry's event for merchants; null when it has none. */
export function companySequenceOf(entry: OutboxEntry): number | null {
  if (entry.kind === "contradiction" || entry.kind === "storage") return null;
  return entry.event?.companySequence ?? null;
}

/** The trace ids of entries with an event, by its `companySequence`. */
export function tracesOf(entries: (OutboxEntry & EntryOrigin)[]): Map<number, string> {
  const known = entries.flatMap((entry) => {
    const number = companySequenceOf(entry);
    return number === null || entry.traceId === undefined ? [] : [[number, entry.traceId] as const];
  });
  return new Map(known);
}
