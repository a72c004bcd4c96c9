/**
 * `npm run verify-ledger -- statement.csv [balance.json]`: proves an exported statement offline, from
 * its first line: every running balance, and the chain of hashes. With the balance answer of the same
 * moment it also proves that no line is missing at the end. Takes the CSV, or the JSON of one page
 * that holds the whole. Exits with 1 where anything does not hold.
 */
import { createReadStream, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { STATEMENT_CSV_HEADER } from "../src/domain/statement-csv.ts";
import {
  StatementProver,
  type ShownLine,
  type StatementProof,
} from "../src/domain/statement-proof.ts";

const [statementFile, balanceFile] = process.argv.slice(2);
if (statementFile === undefined) fail("Say which file: npm run verify-ledger -- statement.csv");

const from = process.env["INIT_CWD"] ?? process.cwd();
const proof = await prove(resolve(from, statementFile));
print(proof);
if (proof.fault !== null) fail(`BROKEN: ${proof.fault}.`);
if (balanceFile !== undefined) compare(proof, resolve(from, balanceFile));
console.log("OK: every running balance and the whole chain hold.");

async function prove(file: string): Promise<StatementProof> {
  const prover = new StatementProver();
  if (file.endsWith(".json")) {
    const parsed = JSON.parse(readFileSync(file, "utf8")) as { items?: ShownLine[] } | ShownLine[];
    for (const line of Array.isArray(parsed) ? parsed : (parsed.items ?? [])) prover.add(line);
    return prover.end();
  }
  let header = true;
  for await (const text of createInterface({ input: createReadStream(file) })) {
    if (header && text !== STATEMENT_CSV_HEADER.trimEnd())
      fail("This is no statement of Centavo's.");
    if (!header && text !== "") prover.add(parseLine(text));
    header = false;
  }
  if (header) fail("This is no statement of Centavo's: the file is empty.");
  return prover.end();
}

/** No value of a statement holds a comma or a quote. */
function parseLine(text: string): ShownLine {
  const [sequence, createdAt, type, account, amount, balance, transactionId, withdrawId, hash] =
    text.split(",");
  return {
    sequence: Number(sequence),
    createdAt: createdAt ?? "",
    type: type as ShownLine["type"],
    account: account as ShownLine["account"],
    amount: Number(amount),
    balance: Number(balance),
    transactionId: transactionId === "" ? null : (transactionId ?? null),
    withdrawId: withdrawId === "" ? null : Number(withdrawId),
    hash: hash ?? "",
  };
}

function compare(proven: StatementProof, file: string): void {
  const balance = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  const cents = (name: string) => Math.round(Number(balance[name]) * 100);
  const of = (account: Parameters<typeof proven.balances.get>[0]) =>
    proven.balances.get(account) ?? 0;
  const same =
    balance["ledgerSequence"] === proven.ledgerSequence &&
    balance["ledgerHash"] === proven.ledgerHash &&
    cents("accBalance") === of("available") &&
    cents("accBalanceCreditAwaiting") === of("awaiting") &&
    cents("accBalanceCredit") === of("available") + of("awaiting") + of("blocked") &&
    cents("accBalanceDebt") === 0 - of("debt");
  if (!same) {
    fail(
      `BROKEN: the balance says sequence ${String(balance["ledgerSequence"])}, ` +
        `hash ${String(balance["ledgerHash"])}.`,
    );
  }
  console.log("The balance answer agrees.");
}

function print(proven: StatementProof): void {
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
