import { assert } from "../../lib/assert.ts";

/** Columns of the one row of `company`. */
type MetaName =
  | "company_id"
  /** The number of the company's newest event. */
  | "newest_event"
  /** The ledger's newest movement when this row was last written. */
  | "newest_movement"
  | "balance_events"
  | "webhook_tests"
  | "frozen"
  /** The number of the newest event for operators. */
  | "newest_operator_event"
  /** The newest version that a Worker announced. */
  | "credentials_version";

/** The object's counters and flags: one row with a column for each. */
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

  /** Binds the object to its company at the first commit. Throws if it serves another one. */
  bindCompany(companyId: number): void {
    const bound = this.get("company_id");
    if (bound === null) this.set("company_id", companyId);
    assert(bound === null || bound === companyId, "an object serves one company");
  }

  /** The company's id. Throws before the first commit. */
  requireCompanyId(): number {
    const companyId = this.get("company_id");
    assert(companyId !== null, "the object is bound to a company");
    return companyId;
  }

  /** Increments a counter; returns the new value, 1 at first. */
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
   * The number of the company's next event, whose outbox entry must follow in the same commit. Also
   * records the ledger's length, which never decreases, so that the audit finds a truncated ledger.
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
