import { DueTime } from "../storage/due-time.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

/** A place of a link that a payer's checkout holds. */
export interface HeldPlace {
  checkoutId: string;
  /** Whether the link has an end of its places. */
  isLimited: boolean;
  /** A keyed hash of the payer's network address; null where it is not known. */
  address: string | null;
  takenAt: number;
  /** When its unpaid PIX gives the place back (epoch ms); null while nothing or another charge holds it. */
  lapsesAt: number | null;
  /** How often the time of its PIX began anew. */
  renewals: number;
}

type HeldPlaceRow = {
  checkout_id: string;
  is_limited: number;
  address: string | null;
  taken_at: number;
  lapses_at: number | null;
  renewals: number;
};

const HELD_PLACES = new Table<HeldPlaceRow>("held_places");

/** Places while they are held. Those from before this table are in none of its rows. */
export class HeldPlaceStore {
  /** When the first place lapses whose PIX nobody paid. */
  readonly next: DueTime;
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.next = new DueTime(
      sql,
      `SELECT lapses_at FROM held_places INDEXED BY held_places_lapse WHERE lapses_at IS NOT NULL
       ORDER BY lapses_at LIMIT 1`,
    );
  }

  find(checkoutId: string): HeldPlace | null {
    const [row] = this.#sql
      .exec<HeldPlaceRow>("SELECT * FROM held_places WHERE checkout_id = ?", checkoutId)
      .toArray();
    return row === undefined ? null : fromRow(row);
  }

  save(place: HeldPlace): void {
    HELD_PLACES.replace(this.#sql, {
      checkout_id: place.checkoutId,
      is_limited: place.isLimited ? 1 : 0,
      address: place.address,
      taken_at: place.takenAt,
      lapses_at: place.lapsesAt,
      renewals: place.renewals,
    });
  }

  remove(checkoutId: string): void {
    this.#sql.exec("DELETE FROM held_places WHERE checkout_id = ?", checkoutId);
  }

  /** Places of limited links that an address took after a time and still holds, counted up to a limit. */
  countOf(address: string, takenAfter: number, limit: number): number {
    return named(
      `SELECT count(*) AS count FROM (
           SELECT 1 FROM held_places INDEXED BY held_places_address
           WHERE is_limited = 1 AND address = :address AND taken_at > :takenAfter LIMIT :limit)`,
    )
      .exec<{ count: number }>(this.#sql, { address, takenAfter, limit })
      .one().count;
  }

  /** Places that have lapsed, longest first. */
  lapsed(nowMs: number, limit: number): HeldPlace[] {
    return named(
      `SELECT * FROM held_places INDEXED BY held_places_lapse WHERE lapses_at <= :nowMs
       ORDER BY lapses_at LIMIT :limit`,
    )
      .exec<HeldPlaceRow>(this.#sql, { nowMs, limit })
      .toArray()
      .map(fromRow);
  }
}

function fromRow(row: HeldPlaceRow): HeldPlace {
  return {
    checkoutId: row.checkout_id,
    isLimited: row.is_limited === 1,
    address: row.address,
    takenAt: row.taken_at,
    lapsesAt: row.lapses_at,
    renewals: row.renewals,
  };
}
