import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import type { StatementSums } from "../../domain/ledger/entries/entry.ts";
import { daysOfMonth, timesOfDays } from "../../domain/ledger/entries/month.ts";
import { entryTitle } from "../../domain/ledger/entries/titles.ts";
import { lineNumber, movementOfLine } from "../../domain/ledger/statement.ts";
import { ofxEntry, ofxFooter, ofxHeader } from "../../domain/ledger/statement-ofx.ts";
import { CURRENCY } from "../../domain/shared/money.ts";
import { Problem } from "../../domain/shared/problem.ts";
import type { Caller } from "../../http/context.ts";
import { ENTRIES_CSV_HEADER, entryCsvLine } from "./columns.ts";
import { entryPage, type NamedEntry } from "./service.ts";

/** Entries that one read of a file asks for. */
const FILE_PAGE = 2_000;
/** Movements of a month that is streamed: its reads stay below what the platform allows a request. */
export const STREAMED_MAX = 500_000;
/** Movements of a month as XLSX, which is built in memory: 20,000 took 220 MB. */
export const XLSX_MAX = 5_000;

/** Movements of a month as an archive, which reads them once for each of its files. */
export const ARCHIVE_MAX = 100_000;
/** Receipts of an archive, the newest: each is drawn and signed. */
export const RECEIPTS_MAX = 100;

/** A month whose files are made: what a later movement does to it is not in them. */
export interface FiledMonth {
  env: Env;
  caller: Caller;
  month: string;
  sums: StatementSums;
  nowMs: number;
}

/** Reads the sums of a month, up to which its files go. Throws 406 for one with more than `most` movements. */
export async function fileMonth(
  { env, caller, month, nowMs }: Omit<FiledMonth, "sums">,
  most: number,
): Promise<FiledMonth> {
  const sums = await callCompany(env, caller.company.id, (account) =>
    account.statementSums(daysOfMonth(month)),
  );
  if (sums.movements > most) {
    throw new Problem({
      code: "NOT_ACCEPTABLE",
      detail: `${month} has ${sums.movements} movements; such a file holds at most ${most}.`,
    });
  }
  return { env, caller, month, sums, nowMs };
}

/** The month's entries, page by page, newest first. */
async function* entryPages({ env, caller, month, sums }: FiledMonth): AsyncGenerator<NamedEntry[]> {
  const period = { ...timesOfDays(daysOfMonth(month)), only: null };
  let before: number | null = lineNumber(movementOfLine(sums.sequence) + 1, 0);
  while (before !== null) {
    const { items, after } = await entryPage(env, caller, { ...period, before, limit: FILE_PAGE });
    yield items;
    before = after;
  }
}

/** The month's entries, all in memory. */
export async function allEntries(month: FiledMonth): Promise<NamedEntry[]> {
  const pages: NamedEntry[][] = [];
  for await (const page of entryPages(month)) pages.push(page);
  return pages.flat();
}

/** The texts of a month's CSV, of the entries that `isOf` picks. */
export async function* entriesCsv(
  month: FiledMonth,
  isOf: (entry: NamedEntry) => boolean = () => true,
): AsyncGenerator<string> {
  yield ENTRIES_CSV_HEADER;
  for await (const page of entryPages(month)) yield page.filter(isOf).map(entryCsvLine).join("");
}

/** The texts of a month's OFX: releases, which change no balance, are not in it. */
export async function* entriesOfx(month: FiledMonth): AsyncGenerator<string> {
  const { caller, sums, nowMs } = month;
  const { from, to } = timesOfDays(daysOfMonth(month.month));
  const head = { companyId: caller.company.id, currency: CURRENCY, createdAt: nowMs };
  yield ofxHeader({ ...head, from, to: Math.min(to, nowMs) });
  for await (const page of entryPages(month)) {
    yield page
      .filter(({ net }) => net !== 0)
      .map((entry) => ofxEntry(entry, { ...entry, title: entryTitle(entry) }))
      .join("");
  }
  const { closing: amount, available } = sums;
  yield ofxFooter({ amount, available, asOf: Math.min(to, nowMs) });
}
