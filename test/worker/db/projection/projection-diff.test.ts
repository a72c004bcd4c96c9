import { expect, it } from "vitest";
import { checkCompany } from "../../../../src/api/operator/audit/tasks.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { withResults } from "../../../support/probes/database/instrumented-database.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";

it("a projection check reads no wide columns", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { metadata: "m".repeat(4_096) });
  await pay(company, id);
  const read: Record<string, unknown>[] = [];
  const check = await checkCompany(
    withResults((rows) => read.push(...rows)),
    company.id,
    Date.now(),
  );
  expect(check.violations).toEqual([]);
  expect(read.some((row) => row["id"] === id)).toBe(true);
  expect(JSON.stringify(read).length).toBeLessThan(4_096);
});
