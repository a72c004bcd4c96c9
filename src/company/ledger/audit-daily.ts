import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import {
  addSums,
  bookedDayOf,
  dailySumsOf,
  isSameSums,
  NO_SUMS,
  type DailySums,
} from "../../domain/ledger/daily-totals.ts";
import { addDays } from "../../domain/shared/calendar-day.ts";
import type { DailyTotalsStore } from "./daily-totals-store.ts";
import type { BookedMovement } from "./movement-row.ts";

/** Wrong days that a pass compares again in each step, until they are repaired. */
const WRONG_DAYS_MAX = 20;
/** Sorts after each day. */
const END_OF_TIME = "9999-12-31";

/** What the movements of one day sum up to, by payment method. */
interface DaySums {
  day: string;
  methods: Record<string, DailySums>;
}

/** How far a pass has summed days. */
export interface DailyProgress {
  /** The newest day with movements so far; its day is empty before the first. */
  open: DaySums;
  /** Days whose totals differed when the pass came by. */
  wrong: DaySums[];
}

const START: DailyProgress = { open: { day: "", methods: {} }, wrong: [] };

/**
 * Compares the daily totals with the movements, in the order of the ledger: each day once a later
 * one begins, and the newest at the end of the ledger.
 */
export class DailyAudit {
  readonly #sql: SqlStorage;
  readonly #dailyTotals: DailyTotalsStore;

  constructor({ sql, dailyTotals }: { sql: SqlStorage; dailyTotals: DailyTotalsStore }) {
    this.#sql = sql;
    this.#dailyTotals = dailyTotals;
  }

  /**
   * Adds the next verified movements to the progress; `atEnd` if no more follow. Returns an error for
   * each day whose totals differ from its movements, and for totals of days without any.
   */
  next(
    before: DailyProgress,
    movements: readonly BookedMovement[],
    atEnd: boolean,
  ): { progress: DailyProgress; errors: string[] } {
    const first = this.#dailyTotals.firstMovement();
    const counted = movements.filter(
      (movement) => movement.sequence >= first && dailySumsOf(movement) !== null,
    );
    const methods = this.#methodsOf(counted);
    const wrong = before.wrong.filter((day) => !this.#isRight(day, day.day));
    const errors = wrong.map(errorOf);
    let { open } = before;
    const close = (through: string, keep: boolean) => {
      if (this.#isRight(open, through)) return;
      errors.push(errorOf(open));
      if (keep) wrong.push(open);
    };
    for (const movement of counted) {
      const day = bookedDayOf(movement);
      if (day !== open.day) {
        close(addDays(day, -1), true);
        open = { day, methods: {} };
      }
      const method = methods.get(movement.transactionId ?? "") ?? "unknown";
      open = withSums(open, method, dailySumsOf(movement) ?? NO_SUMS);
    }
    if (atEnd) close(END_OF_TIME, false);
    return { progress: { open, wrong: wrong.slice(0, WRONG_DAYS_MAX) }, errors };
  }

  /** Whether the totals from the day's up to `through` are the day's sums, and no others. */
  #isRight({ day, methods }: DaySums, through: string): boolean {
    const totals = this.#dailyTotals.between(day, through);
    const expected = Object.entries(methods);
    return (
      totals.length === expected.length &&
      totals.every((total) => {
        const sums = methods[total.paymentMethod];
        return total.day === day && sums !== undefined && isSameSums(total, sums);
      })
    );
  }

  /** The payment methods of the charges of these movements, by transaction. */
  #methodsOf(movements: readonly BookedMovement[]): Map<string, PaymentMethod> {
    const ids = movements.flatMap(({ transactionId }) => transactionId ?? []);
    if (ids.length === 0) return new Map();
    const rows = this.#sql.exec<{ id: string; method: PaymentMethod }>(
      `SELECT transaction_id AS id, payment_method AS method FROM charges
       WHERE transaction_id IN (SELECT value FROM json_each(?))`,
      JSON.stringify([...new Set(ids)]),
    );
    return new Map(rows.toArray().map(({ id, method }) => [id, method]));
  }
}

/** The stored progress of a pass. */
export function parseDailyProgress(text: string): DailyProgress {
  return text === "" ? START : (JSON.parse(text) as DailyProgress);
}

function withSums({ day, methods }: DaySums, method: string, sums: DailySums): DaySums {
  return { day, methods: { ...methods, [method]: addSums(methods[method] ?? NO_SUMS, sums) } };
}

function errorOf({ day }: DaySums): string {
  return day === ""
    ? "I9 daily totals begin before the first movement"
    : `I9 the daily totals of ${day} are not the sums of its movements`;
}
