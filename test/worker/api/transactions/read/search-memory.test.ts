import { beforeAll, expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { withResults } from "../../../../support/probes/database/instrumented-database.ts";
import { givenTransaction } from "../../../../support/builders/charges/transaction.ts";

const MIB = 2 ** 20;
/**
 * The most memory of a call in the isolate: JSON columns as text, row objects and the response
 * text.
 */
const MEMORY_MAX = 32 * MIB;
/** UTF-16 doubles a text; the parsed JSON and the response each need it once more. */
const COPIES = 3;
const BYTES_PER_CHARACTER = 2;
const ROWS = 500;
const REFUNDED = 40;

/** Fields of the schema's maximum length, up to a body of 16 KiB. */
const WIDE = "w".repeat(255);
const LARGEST = {
  paymentMethod: "BOLETO",
  externalRef: WIDE,
  postbackUrl: `https://loja.example.com/${"p".repeat(2_000)}`,
  customer: {
    id: WIDE,
    name: "n".repeat(120),
    email: `${"e".repeat(60)}@${"d".repeat(60)}.example.com`,
    phone: WIDE,
    document: { type: "CPF", number: "52998224725" },
    externalRef: WIDE,
  },
  shipping: {
    address: {
      street: WIDE,
      streetNumber: WIDE,
      complement: WIDE,
      zipCode: WIDE,
      neighborhood: WIDE,
      city: WIDE,
    },
  },
  items: Array.from({ length: 9 }, () => ({
    title: WIDE,
    unitPrice: 999_999_999_999,
    quantity: 1,
    tangible: true,
    externalRef: WIDE,
  })),
  metadata: "m".repeat(4_096),
  boleto: { instructions: "i".repeat(256), documentNumber: "d".repeat(16) },
};

let company: TestCompany;

/** 500 of the largest legal transactions, 40 of them refunded. */
beforeAll(async () => {
  company = await givenCompany();
  await givenTransaction(company, LARGEST);
  const { results } = await env.DB.prepare(
    "SELECT name FROM pragma_table_info('transactions')",
  ).all<{ name: string }>();
  const names = results.map(({ name }) => name);
  const changed: Record<string, string> = {
    seq: "n",
    id: "substr(id, 1, 24) || printf('%06x', n) || substr(id, 31)",
    idempotency_key: "NULL",
    status: `CASE WHEN n BETWEEN 200 AND ${199 + REFUNDED} THEN 'refunded' ELSE status END`,
  };
  await env.DB.prepare(
    `WITH RECURSIVE numbers (n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${ROWS})
     INSERT INTO transactions (${names.join()})
     SELECT ${names.map((name) => changed[name] ?? name).join()} FROM numbers
     CROSS JOIN transactions WHERE company_id = ?1 AND seq = 1`,
  )
    .bind(company.id)
    .run();
});

/** A call with the rows that D1 returned and their length as text. */
async function measuredCall(path: string) {
  const given: Record<string, unknown>[] = [];
  const answer = await call(path, { company, env: withResults((rows) => given.push(...rows)) });
  expect(answer.status).toBe(200);
  const characters = JSON.stringify(given).length;
  return { answer, given, bytes: characters * BYTES_PER_CHARACTER * COPIES };
}

const wideRows = (rows: Record<string, unknown>[]) =>
  rows.filter((row) => JSON.stringify(row).includes(WIDE));

it("a search by a rare status loads only the rows that it shows", async () => {
  const { answer, given, bytes } = await measuredCall(
    "/api/v1/transactions?status=REFUNDED&limit=100",
  );
  expect(answer.body.items).toHaveLength(REFUNDED);
  expect(wideRows(given)).toHaveLength(REFUNDED);
  expect(bytes).toBeLessThan(4 * MIB);
});

it.each([
  ["a search for all", "/api/v1/transactions?limit=100"],
  ["a search by a common status", "/api/v1/transactions?status=PENDING&limit=100"],
  ["a search by document", "/api/v1/transactions?document=52998224725&limit=100"],
  [
    "a search by document and status",
    "/api/v1/transactions?document=52998224725&status=PENDING&limit=100",
  ],
  ["a search by external reference", `/api/v1/transactions?externalRef=${WIDE}&limit=100`],
  ["a page of the list", "/api/Transaction/company/transactions?pageSize=100&page=2"],
])("%s over the largest legal rows stays within 32 MB", async (_what, path) => {
  const { answer, given, bytes } = await measuredCall(path);
  const items = answer.body.items ?? answer.body.res.items;
  expect(items).toHaveLength(100);
  expect(wideRows(given).length).toBeLessThanOrEqual(101);
  expect(JSON.stringify(given)).not.toContain("m".repeat(4_096));
  expect(bytes).toBeLessThan(MEMORY_MAX);
});
