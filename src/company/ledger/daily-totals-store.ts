import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import {
  bookedDayOf,
  dailySumsOf,
  type DailyMovement,
  type DailySums,
  type DailyTotals,
} from "../../domain/ledger/daily-totals.ts";
import type { MetaStore } from "../storage/meta-store.ts";

type DailyTotalsRow = {
  day: string;
  payment_method: PaymentMethod;
  count: number;
  gross: number;
  fees: number;
  refunds: number;
  version: number;
};

/** What each day booked to charges, by payment method: changed in the commit of the movement. */
export class DailyTotalsStore {
  readonly #sql: SqlStorage;
  readonly #meta: MetaStore;

  constructor({ sql, meta }: { sql: SqlStorage; meta: MetaStore }) {
    this.#sql = sql;
    this.#meta = meta;
  }

  /**
   * Adds the movements of a charge to their days. Returns the new totals of each changed day, which
   * stand for all changes before. Runs inside one `transactionSync`.
   */
  add(
    paymentMethod: PaymentMethod,
    movements: readonly (DailyMovement & { sequence: number })[],
  ): DailyTotals[] {
    const changed = new Map<string, DailyTotals>();
    for (const movement of movements) {
      const sums = dailySumsOf(movement);
      if (sums === null) continue;
      const day = bookedDayOf(movement);
      const totals = this.#addTo(day, paymentMethod, sums);
      changed.set(day, totals);
      if (totals.version === 1) this.#begin(movement.sequence);
    }
    return [...changed.values()];
  }

  /** The first movement that the totals count: older ones are from before there were totals. */
  firstMovement(): number {
    const first = this.#meta.get("daily_totals_from") ?? 0;
    return first === 0 ? Number.MAX_SAFE_INTEGER : first;
  }

  /** Totals of the days from `from` to `through`, oldest first. */
  between(from: string, through: string): DailyTotals[] {
    return this.#sql
      .exec<DailyTotalsRow>(
        "SELECT * FROM daily_totals WHERE day >= ? AND day <= ? ORDER BY day, payment_method",
        from,
        through,
      )
      .toArray()
      .map(fromRow);
  }

  /** Totals of the next days after `day`, at most `limit` days and all methods of each. */
  after(day: string, limit: number): DailyTotals[] {
    return this.#sql
      .exec<DailyTotalsRow>(
        `SELECT * FROM daily_totals
         WHERE day IN (SELECT DISTINCT day FROM daily_totals WHERE day > ? ORDER BY day LIMIT ?)
         ORDER BY day, payment_method`,
        day,
        limit,
      )
      .toArray()
      .map(fromRow);
  }

  #begin(sequence: number): void {
    if (this.#meta.get("daily_totals_from") === 0) this.#meta.set("daily_totals_from", sequence);
  }

  #addTo(day: string, paymentMethod: PaymentMethod, sums: DailySums): DailyTotals {
    const { count, gross, fees, refunds } = sums;
    const row = this.#sql
      .exec<DailyTotalsRow>(
        `INSERT INTO daily_totals (day, payment_method, count, gross, fees, refunds, version)
         VALUES (?, ?, ?, ?, ?, ?, 1)
         ON CONFLICT (day, payment_method) DO UPDATE SET count = count + excluded.count,
           gross = gross + excluded.gross, fees = fees + excluded.fees,
           refunds = refunds + excluded.refunds, version = version + 1
         RETURNING *`,
        day,
        paymentMethod,
        count,
        gross,
        fees,
        refunds,
      )
      .one();
    return fromRow(row);
  }
}

function fromRow({ payment_method: paymentMethod, ...totals }: DailyTotalsRow): DailyTotals {
  return { ...totals, paymentMethod };
}
