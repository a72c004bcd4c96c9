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
 * One change that a commit of the Durable Object still has to write to D1: the new state and its event, if
 * it has one. Writing an entry twice changes nothing.
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

/** The entry's version, unique among the entries of its object. */
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

/** The number of the entry's event for merchants; null when it has none. */
export function companySequenceOf(entry: OutboxEntry): number | null {
  if (entry.kind === "contradiction" || entry.kind === "storage") return null;
  return entry.event?.companySequence ?? null;
}
