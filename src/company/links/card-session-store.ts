/** Sessions deleted in one commit: more than one commit can add. */
const EXPIRED_MAX = 10;

/** Checkout sessions that were used to make a card's token, until they expire. */
export class CardSessionStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Notes that a session was used, and forgets expired ones. False if it was used before. */
  use(id: string, expiresAt: number, nowMs: number): boolean {
    this.#sql.exec(
      `DELETE FROM card_sessions WHERE id IN (
         SELECT id FROM card_sessions WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`,
      nowMs,
      EXPIRED_MAX,
    );
    const { rowsWritten } = this.#sql.exec(
      "INSERT INTO card_sessions (id, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
      id,
      expiresAt,
    );
    return rowsWritten > 0;
  }
}
