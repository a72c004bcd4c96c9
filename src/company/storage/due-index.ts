import { DueTime } from "./due-time.ts";
import { named } from "./named-sql.ts";

/** A row's place in the order of due times. */
export type Position = {
  dueAt: number | null;
  id: number;
};

/**
 * The rows of one table and status by `next_check_at`. A partial index finds them, so that a query reads
 * only the rows it returns, however many are open.
 */
export class DueIndex {
  readonly #sql: SqlStorage;
  readonly #table: string;
  /** Must match the partial index's own condition. */
  readonly #from: string;
  readonly next: DueTime;

  constructor(sql: SqlStorage, rows: { table: string; index: string; status: string }) {
    this.#sql = sql;
    this.#table = rows.table;
    this.#from = `FROM ${rows.table} INDEXED BY ${rows.index} WHERE status = '${rows.status}'`;
    this.next = new DueTime(
      sql,
      `SELECT next_check_at ${this.#from} ORDER BY next_check_at LIMIT 1`,
    );
  }

  /** Whether one is at an account at the PSP. */
  isAnyAt(account: string): boolean {
    const rows = this.#sql.exec(`SELECT 1 ${this.#from} AND account = ? LIMIT 1`, account);
    return rows.toArray().length > 0;
  }

  /** Ids of due rows, longest due first. */
  due(nowMs: number, limit: number): number[] {
    return this.dueBy(nowMs, limit).map(({ id }) => id);
  }

  /** The first rows that are due by a time (epoch ms), and when. */
  dueBy(until: number, limit: number): { at: number; id: number }[] {
    return named(
      `SELECT next_check_at AS at, id ${this.#from} AND next_check_at <= :until ORDER BY next_check_at LIMIT :limit`,
    )
      .exec<{ at: number; id: number }>(this.#sql, { until, limit })
      .toArray();
  }

  /**
   * The next rows after a position, or the first for null. A row snoozed between two calls appears again
   * later, so that none is missed.
   */
  after(position: Position | null, limit: number): Position[] {
    const columns = "next_check_at AS dueAt, id";
    const order = "ORDER BY next_check_at, id LIMIT";
    if (position === null) {
      return this.#sql
        .exec<Position>(`SELECT ${columns} ${this.#from} ${order} ?`, limit)
        .toArray();
    }
    return named(
      `SELECT ${columns} ${this.#from} AND (next_check_at, id) > (:dueAt, :id) ${order} :limit`,
    )
      .exec<Position>(this.#sql, { ...position, limit })
      .toArray();
  }

  /** Makes these rows due at `until` (epoch ms). */
  snooze(ids: number[], until: number): void {
    if (ids.length === 0) return;
    named(
      `UPDATE ${this.#table} SET next_check_at = :until WHERE id IN (SELECT value FROM json_each(:ids))`,
    ).exec(this.#sql, { until, ids: JSON.stringify(ids) });
  }

  /** The sum of `amount` in centavos; null if there are more than `limit` rows, which it then skips. */
  total(limit: number): number | null {
    const { open, total } = this.#sql
      .exec<{ open: number; total: number }>(
        `SELECT count(*) AS open, coalesce(sum(amount), 0) AS total
         FROM (SELECT amount ${this.#from} LIMIT ?)`,
        limit + 1,
      )
      .one();
    return open > limit ? null : total;
  }
}
