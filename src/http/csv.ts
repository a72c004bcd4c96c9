import { type Cents, typedReais } from "../domain/shared/money.ts";
import { csvLine, type CsvDialect } from "../lib/csv.ts";
import type { AppContext } from "./context.ts";
import { CSV_TYPE } from "./negotiation.ts";

/** One export holds at most so many rows; a narrower filter divides a longer one. */
const EXPORT_MAX_ROWS = 100_000;
/** Reads of one export. D1 and the company's object take at most 1,000 calls of a request. */
const EXPORT_MAX_READS = 400;

/** What Brazilian spreadsheets read: semicolons, and centavos as reais with a comma. */
const BRAZILIAN: CsvDialect = {
  separator: ";",
  number: (cents) => typedReais(cents, "pt-BR"),
};
/** Tells a spreadsheet that the text is UTF-8. */
const BYTE_ORDER_MARK = "\u{FEFF}";

const TIME_ZONE = "America/Sao_Paulo";
const DAY = new Intl.DateTimeFormat("pt-BR", { timeZone: TIME_ZONE, dateStyle: "short" });
const TIME = new Intl.DateTimeFormat("pt-BR", { timeZone: TIME_ZONE, timeStyle: "medium" });

/** A column of a table for people in Brazil: a day of São Paulo (epoch milliseconds), a text, or centavos. */
export type Column<Row> = { heading: string } & (
  | { day: (row: Row) => number }
  | { text: (row: Row) => string }
  | { cents: (row: Row) => Cents }
);

/** A day of São Paulo as Brazil writes it, from epoch milliseconds. */
export function brazilianDay(epochMs: number): string {
  return DAY.format(epochMs);
}

/** A time of day in São Paulo, with seconds, from epoch milliseconds. */
export function brazilianTime(epochMs: number): string {
  return TIME.format(epochMs);
}

/** The first line of CSV for people in Brazil. */
export function brazilianHeader<Row>(columns: readonly Column<Row>[]): string {
  const headings = columns.map(({ heading }) => heading);
  return BYTE_ORDER_MARK + csvLine(headings, BRAZILIAN);
}

/** A row as a line of CSV for people in Brazil. */
export function brazilianLine<Row>(columns: readonly Column<Row>[], row: Row): string {
  const values = columns.map((column) => {
    if ("cents" in column) return column.cents(row);
    return "day" in column ? brazilianDay(column.day(row)) : column.text(row);
  });
  return csvLine(values, BRAZILIAN);
}

/** Whether the request prefers Portuguese: a CSV is then one for people in Brazil, else one for programs. */
export function prefersPortuguese(c: AppContext): boolean {
  return /^\s*pt\b/i.test(c.req.header("Accept-Language") ?? "");
}

/** A page of an export: its lines, and how to read the next one; null at the end. */
export interface CsvPage<Cursor> {
  lines: string[];
  after: Cursor | null;
}

/**
 * A list as CSV, read page by page while it is sent, so that memory holds one page. `limit`: rows at most.
 * A list that is longer than an export cuts the answer off, so that a part does not pass for the whole.
 */
export function csvResponse<Cursor>(
  c: AppContext,
  {
    filename,
    header,
    limit = Infinity,
  }: { filename: string; header: string; limit?: number | undefined },
  start: Cursor,
  readPage: (after: Cursor) => Promise<CsvPage<Cursor>>,
): Response {
  const encoder = new TextEncoder();
  let after: Cursor = start;
  let rows = 0;
  let reads = 0;
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(header)),
    pull: async (controller) => {
      const page = await readPage(after);
      const lines = page.lines.slice(0, Math.min(limit, EXPORT_MAX_ROWS) - rows);
      rows += lines.length;
      reads += 1;
      if (lines.length > 0) controller.enqueue(encoder.encode(lines.join("")));
      const hasMore = page.after !== null || lines.length < page.lines.length;
      if (!hasMore || rows >= limit) controller.close();
      else if (page.after === null || rows >= EXPORT_MAX_ROWS || reads >= EXPORT_MAX_READS) {
        controller.error(
          new Error(`more than ${EXPORT_MAX_ROWS} rows or ${EXPORT_MAX_READS} reads`),
        );
      } else after = page.after;
    },
  });
  return c.body(stream, 200, {
    "Content-Type": `${CSV_TYPE}; charset=utf-8; header=present`,
    "Content-Disposition": `attachment; filename="${filename}.csv"`,
    Vary: "Accept-Language",
  });
}
