/** Withdraws that wait for an approval, by the end of their window. */
export class ApprovalStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(withdrawId: number, expiresAt: number): void {
    this.#sql.exec(
      "INSERT INTO pending_approvals (withdraw_id, expires_at) VALUES (?, ?)",
      withdrawId,
      expiresAt,
    );
  }

  remove(withdrawId: number): void {
    this.#sql.exec("DELETE FROM pending_approvals WHERE withdraw_id = ?", withdrawId);
  }

  /** When the first one expires (epoch ms); null if none waits. Withdraws expire in their own order. */
  nextDueAt(): number | null {
    const [first] = this.#sql
      .exec<{ expires_at: number }>(
        "SELECT expires_at FROM pending_approvals ORDER BY withdraw_id LIMIT 1",
      )
      .toArray();
    return first?.expires_at ?? null;
  }

  /** The next `limit` withdraws whose window is over. */
  expired(nowMs: number, limit: number): number[] {
    return this.#sql
      .exec<{ withdraw_id: number; expires_at: number }>(
        "SELECT withdraw_id, expires_at FROM pending_approvals ORDER BY withdraw_id LIMIT ?",
        limit,
      )
      .toArray()
      .filter(({ expires_at: expiresAt }) => expiresAt <= nowMs)
      .map(({ withdraw_id: id }) => id);
  }
}
