import type { OutboxEntry } from "../../domain/events/outbox.ts";

/** The object's way to D1: applies entries in order, in one batch, idempotently. */
export interface Projection {
  /** Answers the ids of the deliveries that are now due. */
  write(companyId: number, entries: OutboxEntry[], nowMs: number): Promise<string[]>;
}

/** The numbers of a company's withdraws, operations and rechecks that are due. */
export interface DueProviderWork {
  withdrawIds: number[];
  operationIds: number[];
  recheckIds: number[];
}

/** The object's way to the queues. A message is a hint; what is due stands in D1 or here. */
export interface Notifier {
  notifyDeliveries(ids: string[]): Promise<void>;
  /** What is owed to providers, or asked of them: payouts, operations such as refunds, rechecks. */
  notifyPayouts(companyId: number, due: DueProviderWork): Promise<void>;
}
