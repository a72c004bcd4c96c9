import type { Cents } from "../../domain/shared/money.ts";
import { named, type SqlRow } from "../storage/named-sql.ts";

const HOUR_MS = 3_600_000;

/** Money that something happens to within an hour (its first millisecond; null: no time is known). Centavos. */
export interface HourAmount {
  at: number;
  amount: Cents;
}

/** Open disputes by the hour of their deadline. Centavos. */
export interface DisputedHour {
  at: number | null;
  amount: Cents;
  /** The part of it in `blocked`. */
  held: Cents;
}

/** What waits in the object to change the balance, summed by the hour: no day of any time zone begins within one. */
export class CashAheadStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /**
   * What comes back if nobody approves it: withdraws with their fees, and the money that refunds hold. The part of a
   * refund that awaited its release comes back by then at the earliest.
   */
  expiringApprovals(until: number): HourAmount[] {
    return this.#byHour<{ hour: number; amount: number }>(
      `SELECT expires_at AS at, amount + fee AS amount
         FROM pending_approvals JOIN withdraws ON withdraws.id = withdraw_id
       UNION ALL
       SELECT expires_at, holding ->> '$.available'
         FROM waiting_exits JOIN operations ON operations.id = operation WHERE holding IS NOT NULL
       UNION ALL
       SELECT max(expires_at, part.value ->> '$.dueAt'), part.value ->> '$.amount'
         FROM waiting_exits JOIN operations ON operations.id = operation, json_each(holding, '$.parts') AS part`,
      "sum(amount) AS amount",
      until,
    ).map(({ hour, amount }) => ({ at: hour * HOUR_MS, amount }));
  }

  /** Open disputes of credited payments with a deadline up to a time, or without one. */
  openDisputes(until: number): DisputedHour[] {
    return this.#byHour<{ hour: number | null; amount: number; held: number }>(
      "SELECT deadline AS at, amount, held FROM disputes INDEXED BY disputes_open WHERE status = 'OPEN'",
      "sum(amount) AS amount, sum(held) AS held",
      until,
    ).map(({ hour, amount, held }) => ({
      at: hour === null ? null : hour * HOUR_MS,
      amount,
      held,
    }));
  }

  #byHour<Row extends SqlRow>(rows: string, sums: string, until: number): Row[] {
    return named(
      `SELECT at / ${HOUR_MS} AS hour, ${sums} FROM (${rows}) WHERE at IS NULL OR at <= :until GROUP BY hour`,
    )
      .exec<Row>(this.#sql, { until })
      .toArray();
  }
}
