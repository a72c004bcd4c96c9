import type { CardPayer } from "../rpc-types.ts";

/** Declines deleted in one commit: more than one commit can add. */
const EXPIRED_MAX = 10;

/** What a decline is counted by. */
export type DeclineKey = "card" | "address";

/** A card that an acquirer declined. */
interface Decline extends CardPayer {
  /** A keyed hash of the card; null where the acquirer does not name it. */
  card: string | null;
}

/** Declined cards of the last hour. They hold keyed hashes, whose key this object does not have. */
export class DeclineStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Adds a decline, and forgets those before `from`. */
  add({ source, card, address }: Decline, nowMs: number, from: number): void {
    this.#sql.exec(
      `DELETE FROM card_declines WHERE id IN (
         SELECT id FROM card_declines WHERE declined_at <= ? ORDER BY declined_at LIMIT ?)`,
      from,
      EXPIRED_MAX,
    );
    this.#sql.exec(
      "INSERT INTO card_declines (source, card, address, declined_at) VALUES (?, ?, ?, ?)",
      source,
      card,
      address,
      nowMs,
    );
  }

  /** When a card or an address was declined after `from`, the newest first, up to a limit. */
  timesOf(
    by: DeclineKey,
    { source, value }: Pick<CardPayer, "source"> & { value: string },
    from: number,
    limit: number,
  ): number[] {
    return this.#sql
      .exec<{ declined_at: number }>(
        `SELECT declined_at FROM card_declines INDEXED BY card_declines_${by}
         WHERE source = ? AND ${by} = ? AND declined_at > ? ORDER BY declined_at DESC LIMIT ?`,
        source,
        value,
        from,
        limit,
      )
      .toArray()
      .map((row) => row.declined_at);
  }
}
