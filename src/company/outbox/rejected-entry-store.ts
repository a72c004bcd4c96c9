import { subjectOf, type OutboxEntry } from "../../domain/events/outbox-entry.ts";
import { DueTime } from "../storage/due-time.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

/** An entry that D1 refused, the first one of its object. */
export interface RejectedEntry {
  id: number;
  subject: string;
  entry: OutboxEntry;
  /** How often D1 has refused it. */
  refusals: number;
}

type DueRow = { id: number; subject: string; entry: string; refusals: number };

type RejectedRow = Omit<DueRow, "id"> & {
  reason: string;
  since: number;
  next_try_at: number | null;
};

const REJECTED_ENTRIES = new Table<RejectedRow>("outbox_set_aside");

/**
 * Outbox entries that D1 refuses and later ones of the same object, kept apart so that other objects
 * continue. Only the first of each object has a time for its next attempt. Every method that writes runs
 * inside one `transactionSync`.
 */
export class RejectedEntryStore {
  /** When the first one is tried again. */
  readonly next: DueTime;
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.next = new DueTime(
      sql,
      `SELECT next_try_at FROM outbox_set_aside
       WHERE next_try_at IS NOT NULL ORDER BY next_try_at LIMIT 1`,
    );
  }

  /** Whether an object has entries here; later ones must not overtake them. */
  hasSubject(subject: string): boolean {
    return (
      this.#sql.exec("SELECT 1 FROM outbox_set_aside WHERE subject = ? LIMIT 1", subject).toArray()
        .length > 0
    );
  }

  isEmpty(): boolean {
    return this.#sql.exec("SELECT 1 FROM outbox_set_aside LIMIT 1").toArray().length === 0;
  }

  /** Adds an object's first entry, which D1 refused. */
  addRefused(entry: OutboxEntry, reason: string, nowMs: number, nextTryAt: number): void {
    this.#add(entry, { reason, refusals: 1, nextTryAt }, nowMs);
  }

  /** Adds an entry behind others of its object. */
  addBehind(entry: OutboxEntry, nowMs: number): void {
    this.#add(entry, { reason: "behind another", refusals: 0, nextTryAt: null }, nowMs);
  }

  /** The entry that has been due longest; null if none is. */
  nextDue(nowMs: number): RejectedEntry | null {
    const [row] = this.#sql
      .exec<DueRow>(
        `SELECT id, subject, entry, refusals FROM outbox_set_aside
         WHERE next_try_at IS NOT NULL AND next_try_at <= ? ORDER BY next_try_at LIMIT 1`,
        nowMs,
      )
      .toArray();
    return row === undefined ? null : { ...row, entry: JSON.parse(row.entry) as OutboxEntry };
  }

  /** Deletes an entry that D1 has; the object's next one is due now. */
  acknowledge({ id, subject }: RejectedEntry, nowMs: number): void {
    this.#sql.exec("DELETE FROM outbox_set_aside WHERE id = ?", id);
    this.#scheduleFirst(subject, nowMs);
  }

  /** Counts one more refusal. */
  recordRefusal({ id }: RejectedEntry, reason: string, nextTryAt: number): void {
    named(
      `UPDATE outbox_set_aside SET refusals = refusals + 1, reason = :reason, next_try_at = :nextTryAt
       WHERE id = :id`,
    ).exec(this.#sql, { reason, nextTryAt, id });
  }

  /** D1 did not answer: due entries wait, without a refusal. */
  postponeDue(nowMs: number, nextTryAt: number): void {
    named(
      `UPDATE outbox_set_aside SET next_try_at = :nextTryAt
       WHERE next_try_at IS NOT NULL AND next_try_at <= :nowMs`,
    ).exec(this.#sql, {
      nextTryAt,
      nowMs,
    });
  }

  /** Makes an object's entries due now and resets their refusals. */
  retry(subject: string): void {
    this.#scheduleFirst(subject, 0);
    this.#sql.exec("UPDATE outbox_set_aside SET refusals = 0 WHERE subject = ?", subject);
  }

  /** Drops an object's entries, so that D1 never gets them; returns how many. */
  discard(subject: string): number {
    return this.#sql
      .exec("DELETE FROM outbox_set_aside WHERE subject = ? RETURNING id", subject)
      .toArray().length;
  }

  /** Gives an event another number, and its object's entries another try. */
  renumber(from: number, to: number): void {
    const renumbered = named(
      `UPDATE outbox_set_aside SET entry = json_set(entry, '$.event.companySequence', :to)
       WHERE entry ->> '$.event.companySequence' = :from RETURNING subject`,
    )
      .exec<{ subject: string }>(this.#sql, { from, to })
      .toArray();
    for (const { subject } of renumbered) this.retry(subject);
  }

  /** The oldest entries of all objects. */
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
    REJECTED_ENTRIES.insert(this.#sql, {
      subject: subjectOf(entry),
      entry: JSON.stringify(entry),
      reason,
      since: nowMs,
      refusals,
      next_try_at: nextTryAt,
    });
  }

  #scheduleFirst(subject: string, at: number): void {
    named(
      `UPDATE outbox_set_aside SET next_try_at = :at
       WHERE id = (SELECT id FROM outbox_set_aside WHERE subject = :subject ORDER BY id LIMIT 1)`,
    ).exec(this.#sql, { at, subject });
  }
}
