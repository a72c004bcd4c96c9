import type { ArchivedChange } from "../../domain/events/archived-change.ts";
import { DueTime } from "../storage/due-time.ts";
import { Table } from "../storage/table.ts";

/** The next attempt at changes that the archive has not taken. */
const RETRY_MS = 60_000;

/** A change that the archive has not taken. */
interface Unarchived {
  /** Position in their order. */
  number: number;
  /** When D1 took it, Unix milliseconds. */
  at: number;
  change: ArchivedChange;
}

const UNARCHIVED = new Table<{ at: number; change: string; next_try_at: number }>("unarchived");

/** Changes that D1 has and the archive lacks, in their order, until it takes them. Empty while the archive works. */
export class UnarchivedStore {
  /** When the next attempt is due. */
  readonly next: DueTime;
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.next = new DueTime(sql, "SELECT next_try_at FROM unarchived ORDER BY number LIMIT 1");
  }

  isEmpty(): boolean {
    return this.next.read() === null;
  }

  /** Keeps a change, one row for each entry, so that no row grows with their number. */
  add({ charges, entries }: ArchivedChange, nowMs: number): void {
    const parts = [
      ...charges.map((charge) => ({ charges: [charge], entries: [] })),
      ...entries.map((entry) => ({ charges: [], entries: [entry] })),
    ];
    for (const part of parts) {
      UNARCHIVED.insert(this.#sql, {
        at: nowMs,
        change: JSON.stringify(part),
        next_try_at: nowMs + RETRY_MS,
      });
    }
  }

  /** Rows: a change has as many as charges and entries. */
  count(): number {
    return this.#sql.exec<{ kept: number }>("SELECT count(*) AS kept FROM unarchived").one().kept;
  }

  oldest(limit: number): Unarchived[] {
    return this.#sql
      .exec<{ number: number; at: number; change: string }>(
        "SELECT number, at, change FROM unarchived ORDER BY number LIMIT ?",
        limit,
      )
      .toArray()
      .map(({ number, at, change }) => {
        return { number, at, change: JSON.parse(change) as ArchivedChange };
      });
  }

  /** Deletes those up to a number, which the archive has. */
  remove(upTo: number): void {
    this.#sql.exec("DELETE FROM unarchived WHERE number <= ?", upTo);
  }

  /** Tries again in a minute. The oldest is always tried first, so only its row has the time. */
  postpone(nowMs: number): void {
    this.#sql.exec(
      "UPDATE unarchived SET next_try_at = ? WHERE number = (SELECT min(number) FROM unarchived)",
      nowMs + RETRY_MS,
    );
  }

  /** Since when the archive lacks changes; null if it has all. Unix milliseconds. */
  since(): number | null {
    const [oldest] = this.#sql
      .exec<{ at: number }>("SELECT at FROM unarchived ORDER BY number LIMIT 1")
      .toArray();
    return oldest?.at ?? null;
  }
}
