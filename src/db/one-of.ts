import { sql, type SQL } from "drizzle-orm";

/** Whether a column is one of some values. One parameter for all of them: D1 takes at most 100. */
export function isOneOf(column: SQL | object, values: (string | number)[]): SQL {
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(values)}))`;
}

/** The same of transactions' ids, which a column holds as bytes. */
export function isOneOfIds(column: SQL | object, ids: string[]): SQL {
  return sql`${column} IN (SELECT ${idOf(sql`value`)} FROM json_each(${JSON.stringify(ids)}))`;
}

/** In SQL, a transaction's id as it is stored, of its text; NULL of what is no such id. */
export function idOf(text: SQL): SQL {
  return sql`unhex(replace(${text}, '-', ''))`;
}
