import { beforeAll, describe, expect, it } from "vitest";
import { call, type Answer } from "../../../../support/builders/requests/api.ts";
import {
  env as testEnv,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { withDatabase } from "../../../../support/probes/database/instrumented-database.ts";
import {
  givenManyTransactions,
  MANY_COUNT,
  RARE_EVERY,
  RARE_DOCUMENT,
  RARE_REFERENCE,
  type ManyTransactions,
} from "../../../../support/builders/charges/many-transactions.ts";
import { createTransaction } from "../../../../support/builders/charges/transaction.ts";

const MINUTE_MS = 60_000;
const CREDENTIALS = /api_keys|^select "credentials_version"/;
/** The most rows that a search may read, with any filters. */
const SEARCH_MAX = 1_000;
const BISECTION = 50;
/** Key, payer, newest number, the row itself, and the update with its result. */
const CREATE_MAX = 20;

let company: TestCompany;
let firstAt: number;
let idOf: ManyTransactions["idOf"];

beforeAll(async () => {
  company = await givenCompany();
  ({ firstAt, idOf } = await givenManyTransactions(company));
});

/** A call with the number of rows that D1 read for it, without the credentials. */
async function counted(path: string): Promise<{ answer: Answer; rowsRead: number }> {
  let rowsRead = 0;
  let statements = 0;
  const env = withDatabase({
    after: (sql, rows) => {
      if (CREDENTIALS.test(sql)) return;
      rowsRead += rows;
      statements += 1;
    },
  });
  const answer = await call(path, { company, env });
  expect(answer.status).toBe(200);
  expect(statements).toBeGreaterThan(0);
  return { answer, rowsRead };
}

const numbersOf = (items: { id: number }[]) => items.map((item) => item.id);

/** `count` consecutive numbers from `first`, ascending or descending. */
const run = (first: number, count: number, step: 1 | -1) =>
  Array.from({ length: count }, (_, index) => first + index * step);

const timeOf = (number: number) => new Date(firstAt + number * MINUTE_MS).toISOString();

describe("a page of the list reads only its own rows", () => {
  const pages = MANY_COUNT / 100;

  it.each([
    ["first", 1, "createdAt_desc", run(MANY_COUNT, 100, -1)],
    ["middle", pages / 2, "createdAt_desc", run(MANY_COUNT / 2 + 100, 100, -1)],
    ["last", pages, "createdAt_desc", run(100, 100, -1)],
    ["first", 1, "createdAt_asc", run(1, 100, 1)],
    ["middle", pages / 2, "createdAt_asc", run(MANY_COUNT / 2 - 99, 100, 1)],
    ["last", pages, "createdAt_asc", run(MANY_COUNT - 99, 100, 1)],
    ["one beyond the last", pages + 1, "createdAt_desc", []],
    ["one beyond the last", pages + 1, "createdAt_asc", []],
  ])("the %s (page %i, %s)", async (_which, page, sort, numbers) => {
    const path = `/api/Transaction/company/transactions?pageSize=100&page=${page}&sort=${sort}`;
    const { answer, rowsRead } = await counted(path);
    expect(numbersOf(answer.body.res.items)).toEqual(numbers);
    expect(answer.body.res.totalItems).toBe(MANY_COUNT);
    expect(rowsRead).toBeLessThanOrEqual(100 + 5);
  });

  it.each([1, 50])("a page of %i", async (pageSize) => {
    const path = `/api/Transaction/company/transactions?pageSize=${pageSize}&page=77`;
    const { rowsRead } = await counted(path);
    expect(rowsRead).toBeLessThanOrEqual(pageSize + 5);
  });
});

describe("a search by an index reads only its page", () => {
  it.each([
    ["everything", ""],
    ["everything, from the middle on", `&after=${MANY_COUNT / 2}`],
    ["externalRef", `&externalRef=${RARE_REFERENCE}`],
    ["externalRef, from the middle on", `&externalRef=${RARE_REFERENCE}&after=${MANY_COUNT / 2}`],
    ["document", `&document=${RARE_DOCUMENT}`],
    ["document, from the middle on", `&document=${RARE_DOCUMENT}&after=${MANY_COUNT / 2}`],
  ])("%s", async (_filter, query) => {
    const limit = 20;
    const { answer, rowsRead } = await counted(`/api/v1/transactions?limit=${limit}${query}`);
    expect(answer.body.items).toHaveLength(limit);
    expect(rowsRead).toBeLessThanOrEqual(limit + 5);
  });

  it.each([1, 10, 100])("%i ids, read one by one and sorted", async (count) => {
    const ids = run(1, count, 1).map((index) => idOf(index * (MANY_COUNT / 100)));
    const { answer, rowsRead } = await counted(
      `/api/v1/transactions?limit=100&ids=${ids.join(",")}`,
    );
    expect(answer.body.items).toHaveLength(count);
    expect(rowsRead).toBeLessThanOrEqual(count);
  });

  it.each([
    ["near the end", MANY_COUNT - 10],
    ["in the middle", MANY_COUNT / 2],
    ["near the beginning", 30],
  ])("up to a time %s, plus the bisection steps", async (_where, number) => {
    const limit = 20;
    const { answer, rowsRead } = await counted(
      `/api/v1/transactions?limit=${limit}&to=${timeOf(number)}`,
    );
    expect(numbersOf(answer.body.items)).toEqual(run(number, limit, -1));
    expect(rowsRead).toBeLessThanOrEqual(limit + 5 + BISECTION);
  });

  it("from a time on, far back", async () => {
    const { answer, rowsRead } = await counted(
      `/api/v1/transactions?limit=20&from=${timeOf(MANY_COUNT - 5)}`,
    );
    expect(numbersOf(answer.body.items)).toEqual(run(MANY_COUNT, 6, -1));
    expect(answer.body.hasMore).toBe(false);
    expect(rowsRead).toBeLessThanOrEqual(20 + 5);
  });
});

describe("a search with a filter reads a bounded number of rows", () => {
  it.each([
    ["an unused status", "status=PAID"],
    ["an unused method", "paymentMethod=BOLETO"],
    ["a status of every transaction", "status=PENDING"],
    ["two indexed filters", `externalRef=${RARE_REFERENCE}&document=${RARE_DOCUMENT}`],
    ["a reference and a status", `externalRef=${RARE_REFERENCE}&status=PAID`],
    ["a document and a status", `document=${RARE_DOCUMENT}&status=PAID`],
    ["a payer's name that nobody has", "payerName=nobody"],
    ["a value that nothing has", "amountFrom=1&amountTo=1"],
    ["an unknown external reference", "externalRef=none"],
    ["an unknown document", "document=11222333000181"],
    ["no external reference", "externalRef="],
  ])("%s", async (_filter, query) => {
    const { rowsRead } = await counted(`/api/v1/transactions?limit=100&${query}`);
    expect(rowsRead).toBeLessThanOrEqual(SEARCH_MAX);
  });

  it("with a time range too", async () => {
    const { rowsRead } = await counted(
      `/api/v1/transactions?limit=100&status=PAID&to=${timeOf(MANY_COUNT / 2)}&from=${timeOf(1)}`,
    );
    expect(rowsRead).toBeLessThanOrEqual(SEARCH_MAX);
  });

  it("and says that there is more after it stopped at the bound", async () => {
    const { answer } = await counted("/api/v1/transactions?status=PAID");
    expect(answer.body.items).toEqual([]);
    expect(answer.body.hasMore).toBe(true);
    expect(Number(answer.body.after)).toBeLessThan(MANY_COUNT);
  });
});

it("the cursor of a rare filter returns every match exactly once", async () => {
  const found: number[] = [];
  let after = "";
  do {
    const { answer } = await counted(
      `/api/v1/transactions?limit=30&document=${RARE_DOCUMENT}&status=PENDING${after}`,
    );
    found.push(...numbersOf(answer.body.items));
    after = answer.body.hasMore === true ? `&after=${answer.body.after}` : "";
  } while (after !== "");
  expect(found).toEqual(
    run(MANY_COUNT / RARE_EVERY, MANY_COUNT / RARE_EVERY, -1).map((index) => index * RARE_EVERY),
  );
});

it("a create reads a few rows, for any number of transactions", async () => {
  const busy = await givenCompany();
  await givenManyTransactions(busy);
  const requests = [
    { customer: { document: { number: RARE_DOCUMENT } } },
    { customer: { id: "often" } },
    {},
  ];
  for (const request of requests) {
    let rowsRead = 0;
    const env = withDatabase({ after: (_sql, rows) => (rowsRead += rows) });
    const { status } = await createTransaction(busy, request, {
      env,
      key: JSON.stringify(request).length.toString(),
    });
    expect(status).toBe(200);
    expect(rowsRead).toBeLessThanOrEqual(CREATE_MAX);
  }
});

it("one transaction is read by its id alone", async () => {
  const id = idOf(MANY_COUNT / 2);
  const detail = await counted(`/api/Transaction/transactionByTransactionId/${id}`);
  expect(detail.answer.body.id).toBe(MANY_COUNT / 2);
  expect(detail.rowsRead).toBeLessThanOrEqual(2);
  const checkout = await counted(`/api/checkout/status/${id}`);
  expect(checkout.rowsRead).toBeLessThanOrEqual(2);
});

it("the report of conversion reads one charge for each day, for any number of charges", async () => {
  // The place of each charge in its day (UTC-3), which the API counts while it creates them.
  await testEnv.DB.prepare(
    `UPDATE transactions SET day_charges = (created_at - 10800000) % 86400000 / 60000 + 1,
       day_methods = '{"PIX":' || ((created_at - 10800000) % 86400000 / 60000 + 1) || '}'
     WHERE company_id = ?`,
  )
    .bind(company.id)
    .run();
  const { answer, rowsRead } = await counted("/api/v1/reports/conversion");
  const created = answer.body.items.map((item: { created: number }) => item.created);
  expect(created.slice(1, -1)).toEqual(created.slice(1, -1).map(() => 1_440));
  expect(rowsRead).toBeLessThanOrEqual(BISECTION + 2 * created.length);
});
