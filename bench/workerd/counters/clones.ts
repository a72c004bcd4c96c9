/** Copies of one real row, one for each number `n`. SQL over `n` computes the columns in `changed`. */
export interface Cloning {
  table: string;
  /** SQL condition that selects the template row; may use `n` to choose among several. No table alias. */
  template: string;
  changed: Record<string, string>;
}

/** SQL for the columns of a table, as `name`. */
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

/** The most rows of one statement; more would block the database for seconds. */
export const CLONES_MAX = 50_000;

/** Splits `first` to `last` into ranges of one statement each. */
export function rangesOf(first: number, last: number): { first: number; last: number }[] {
  const count = Math.max(0, Math.ceil((last - first + 1) / CLONES_MAX));
  return Array.from({ length: count }, (_, index) => ({
    first: first + index * CLONES_MAX,
    last: Math.min(last, first + (index + 1) * CLONES_MAX - 1),
  }));
}
