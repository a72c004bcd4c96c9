import type { EntryKind } from "../../../../domain/ledger/entries/entry.ts";
import { lineNumber, movementOfLine } from "../../../../domain/ledger/statement.ts";
import type { Filters } from "../payments/filters.ts";

/** What a figure of the ledger is made of: entries of days, of one kind, of one hour of the first day. */
interface EntryFilters {
  from?: string;
  to: string;
  only?: EntryKind;
  hour?: string;
}

/** The payments that a figure counts. */
export function paymentsPath(filters: Filters): string {
  return `/console/payments?${new URLSearchParams(filters as Record<string, string>).toString()}`;
}

/** The entries of the statement that a figure sums up. */
export function entriesPath(filters: EntryFilters): string {
  return `/console/statement?${new URLSearchParams({ ...filters }).toString()}`;
}

/** The postings from those of a movement on, by the number of one of its lines. */
export function postingsPath(sequence: number): string {
  const before = lineNumber(movementOfLine(sequence), 0) - 1;
  const query = new URLSearchParams({ from: "", to: "", after: String(before) });
  return `/console/statement/postings?${query.toString()}`;
}

/** The postings of a movement, by its number, and those after it. */
export function movementPath(number: number): string {
  return postingsPath(lineNumber(number, 0));
}
