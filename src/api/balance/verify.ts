import type { Env } from "../../config.ts";
import { listAnchors, type StoredAnchor } from "../../db/reconciliation/anchors.ts";
import { ACCOUNTS } from "../../domain/ledger/ledger.ts";
import { CURRENCY } from "../../domain/shared/money.ts";
import { lineNumber } from "../../domain/ledger/statement.ts";
import { STATEMENT_CSV_HEADER } from "../../domain/ledger/statement-csv.ts";
import { parseCsvLine } from "../../domain/ledger/statement-lines.ts";
import { StatementVerifier } from "../../domain/ledger/statement-verifier.ts";
import { statementPage } from "./service.ts";

const NOT_A_STATEMENT = "it is not a statement's CSV, whose first line names the columns";
const PROVIDER_LINES_MISSING =
  "the provider's lines are missing, so the zero sums cannot be checked; export with accounts=all";
const ANOTHER_LEDGER = "its last movement is not in this company's ledger";
/** The newest anchors that a statement is compared with: those of a month. */
const ANCHORS_MAX = 31;

/**
 * Checks a statement's CSV, exported with `accounts=all` from its first line: every running balance, each movement's
 * zero sum, the chain of hashes, the rules of docs/ledger.md, the newest stored anchors, and whether its last
 * movement is the one in the company's ledger. `error` says the first thing that is wrong. `anchored` is the newest
 * anchor that the statement reaches, `notAnchored` how many movements follow it. Balances in centavos.
 */
export async function verifyStatementCsv(env: Env, companyId: number, csv: string) {
  const [header, ...lines] = csv.split(/\r?\n/);
  const anchors = await listAnchors(env, companyId, ANCHORS_MAX);
  const verifier = new StatementVerifier(anchors.map(firstLineOf));
  for (const line of lines) if (line !== "") verifier.add(parseCsvLine(line) ?? {});
  const result = verifier.end();
  const ownError =
    header === STATEMENT_CSV_HEADER.trimEnd()
      ? (result.error ?? (result.missesProviderLines ? PROVIDER_LINES_MISSING : null))
      : NOT_A_STATEMENT;
  const { ledgerSequence, ledgerHash, balances } = result;
  const isOurs =
    ownError === null && (await isInLedger(env, companyId, ledgerSequence, ledgerHash));
  const reached = anchors.filter(({ movement }) => movement <= result.movements);
  const rewritten = reached.find((each) => result.hashes.get(firstLineOf(each)) !== each.hash);
  const error =
    ownError ??
    (isOurs ? null : ANOTHER_LEDGER) ??
    (rewritten === undefined ? null : `it differs from the anchor of ${rewritten.day}`);
  const [newest] = error === null ? reached : [];
  return {
    valid: error === null,
    error,
    lines: result.lines,
    movements: result.movements,
    ledgerSequence,
    ledgerHash,
    anchored: newest === undefined ? null : { day: newest.day, movement: newest.movement },
    notAnchored: result.movements - (newest?.movement ?? 0),
    balances: ACCOUNTS.map((account) => ({ account, balance: balances.get(account) ?? 0 })),
  };
}

/** The company's first line of an anchored movement. */
function firstLineOf({ movement }: StoredAnchor): number {
  return lineNumber(movement, 0);
}

/** Whether the company's ledger has this hash at this line. An empty statement is any ledger's beginning. */
async function isInLedger(env: Env, companyId: number, sequence: number, hash: string) {
  if (sequence === 0) return true;
  const query = { currency: CURRENCY, from: null, to: null, accounts: "company" as const };
  const { lines } = await statementPage(env, companyId, {
    ...query,
    after: sequence - 1,
    limit: 1,
  });
  const [line] = lines;
  return line?.sequence === sequence && line.hash === hash;
}
