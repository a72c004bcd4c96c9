/** Refunds and returns that wait for an approval, by the end of their window. */
export class WaitingExits {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(operation: number, expiresAt: number): void {
    this.#sql.exec(
      "INSERT INTO waiting_exits (operation, expires_at) VALUES (?, ?)",
      operation,
      expiresAt,
    );
  }

  remove(operation: number): void {
    this.#sql.exec("DELETE FROM waiting_exits WHERE operation = ?", operation);
  }

  /** When the first one expires (epoch ms); null if none waits. They expire in their own order. */
  nextDueAt(): number | null {
    const [first] = this.#sql
      .exec<{ expires_at: number }>(
        "SELECT expires_at FROM waiting_exits ORDER BY operation LIMIT 1",
      )
      .toArray();
    return first?.expires_at ?? null;
  }

  /** Whether an operation waits in vain: its window is over. */
  isOver(operation: number, nowMs: number): boolean {
    const rows = this.#sql.exec(
      "SELECT 1 FROM waiting_exits WHERE operation = ? AND expires_at <= ?",
      operation,
      nowMs,
    );
    return !rows.next().done;
  }

  /** The next `limit` operations whose window is over. */
  expired(nowMs: number, limit: number): number[] {
    return this.#sql
      .exec<{ operation: number; expires_at: number }>(
        "SELECT operation, expires_at FROM waiting_exits ORDER BY operation LIMIT ?",
        limit,
      )
      .toArray()
      .filter(({ expires_at: expiresAt }) => expiresAt <= nowMs)
      .map(({ operation }) => operation);
  }

  /** The next `limit` operations that wait, newest first, before a number; null for the newest. */
  list(before: number | null, limit: number): number[] {
    return this.#sql
      .exec<{ operation: number }>(
        `SELECT operation FROM waiting_exits WHERE operation < ?
         ORDER BY operation DESC LIMIT ?`,
        before ?? Number.MAX_SAFE_INTEGER,
        limit,
      )
      .toArray()
      .map(({ operation }) => operation);
  }
}
