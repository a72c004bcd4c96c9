import { saoPauloDay } from "../shared/business-day.ts";

/** The archive's files that expire: the bucket's lifecycle rule has this prefix, and no file that must stay may. */
export const CHANGES_PREFIX = "changes/";
/** Days after which they do: D1 can be taken back by 30. */
export const DAYS_KEPT = 35;

/** The rows that leave D1 for the archive. Their files stay. */
export const ARCHIVED_KINDS = ["transactions", "events"] as const;
export type ArchivedKind = (typeof ARCHIVED_KINDS)[number];

/** The fewest months after which rows may leave: disputes and refunds of a charge have mostly ended by then. */
export const ARCHIVE_AFTER_MONTHS_MIN = 2;
/** Whole months have at least so many days. */
const MONTH_DAYS_MIN = 28;
const DAY_MS = 24 * 60 * 60_000;

/** Whether a row that was made at a time may have left D1, whatever the configuration says. Unix milliseconds. */
export function mayBeArchived(createdAt: number, nowMs: number): boolean {
  return createdAt < nowMs - ARCHIVE_AFTER_MONTHS_MIN * MONTH_DAYS_MIN * DAY_MS;
}

/** The time before which rows are old enough to leave, so many calendar months ago (UTC). Unix milliseconds. */
export function archivedBefore(nowMs: number, months: number): number {
  const date = new Date(nowMs);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() - months, 1);
  const daysOfMonth = new Date(
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0),
  ).getUTCDate();
  date.setUTCDate(Math.min(day, daysOfMonth));
  return date.getTime();
}

/** Digits of a number in a file's name, so that names sort by number. */
const NUMBER_DIGITS = 12;
const MONTH_LENGTH = "YYYY-MM".length;

/** Rows of one kind and company, by number: `transactions.seq` or `events.company_sequence`. */
export interface ArchivedRange {
  first: number;
  last: number;
}

/** The month (`YYYY-MM`, São Paulo's time, as reports have it) whose files have a row of a time, Unix milliseconds. */
export function archiveMonth(createdAt: number): string {
  return saoPauloDay(createdAt).slice(0, MONTH_LENGTH);
}

/** Where the files of a company's rows of a month are. */
export function archiveFolder(kind: ArchivedKind, companyId: number, month: string): string {
  return `${kind}/${companyId}/${month}/`;
}

/** The name of a file: its rows' numbers, and the hash of its lines as they were first written. */
export function archiveFileName(
  folder: string,
  { first, last }: ArchivedRange,
  hash: string,
): string {
  return `${folder}${padded(first)}-${padded(last)}-${hash}.ndjson`;
}

/** The numbers between which a file's rows are; null of a name that is none of `archiveFileName`. */
export function archiveFileRange(name: string): ArchivedRange | null {
  const [, first, last] = /\/(\d{12})-(\d{12})-[0-9a-f]+\.ndjson$/.exec(name) ?? [];
  return first === undefined || last === undefined
    ? null
    : { first: Number(first), last: Number(last) };
}

function padded(number: number): string {
  return String(number).padStart(NUMBER_DIGITS, "0");
}
