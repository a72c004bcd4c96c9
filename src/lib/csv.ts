/** RFC 4180 ends each line, the header too, with CR LF. */
const CRLF = "\r\n";
/** A spreadsheet takes a text that begins like this for a formula, in full width too (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const NEEDS_QUOTES = /[",\r\n]/;

type CsvValue = string | number | boolean | null;

/** A line of CSV (RFC 4180). Null is an empty field. A text that reads as a formula gets a leading quote mark. */
export function csvLine(values: readonly CsvValue[]): string {
  return values.map(csvField).join(",") + CRLF;
}

function csvField(value: CsvValue): string {
  if (typeof value !== "string") return String(value ?? "");
  const text = FORMULA.test(value) ? `'${value}` : value;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
