import { expect, it } from "vitest";
import { givenManyTransactions } from "../../../support/builders/charges/many-transactions.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { withDatabase } from "../../../support/probes/database/instrumented-database.ts";

const MARIA = { name: "Maria", document: { number: "52998224725", type: "CPF" } };
const JOAO = { name: "João", document: { number: "12345678909", type: "CPF" } };
/** The scanned charges with a look at each one's payer, and of each shown payer the summed charges. */
const ROWS_MAX = 1_500;

it("each payer is listed once, by the newest charge, with what was paid and is open", async () => {
  const company = await givenCompany();
  const first = await givenTransaction(company, { amount: 1_000, customer: MARIA });
  await givenTransaction(company, { amount: 500, customer: JOAO });
  await givenTransaction(company, { amount: 9_000 });
  await givenTransaction(company, { amount: 2_500, customer: MARIA });
  await pay(company, first.id);
  const answer = await call("/api/v1/payers", { company });
  await expectDocumented("GET /api/v1/payers", answer);
  expect(answer.body).toMatchObject({ after: null, hasMore: false });
  expect(answer.body.items).toMatchObject([
    { name: "Maria", documentMasked: "***.982.247-**", charges: 2, paid: 1_000, open: 2_500 },
    { name: "João", charges: 1, paid: 0, open: 500, lastPaidAt: null },
  ]);
});

it("pages follow each other without a payer twice", async () => {
  const company = await givenCompany();
  for (const customer of [MARIA, JOAO, MARIA]) await givenTransaction(company, { customer });
  const one = await call("/api/v1/payers?limit=1", { company });
  const two = await call(`/api/v1/payers?limit=1&after=${one.body.after}`, { company });
  expect([...one.body.items, ...two.body.items].map(({ name }) => name)).toEqual(["Maria", "João"]);
  expect(two.body.hasMore).toBe(false);
});

it("a page reads a bounded number of rows, for any number of transactions", async () => {
  const company = await givenCompany();
  await givenManyTransactions(company);
  let rowsRead = 0;
  const env = withDatabase({ after: (_sql, rows) => (rowsRead += rows) });
  const { status, body } = await call("/api/v1/payers?limit=2", { company, env });
  expect(status).toBe(200);
  expect(body.items.length).toBeGreaterThan(0);
  expect(rowsRead).toBeLessThanOrEqual(ROWS_MAX);
});
