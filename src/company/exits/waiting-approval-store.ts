import { DueTime } from "../storage/due-time.ts";
import { named } from "../storage/named-sql.ts";

/** What waits for an approval, by the end of its window: one table of withdraws, one of refunds and returns. */
export class WaitingApprovalStore {
  readonly #sql: SqlStorage;
  readonly #table: string;
  readonly #id: string;
  /** When the first one expires. They expire in their own order. */
  readonly next: DueTime;

  /** `id`: the column with the number of what waits, which ascends as the windows end. */
  constructor(sql: SqlStorage, { table, id }: { table: string; id: string }) {
    this.#sql = sql;
    this.#table = table;
    this.#id = id;
    this.next = new DueTime(sql, `SELECT expires_at FROM ${table} ORDER BY ${id} LIMIT 1`);
  }

  add(id: number, expiresAt: number): void {
    named(`INSERT INTO ${this.#table} (${this.#id}, expires_at) VALUES (:id, :expiresAt)`).exec(
      this.#sql,
      { id, expiresAt },
    );
  }

  remove(id: number): void {
    this.#sql.exec(`DELETE FROM ${this.#table} WHERE ${this.#id} = ?`, id);
  }

  /** Whether one waits in vain: its window is over. */
  isOver(id: number, nowMs: number): boolean {
    const rows = named(
      `SELECT 1 FROM ${this.#table} WHERE ${this.#id} = :id AND expires_at <= :nowMs`,
    ).exec(this.#sql, { id, nowMs });
    return !rows.next().done;
  }

  /** The next `limit` whose window is over. */
  expired(nowMs: number, limit: number): number[] {
    return this.dueBy(nowMs, limit).map(({ id }) => id);
  }

  /** The next `limit` whose windows are over by a time (epoch ms), and when. */
  dueBy(until: number, limit: number): { at: number; id: number }[] {
    return this.#sql
      .exec<{ at: number; id: number }>(
        `SELECT expires_at AS at, ${this.#id} AS id FROM ${this.#table} ORDER BY ${this.#id} LIMIT ?`,
        limit,
      )
      .toArray()
      .filter(({ at }) => at <= until);
  }

  /** The next `limit` that wait, newest first, before a number; null for the newest. */
  list(before: number | null, limit: number): number[] {
    return named(
      `SELECT ${this.#id} AS id FROM ${this.#table} WHERE ${this.#id} < :before
         ORDER BY ${this.#id} DESC LIMIT :limit`,
    )
      .exec<{ id: number }>(this.#sql, { before: before ?? Number.MAX_SAFE_INTEGER, limit })
      .toArray()
      .map(({ id }) => id);
  }
}
