/** A row's place in the order in which they are due. */
export interface Position {
  dueAt: number | null;
  id: number;
}

/**
 * Rows of a table that are in one state and must be looked after again, found over a partial index
 * by `next_check_at`: each question reads as many rows as it answers, however many are open.
 */
export class DueIndex {
  readonly #sql: SqlStorage;
  readonly #table: string;
  /** What selects the rows; the index must stand on the same words. */
  readonly #from: string;

  constructor(sql: SqlStorage, rows: { table: string; index: string; status: string }) {
    this.#sql = sql;
    this.#table = rows.table;
    this.#from = `FROM ${rows.table} INDEXED BY ${rows.index} WHERE status = '${rows.status}'`;
  }

  /** Ids that must be looked after by now, longest due first. */
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
   * The next rows behind a place, the longest due first; null is the beginning. A row that is put off
   * meanwhile is met again further on, so that none is passed over.
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

  /** When the first is due; null where none is open. */
  nextDueAt(): number | null {
    const [first] = this.#sql
      .exec<{ next_check_at: number }>(
        `SELECT next_check_at ${this.#from} ORDER BY next_check_at LIMIT 1`,
      )
      .toArray();
    return first?.next_check_at ?? null;
  }

  /** Leaves these alone until a time. */
  snooze(ids: number[], until: number): void {
    if (ids.length === 0) return;
    this.#sql.exec(
      `UPDATE ${this.#table} SET next_check_at = ? WHERE id IN (SELECT value FROM json_each(?))`,
      until,
      JSON.stringify(ids),
    );
  }

  /** What the open rows sum up to in centavos; null where they are more than `limit`, which is all it reads. */
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
