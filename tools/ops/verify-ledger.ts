/**
 * `npm run verify-ledger -- statement.csv [balance.json] [--anchor anchor.json] [--public-key <base64>]`:
 * verifies a statement offline that was exported with `accounts=all`: every running balance, each movement's
 * zero sum, the chain of hashes, and the rules of docs/ledger.md. The balance response of the same moment proves
 * that no line is missing at the end, and has the newest anchor. Each `--anchor` is a stored one: the body of a
 * `ledger.anchored` event, or an older balance response. Reads CSV, or the JSON of one page with all lines. Exits
 * with 1 when anything is wrong, and with 3 when nothing is wrong but no key is pinned: whoever wrote the file could
 * have rewritten all of it. `tools/ops/verify_ledger.py` prints the same and shares no code with it.
 */
import { createReadStream, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { STATEMENT_CSV_HEADER } from "../../src/domain/ledger/statement-csv.ts";
import { parseCsvLine } from "../../src/domain/ledger/statement-lines.ts";
import {
  StatementVerifier,
  type StatementVerification,
} from "../../src/domain/ledger/statement-verifier.ts";
import { decimalReais } from "../../src/domain/shared/money.ts";
import {
  anchoredLines,
  anchoringOf,
  verifyStatement,
  type Evidence,
} from "../lib/statement-verdict.ts";

const EXIT_NOT_ANCHORED = 3;
const CORRECT = "all running balances, zero sums, hashes and movements are correct.";
const NOT_ANCHORED =
  "NOT ANCHORED: give --public-key and an anchor; " +
  "without them nothing shows whether the whole past was rewritten.";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    anchor: { type: "string", multiple: true, default: [] },
    "public-key": { type: "string" },
  },
});
const [statementFile, balanceFile] = positionals;
if (statementFile === undefined) fail("Give a statement: npm run verify-ledger -- statement.csv");

const from = process.env["INIT_CWD"] ?? process.cwd();
const evidence: Evidence = {
  balance: balanceFile === undefined ? null : readObject(balanceFile),
  anchors: options.anchor.map(readObject),
  publicKey: options["public-key"] ?? null,
};
const statement = await readStatement(resolve(from, statementFile));
print(statement);
const error = verifyStatement(statement, evidence);
if (error !== null) fail(`BROKEN: ${error}.`);
if (evidence.balance !== null) console.log("The balance response agrees with the statement.");
if (anchoredLines(evidence).length > 0) console.log("Every anchor agrees with the statement.");
const anchoring = anchoringOf(evidence);
if (anchoring === null) {
  console.log(`${CORRECT.charAt(0).toUpperCase()}${CORRECT.slice(1)}`);
  fail(NOT_ANCHORED, EXIT_NOT_ANCHORED);
}
const { movement, day } = anchoring;
const notAnchored = statement.movements - movement;
console.log(
  `Anchored up to movement ${movement} of ${statement.movements} (${day}); ${notAnchored} are not.`,
);
console.log(`OK: ${CORRECT}`);

async function readStatement(file: string): Promise<StatementVerification> {
  const verifier = new StatementVerifier(anchoredLines(evidence));
  if (file.endsWith(".json")) {
    const parsed = JSON.parse(readFileSync(file, "utf8")) as { items?: unknown[] } | unknown[];
    for (const line of Array.isArray(parsed) ? parsed : (parsed.items ?? [])) {
      verifier.add(isObject(line) ? line : {});
    }
    return verifier.end();
  }
  let header = true;
  for await (const text of createInterface({ input: createReadStream(file) })) {
    if (header && text !== STATEMENT_CSV_HEADER.trimEnd())
      fail("The file is not a Centavo statement.");
    if (!header && text !== "") verifier.add(parseCsvLine(text) ?? {});
    header = false;
  }
  if (header) fail("The file is not a Centavo statement: it is empty.");
  return verifier.end();
}

function readObject(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(resolve(from, file), "utf8")) as Record<string, unknown>;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function print({
  lines,
  movements,
  balances,
  ledgerSequence,
  ledgerHash,
}: StatementVerification): void {
  console.log(`${lines} lines, ${movements} movements`);
  for (const [account, cents] of balances) {
    console.log(`  ${account.padEnd(10)} ${decimalReais(cents).padStart(18)}`);
  }
  console.log(`ledgerSequence ${ledgerSequence}\nledgerHash     ${ledgerHash}`);
}

function fail(message: string, code = 1): never {
  console.error(message);
  process.exit(code);
}
