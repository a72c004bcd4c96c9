type MetaName =
  | "company_id"
  | "balance_events"
  | "webhook_tests"
  | "frozen"
  /** The newest that the object was told. */
  | "credentials_version"
  /** The newest movement when trails began to be kept. */
  | "trails_after";

/** The object's few single numbers. */
export class MetaStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  get(name: MetaName): number | null {
    const [row] = this.#sql
      .exec<{ value: number }>("SELECT value FROM meta WHERE name = ?", name)
      .toArray();
    return row?.value ?? null;
  }

  set(name: MetaName, value: number): void {
    this.#sql.exec(
      "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
      name,
      value,
    );
  }

  /** The next of a dense row of numbers, from 1. */
  next(name: MetaName): number {
    const value = (this.get(name) ?? 0) + 1;
    this.set(name, value);
    return value;
  }
}
