import type { Cents } from "../../domain/shared/money.ts";
import { named } from "../storage/named-sql.ts";

const HOUR_MS = 3_600_000;
const OPEN_DISPUTES = "disputes INDEXED BY disputes_open";
const DEADLINE = "coalesce(deadline, 0)";

type HourRow = { hour: number; amount: number };

/** Money that something happens to within an hour (its first millisecond; 0: no time is known). Centavos. */
export interface HourAmount {
  at: number;
  amount: Cents;
}

/** Open disputes by the hour of their deadline. Centavos. */
export interface DisputedHour extends HourAmount {
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
    return this.#amounts(
      `SELECT expires_at AS at, amount + fee AS amount
         FROM pending_approvals JOIN withdraws ON withdraws.id = withdraw_id
       UNION ALL
       SELECT expires_at, holding ->> '$.available'
         FROM waiting_exits JOIN operations ON operations.id = operation WHERE holding IS NOT NULL
       UNION ALL
       SELECT max(expires_at, part.value ->> '$.dueAt'), part.value ->> '$.amount'
         FROM waiting_exits JOIN operations ON operations.id = operation, json_each(holding, '$.parts') AS part`,
      until,
    );
  }

  /** Open disputes of credited payments with a deadline up to a time, or without one. */
  openDisputes(until: number): DisputedHour[] {
    return this.#byHour<HourRow & { held: number }>(
      `SELECT ${DEADLINE} AS at, amount, held FROM ${OPEN_DISPUTES} WHERE status = 'OPEN'`,
      "sum(amount) AS amount, sum(held) AS held",
      until,
    ).map(({ hour, amount, held }) => ({ at: hour * HOUR_MS, amount, held }));
  }

  /**
   * What comes back by a time if the open disputes are won on their deadlines: of credit that awaited its release, then at
   * the earliest.
   */
  wonDisputes(until: number): HourAmount[] {
    return this.#amounts(
      `SELECT ${DEADLINE} AS at, holding ->> '$.available' AS amount
         FROM ${OPEN_DISPUTES} WHERE status = 'OPEN' AND holding IS NOT NULL
       UNION ALL
       SELECT max(${DEADLINE}, part.value ->> '$.dueAt'), part.value ->> '$.amount'
         FROM ${OPEN_DISPUTES}, json_each(holding, '$.parts') AS part WHERE status = 'OPEN'`,
      until,
    );
  }

  #amounts(rows: string, until: number): HourAmount[] {
    return this.#byHour<HourRow>(rows, "sum(amount) AS amount", until).map(({ hour, amount }) => ({
      at: hour * HOUR_MS,
      amount,
    }));
  }

  #byHour<Row extends HourRow>(rows: string, sums: string, until: number): Row[] {
    return named(
      `SELECT at / ${HOUR_MS} AS hour, ${sums} FROM (${rows}) WHERE at <= :until GROUP BY hour`,
    )
      .exec<Row>(this.#sql, { until })
      .toArray();
  }
}
