import { expect, it } from "vitest";
import {
  daysOfMonth,
  saoPauloMonth,
  timesOfDays,
} from "../../../../src/domain/ledger/entries/month.ts";
import {
  givenCompany,
  takeCreatedCompanies,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { givenPaid } from "../../../support/builders/charges/transaction.ts";
import { tamper } from "../../../support/faults/tamper.ts";
import { costInObject } from "../../../support/probes/database/cost.ts";

const HISTORY = 20_000;
const LIMIT = 50;

/** The first movement, copied: through the object so many would take minutes. */
async function givenHistory(company: TestCompany): Promise<void> {
  await tamper(
    company,
    `WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${HISTORY})
     INSERT INTO movements SELECT n, type, transaction_id, withdraw_id, created_at, postings,
       available, awaiting, blocked, payout, debt, suspense, fees, provider, hash, details, details_hash
     FROM movements, numbers WHERE sequence = 1`,
  );
  // Copies carry no right hash.
  takeCreatedCompanies();
}

it("a page of entries and the sums of a month read no more rows in a long ledger than in a short one", async () => {
  const company = await givenCompany();
  await givenPaid(company, 2_500);
  await givenHistory(company);
  const days = daysOfMonth(saoPauloMonth(Date.now()));
  const period = { ...timesOfDays(days), only: null };
  const page = await costInObject(company, async (account) => {
    const { entries } = await account.statementEntries({ ...period, before: null, limit: LIMIT });
    expect(entries).toHaveLength(LIMIT);
  });
  // One more entry tells whether there are more; each bound is a binary search.
  expect(page.read).toBeLessThanOrEqual(LIMIT + 50);
  const sums = await costInObject(company, (account) => account.statementSums(days));
  expect(sums.read).toBeLessThanOrEqual(60);
});
