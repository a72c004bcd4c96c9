import writeXlsxFile, { type CellObject } from "write-excel-file/universal";
import { saoPauloDay } from "../../domain/shared/business-day.ts";
import { centsToReais } from "../../domain/shared/money.ts";
import type { Column } from "../../http/csv.ts";
import { COLUMNS } from "./columns.ts";
import type { NamedEntry } from "./service.ts";

/** Characters of a column's width. */
const WIDTHS = { day: 11, text: 24, cents: 14 };
const REAIS = "#,##0.00";

/** Entries as a workbook with one sheet, whose first row stays in sight. Built whole, in memory. */
export async function entriesXlsx(
  month: string,
  entries: readonly NamedEntry[],
): Promise<Uint8Array<ArrayBuffer>> {
  const headings = COLUMNS.map(({ heading }): CellObject => ({
    value: heading,
    fontWeight: "bold",
  }));
  const rows = entries.map((entry) => COLUMNS.map((column) => cellOf(column, entry)));
  const file = await writeXlsxFile([headings, ...rows], {
    sheet: `Extrato ${month}`,
    columns: COLUMNS.map((column) => ({ width: WIDTHS[kindOf(column)] })),
    stickyRowsCount: 1,
  }).toBlob();
  return new Uint8Array(await file.arrayBuffer());
}

function cellOf(column: Column<NamedEntry>, entry: NamedEntry): CellObject {
  if ("cents" in column) {
    return { type: Number, value: centsToReais(column.cents(entry)), format: REAIS };
  }
  if ("text" in column) return { type: String, value: column.text(entry) };
  // A workbook's days have no zone: this one is São Paulo's.
  const value = new Date(`${saoPauloDay(column.day(entry))}T00:00:00.000Z`);
  return { type: Date, value, format: "dd/mm/yyyy" };
}

function kindOf(column: Column<NamedEntry>): keyof typeof WIDTHS {
  if ("cents" in column) return "cents";
  return "day" in column ? "day" : "text";
}
