import { companySequenceOf, type OutboxEntry } from "../../domain/events/outbox.ts";
import type { Backlog } from "../rpc-types.ts";
import { SetAsideStore } from "./set-aside-store.ts";

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
const BACKLOG_MAX = 10_000;

type OldestRow = { attempts: number; next_attempt_at: number };

/**
 * What the object's commits still owe D1, in commit order: a row for each, deleted once D1 has it.
 * Only the oldest row is ever tried first, so it alone says how often the drain failed in a row and
 * when the next attempt is due. What D1 refuses is set aside, with what follows about the same object.
 */
export class OutboxStore {
  readonly setAside: SetAsideStore;
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.setAside = new SetAsideStore(sql);
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
  acknowledge(sequence: number): void {
    this.#sql.exec("DELETE FROM outbox WHERE sequence <= ?", sequence);
  }

  /** D1 has this one, or it waits elsewhere; those before it stay. */
  remove(sequence: number): void {
    this.#sql.exec("DELETE FROM outbox WHERE sequence = ?", sequence);
  }

  /** Whether D1 was told everything, what was set aside included. */
  isEmpty(): boolean {
    return this.#oldest() === null && this.setAside.isEmpty();
  }

  /** What was set aside of an object is tried as soon as the object's drain runs. */
  retrySetAside(subject: string): void {
    this.setAside.retry(subject);
  }

  /** D1 is never told what was set aside of an object. Answers how many entries there were. */
  dropSetAside(subject: string): number {
    return this.setAside.discard(subject);
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

  /** What is owed, and what of it is about. What was set aside is owed like everything else. */
  backlog(): Backlog {
    const setAside = this.setAside.entries(BACKLOG_MAX);
    const waiting = this.oldest(BACKLOG_MAX - setAside.length).map((stored) => stored.entry);
    const all = [...setAside, ...waiting];
    const transactions = all.flatMap((each) =>
      each.kind === "transaction" ? [each.transactionId] : [],
    );
    const withdraws = all.flatMap((each) => (each.kind === "withdraw" ? [each.withdraw.id] : []));
    return {
      entries: all.length,
      setAside: setAside.length,
      attempts: this.attempts(),
      transactionIds: [...new Set(transactions)],
      withdrawIds: [...new Set(withdraws)],
      setAsideEvents: setAside.flatMap((each) => companySequenceOf(each) ?? []),
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
