import { saoPauloDay } from "../../domain/shared/business-day.ts";
import type { Cents } from "../../domain/shared/money.ts";
import { Table } from "../storage/table.ts";

/** The row of the whole company; every other one is of a client id. */
const COMPANY = "";

type SumRow = { day: string; amount: number; unapproved: number };

const EXIT_SUMS = new Table<SumRow & { subject: string }>("exit_sums");

/**
 * Centavos of refunds and returns that callers asked for on a day (America/Sao_Paulo) and that did not fail: of the
 * company and of each caller, one row each. A day that begins overwrites the one before.
 */
export class ExitSumStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The day of `nowMs`. If the clock steps back, the day does not: its sums would begin again. */
  dayOf(nowMs: number): string {
    const today = saoPauloDay(nowMs);
    const newest = this.#find(COMPANY)?.day ?? today;
    return newest > today ? newest : today;
  }

  /** Centavos of the company on a day. */
  ofCompany(day: string): Cents {
    return this.#ofDay(COMPANY, day).amount;
  }

  /** Centavos of the company on a day that nobody approved. */
  unapproved(day: string): Cents {
    return this.#ofDay(COMPANY, day).unapproved;
  }

  /** Centavos that a caller asked for or approved on a day. */
  ofCaller(clientId: string, day: string): Cents {
    return this.#ofDay(clientId, day).amount;
  }

  /** Counts an amount of a caller, and of the company; a negative one gives back. */
  add(clientId: string, day: string, amount: Cents, unapproved: Cents): void {
    this.#add(COMPANY, day, amount, unapproved);
    this.addOfCaller(clientId, day, amount);
  }

  /** Counts an amount of a caller alone, such as of whoever approves. */
  addOfCaller(clientId: string, day: string, amount: Cents): void {
    this.#add(clientId, day, amount, 0);
  }

  #add(subject: string, day: string, amount: Cents, unapproved: Cents): void {
    const stored = this.#find(subject);
    // What comes back of an earlier day is of no use to a later one.
    if (stored !== null && stored.day > day) return;
    const before = this.#ofDay(subject, day);
    EXIT_SUMS.replace(this.#sql, {
      subject,
      day,
      amount: before.amount + amount,
      unapproved: before.unapproved + unapproved,
    });
  }

  #ofDay(subject: string, day: string): SumRow {
    const row = this.#find(subject);
    return row?.day === day ? row : { day, amount: 0, unapproved: 0 };
  }

  #find(subject: string): SumRow | null {
    const [row] = this.#sql
      .exec<SumRow>("SELECT day, amount, unapproved FROM exit_sums WHERE subject = ?", subject)
      .toArray();
    return row ?? null;
  }
}
