import type { statementLineView } from "./statement.ts";

type StatementView = ReturnType<typeof statementLineView>;

/** In their order; a new one is added at the end. */
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

/** RFC 4180 ends each line, the header's too, with CR LF. */
const CRLF = "\r\n";

export const STATEMENT_CSV_HEADER = STATEMENT_COLUMNS.join(",") + CRLF;

/** A line of the statement as CSV (RFC 4180). No value of it can hold a comma, a quote or a break. */
export function statementCsvLine(line: StatementView): string {
  return STATEMENT_COLUMNS.map((column) => line[column] ?? "").join(",") + CRLF;
}
