import { keyOf, readRows, type Row } from "./rows.ts";
import type { MovedTable, RowKey } from "./tables.ts";

/** Where a walk over all rows of a company stands: a table, and as JSON the key of its last row. */
export interface Position {
  atTable: string;
  afterKey: string;
}

/** A run of neighbouring rows, and what bounds it. */
export interface Range {
  after: RowKey | null;
  /** Left out where the table ends with these rows. */
  upTo?: RowKey;
}

export const FIRST: Position = { atTable: "", afterKey: "null" };

/** Visits a company's next rows, `limit` at most. Answers where it has come to; null at the end. */
export async function walkRows(
  source: D1Database,
  tables: MovedTable[],
  companyId: number,
  from: Position,
  limit: number,
  visit: (table: MovedTable, rows: Row[], range: Range) => Promise<void>,
): Promise<Position | null> {
  const begin = from.atTable === "" ? 0 : tables.findIndex(({ name }) => name === from.atTable);
  if (begin === -1) throw new Error(`there is no table ${from.atTable} any more`);
  let after = JSON.parse(from.afterKey) as RowKey | null;
  let left = limit;
  for (const table of tables.slice(begin)) {
    if (left === 0) return { atTable: table.name, afterKey: "null" };
    const rows = await readRows(source, table, companyId, { after, limit: left });
    const last = rows.at(-1);
    const isWhole = last === undefined || rows.length < left || table.key.length === 0;
    const upTo = isWhole ? null : keyOf(table, last);
    await visit(table, rows, upTo === null ? { after } : { after, upTo });
    if (upTo !== null) return { atTable: table.name, afterKey: JSON.stringify(upTo) };
    left -= rows.length;
    after = null;
  }
  return null;
}
