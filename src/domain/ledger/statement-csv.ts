import type { statementLineView } from "./statement.ts";

type StatementView = ReturnType<typeof statementLineView>;

/** Columns in order. Add a new one at the end. */
export const STATEMENT_COLUMNS = [
  "sequence",
  "createdAt",
  "type",
  "account",
  "amount",
  "balance",
  "transactionId",
  "withdrawId",
  "hash",
  "detailsHash",
] as const satisfies readonly (keyof StatementView)[];

/** RFC 4180 ends each line, the header too, with CR LF. */
const CRLF = "\r\n";

export const STATEMENT_CSV_HEADER = STATEMENT_COLUMNS.join(",") + CRLF;

/** A statement line as CSV (RFC 4180). No value can contain a comma, a quote or a line break. */
export function statementCsvLine(line: StatementView): string {
  return STATEMENT_COLUMNS.map((column) => line[column] ?? "").join(",") + CRLF;
}
