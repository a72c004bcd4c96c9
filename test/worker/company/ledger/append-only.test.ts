import { expect, it } from "vitest";
import { givenCompany, inAccount } from "../../../support/builders/companies/company.ts";
import { dumpObject } from "../../../support/probes/ledger/ledger.ts";

it.each([
  ["changed", "UPDATE movements SET created_at = created_at + 1", "a movement is never changed"],
  ["given details", "UPDATE movements SET details = '{}'", "a movement is never changed"],
  ["replaced", "REPLACE INTO movements SELECT * FROM movements", "a movement is never replaced"],
  ["deleted", "DELETE FROM movements", "a movement is never deleted"],
])("a movement cannot be %s in place", async (_what, statement, reason) => {
  const company = await givenCompany({ balance: 2_500 });
  const before = await dumpObject(company);

  const refusal = await inAccount(company.id, (_, { storage }) => {
    try {
      storage.sql.exec(statement);
      return "it was allowed";
    } catch (error) {
      return String(error);
    }
  });

  expect(refusal).toContain(reason);
  expect(await dumpObject(company)).toBe(before);
});
