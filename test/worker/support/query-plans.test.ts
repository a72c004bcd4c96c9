import { expect, test } from "vitest";
import { directoryOf } from "../../../src/db/client.ts";
import { companies } from "../../../src/db/schema/companies.ts";
import { call } from "../../support/builders/requests/api.ts";
import { env, givenCompany, inAccount } from "../../support/builders/companies/company.ts";
import { meteredD1 } from "../../support/probes/database/cost.ts";
import { assertQueryPlans, issuedQueries } from "../../support/probes/database/recorded-queries.ts";

test("a query that reads a whole table fails its file, with the query and its plan", async () => {
  await assertQueryPlans();
  await directoryOf(env).select({ name: companies.name }).from(companies).limit(1);
  const verdict = assertQueryPlans();
  await expect(verdict).rejects.toThrow('select "name" from "companies" limit ?');
  await expect(verdict).rejects.toThrow("! SCAN companies");
  await assertQueryPlans();
});

test("a query of the test itself is ignored", async () => {
  const company = await givenCompany();
  // The object makes its tables.
  await inAccount(company.id, () => undefined);
  await assertQueryPlans();
  await env.DB.prepare("SELECT name FROM companies ORDER BY name LIMIT 1").all();
  await inAccount(company.id, (_, { storage }) => {
    storage.sql.exec("SELECT * FROM movements ORDER BY hash").toArray();
  });
  expect(issuedQueries("D1")).toEqual([]);
  expect(issuedQueries("the company's object")).toEqual([]);
});

test("a request's queries are recorded, also when row counters wrap D1", async () => {
  const company = await givenCompany();
  await assertQueryPlans();
  await call("/api/Transaction/company/transactions", { company, env: meteredD1().env });
  expect(issuedQueries("D1").join()).toMatch(/from "transactions"/);
  await call(`/api/Balance/balance/${company.id}?currency=BRL`, { company });
  expect(issuedQueries("the company's object").join()).toMatch(/FROM movements/);
});
