import type { TransactionEvent, WithdrawEvent } from "./event-types.ts";
import type { ChargeState } from "./transaction.ts";
import type { WithdrawRecord } from "./withdraw.ts";

/**
 * What a commit of the Durable Object owes D1: the object's new state and, where the change is
 * announced, its event. Applying one twice changes nothing.
 */
export type OutboxEntry = TransactionEntry | WithdrawEntry;

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
