import type { CardPayer } from "../../domain/cards/card-payer.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

/** Declines deleted in one commit: more than one commit can add. */
const EXPIRED_MAX = 10;

/** What a decline is counted by. */
export type DeclineKey = "card" | "address";

/** A card that an acquirer declined. */
interface Decline extends CardPayer {
  /** A keyed hash of the card; null where the acquirer does not name it. */
  card: string | null;
}

type DeclineRow = {
  source: string;
  card: string | null;
  address: string | null;
  declined_at: number;
};

const CARD_DECLINES = new Table<DeclineRow>("card_declines");

/** Declined cards of the last hour. They hold keyed hashes, whose key this object does not have. */
export class DeclineStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Adds a decline, and forgets those before `from`. */
  add({ source, card, address }: Decline, nowMs: number, from: number): void {
    named(
      `DELETE FROM card_declines WHERE id IN (
         SELECT id FROM card_declines WHERE declined_at <= :from ORDER BY declined_at LIMIT :limit)`,
    ).exec(this.#sql, { from, limit: EXPIRED_MAX });
    CARD_DECLINES.insert(this.#sql, {
      source,
      card,
      address,
      declined_at: nowMs,
    });
  }

  /** When a card or an address was declined after `from`, the newest first, up to a limit. */
  timesOf(
    by: DeclineKey,
    { source, value }: Pick<CardPayer, "source"> & { value: string },
    from: number,
    limit: number,
  ): number[] {
    return named(
      `SELECT declined_at FROM card_declines INDEXED BY card_declines_${by}
         WHERE source = :source AND ${by} = :value AND declined_at > :from
         ORDER BY declined_at DESC LIMIT :limit`,
    )
      .exec<{ declined_at: number }>(this.#sql, { source, value, from, limit })
      .toArray()
      .map((row) => row.declined_at);
  }
}
