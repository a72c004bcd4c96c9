import { DueTime } from "../storage/due-time.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

/** A reservation of a link that a payer's checkout holds. */
export interface Reservation {
  checkoutId: string;
  /** Whether the link has an end of its reservations. */
  isLimited: boolean;
  /** A keyed hash of the payer's network address; null where it is not known. */
  address: string | null;
  takenAt: number;
  /** When its unpaid PIX gives the reservation back (epoch ms); null while nothing or another charge holds it. */
  lapsesAt: number | null;
  /** How often the time of its PIX began anew. */
  renewals: number;
}

type ReservationRow = {
  checkout_id: string;
  is_limited: number;
  address: string | null;
  taken_at: number;
  lapses_at: number | null;
  renewals: number;
};

const RESERVATIONS = new Table<ReservationRow>("held_places");

/** Reservations while they are held. Those from before this table are in none of its rows. */
export class ReservationStore {
  /** When the first reservation lapses whose PIX nobody paid. */
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

  find(checkoutId: string): Reservation | null {
    const [row] = this.#sql
      .exec<ReservationRow>("SELECT * FROM held_places WHERE checkout_id = ?", checkoutId)
      .toArray();
    return row === undefined ? null : fromRow(row);
  }

  save(reservation: Reservation): void {
    RESERVATIONS.replace(this.#sql, {
      checkout_id: reservation.checkoutId,
      is_limited: reservation.isLimited ? 1 : 0,
      address: reservation.address,
      taken_at: reservation.takenAt,
      lapses_at: reservation.lapsesAt,
      renewals: reservation.renewals,
    });
  }

  remove(checkoutId: string): void {
    this.#sql.exec("DELETE FROM held_places WHERE checkout_id = ?", checkoutId);
  }

  /** Reservations of limited links that an address took after a time and still holds, counted up to a limit. */
  countOf(address: string, takenAfter: number, limit: number): number {
    return named(
      `SELECT count(*) AS count FROM (
           SELECT 1 FROM held_places INDEXED BY held_places_address
           WHERE is_limited = 1 AND address = :address AND taken_at > :takenAfter LIMIT :limit)`,
    )
      .exec<{ count: number }>(this.#sql, { address, takenAfter, limit })
      .one().count;
  }

  /** Reservations that have lapsed, longest first. */
  lapsed(nowMs: number, limit: number): Reservation[] {
    return named(
      `SELECT * FROM held_places INDEXED BY held_places_lapse WHERE lapses_at <= :nowMs
       ORDER BY lapses_at LIMIT :limit`,
    )
      .exec<ReservationRow>(this.#sql, { nowMs, limit })
      .toArray()
      .map(fromRow);
  }
}

function fromRow(row: ReservationRow): Reservation {
  return {
    checkoutId: row.checkout_id,
    isLimited: row.is_limited === 1,
    address: row.address,
    takenAt: row.taken_at,
    lapsesAt: row.lapses_at,
    renewals: row.renewals,
  };
}
