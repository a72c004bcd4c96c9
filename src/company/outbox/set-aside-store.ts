import { subjectOf, type OutboxEntry } from "../../domain/events/outbox.ts";

/** An entry that D1 has refused, the first of its object's. */
export interface RefusedEntry {
  id: number;
  subject: string;
  entry: OutboxEntry;
  /** How often D1 has refused it. */
  refusals: number;
}

type RefusedRow = { id: number; subject: string; entry: string; refusals: number };

/**
 * Outbox entries that D1 refuses, with those of the same object behind them, so that the other objects
 * go on. The first of each object says when it is tried again; the others wait for it. Every method
 * that writes runs inside one `transactionSync`.
 */
export class SetAsideStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Whether an object has an entry here, which those that come later must not overtake. */
  hasSubject(subject: string): boolean {
    return (
      this.#sql.exec("SELECT 1 FROM outbox_set_aside WHERE subject = ? LIMIT 1", subject).toArray()
        .length > 0
    );
  }

  isEmpty(): boolean {
    return this.#sql.exec("SELECT 1 FROM outbox_set_aside LIMIT 1").toArray().length === 0;
  }

  /** The first of an object's entries, which D1 has just refused. */
  addRefused(entry: OutboxEntry, reason: string, nowMs: number, nextTryAt: number): void {
    this.#add(entry, { reason, refusals: 1, nextTryAt }, nowMs);
  }

  /** An entry of an object that has others here. */
  addBehind(entry: OutboxEntry, nowMs: number): void {
    this.#add(entry, { reason: "behind another", refusals: 0, nextTryAt: null }, nowMs);
  }

  /** The entry that has waited longest for its next try; null where none is due. */
  nextDue(nowMs: number): RefusedEntry | null {
    const [row] = this.#sql
      .exec<RefusedRow>(
        `SELECT id, subject, entry, refusals FROM outbox_set_aside
         WHERE next_try_at IS NOT NULL AND next_try_at <= ? ORDER BY next_try_at LIMIT 1`,
        nowMs,
      )
      .toArray();
    return row === undefined ? null : { ...row, entry: JSON.parse(row.entry) as OutboxEntry };
  }

  nextDueAt(): number | null {
    const [row] = this.#sql
      .exec<{ next_try_at: number }>(
        `SELECT next_try_at FROM outbox_set_aside
         WHERE next_try_at IS NOT NULL ORDER BY next_try_at LIMIT 1`,
      )
      .toArray();
    return row?.next_try_at ?? null;
  }

  /** D1 has it: the next of its object's is the first now, and due. */
  acknowledge({ id, subject }: RefusedEntry, nowMs: number): void {
    this.#sql.exec("DELETE FROM outbox_set_aside WHERE id = ?", id);
    this.#scheduleFirst(subject, nowMs);
  }

  /** D1 has refused it once more. */
  recordRefusal({ id }: RefusedEntry, reason: string, nextTryAt: number): void {
    this.#sql.exec(
      `UPDATE outbox_set_aside SET refusals = refusals + 1, reason = ?, next_try_at = ?
       WHERE id = ?`,
      reason,
      nextTryAt,
      id,
    );
  }

  /** D1 was silent: what is due by now waits, and none of it was refused. */
  postponeDue(nowMs: number, nextTryAt: number): void {
    this.#sql.exec(
      `UPDATE outbox_set_aside SET next_try_at = ?
       WHERE next_try_at IS NOT NULL AND next_try_at <= ?`,
      nextTryAt,
      nowMs,
    );
  }

  /** An object's entries are tried as soon as the drain runs, and their refusals counted anew. */
  retry(subject: string): void {
    this.#scheduleFirst(subject, 0);
    this.#sql.exec("UPDATE outbox_set_aside SET refusals = 0 WHERE subject = ?", subject);
  }

  /** Gives an object's entries up: D1 is never told of them. Answers how many there were. */
  discard(subject: string): number {
    return this.#sql
      .exec("DELETE FROM outbox_set_aside WHERE subject = ? RETURNING id", subject)
      .toArray().length;
  }

  /** The oldest of them, whoever's. */
  entries(limit: number): OutboxEntry[] {
    return this.#sql
      .exec<{ entry: string }>("SELECT entry FROM outbox_set_aside ORDER BY id LIMIT ?", limit)
      .toArray()
      .map(({ entry }) => JSON.parse(entry) as OutboxEntry);
  }

  #add(
    entry: OutboxEntry,
    { reason, refusals, nextTryAt }: { reason: string; refusals: number; nextTryAt: number | null },
    nowMs: number,
  ): void {
    this.#sql.exec(
      `INSERT INTO outbox_set_aside (subject, entry, reason, since, refusals, next_try_at)
       VALUES (?, ?, ?, ?, ?, ?)`,
      subjectOf(entry),
      JSON.stringify(entry),
      reason,
      nowMs,
      refusals,
      nextTryAt,
    );
  }

  #scheduleFirst(subject: string, at: number): void {
    this.#sql.exec(
      `UPDATE outbox_set_aside SET next_try_at = ?
       WHERE id = (SELECT id FROM outbox_set_aside WHERE subject = ? ORDER BY id LIMIT 1)`,
      at,
      subject,
    );
  }
}
