/**
 * `npm run inspect -- <id> [--url https://...] [--json]`: shows everything that D1 and the company's object
 * store about a transaction, withdraw or company: rows, postings, events with their attempts, and each field
 * in which the two differ. The id is a transaction's UUID, a withdraw's payout UUID, `1/7` for withdraw 7 of
 * company 1, or `1` for company 1. docs/deploy.md says how an operator signs in.
 * Exits with 1 when the two differ and with 2 for an unknown id or a failed request.
 */
import { parseArgs } from "node:util";
import type { Inspection, TableRow } from "../../src/domain/shared/inspection.ts";
import { companyIdOfTransactionId, parsePayoutId } from "../../src/domain/shared/ids.ts";
import type { MerchantAnswer } from "../lib/merchant.ts";
import { fail, operatorApi, SERVICE_OPTIONS } from "../lib/operator-client.ts";

const USAGE =
  "usage: npm run inspect -- <transaction's UUID | payout's UUID | company/withdraw | company> [--url ...] [--json]";
/** The width of the column for field names. */
const NAME_WIDTH = 24;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    ...SERVICE_OPTIONS,
    json: { type: "boolean", default: false },
  },
});

const [path, otherPath] = pathsOf(positionals[0] ?? "");
if (path === undefined || positionals.length > 1) fail(USAGE);
const isCompared = path.includes("?");
const api = operatorApi(options);
let answer = await requestInspection(path);
if (answer.status === 404 && otherPath !== undefined) answer = await requestInspection(otherPath);
if (answer.status !== 200) {
  fail(`The service returned ${answer.status}: ${JSON.stringify(answer.body)}`);
}
const inspection = answer.body as Inspection;
if (options.json) console.log(JSON.stringify(inspection, null, 2));
else print(inspection);
if (inspection.differences.length > 0) process.exitCode = 1;

function requestInspection(inspected: string): Promise<MerchantAnswer> {
  return api
    .call("GET", `/api/v1/operator/companies/${inspected}`)
    .catch((error: Error) => fail(`${api.base} does not respond: ${error.message}`));
}

/** The API paths that an id may mean, the likeliest first; empty for an invalid id. */
function pathsOf(id: string): string[] {
  if (/^\d{1,8}$/.test(id)) return [`${id}/inspect`];
  const [, company, withdraw] = /^(\d{1,8})\/(\d{1,15})$/.exec(id) ?? [];
  if (company !== undefined) return [`${company}/inspect?withdrawId=${withdraw}`];
  const payout = parsePayoutId(id);
  const transactionOf = companyIdOfTransactionId(id);
  const paths: string[] = [];
  if (transactionOf !== null) {
    paths.push(`${transactionOf}/inspect?transactionId=${id.toLowerCase()}`);
  }
  if (payout !== null) paths.push(`${payout.companyId}/inspect?withdrawId=${payout.withdrawId}`);
  // Both are UUIDs of version 8. A transaction id starts with its time, a payout id with random bits.
  return isTimeOfTransaction(id) ? paths : paths.toReversed();
}

/** Whether a UUID starts with a time between 2020 and tomorrow. */
function isTimeOfTransaction(id: string): boolean {
  const timeMs = Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16);
  return timeMs > Date.UTC(2020, 0) && timeMs < Date.now() + 86_400_000;
}

function print({ companyId, database, object, differences }: Inspection): void {
  console.log(`Company ${companyId}`);
  for (const [place, tables] of [
    ["D1", database],
    ["Object", object],
  ] as const) {
    for (const [table, rows] of Object.entries(tables)) {
      console.log(`\n${place}: ${table} (${rows.length})`);
      rows.forEach((row, index) => {
        if (index > 0) console.log("  --");
        printRow(row);
      });
    }
  }
  // A whole company is not compared here: `npm run verify` compares all its projections.
  if (!isCompared) return;
  console.log("\nDifferences");
  if (differences.length === 0) console.log("  none: D1 matches the object");
  for (const { field, here, there } of differences) {
    console.log(`  ${field}: D1 ${JSON.stringify(here)}, object ${JSON.stringify(there)}`);
  }
}

function printRow(row: TableRow): void {
  for (const [name, value] of Object.entries(row)) {
    if (value !== null) console.log(`  ${name.padEnd(NAME_WIDTH)} ${shown(name, value)}`);
  }
}

/** Adds the date to a time, which is a number of milliseconds in the tables. */
function shown(name: string, value: string | number): string {
  const isTime = /_(at|until|from)$/.test(name) && typeof value === "number" && value > 1e12;
  return isTime ? `${value}  ${new Date(value).toISOString()}` : String(value);
}
