import {
  companySequenceOf,
  type EntryOrigin,
  type OutboxEntry,
} from "../../domain/events/outbox-entry.ts";
import { noKeys, type RecordKeys } from "../../domain/shared/numbered-records.ts";
import { currentTrace } from "../../lib/trace/trace.ts";
import { DueTime } from "../storage/due-time.ts";
import { RejectedEntryStore } from "./rejected-entry-store.ts";
import { Table } from "../storage/table.ts";

/** Outbox entries that D1 does not have yet; its projection of their subjects may be stale. */
export interface Backlog {
  entries: number;
  /** Of these, entries that D1 refuses and those behind them. */
  rejected: number;
  /** Failed attempts of the oldest entry. */
  attempts: number;
  /** When the oldest of them was made, Unix milliseconds; null if none says. */
  oldestAt: number | null;
  transactionIds: string[];
  withdrawIds: number[];
  records: RecordKeys;
  /** Days whose totals they change. */
  days: string[];
  /** `companySequence` of the events of rejected entries: D1 has later ones, but not these. */
  rejectedEvents: number[];
}

export interface StoredEntry {
  /** Position in commit order. */
  sequence: number;
  entry: OutboxEntry;
}

/**
 * How long the alarm leaves a new entry to the drain of its own request. Longer than a healthy drain
 * takes, so that the alarm runs only if that drain failed.
 */
const OUTBOX_GRACE_MS = 5_000;
/** Entries that a backlog lists; an object with more is stuck, and other alerts report it. */
const BACKLOG_MAX = 10_000;

const OUTBOX = new Table<{ entry: string; next_attempt_at: number }>("outbox");

/**
 * Changes that D1 does not have yet, in commit order: one row each, deleted once D1 has it. The oldest
 * is always tried first, so only its row counts failed attempts and times the next one. Entries that D1
 * refuses are kept apart with later ones of the same object.
 */
export class OutboxStore {
  readonly rejected: RejectedEntryStore;
  /** When the next attempt is due. */
  readonly next: DueTime;
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.rejected = new RejectedEntryStore(sql);
    this.next = new DueTime(sql, "SELECT next_attempt_at FROM outbox ORDER BY sequence LIMIT 1");
  }

  add(entry: OutboxEntry, nowMs: number): void {
    const origin: EntryOrigin = { madeAt: nowMs, traceId: currentTrace() };
    OUTBOX.insert(this.#sql, {
      entry: JSON.stringify({ ...entry, ...origin }),
      next_attempt_at: nowMs + OUTBOX_GRACE_MS,
    });
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

  /** Deletes entries up to `sequence`, which D1 has. */
  acknowledge(sequence: number): void {
    this.#sql.exec("DELETE FROM outbox WHERE sequence <= ?", sequence);
  }

  /** Deletes one entry, which D1 has or which is rejected. */
  remove(sequence: number): void {
    this.#sql.exec("DELETE FROM outbox WHERE sequence = ?", sequence);
  }

  /** Whether D1 has every entry, rejected ones included. */
  isEmpty(): boolean {
    return this.next.read() === null && this.rejected.isEmpty();
  }

  /** Makes an object's rejected entries due now. */
  retryRejected(subject: string): void {
    this.rejected.retry(subject);
  }

  /** Drops an object's rejected entries; returns how many. */
  dropRejected(subject: string): number {
    return this.rejected.discard(subject);
  }

  /** Removes the name on the card and who paid from entries of charges, also from rejected ones. */
  erasePayers(transactionIds: string[]): void {
    const ids = JSON.stringify(transactionIds);
    for (const table of ["outbox", "outbox_set_aside"]) {
      this.#sql.exec(
        `UPDATE ${table} SET entry = json_replace(entry, '$.state.card.holderName', '',
           '$.state.paidBy.name', NULL, '$.state.paidBy.documentMasked', NULL,
           '$.payment.payer.name', NULL, '$.payment.payer.documentMasked', NULL)
         WHERE coalesce(entry ->> '$.transactionId', entry ->> '$.payment.transactionId')
           IN (SELECT value FROM json_each(?))`,
        ids,
      );
    }
  }

  /** Failed attempts in a row. */
  attempts(): number {
    const [oldest] = this.#sql
      .exec<{ attempts: number }>("SELECT attempts FROM outbox ORDER BY sequence LIMIT 1")
      .toArray();
    return oldest?.attempts ?? 0;
  }

  /** Counts a failed attempt and schedules the next. */
  postpone(dueAt: number): void {
    this.#sql.exec(
      `UPDATE outbox SET attempts = attempts + 1, next_attempt_at = ?
       WHERE sequence = (SELECT min(sequence) FROM outbox)`,
      dueAt,
    );
  }

  /** Whether the last attempt failed and the next is not due yet. */
  isBackingOff(nowMs: number): boolean {
    const dueAt = this.next.read();
    return dueAt !== null && dueAt > nowMs && this.attempts() > 0;
  }

  /** All entries that D1 does not have, rejected ones included, with their subjects. */
  backlog(): Backlog {
    const rejected = this.rejected.entries(BACKLOG_MAX);
    const waiting = this.oldest(BACKLOG_MAX - rejected.length).map((stored) => stored.entry);
    const all = [...rejected, ...waiting];
    const transactions = all.flatMap((each) =>
      each.kind === "transaction" ? [each.transactionId] : [],
    );
    const withdraws = all.flatMap((each) => (each.kind === "withdraw" ? [each.withdraw.id] : []));
    const records = noKeys();
    for (const entry of all) {
      if (entry.kind === "dispute") records.dispute.push(entry.dispute.id);
      if (entry.kind === "payment") records.payment.push(entry.payment.paymentId);
      if (entry.kind === "payment_link") records.link.push(entry.link.number);
      if (entry.kind === "subscription") {
        records.subscription.push(entry.subscription.number);
        if (entry.cycle !== null) records.cycle.push(entry.cycle.number);
      }
      if (entry.kind === "contradiction") records.contradiction.push(entry.contradiction.number);
    }
    const days = all.flatMap((each) => (each.kind === "transaction" ? (each.daily ?? []) : []));
    return {
      entries: all.length,
      rejected: rejected.length,
      attempts: this.attempts(),
      oldestAt: oldestOf(all),
      transactionIds: [...new Set(transactions)],
      withdrawIds: [...new Set(withdraws)],
      records,
      days: [...new Set(days.map(({ day }) => day))],
      rejectedEvents: rejected.flatMap((each) => companySequenceOf(each) ?? []),
    };
  }
}

/** When the oldest entry was made; null without one. Those of older code do not say. */
function oldestOf(entries: (OutboxEntry & EntryOrigin)[]): number | null {
  const times = entries.flatMap(({ madeAt }) => madeAt ?? []);
  return times.length === 0 ? null : Math.min(...times);
}
