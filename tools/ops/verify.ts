/**
 * `npm run verify -- [--company 17] [--url https://...] [--repair] [--archived]`: verifies the ledger of every
 * company, or of one,
 * from the first movement, and compares each charge, withdraw and day with its projection in D1. `--repair`
 * rewrites projections that differ. `--archived` accepts that D1 lacks events before its first one.
 * docs/deploy.md says how an operator signs in. Exits with 1 after a violation.
 */
import { parseArgs } from "node:util";
import { fail, operatorApi, SERVICE_OPTIONS } from "../lib/operator-client.ts";
import { allCompanies, verifyCompany } from "../lib/verify-company.ts";

const { values: options } = parseArgs({
  options: {
    ...SERVICE_OPTIONS,
    company: { type: "string" },
    repair: { type: "boolean", default: false },
    archived: { type: "boolean", default: false },
  },
});

const api = operatorApi(options);
let violations = 0;
let isFound = false;
const only = companyOption(options.company);
for await (const company of allCompanies(api, (only ?? 1) - 1)) {
  if (only !== null && company.id !== only) break;
  isFound = true;
  // A failure of one company must not stop the others.
  violations += await verify(company.id, company.name).catch((error: Error) => {
    console.error(`${company.id} ${company.name}: ${error.message}`);
    return 1;
  });
}
if (only !== null && !isFound) fail(`There is no company ${only}.`);
if (violations > 0) {
  console.error(
    `${violations} violations. A company whose ledger is invalid is frozen; one whose copy in D1 differs is not.`,
  );
  process.exit(1);
}
const checked = only === null ? "every ledger" : "the ledger";
console.log(`OK: ${checked} is valid and D1 matches it.`);

/** The company of `--company`; null for all. Exits with 2 for what is no number. */
function companyOption(text: string | undefined): number | null {
  if (text === undefined) return null;
  const id = Number(text);
  return Number.isInteger(id) && id > 0 ? id : fail("--company takes a company's number.");
}

/** Reconciles one company and returns the number of violations that remain. */
async function verify(companyId: number, name: string): Promise<number> {
  const { violations: found, ...done } = await verifyCompany(api, companyId, options);
  const rewritten = done.repaired === 0 ? "" : `, ${done.repaired} rewritten`;
  console.log(
    `${companyId} ${name}: ${done.movement} movements, ${done.compared} projections compared${rewritten}`,
  );
  for (const violation of found) console.log(`    ${violation}`);
  return options.repair
    ? found.filter((violation) => !violation.startsWith("I9 D1 differs")).length
    : found.length;
}
