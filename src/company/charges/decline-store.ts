import type { CardPayer } from "../../domain/cards/card-payer.ts";
import type { CardDecline } from "../../domain/charges/payment-details.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

/** Declines deleted in one commit: more than one commit can add. */
const EXPIRED_MAX = 10;

/** What a decline is counted by. */
export const DECLINE_KEYS = ["card", "address", "payer"] as const;
export type DeclineKey = (typeof DECLINE_KEYS)[number];

/** A card that an acquirer declined. */
export interface Decline extends CardPayer, Omit<CardDecline, "at"> {
  /** A keyed hash of the card; null where the acquirer does not name it. */
  card: string | null;
  /** A keyed hash of who was to pay; null where the card was known beforehand. */
  payer: string | null;
}

type DeclineRow = {
  source: string;
  card: string | null;
  address: string | null;
  declined_at: number;
  brand: string;
  amount: number;
  code: string | null;
  advice: string | null;
};

const SOURCES: readonly CardPayer["source"][] = ["api", "link"];

/** A `CardDecline` as SQL gives it: a type, for an interface has no index. */
type DeclinedRow = Pick<CardDecline, keyof CardDecline>;

type PayerDeclineRow = { source: string; payer: string; declined_at: number };

const CARD_DECLINES = new Table<DeclineRow>("card_declines");
const PAYER_DECLINES = new Table<PayerDeclineRow>("payer_declines");

/** Declined cards of as long as brands count them. They hold keyed hashes, whose key this object does not have. */
export class DeclineStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Adds a decline, and forgets those before `from`. */
  add(decline: Decline, nowMs: number, from: number): void {
    for (const table of ["card_declines", "payer_declines"]) {
      named(
        `DELETE FROM ${table} WHERE id IN (
           SELECT id FROM ${table} WHERE declined_at <= :from ORDER BY declined_at LIMIT :limit)`,
      ).exec(this.#sql, { from, limit: EXPIRED_MAX });
    }
    const { source, card, address, payer, brand, amount, code, advice } = decline;
    const columns = { source, card, address, brand, amount, code, advice };
    CARD_DECLINES.insert(this.#sql, { ...columns, declined_at: nowMs });
    if (payer === null) return;
    PAYER_DECLINES.insert(this.#sql, { source, payer, declined_at: nowMs });
  }

  /** The declines of a card after `from`, whoever tried it, the newest first, up to a limit. */
  ofCard(card: string, from: number, limit: number): CardDecline[] {
    const bySource = SOURCES.map((source) =>
      named(
        `SELECT brand, amount, code, advice, declined_at AS at
           FROM card_declines INDEXED BY card_declines_card
           WHERE source = :source AND card = :card AND declined_at > :from
           ORDER BY declined_at DESC LIMIT :limit`,
      )
        .exec<DeclinedRow>(this.#sql, { source, card, from, limit })
        .toArray(),
    );
    return bySource
      .flat()
      .toSorted((one, other) => other.at - one.at)
      .slice(0, limit);
  }

  /** When a card, an address or a payer was declined after `from`, the newest first, up to a limit. */
  timesOf(
    by: DeclineKey,
    { source, value }: Pick<CardPayer, "source"> & { value: string },
    from: number,
    limit: number,
  ): number[] {
    const table = by === "payer" ? "payer_declines" : "card_declines";
    return named(
      `SELECT declined_at FROM ${table} INDEXED BY ${table}_${by}
         WHERE source = :source AND ${by} = :value AND declined_at > :from
         ORDER BY declined_at DESC LIMIT :limit`,
    )
      .exec<{ declined_at: number }>(this.#sql, { source, value, from, limit })
      .toArray()
      .map((row) => row.declined_at);
  }
}
