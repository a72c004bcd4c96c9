import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import {
  bookedDayOf,
  dailySumsOf,
  hourOf,
  type DailyMovement,
  type DailySums,
  type DailyTotals,
  type HourCounts,
} from "../../domain/ledger/daily-totals.ts";
import type { MetaStore } from "../storage/meta-store.ts";
import { named } from "../storage/named-sql.ts";
import { Table } from "../storage/table.ts";

type DailyTotalsRow = {
  day: string;
  payment_method: PaymentMethod;
  count: number;
  gross: number;
  fees: number;
  refunds: number;
  /** JSON. */
  hours: string;
  version: number;
};

const DAILY_TOTALS = new Table<DailyTotalsRow>("daily_totals");

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
      const totals = this.#addTo({ day, paymentMethod, hours: hourOf(movement), ...sums });
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
    return named(
      "SELECT * FROM daily_totals WHERE day >= :from AND day <= :through ORDER BY day, payment_method",
    )
      .exec<DailyTotalsRow>(this.#sql, { from, through })
      .toArray()
      .map(fromRow);
  }

  /** Totals of the next days after `day`, at most `limit` days and all methods of each. */
  after(day: string, limit: number): DailyTotals[] {
    return named(
      `SELECT * FROM daily_totals
         WHERE day IN (SELECT DISTINCT day FROM daily_totals WHERE day > :day ORDER BY day LIMIT :limit)
         ORDER BY day, payment_method`,
    )
      .exec<DailyTotalsRow>(this.#sql, { day, limit })
      .toArray()
      .map(fromRow);
  }

  #begin(sequence: number): void {
    if (this.#meta.get("daily_totals_from") === 0) this.#meta.set("daily_totals_from", sequence);
  }

  #addTo(added: DailySums & Pick<DailyTotals, "day" | "paymentMethod" | "hours">): DailyTotals {
    const { day, paymentMethod, count, gross, fees, refunds, hours } = added;
    const row = DAILY_TOTALS.insert<DailyTotalsRow>(
      this.#sql,
      {
        day,
        payment_method: paymentMethod,
        count,
        gross,
        fees,
        refunds,
        hours: JSON.stringify(hours),
        version: 1,
      },
      `ON CONFLICT (day, payment_method) DO UPDATE SET count = count + excluded.count,
           gross = gross + excluded.gross, fees = fees + excluded.fees,
           refunds = refunds + excluded.refunds, version = version + 1,
           hours = coalesce((SELECT json_set(daily_totals.hours, fullkey,
             coalesce(daily_totals.hours ->> fullkey, 0) + value) FROM json_each(excluded.hours)), hours)
         RETURNING *`,
    ).one();
    return fromRow(row);
  }
}

function fromRow({ payment_method: paymentMethod, hours, ...totals }: DailyTotalsRow): DailyTotals {
  return { ...totals, paymentMethod, hours: JSON.parse(hours) as HourCounts };
}
