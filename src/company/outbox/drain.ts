import { EntryRejected, type OutboxEntry } from "../../domain/events/outbox-entry.ts";
import { exponentialBackoffMs } from "../../lib/backoff.ts";
import type { StoredEntry } from "./outbox-store.ts";
import type { RejectedEntry } from "./rejected-entry-store.ts";

/** Entries of one D1 batch, at most six statements each: within D1's limits. */
export const DRAIN_BATCH = 20;
/** Batches of one run, so that a long outbox does not block its caller: 1,000 entries. */
const DRAIN_MAX_BATCHES = 50;
const RETRY_BASE_MS = 1_000;
/** The longest wait between attempts, however long D1 is down. */
const RETRY_MAX_MS = 60_000;
/** Rejected entries per run: each is a separate trip, and most are refused again. */
const REJECTED_ATTEMPTS_MAX = 20;
/** Refusals, over about two minutes, after which operators must act: D1 will not change its answer. */
export const REFUSALS_MAX = 8;
/** The wait after that: somebody may have repaired D1. */
const REJECTED_RETRY_MS = 60 * 60_000;

/** The drain's reads and effects. Each step is idempotent. */
export interface DrainSteps {
  oldest(limit: number): StoredEntry[];
  /** Keeps entries behind earlier rejected ones of their object; returns the others. */
  deferBehindRejected(entries: StoredEntry[]): StoredEntry[];
  /**
   * Writes projection, events and deliveries in one D1 batch; returns the ids of deliveries now due.
   * Throws `EntryRejected` if D1 refuses the entries.
   */
  write(entries: StoredEntry[]): Promise<string[]>;
  /** Sends wake-up messages for due deliveries. */
  notify(deliveryIds: string[], entries: StoredEntry[]): Promise<void>;
  /** Tells open pages of entries, after the last step that repeats them when it fails. */
  announce(entries: StoredEntry[]): void;
  /** Deletes entries up to `sequence`, which D1 has. */
  acknowledge(sequence: number): void;
  /** Keeps apart an entry that D1 refuses, so that those of other objects continue. */
  rejectEntry(entry: StoredEntry, reason: string, nextTryAt: number): void;
  /** Failed attempts in a row. */
  attempts(): number;
  postpone(dueAt: number): void;
  now(): number;
  onFailure(error: unknown, entries: StoredEntry[]): void;
}

/**
 * Writes outbox entries to D1 in commit order. An entry is deleted only after D1 has it and the queue
 * was notified; a failure keeps it and all after it, and schedules the next attempt. Only an entry that
 * D1 refuses on its own is rejected.
 */
export async function drainOutbox(steps: DrainSteps): Promise<"empty" | "failed" | "more"> {
  for (let batch = 0; batch < DRAIN_MAX_BATCHES; batch++) {
    const oldest = steps.oldest(DRAIN_BATCH);
    if (oldest.length === 0) return "empty";
    const entries = steps.deferBehindRejected(oldest);
    try {
      await writeOrReject(steps, entries);
    } catch (error) {
      steps.postpone(
        steps.now() + exponentialBackoffMs(steps.attempts(), RETRY_BASE_MS, RETRY_MAX_MS),
      );
      steps.onFailure(error, entries);
      return "failed";
    }
  }
  return "more";
}

/**
 * Writes all in one batch or, if D1 refuses it, one by one. Throws if D1 does not answer. Acknowledges
 * only rows that still exist: SQLite gives the numbers of deleted rows to new entries.
 */
async function writeOrReject(steps: DrainSteps, entries: StoredEntry[]): Promise<void> {
  const [first, ...others] = entries;
  if (first === undefined) return;
  try {
    await writeAndNotify(steps, entries);
  } catch (error) {
    if (!(error instanceof EntryRejected)) throw error;
    if (others.length === 0) steps.rejectEntry(first, error.message, nextAttemptAt(steps.now(), 1));
    else
      for (const entry of entries) await writeOrReject(steps, steps.deferBehindRejected([entry]));
    return;
  }
  steps.acknowledge((others.at(-1) ?? first).sequence);
}

async function writeAndNotify(steps: DrainSteps, entries: StoredEntry[]): Promise<void> {
  const deliveries = await steps.write(entries);
  if (deliveries.length > 0) await steps.notify(deliveries, entries);
  steps.announce(entries);
}

/** The reads and effects of draining rejected entries. */
export interface RejectedEntrySteps {
  nextDue(): RejectedEntry | null;
  /** Writes one entry to D1 and notifies the queue. Throws `EntryRejected` if D1 refuses it. */
  write(entry: OutboxEntry): Promise<void>;
  acknowledge(entry: RejectedEntry): void;
  /** `needsOperator`: this is refusal number `REFUSALS_MAX`. */
  recordRefusal(
    entry: RejectedEntry,
    reason: string,
    nextTryAt: number,
    needsOperator: boolean,
  ): void;
  /** D1 did not answer: postpones all due entries. */
  postponeDue(nextTryAt: number): void;
  now(): number;
  onFailure(error: unknown): void;
}

/** Tries due rejected entries, for each object in commit order. Never drops one. */
export async function drainRejected(steps: RejectedEntrySteps): Promise<void> {
  for (let attempts = 0; attempts < REJECTED_ATTEMPTS_MAX; attempts++) {
    const next = steps.nextDue();
    if (next === null) return;
    try {
      await steps.write(next.entry);
    } catch (error) {
      if (!(error instanceof EntryRejected)) {
        steps.postponeDue(steps.now() + RETRY_MAX_MS);
        steps.onFailure(error);
        return;
      }
      const refusals = next.refusals + 1;
      const dueAt = nextAttemptAt(steps.now(), refusals);
      steps.recordRefusal(next, error.message, dueAt, refusals === REFUSALS_MAX);
      continue;
    }
    steps.acknowledge(next);
  }
}

function nextAttemptAt(nowMs: number, refusals: number): number {
  if (refusals >= REFUSALS_MAX) return nowMs + REJECTED_RETRY_MS;
  return nowMs + exponentialBackoffMs(refusals - 1, RETRY_BASE_MS, RETRY_MAX_MS);
}
