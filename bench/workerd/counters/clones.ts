/**
 * Many rows from one that really came to be, whatever its table's columns are: a copy for each
 * number, in which the columns named in `changed` are told apart by SQL over `n`.
 */
export interface Cloning {
  table: string;
  /** SQL that fits the template's row, `n` to choose among several. Without alias. */
  template: string;
  changed: Record<string, string>;
}

/** SQL that says which columns a table has, as `name`. */
export function columnsSql(table: string): string {
  return `SELECT name FROM pragma_table_info('${table}')`;
}

/** The INSERT that copies the template for each `n` from `first` to `last`. */
export function cloneSql(
  { table, template, changed }: Cloning,
  columns: string[],
  first: number,
  last: number,
): string {
  const values = columns.map((column) => changed[column] ?? column);
  return `WITH RECURSIVE numbers (n) AS
      (SELECT ${first} UNION ALL SELECT n + 1 FROM numbers WHERE n < ${last})
    INSERT INTO ${table} (${columns.join(", ")})
    SELECT ${values.join(", ")} FROM numbers CROSS JOIN ${table} WHERE ${template}`;
}

/** How many rows one statement writes: more would hold the database for seconds. */
export const CLONES_MAX = 50_000;

/** The ranges of `first` to `last` that one statement each writes. */
export function rangesOf(first: number, last: number): { first: number; last: number }[] {
  const count = Math.max(0, Math.ceil((last - first + 1) / CLONES_MAX));
  return Array.from({ length: count }, (_, index) => ({
    first: first + index * CLONES_MAX,
    last: Math.min(last, first + (index + 1) * CLONES_MAX - 1),
  }));
}
