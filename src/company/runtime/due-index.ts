/** A row's place in the order of due times. */
export interface Position {
  dueAt: number | null;
  id: number;
}

/**
 * The rows of one table and status by `next_check_at`. A partial index finds them, so that a query reads
 * only the rows it returns, however many are open.
 */
export class DueIndex {
  readonly #sql: SqlStorage;
  readonly #table: string;
  /** Must match the partial index's own condition. */
  readonly #from: string;

  constructor(sql: SqlStorage, rows: { table: string; index: string; status: string }) {
    this.#sql = sql;
    this.#table = rows.table;
    this.#from = `FROM ${rows.table} INDEXED BY ${rows.index} WHERE status = '${rows.status}'`;
  }

  /** Ids of due rows, longest due first. */
  due(nowMs: number, limit: number): number[] {
    return this.#sql
      .exec<{ id: number }>(
        `SELECT id ${this.#from} AND next_check_at <= ? ORDER BY next_check_at LIMIT ?`,
        nowMs,
        limit,
      )
      .toArray()
      .map(({ id }) => id);
  }

  /**
   * The next rows after a position, or the first for null. A row snoozed between two calls appears again
   * later, so that none is missed.
   */
  after(position: Position | null, limit: number): Position[] {
    const condition = position === null ? "" : "AND (next_check_at, id) > (?, ?)";
    const values = position === null ? [] : [position.dueAt, position.id];
    return this.#sql
      .exec<{ dueAt: number | null; id: number }>(
        `SELECT next_check_at AS dueAt, id ${this.#from} ${condition}
         ORDER BY next_check_at, id LIMIT ?`,
        ...values,
        limit,
      )
      .toArray();
  }

  /** When the first row is due (epoch ms); null if none is open. */
  nextDueAt(): number | null {
    const [first] = this.#sql
      .exec<{ next_check_at: number }>(
        `SELECT next_check_at ${this.#from} ORDER BY next_check_at LIMIT 1`,
      )
      .toArray();
    return first?.next_check_at ?? null;
  }

  /** Makes these rows due at `until` (epoch ms). */
  snooze(ids: number[], until: number): void {
    if (ids.length === 0) return;
    this.#sql.exec(
      `UPDATE ${this.#table} SET next_check_at = ? WHERE id IN (SELECT value FROM json_each(?))`,
      until,
      JSON.stringify(ids),
    );
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
