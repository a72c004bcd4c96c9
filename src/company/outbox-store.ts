import type { OutboxEntry } from "../domain/outbox.ts";
import type { Owed } from "./commands.ts";

export interface StoredEntry {
  /** Its place in the order of commits. */
  sequence: number;
  entry: OutboxEntry;
}

/**
 * How long the alarm leaves a fresh entry to the drain that its own request tries at once. Longer
 * than a healthy drain takes, so that the alarm only runs when that one failed.
 */
const OUTBOX_GRACE_MS = 5_000;
/** Entries whose subjects are told one by one; an object that owes more is stuck, which is said anyhow. */
const OWED_MAX = 10_000;

type OldestRow = { attempts: number; next_attempt_at: number };

/**
 * What the object's commits still owe D1, in commit order: a row for each, deleted once D1 has it.
 * Only the oldest row is ever tried first, so it alone says how often the drain failed in a row and
 * when the next attempt is due.
 */
export class OutboxStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(entry: OutboxEntry, nowMs: number): void {
    this.#sql.exec(
      "INSERT INTO outbox (entry, next_attempt_at) VALUES (?, ?)",
      JSON.stringify(entry),
      nowMs + OUTBOX_GRACE_MS,
    );
  }

  oldest(limit: number): StoredEntry[] {
    return this.#sql
      .exec<{ sequence: number; entry: string }>(
        "SELECT sequence, entry FROM outbox ORDER BY sequence LIMIT ?",
        limit,
      )
      .toArray()
      .map(({ sequence, entry }) => ({ sequence, entry: JSON.parse(entry) as OutboxEntry }));
  }

  /** D1 has everything up to here. */
  settle(sequence: number): void {
    this.#sql.exec("DELETE FROM outbox WHERE sequence <= ?", sequence);
  }

  isEmpty(): boolean {
    return this.#oldest() === null;
  }

  /** How often in a row D1 could not be told. */
  attempts(): number {
    return this.#oldest()?.attempts ?? 0;
  }

  /** Marks one more failed attempt and says when the next is due. */
  postpone(dueAt: number): void {
    this.#sql.exec(
      `UPDATE outbox SET attempts = attempts + 1, next_attempt_at = ?
       WHERE sequence = (SELECT min(sequence) FROM outbox)`,
      dueAt,
    );
  }

  /** Whether the last attempt failed and the next one is still to come. */
  isBackingOff(nowMs: number): boolean {
    const oldest = this.#oldest();
    return oldest !== null && oldest.attempts > 0 && oldest.next_attempt_at > nowMs;
  }

  /** What is owed, and what of it is about. */
  owed(): Owed {
    const about = this.#sql
      .exec<{ transactionId: string | null; withdrawId: number | null }>(
        `SELECT entry ->> '$.transactionId' AS transactionId, entry ->> '$.withdraw.id' AS withdrawId
         FROM outbox ORDER BY sequence LIMIT ?`,
        OWED_MAX,
      )
      .toArray();
    return {
      entries: about.length,
      attempts: this.attempts(),
      transactionIds: [...new Set(about.flatMap((each) => each.transactionId ?? []))],
      withdrawIds: [...new Set(about.flatMap((each) => each.withdrawId ?? []))],
    };
  }

  /** When the oldest entry is due; the order is commit order, so a later one never goes first. */
  nextDueAt(): number | null {
    return this.#oldest()?.next_attempt_at ?? null;
  }

  #oldest(): OldestRow | null {
    const [row] = this.#sql
      .exec<OldestRow>("SELECT attempts, next_attempt_at FROM outbox ORDER BY sequence LIMIT 1")
      .toArray();
    return row ?? null;
  }
}
