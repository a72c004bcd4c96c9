import { callCompany } from "../../company-client/stub.ts";
import type { Env } from "../../config.ts";
import { statementLineView, type StatementLine } from "../../domain/ledger/statement.ts";
import { STATEMENT_CSV_HEADER, statementCsvLine } from "../../domain/ledger/statement-csv.ts";
import {
  OFX_ACCOUNT,
  ofxFooter,
  ofxHeader,
  ofxTransaction,
} from "../../domain/ledger/statement-ofx.ts";
import type { StatementQuery } from "../../domain/ledger/statement.ts";
import { statementPage } from "./service.ts";

/** Lines per read of an export: about 300 KB. */
const EXPORT_PAGE = 1_000;
/** Lines of one export; `from` and `to` divide a longer statement. */
const EXPORT_MAX_LINES = 5_000_000;

/** The statement as CSV, streamed page by page. Errors if it exceeds the limit of an export. */
export function statementCsv(
  env: Env,
  companyId: number,
  query: StatementQuery,
): ReadableStream<Uint8Array> {
  return streamOf(async function* () {
    yield STATEMENT_CSV_HEADER;
    for await (const lines of statementPages(env, companyId, query)) {
      yield lines.map((line) => statementCsvLine(statementLineView(line))).join("");
    }
  });
}

/**
 * The statement of `available` as OFX 2, streamed page by page: up to `query.to`, else up to now, with the balance
 * then. Errors if it exceeds the limit of an export.
 */
export function statementOfx(
  env: Env,
  companyId: number,
  query: StatementQuery,
  nowMs: number,
): ReadableStream<Uint8Array> {
  const to = Math.min(query.to ?? nowMs, nowMs);
  return streamOf(async function* () {
    let balance: number | null = null;
    let isBegun = false;
    const header = (from: number) =>
      ofxHeader({ companyId, currency: query.currency, from, to, createdAt: nowMs });
    for await (const lines of statementPages(env, companyId, { ...query, to })) {
      if (!isBegun) yield header(query.from ?? lines[0]?.createdAt ?? to);
      isBegun = true;
      const own = lines.filter(({ account }) => account === OFX_ACCOUNT);
      balance = own.at(-1)?.balance ?? balance;
      yield own.map(ofxTransaction).join("");
    }
    if (!isBegun) yield header(query.from ?? to);
    const amount =
      balance ?? (await callCompany(env, companyId, (account) => account.availableAt(to)));
    yield ofxFooter({ amount, asOf: to });
  });
}

/** A statement's pages. Throws if it exceeds the limit of an export. */
async function* statementPages(
  env: Env,
  companyId: number,
  query: StatementQuery,
): AsyncGenerator<StatementLine[]> {
  let { after } = query;
  let remaining = Math.min(query.limit, EXPORT_MAX_LINES);
  while (remaining > 0) {
    const limit = Math.min(remaining, EXPORT_PAGE);
    const { lines, hasMore } = await statementPage(env, companyId, { ...query, after, limit });
    yield lines;
    if (!hasMore) return;
    after = lines.at(-1)?.sequence ?? after;
    remaining -= lines.length;
  }
  // An error cuts the stream off, so that a part does not pass for the complete statement.
  if (query.limit > EXPORT_MAX_LINES) throw new Error(`more than ${EXPORT_MAX_LINES} lines`);
}

/** A stream of texts or bytes, each produced when it is read. */
export function streamOf(
  produce: () => AsyncGenerator<string | Uint8Array>,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const parts = produce();
  return new ReadableStream({
    pull: async (controller) => {
      // A pull that enqueues nothing is not repeated.
      for (;;) {
        const { done, value } = await parts.next();
        if (done === true) return controller.close();
        if (value.length === 0) continue;
        controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
        return;
      }
    },
    cancel: async () => {
      await parts.return(undefined);
    },
  });
}
