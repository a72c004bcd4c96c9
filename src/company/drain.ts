import { exponentialBackoffMs } from "../lib/backoff.ts";
import type { StoredEntry } from "./outbox-store.ts";

/** Entries of one D1 batch: each is at most six statements, well within D1's limits. */
export const DRAIN_BATCH = 20;
/** Batches of one run, so that one object never holds its caller for long: 1,000 entries. */
const DRAIN_MAX_BATCHES = 50;
const RETRY_BASE_MS = 1_000;
/** A debt is tried at least this often, however long D1 is away. */
const RETRY_MAX_MS = 60_000;

/** What the drain needs of the world. Each step may be repeated without effect. */
export interface DrainSteps {
  oldest(limit: number): StoredEntry[];
  /** Writes copy, events and deliveries in one D1 batch; answers the ids of deliveries now due. */
  apply(entries: StoredEntry[]): Promise<string[]>;
  /** Hints the queue that these deliveries are due. */
  hint(deliveryIds: string[]): Promise<void>;
  /** D1 has everything up to here. */
  settle(sequence: number): void;
  /** How often in a row it failed. */
  attempts(): number;
  postpone(dueAt: number): void;
  now(): number;
  onFailure(error: unknown, entries: StoredEntry[]): void;
}

/**
 * Pays the outbox's debts in commit order. An entry is settled only after D1 has it and the queue was
 * told; a failure keeps it and everything after it owed, and says when to try again.
 */
export async function drainOutbox(steps: DrainSteps): Promise<"empty" | "failed" | "more"> {
  for (let batch = 0; batch < DRAIN_MAX_BATCHES; batch++) {
    const entries = steps.oldest(DRAIN_BATCH);
    const last = entries.at(-1);
    if (last === undefined) return "empty";
    try {
      const deliveries = await steps.apply(entries);
      if (deliveries.length > 0) await steps.hint(deliveries);
    } catch (error) {
      steps.postpone(
        steps.now() + exponentialBackoffMs(steps.attempts(), RETRY_BASE_MS, RETRY_MAX_MS),
      );
      steps.onFailure(error, entries);
      return "failed";
    }
    steps.settle(last.sequence);
  }
  return "more";
}
