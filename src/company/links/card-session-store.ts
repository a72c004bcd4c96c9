import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

/** Sessions deleted in one commit: more than one commit can add. */
const EXPIRED_MAX = 10;

const CARD_SESSIONS = new Table<{ id: string; expires_at: number }>("card_sessions");

/** Checkout sessions that were used to make a card's token, until they expire. */
export class CardSessionStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Notes that a session was used, and forgets expired ones. False if it was used before. */
  use(id: string, expiresAt: number, nowMs: number): boolean {
    named(
      `DELETE FROM card_sessions WHERE id IN (
         SELECT id FROM card_sessions WHERE expires_at <= :nowMs ORDER BY expires_at LIMIT :limit)`,
    ).exec(this.#sql, { nowMs, limit: EXPIRED_MAX });
    const { rowsWritten } = CARD_SESSIONS.insert(
      this.#sql,
      {
        id,
        expires_at: expiresAt,
      },
      "ON CONFLICT DO NOTHING",
    );
    return rowsWritten > 0;
  }
}
