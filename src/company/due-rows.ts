/**
 * The rows of a table that something is owed to a provider for: those whose `next_check_at` is set,
 * which a partial index holds.
 */
export class DueRows {
  readonly #sql: SqlStorage;
  readonly #table: "withdraws" | "operations";

  constructor(sql: SqlStorage, table: "withdraws" | "operations") {
    this.#sql = sql;
    this.#table = table;
  }

  /** Ids that must be looked after by now, longest due first. */
  due(nowMs: number, limit: number): number[] {
    return this.#sql
      .exec<{ id: number }>(
        `SELECT id FROM ${this.#table} WHERE next_check_at IS NOT NULL AND next_check_at <= ?
         ORDER BY next_check_at LIMIT ?`,
        nowMs,
        limit,
      )
      .toArray()
      .map((row) => row.id);
  }

  /** Says when these must be looked after next, whatever comes of the hint just sent. */
  defer(ids: number[], nextCheckAt: number): void {
    for (const id of ids) {
      this.#sql.exec(
        `UPDATE ${this.#table} SET next_check_at = ? WHERE id = ? AND next_check_at IS NOT NULL`,
        nextCheckAt,
        id,
      );
    }
  }

  nextDueAt(): number | null {
    const [row] = this.#sql
      .exec<{ next_check_at: number }>(
        `SELECT next_check_at FROM ${this.#table} WHERE next_check_at IS NOT NULL
         ORDER BY next_check_at LIMIT 1`,
      )
      .toArray();
    return row?.next_check_at ?? null;
  }
}
