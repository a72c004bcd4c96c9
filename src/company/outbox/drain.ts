import { EntryRejected, type OutboxEntry } from "../../domain/events/outbox.ts";
import { exponentialBackoffMs } from "../../lib/backoff.ts";
import type { StoredEntry } from "./outbox-store.ts";
import type { RefusedEntry } from "./set-aside-store.ts";

/** Entries of one D1 batch: each is at most six statements, well within D1's limits. */
export const DRAIN_BATCH = 20;
/** Batches of one run, so that one object never holds its caller for long: 1,000 entries. */
const DRAIN_MAX_BATCHES = 50;
const RETRY_BASE_MS = 1_000;
/** A debt is tried at least this often, however long D1 is away. */
const RETRY_MAX_MS = 60_000;
/** Entries set aside that one run tries: each is a trip of its own, and most are refused again. */
const SET_ASIDE_ATTEMPTS_MAX = 20;
/** Refusals after which a person is told, about two minutes: what D1 says for so long it goes on saying. */
export const REFUSALS_MAX = 8;
/** What a person has been told of is tried again this often: somebody may have mended D1. */
const SET_ASIDE_RETRY_MS = 60 * 60_000;

/** What the drain needs of the world. Each step may be repeated without effect. */
export interface DrainSteps {
  oldest(limit: number): StoredEntry[];
  /** Puts entries whose object has others set aside behind these; answers the rest. */
  deferBehindSetAside(entries: StoredEntry[]): StoredEntry[];
  /**
   * Writes copy, events and deliveries in one D1 batch; answers the ids of deliveries now due. Throws
   * `EntryRejected` where D1 has answered that it does not take them.
   */
  write(entries: StoredEntry[]): Promise<string[]>;
  /** Hints the queue that these deliveries are due. */
  notify(deliveryIds: string[]): Promise<void>;
  /** D1 has everything up to here. */
  acknowledge(sequence: number): void;
  /** D1 does not take this one: the others of other objects go on. */
  setAside(entry: StoredEntry, reason: string, nextTryAt: number): void;
  /** How often in a row it failed. */
  attempts(): number;
  postpone(dueAt: number): void;
  now(): number;
  onFailure(error: unknown, entries: StoredEntry[]): void;
}

/**
 * Pays the outbox's debts in commit order. An entry is settled only after D1 has it and the queue was
 * told; a failure keeps it and everything after it owed, and says when to try again. Only an entry that
 * D1 refuses by itself is set aside.
 */
export async function drainOutbox(steps: DrainSteps): Promise<"empty" | "failed" | "more"> {
  for (let batch = 0; batch < DRAIN_MAX_BATCHES; batch++) {
    const oldest = steps.oldest(DRAIN_BATCH);
    if (oldest.length === 0) return "empty";
    const entries = steps.deferBehindSetAside(oldest);
    try {
      await writeOrSetAside(steps, entries);
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
 * All in one batch; where D1 refuses that, one by one. Throws where it is silent. Only what D1 has is
 * settled, whose rows are still there: once they are gone their numbers may be those of new entries.
 */
async function writeOrSetAside(steps: DrainSteps, entries: StoredEntry[]): Promise<void> {
  const [first, ...others] = entries;
  if (first === undefined) return;
  try {
    await writeAndNotify(steps, entries);
  } catch (error) {
    if (!(error instanceof EntryRejected)) throw error;
    if (others.length === 0) steps.setAside(first, error.message, nextAttemptAt(steps.now(), 1));
    else
      for (const entry of entries) await writeOrSetAside(steps, steps.deferBehindSetAside([entry]));
    return;
  }
  steps.acknowledge((others.at(-1) ?? first).sequence);
}

async function writeAndNotify(steps: DrainSteps, entries: StoredEntry[]): Promise<void> {
  const deliveries = await steps.write(entries);
  if (deliveries.length > 0) await steps.notify(deliveries);
}

/** What the tries of what was set aside need of the world. */
export interface SetAsideSteps {
  nextDue(): RefusedEntry | null;
  /** Writes one entry to D1 and tells the queue. Throws `EntryRejected` where D1 refuses it. */
  write(entry: OutboxEntry): Promise<void>;
  acknowledge(entry: RefusedEntry): void;
  /** `isFinding`: it was refused for the time after which a person is told. */
  recordRefusal(
    entry: RefusedEntry,
    reason: string,
    nextTryAt: number,
    needsOperator: boolean,
  ): void;
  /** D1 was silent: whatever is due is tried at another time. */
  postponeDue(nextTryAt: number): void;
  now(): number;
  onFailure(error: unknown): void;
}

/** Tries what was set aside and is due, of each object in its order. Nothing of it is ever dropped. */
export async function drainSetAside(steps: SetAsideSteps): Promise<void> {
  for (let attempts = 0; attempts < SET_ASIDE_ATTEMPTS_MAX; attempts++) {
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
  if (refusals >= REFUSALS_MAX) return nowMs + SET_ASIDE_RETRY_MS;
  return nowMs + exponentialBackoffMs(refusals - 1, RETRY_BASE_MS, RETRY_MAX_MS);
}
