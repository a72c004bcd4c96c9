/**
 * `npm run verify-ledger -- statement.csv [balance.json] [--anchor kept.json] [--public-key <base64>]`:
 * proves a statement that was exported with `accounts=all`, offline, from its first line: every running
 * balance, each movement's sum of zero, and the chain of hashes. With the balance answer of the same
 * moment it also proves that no line is missing at the end, and that the past is the one that was
 * anchored; each `--anchor` is one that was kept (the body of a `ledger.anchored` event, or an older
 * balance answer). Takes the CSV, or the JSON of one page that holds the whole. Exits with 1 where
 * anything does not hold. `tools/ops/verify_ledger.py` says the same and shares no code with it.
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
import { anchoredLines, verifyStatement, type Evidence } from "../lib/statement-verdict.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    anchor: { type: "string", multiple: true, default: [] },
    "public-key": { type: "string" },
  },
});
const [statementFile, balanceFile] = positionals;
if (statementFile === undefined) fail("Give a file: npm run verify-ledger -- statement.csv");

const from = process.env["INIT_CWD"] ?? process.cwd();
const evidence: Evidence = {
  balance: balanceFile === undefined ? null : readObject(balanceFile),
  anchors: options.anchor.map(readObject),
  publicKey: options["public-key"] ?? null,
};
const proof = await prove(resolve(from, statementFile));
print(proof);
const fault = verifyStatement(proof, evidence);
if (fault !== null) fail(`BROKEN: ${fault}.`);
if (evidence.balance !== null) console.log("The balance answer agrees.");
if (anchoredLines(evidence).length > 0) console.log("The anchored past is this one.");
console.log("OK: all running balances, zero sums and hashes are correct.");

async function prove(file: string): Promise<StatementVerification> {
  const prover = new StatementVerifier(anchoredLines(evidence));
  if (file.endsWith(".json")) {
    const parsed = JSON.parse(readFileSync(file, "utf8")) as { items?: unknown[] } | unknown[];
    for (const line of Array.isArray(parsed) ? parsed : (parsed.items ?? [])) {
      prover.add(isObject(line) ? line : {});
    }
    return prover.end();
  }
  let header = true;
  for await (const text of createInterface({ input: createReadStream(file) })) {
    if (header && text !== STATEMENT_CSV_HEADER.trimEnd())
      fail("The file is not a Centavo statement.");
    if (!header && text !== "") prover.add(parseCsvLine(text) ?? {});
    header = false;
  }
  if (header) fail("The file is not a Centavo statement: it is empty.");
  return prover.end();
}

function readObject(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(resolve(from, file), "utf8")) as Record<string, unknown>;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function print(proven: StatementVerification): void {
  console.log(`${proven.lines} lines, ${proven.movements} movements`);
  for (const [account, cents] of proven.balances) {
    console.log(`  ${account.padEnd(10)} ${(cents / 100).toFixed(2).padStart(18)}`);
  }
  console.log(`ledgerSequence ${proven.ledgerSequence}\nledgerHash     ${proven.ledgerHash}`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
