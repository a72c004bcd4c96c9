import type { OutboxEntry } from "../domain/outbox.ts";
import type { Owed } from "./commands.ts";
import { aboutOf, unpackEntry, type Elsewhere, type EntryRow } from "./entry-codec.ts";
import type { Journal, Mark } from "./journal.ts";
import { idOrNull } from "./stored-id.ts";

export interface StoredEntry {
  /** Its place in the order of commits. */
  mark: Mark;
  entry: OutboxEntry;
}

type OwedRow = {
  movement: number;
  note: number;
  transaction_id: ArrayBuffer | null;
  withdraw_id: number | null;
  created_at: number;
  events: number;
  entry: string;
};

/** An attempt that failed, the last of so many in a row, and when the next one is due. */
interface Backoff {
  attempts: number;
  dueAt: number;
}

/**
 * How long the alarm leaves a fresh entry to the drain that its own request tries at once. Longer
 * than a healthy drain takes, so that the alarm only runs when that one failed.
 */
const OUTBOX_GRACE_MS = 5_000;
/** Entries that are told one by one; an object that owes more is stuck, which is said anyhow. */
const OWED_MAX = 10_000;

/** Of each table: what makes a row's place in the order of commits, and what it is about. */
const OWED_IN = {
  movements: `SELECT sequence AS movement, note, transaction_id, withdraw_id, created_at, events, entry
    FROM movements WHERE sequence > ? AND entry IS NOT NULL ORDER BY sequence LIMIT ?`,
  notes: `SELECT movement, number AS note, NULL AS transaction_id, NULL AS withdraw_id, created_at,
      events, entry
    FROM notes WHERE number > ? AND entry IS NOT NULL ORDER BY number LIMIT ?`,
};

/**
 * What the object's commits still owe D1, in commit order: the entries in the rows of its journal
 * that D1 is not known to have. How far it has them is kept in memory and written down with the next
 * row, so that an instance that just began may tell D1 the last of them once more, which changes
 * nothing there.
 */
export class OutboxStore {
  readonly #sql: SqlStorage;
  readonly #journal: Journal;
  readonly #elsewhere: Elsewhere;
  #backoff: Backoff | null = null;

  constructor(sql: SqlStorage, journal: Journal, elsewhere: Elsewhere) {
    this.#sql = sql;
    this.#journal = journal;
    this.#elsewhere = elsewhere;
  }

  add(entry: OutboxEntry, nowMs: number): void {
    this.#journal.owe(entry, nowMs);
  }

  oldest(limit: number): StoredEntry[] {
    const rows = this.#owedRows(limit);
    if (rows.length === 0) this.#journal.setDrained(this.#journal.end());
    return rows.map((row) => ({
      mark: { movement: row.movement, note: row.note },
      entry: unpackEntry(row.entry, rowOf(row), this.#elsewhere),
    }));
  }

  /** D1 has everything up to here. */
  settle(mark: Mark): void {
    this.#journal.setDrained(mark);
    this.#backoff = null;
  }

  /** How often in a row D1 was not told. */
  attempts(): number {
    return this.#backoff?.attempts ?? 0;
  }

  /** Marks one more failed attempt and says when the next is due. */
  postpone(dueAt: number): void {
    this.#backoff = { attempts: this.attempts() + 1, dueAt };
  }

  /** Whether the oldest debt failed and its next attempt is still to come. */
  isBackingOff(nowMs: number): boolean {
    return this.#backoff !== null && this.#backoff.dueAt > nowMs;
  }

  /** Whether what is called owed may be what an instance before this one has told D1 already. */
  isUnsure(): boolean {
    return this.#journal.isUnsure() && this.#owedRows(1).length > 0;
  }

  /** What is owed, and what of it is about. */
  owed(): Owed {
    const rows = this.#owedRows(OWED_MAX);
    const about = rows.map((row) => aboutOf(row.entry, rowOf(row)));
    return {
      entries: rows.length,
      attempts: this.attempts(),
      transactionIds: [...new Set(about.flatMap((each) => each.transactionId ?? []))],
      withdrawIds: [...new Set(about.flatMap((each) => each.withdrawId ?? []))],
    };
  }

  /** When the oldest debt is due; the order is commit order, so a later one never goes first. */
  nextDueAt(): number | null {
    const [oldest] = this.#owedRows(1);
    if (oldest === undefined) {
      this.#journal.setDrained(this.#journal.end());
      return null;
    }
    return this.#backoff?.dueAt ?? oldest.created_at + OUTBOX_GRACE_MS;
  }

  #owedRows(limit: number): OwedRow[] {
    const drained = this.#journal.drained();
    const movements = this.#sql.exec<OwedRow>(OWED_IN.movements, drained.movement, limit).toArray();
    const notes = this.#sql.exec<OwedRow>(OWED_IN.notes, drained.note, limit).toArray();
    if (notes.length === 0) return movements;
    return [...movements, ...notes]
      .toSorted((left, right) => left.movement - right.movement || left.note - right.note)
      .slice(0, limit);
  }
}

function rowOf(row: OwedRow): EntryRow {
  return {
    createdAt: row.created_at,
    transactionId: idOrNull(row.transaction_id),
    withdrawId: row.withdraw_id,
    events: row.events,
  };
}
