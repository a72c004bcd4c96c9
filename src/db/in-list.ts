import { sql, type SQL } from "drizzle-orm";

/** `IN` with one JSON parameter for all values: D1 allows 100 parameters a statement. */
export function inList(column: SQL | object, values: (string | number)[]): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}
