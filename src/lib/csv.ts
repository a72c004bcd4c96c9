/** RFC 4180 ends each line, the header too, with CR LF. */
const CRLF = "\r\n";
/** A spreadsheet takes a text that begins like this for a formula, in full width too (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NEEDS_QUOTES = /["\r\n]/;

type CsvValue = string | number | boolean | null;

/** How a country's spreadsheets read CSV: what divides the fields, and how a number is written. */
export interface CsvDialect {
  separator: string;
  number: (value: number) => string;
}

const RFC_4180: CsvDialect = { separator: ",", number: String };

/** A line of CSV (RFC 4180). Null is an empty field. A text that reads as a formula gets a leading quote mark. */
export function csvLine(values: readonly CsvValue[], dialect: CsvDialect = RFC_4180): string {
  return values.map((value) => csvField(value, dialect)).join(dialect.separator) + CRLF;
}

function csvField(value: CsvValue, { separator, number }: CsvDialect): string {
  if (typeof value === "number") return number(value);
  if (typeof value !== "string") return String(value ?? "");
  const text = FORMULA.test(value) ? `'${value}` : value;
  const needsQuotes = text.includes(separator) || NEEDS_QUOTES.test(text);
  return needsQuotes ? `"${text.replaceAll('"', '""')}"` : text;
}
