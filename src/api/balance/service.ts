import { callCompany } from "../../company-client/stub.ts";
import { balanceView } from "../../domain/ledger/balance.ts";
import type { StatementLine, StatementQuery } from "../../domain/ledger/statement.ts";
import { statementLineView } from "../../domain/ledger/statement.ts";
import { STATEMENT_CSV_HEADER, statementCsvLine } from "../../domain/ledger/statement-csv.ts";
import type { Env } from "../../config.ts";

/** Lines per read of an export: about 300 KB. */
const EXPORT_PAGE = 1_000;
/** Lines of one export; `from` and `to` divide a longer statement. */
const EXPORT_MAX_LINES = 5_000_000;

/** A company's balance in reais, with the newest head of its ledger and the newest anchor. */
export async function readBalance(env: Env, companyId: number, currency: string) {
  const { balances, head, anchor } = await callCompany(env, companyId, (account) =>
    account.balances(),
  );
  return {
    ...balanceView(companyId, currency, balances),
    ledgerSequence: head.sequence,
    ledgerHash: head.hash,
    ledgerAnchor: anchor,
  };
}

/** A company's amounts that await release, by day. Centavos. */
export async function readForecast(env: Env, companyId: number, currency: string) {
  const items = await callCompany(env, companyId, (account) => account.forecast());
  const total = items.reduce((sum, day) => sum + day.amount, 0);
  return { companyId, currency, total, items };
}

/** One page of a statement, and whether more lines follow. */
export async function statementPage(
  env: Env,
  companyId: number,
  query: StatementQuery,
): Promise<{ lines: StatementLine[]; hasMore: boolean }> {
  const lines = await callCompany(env, companyId, (account) =>
    account.statement({ ...query, limit: query.limit + 1 }),
  );
  return { lines: lines.slice(0, query.limit), hasMore: lines.length > query.limit };
}

/** The statement as CSV, streamed page by page. Errors if it exceeds the limit of an export. */
export function statementCsv(
  env: Env,
  companyId: number,
  query: StatementQuery,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let { after } = query;
  let remaining = Math.min(query.limit, EXPORT_MAX_LINES);
  return new ReadableStream({
    start: (controller) => controller.enqueue(encoder.encode(STATEMENT_CSV_HEADER)),
    pull: async (controller) => {
      const limit = Math.min(remaining, EXPORT_PAGE);
      const { lines, hasMore } = await statementPage(env, companyId, { ...query, after, limit });
      const csv = lines.map((line) => statementCsvLine(statementLineView(line))).join("");
      if (csv !== "") controller.enqueue(encoder.encode(csv));
      after = lines.at(-1)?.sequence ?? after;
      remaining -= lines.length;
      if (hasMore && remaining === 0 && query.limit > EXPORT_MAX_LINES) {
        // An error cuts the stream off, so that a part does not pass for the complete statement.
        controller.error(new Error(`more than ${EXPORT_MAX_LINES} lines`));
      } else if (!hasMore || remaining === 0) controller.close();
    },
  });
}
