import { rowKeyOf, readRows, type Row } from "./rows.ts";
import type { CompanyTable, RowKey } from "./company-tables.ts";

/** The position of a scan over a company's rows: a table, and the JSON key of its last row. */
export interface ScanPosition {
  atTable: string;
  afterKey: string;
}

/** The bounds of a page of rows. */
export interface KeyRange {
  after: RowKey | null;
  /** Absent for the last page of a table. */
  upTo?: RowKey;
}

export const SCAN_START: ScanPosition = { atTable: "", afterKey: "null" };

/** Visits a company's next rows, at most `limit`. Returns the new position; null at the end. */
export async function scanRows(
  source: D1Database,
  tables: CompanyTable[],
  companyId: number,
  from: ScanPosition,
  limit: number,
  visit: (table: CompanyTable, rows: Row[], range: KeyRange) => Promise<void>,
): Promise<ScanPosition | null> {
  const startIndex =
    from.atTable === "" ? 0 : tables.findIndex(({ name }) => name === from.atTable);
  if (startIndex === -1) throw new Error(`table ${from.atTable} no longer exists`);
  let after = JSON.parse(from.afterKey) as RowKey | null;
  let remaining = limit;
  for (const table of tables.slice(startIndex)) {
    if (remaining === 0) return { atTable: table.name, afterKey: "null" };
    const rows = await readRows(source, table, companyId, { after, limit: remaining });
    const last = rows.at(-1);
    const isTableDone = last === undefined || rows.length < remaining || table.key.length === 0;
    const upTo = isTableDone ? null : rowKeyOf(table, last);
    await visit(table, rows, upTo === null ? { after } : { after, upTo });
    if (upTo !== null) return { atTable: table.name, afterKey: JSON.stringify(upTo) };
    remaining -= rows.length;
    after = null;
  }
  return null;
}
