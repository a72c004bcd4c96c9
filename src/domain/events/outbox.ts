import type { LedgerAnchor } from "../ledger/anchor.ts";
import type { Balances } from "../ledger/balance.ts";
import type { Contradiction, OperatorEvent } from "../reconciliation/contradiction.ts";
import type { DeliveryTarget } from "./delivery.ts";
import type {
  AnchorEvent,
  BalanceEvent,
  TestEvent,
  TransactionEvent,
  WithdrawEvent,
} from "./event-types.ts";
import type { Cents } from "../shared/money.ts";
import {
  balanceSubject,
  ledgerSubject,
  testSubject,
  withdrawSubject,
} from "../shared/event-subject.ts";
import type { ChargeState } from "../charges/transaction.ts";
import type { WithdrawRecord } from "../withdraws/withdraw.ts";

/**
 * What a commit of the Durable Object owes D1: the object's new state and, where the change is
 * announced, its event. Applying one twice changes nothing.
 */
export type OutboxEntry =
  | TransactionEntry
  | WithdrawEntry
  | BalanceEntry
  | TestEntry
  | AnchorEntry
  | ContradictionEntry
  | StorageEntry;

export interface TransactionEntry {
  kind: "transaction";
  transactionId: string;
  state: ChargeState;
  event: TransactionEvent | null;
}

export interface WithdrawEntry {
  kind: "withdraw";
  withdraw: WithdrawRecord;
  event: WithdrawEvent | null;
}

/** A credit that was released: which transaction's, and how much of it. Centavos. */
export interface ReleasedCredit {
  transactionId: string;
  installment: number;
  amount: Cents;
}

/** Money became available; the balance as it was right after. */
export interface BalanceEntry {
  kind: "balance";
  currency: string;
  balances: Balances;
  releases: ReleasedCredit[];
  event: BalanceEvent;
}

/** A merchant tries a webhook URL out. */
export interface TestEntry {
  kind: "test";
  /** Among the company's tests, from 1. */
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

/** What only a person can end, for operators: no merchant is told of it. */
export interface ContradictionEntry {
  kind: "contradiction";
  contradiction: Contradiction;
  event: OperatorEvent;
}

/** The object fills, for operators: no merchant is told of it. */
interface StorageEntry {
  kind: "storage";
  bytes: number;
  event: OperatorEvent;
}

/**
 * D1 has answered that it cannot apply these entries: the transaction of one is not there, or a
 * constraint forbids it. Thrown for an explicit answer only, never where D1 was silent.
 */
export class EntryRejected extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "EntryRejected";
  }
}

/** The object that an entry is about, by the id that its events have: entries of one keep their order. */
export function subjectOf(entry: OutboxEntry): string {
  switch (entry.kind) {
    case "transaction":
      return entry.transactionId;
    case "withdraw":
      return withdrawSubject(entry.withdraw.id);
    case "balance":
      return balanceSubject(entry.currency);
    case "test":
      return testSubject(entry.testNumber);
    case "anchor":
      return ledgerSubject(entry.currency);
    case "contradiction":
      return `contradiction:${entry.contradiction.number}`;
    case "storage":
      return `storage:${entry.event.number}`;
  }
}

/** Which of its object's entries this is; no two of one object have the same. */
export function versionOf(entry: OutboxEntry): number {
  switch (entry.kind) {
    case "transaction":
      return entry.state.version;
    case "withdraw":
      return entry.withdraw.version;
    case "balance":
    case "test":
    case "anchor":
      return entry.event.companySequence;
    case "contradiction":
      return entry.contradiction.version;
    case "storage":
      return entry.event.number;
  }
}

/** The number of the event that an entry tells merchants of; null where it tells them of none. */
export function companySequenceOf(entry: OutboxEntry): number | null {
  if (entry.kind === "contradiction" || entry.kind === "storage") return null;
  return entry.event?.companySequence ?? null;
}
