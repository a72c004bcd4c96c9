import { ACCOUNTS, MOVEMENT_TYPES, type Account, type MovementType } from "./ledger.ts";
import type { statementLineView } from "./statement.ts";
import { STATEMENT_COLUMNS } from "./statement-csv.ts";

export type StatementLineView = ReturnType<typeof statementLineView>;

/** An integer as the CSV export writes it: no plus sign, no leading zeros, no exponent. */
const INTEGER = /^(0|-?[1-9]\d*)$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ID = /^[A-Za-z0-9-]{1,64}$/;
const HASH = /^[0-9a-f]{64}$/;
/** `NUMBERS` are numeric columns; `OPTIONAL` columns may be empty. */
const NUMBERS = new Set(["sequence", "amount", "balance", "withdrawId"]);
const OPTIONAL = new Set(["transactionId", "withdrawId", "detailsHash"]);

/** Parses a CSV line; a value that is not an integer stays text. Null for a wrong number of values. */
export function parseCsvLine(text: string): Record<string, unknown> | null {
  const values = text.split(",");
  if (values.length !== STATEMENT_COLUMNS.length) return null;
  return Object.fromEntries(
    STATEMENT_COLUMNS.map((column, index) => {
      const value = values[index] ?? "";
      if (value === "" && OPTIONAL.has(column)) return [column, null];
      return [column, NUMBERS.has(column) && INTEGER.test(value) ? Number(value) : value];
    }),
  );
}

/** What is wrong with a line's values; null for a valid line. Amounts are integers of centavos. */
export function lineError(line: Record<string, unknown>): string | null {
  const { createdAt, type, account, transactionId, withdrawId, hash, detailsHash } = line;
  if (!isTimestamp(createdAt)) return "its createdAt is not a timestamp";
  if (!MOVEMENT_TYPES.includes(type as MovementType)) return "its type is unknown";
  if (!ACCOUNTS.includes(account as Account)) return "its account is unknown";
  if (!Number.isSafeInteger(line["amount"]))
    return "its amount is not an integer number of centavos";
  if (!Number.isSafeInteger(line["balance"]))
    return "its balance is not an integer number of centavos";
  if (!(transactionId === null || matches(transactionId, ID)))
    return "its transactionId is not an id";
  if (!(withdrawId === null || isPositiveInteger(withdrawId)))
    return "its withdrawId is not a positive integer";
  if (!matches(hash, HASH)) return "its hash is not a SHA-256 in hex";
  if (!(detailsHash === null || matches(detailsHash, HASH)))
    return "its detailsHash is not a SHA-256 in hex";
  return null;
}

/** Whether a value is an integer above zero. */
export function isPositiveInteger(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

/** Whether a value is a SHA-256 in lower-case hex. */
export function isHash(value: unknown): value is string {
  return matches(value, HASH);
}

function matches(value: unknown, pattern: RegExp): value is string {
  return typeof value === "string" && pattern.test(value);
}

/** Rejects days that do not exist: `Date` turns 30 February into a day of March. */
function isTimestamp(value: unknown): value is string {
  if (!matches(value, TIME)) return false;
  const time = new Date(value);
  return !Number.isNaN(time.getTime()) && time.toISOString() === value && value >= "0001";
}
