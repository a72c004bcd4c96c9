import type { OutboxEntry } from "../domain/outbox.ts";
import type { Owed } from "./commands.ts";

export interface StoredEntry {
  id: number;
  attempts: number;
  entry: OutboxEntry;
}

/**
 * How long the alarm leaves a fresh entry to the drain that its own request tries at once. Longer
 * than a healthy drain takes, so that the alarm only runs when that one failed.
 */
const OUTBOX_GRACE_MS = 5_000;
/** Entries that are told one by one; an object that owes more is stuck, which is said anyhow. */
const OWED_MAX = 10_000;

/** What the object's commits still owe D1, in commit order. */
export class OutboxStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(entry: OutboxEntry, nowMs: number): void {
    this.#sql.exec(
      "INSERT INTO outbox (entry, attempts, due_at) VALUES (?, 0, ?)",
      JSON.stringify(entry),
      nowMs + OUTBOX_GRACE_MS,
    );
  }

  oldest(limit: number): StoredEntry[] {
    return this.#sql
      .exec<{ id: number; entry: string; attempts: number }>(
        "SELECT id, entry, attempts FROM outbox ORDER BY id LIMIT ?",
        limit,
      )
      .toArray()
      .map(({ id, entry, attempts }) => ({
        id,
        entry: JSON.parse(entry) as OutboxEntry,
        attempts,
      }));
  }

  remove(ids: number[]): void {
    for (const id of ids) this.#sql.exec("DELETE FROM outbox WHERE id = ?", id);
  }

  /** Marks one more failed attempt of these entries and says when the next is due. */
  postpone(ids: number[], dueAt: number): void {
    for (const id of ids) {
      this.#sql.exec(
        "UPDATE outbox SET attempts = attempts + 1, due_at = ? WHERE id = ?",
        dueAt,
        id,
      );
    }
  }

  /** Whether the oldest debt failed and its next attempt is still to come. */
  isBackingOff(nowMs: number): boolean {
    const [row] = this.#sql
      .exec<{ attempts: number; due_at: number }>(
        "SELECT attempts, due_at FROM outbox ORDER BY id LIMIT 1",
      )
      .toArray();
    return row !== undefined && row.attempts > 0 && row.due_at > nowMs;
  }

  /** What is owed, and what of it is about. */
  owed(): Owed {
    const rows = this.#sql
      .exec<{ attempts: number; transaction_id: string | null; withdraw_id: number | null }>(
        `SELECT attempts, entry ->> '$.transactionId' AS transaction_id,
           entry ->> '$.withdraw.id' AS withdraw_id
         FROM outbox ORDER BY id LIMIT ?`,
        OWED_MAX,
      )
      .toArray();
    return {
      entries: rows.length,
      attempts: rows[0]?.attempts ?? 0,
      transactionIds: [...new Set(rows.flatMap((row) => row.transaction_id ?? []))],
      withdrawIds: [...new Set(rows.flatMap((row) => row.withdraw_id ?? []))],
    };
  }

  /** When the oldest debt is due; the order is commit order, so a later one never goes first. */
  nextDueAt(): number | null {
    const [row] = this.#sql
      .exec<{ due_at: number }>("SELECT due_at FROM outbox ORDER BY id LIMIT 1")
      .toArray();
    return row?.due_at ?? null;
  }
}
