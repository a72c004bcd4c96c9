import type { OutboxEntry } from "../domain/outbox.ts";

/** The object's way to D1: applies entries in order, in one batch, idempotently. */
export interface Records {
  /** Answers the ids of the deliveries that are now due. */
  apply(companyId: number, entries: OutboxEntry[], nowMs: number): Promise<string[]>;
}

/** The object's way to the queues. A message is a hint; what is due stands in D1 or here. */
export interface Hints {
  deliveries(ids: string[]): Promise<void>;
  /** What is owed to providers: payouts, and operations such as refunds. */
  payouts(companyId: number, due: { withdrawIds: number[]; operationIds: number[] }): Promise<void>;
}
