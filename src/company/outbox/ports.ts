import type { ArchivedChange, WrittenEntries } from "../../domain/events/archived-change.ts";
import type { OutboxEntry } from "../../domain/events/outbox-entry.ts";

/** Writes entries to D1 in order, in one batch, idempotently. */
export interface Projection {
  /** Throws `EntryRejected` if D1 refuses the entries. */
  write(companyId: number, entries: OutboxEntry[], nowMs: number): Promise<WrittenEntries>;
}

/** Keeps what D1 took, so that D1 can be written again. */
export interface Archive {
  /** Takes a change of a time (Unix milliseconds). Rejects if it has not taken it. */
  put(companyId: number, change: ArchivedChange, atMs: number): Promise<void>;
  /** Tells the service since when it lacks changes of a company; null: it has all. */
  report(companyId: number, since: number | null): Promise<void>;
}

/** Ids of due withdraws, operations, rechecks and subscriptions. */
export interface DueProviderWork {
  withdrawIds: number[];
  operationIds: number[];
  recheckIds: number[];
  /** The numbers of subscriptions with a step to do. */
  subscriptions?: number[];
  /** The trace ids of the requests for withdraws, by their numbers. */
  traces?: ReadonlyMap<number, string>;
}

/** Sends wake-up messages to the queues. Losing one only delays work: rows have what is due. */
export interface Notifier {
  /** `traces`: the trace ids of the events whose cause is known, by their `companySequence`. */
  notifyDeliveries(ids: string[], traces?: ReadonlyMap<number, string>): Promise<void>;
  notifyPayouts(companyId: number, due: DueProviderWork): Promise<void>;
}
