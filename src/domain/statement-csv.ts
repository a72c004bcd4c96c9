import type { statementLineView } from "./statement.ts";

type StatementView = ReturnType<typeof statementLineView>;

const COLUMNS = [
  "sequence",
  "createdAt",
  "type",
  "account",
  "amount",
  "balance",
  "transactionId",
  "withdrawId",
  "hash",
] as const satisfies readonly (keyof StatementView)[];

/** RFC 4180 ends each line, the header's too, with CR LF. */
const LINE_END = "\r\n";

export const STATEMENT_CSV_HEADER = COLUMNS.join(",") + LINE_END;

/** A line of the statement as CSV (RFC 4180). No value of it can hold a comma, a quote or a break. */
export function statementCsvLine(line: StatementView): string {
  return COLUMNS.map((column) => line[column] ?? "").join(",") + LINE_END;
}
