import { expect, it } from "vitest";
import { frozenByService } from "../../../../../src/domain/access/freeze.ts";
import { givenLink } from "../../../../support/builders/charges/payment-links.ts";
import {
  env,
  inAccount,
  takeCreatedCompanies,
  waitUntilDrained,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import {
  dispute,
  givenSettled,
} from "../../../../support/builders/operations/object-operations.ts";
import { claimPayout, withdraw } from "../../../../support/builders/withdraws/withdraw-commands.ts";
import {
  bookmarkObject,
  givenArchived,
  reconcile,
  restore,
} from "../../../../support/faults/restore.ts";

/** Opens a contradiction, as a callback's reader does of a record that nobody knows. */
async function openContradiction(company: TestCompany, name: string): Promise<void> {
  await inAccount(company.id, (account) =>
    account.recordFinding({
      companyId: company.id,
      finding: {
        finding: name,
        kind: "record_unreadable",
        object: `record:${name}`,
        said: {},
        booked: {},
        amount: 0,
        held: 0,
      },
    }),
  );
}

/** D1's copies of what the object numbers, by table. */
async function copiesOf(company: TestCompany): Promise<Record<string, any[]>> {
  const tables = {
    withdraws: "id",
    disputes: "number",
    payment_links: "number",
    contradictions: "number",
  };
  const copies: Record<string, any[]> = {};
  for (const [table, number] of Object.entries(tables)) {
    const query = `SELECT * FROM ${table} WHERE company_id = ? ORDER BY ${number}`;
    copies[table] = (await env.DB.prepare(query).bind(company.id).all()).results;
  }
  return copies;
}

it("an object older than D1 gives no number again that D1 has, and what it lost stays in the report", async () => {
  const company = await givenArchived();
  const charge = await givenSettled(company, 9_000);
  const makeOfEach = async (name: string) => {
    await givenLink(company);
    await openContradiction(company, name);
    await dispute(company, charge, { id: name, amount: 10 });
    const made = await withdraw(company, { amount: 10, idempotencyKey: name });
    await claimPayout(company, made.kind === "accepted" ? made.withdraw.id : 0);
    await waitUntilDrained(company);
  };
  await makeOfEach("first");
  const bookmark = await bookmarkObject(company);
  await makeOfEach("lost");
  const lost = await copiesOf(company);
  await bookmark.rollBack();
  await restore(company);
  const ended = frozenByService("The test ends it.");
  await inAccount(company.id, (account) =>
    account.setFrozen({ companyId: company.id, change: false, cause: ended }),
  );

  await makeOfEach("new");

  const after = await copiesOf(company);
  for (const [table, rows] of Object.entries(after)) {
    expect(rows.slice(0, 2)).toEqual(lost[table]);
    expect(rows.map(({ number, id }) => (table === "withdraws" ? id : number))).toEqual([1, 2, 3]);
  }
  const violations = await reconcile(company, true);
  expect(violations.filter((text) => text.includes("never made"))).toEqual([
    "I9 D1 has a withdraw 2 that was never made",
    "I9 D1 has a dispute 2 that was never made",
    "I9 D1 has a payment link 2 that was never made",
    "I9 D1 has a contradiction 2 that was never made",
  ]);
  expect(await copiesOf(company)).toEqual(after);
  // D1 differs from the object for good.
  takeCreatedCompanies();
});
