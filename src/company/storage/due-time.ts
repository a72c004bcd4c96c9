/** When the first row of a table is due. Its statement reads one column of at most one row. */
export class DueTime {
  readonly #sql: SqlStorage;

  constructor(
    sql: SqlStorage,
    readonly select: string,
  ) {
    this.#sql = sql;
  }

  /** Epoch ms; null if no row waits. */
  read(): number | null {
    return readDueTimes(this.#sql, { first: this }).first;
  }
}

/** Several due times by their names, in one statement: each commit asks for all of them. Epoch ms; null if no row waits. */
export function readDueTimes<Name extends string>(
  sql: SqlStorage,
  dueTimes: Record<Name, DueTime>,
): Record<Name, number | null> {
  const columns = Object.entries<DueTime>(dueTimes).map(
    ([name, { select }]) => `(${select}) AS ${name}`,
  );
  return sql.exec<Record<Name, number | null>>(`SELECT ${columns.join(", ")}`).one();
}
