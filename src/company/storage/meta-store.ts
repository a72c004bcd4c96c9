/** Columns of the one row of `company`. */
type MetaName =
  | "company_id"
  /** The number of the company's newest event. */
  | "newest_event"
  /** The ledger's newest movement, as the commits that wrote this row knew it. */
  | "newest_movement"
  | "balance_events"
  | "webhook_tests"
  | "frozen"
  /** The number of the newest event that operators were told of. */
  | "newest_operator_event"
  /** The newest that the object was told. */
  | "credentials_version";

/** The object's few single numbers: one row, a column for each. */
export class MetaStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  get(name: MetaName): number | null {
    return this.#sql.exec<{ value: number | null }>(`SELECT ${name} AS value FROM company`).one()
      .value;
  }

  set(name: MetaName, value: number): void {
    this.#sql.exec(`UPDATE company SET ${name} = ?`, value);
  }

  /** The next of a dense row of numbers, from 1. */
  next(name: MetaName): number {
    const value = (this.get(name) ?? 0) + 1;
    this.set(name, value);
    return value;
  }

  /** How many events the company has announced. */
  newestEvent(): number {
    return this.get("newest_event") ?? 0;
  }

  /**
   * The next number of a company's event, whose outbox entry must follow in the same commit. The row
   * also takes note of how long the ledger is then, so that a cut at its end is found. It never says
   * less than before: that would hide a cut.
   */
  nextEvent(): number {
    return this.#sql
      .exec<{ newest_event: number }>(
        `UPDATE company SET newest_event = newest_event + 1,
           newest_movement = max(newest_movement,
             (SELECT coalesce(max(sequence), 0) FROM movements))
         RETURNING newest_event`,
      )
      .one().newest_event;
  }
}
