import type { OutboxEntry } from "../../domain/events/outbox.ts";

/** The object's way to D1: applies entries in order, in one batch, idempotently. */
export interface Records {
  /** Answers the ids of the deliveries that are now due. */
  apply(companyId: number, entries: OutboxEntry[], nowMs: number): Promise<string[]>;
}

/** The numbers of a company's withdraws, operations and rechecks that are due. */
export interface DueAtProviders {
  withdrawIds: number[];
  operationIds: number[];
  recheckIds: number[];
}

/** The object's way to the queues. A message is a hint; what is due stands in D1 or here. */
export interface Hints {
  deliveries(ids: string[]): Promise<void>;
  /** What is owed to providers, or asked of them: payouts, operations such as refunds, rechecks. */
  payouts(companyId: number, due: DueAtProviders): Promise<void>;
}
