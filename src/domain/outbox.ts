import type { Balances } from "./balance.ts";
import type { DeliveryTarget } from "./delivery.ts";
import type { BalanceEvent, TestEvent, TransactionEvent, WithdrawEvent } from "./event-types.ts";
import type { Cents } from "./money.ts";
import type { ChargeState } from "./transaction.ts";
import type { WithdrawRecord } from "./withdraw.ts";

/**
 * What a commit of the Durable Object owes D1: the object's new state and, where the change is
 * announced, its event. Applying one twice changes nothing.
 */
export type OutboxEntry = TransactionEntry | WithdrawEntry | BalanceEntry | TestEntry;

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
