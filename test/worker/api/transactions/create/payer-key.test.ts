import { expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { freshIsolate } from "../../../../support/builders/companies/isolate.ts";
import {
  createTransaction,
  givenTransaction,
} from "../../../../support/builders/charges/transaction.ts";

const MARIA = { customer: { document: { type: "CPF", number: "529.982.247-25" } } };
const BY_ID = { customer: { id: "cus-secret" } };
const HASH = /^[0-9a-f]{64}$/;

async function payersOf({ id }: TestCompany): Promise<{ key: string; lead: number }[]> {
  const { results } = await env.DB.prepare(
    "SELECT lead_key AS key, lead_number AS lead FROM transactions WHERE company_id = ? ORDER BY seq",
  )
    .bind(id)
    .all<{ key: string; lead: number }>();
  return results;
}

async function sealedKeyOf({ id }: TestCompany): Promise<string | null> {
  return env.DB.prepare("SELECT lead_key_sealed AS sealed FROM companies WHERE id = ?")
    .bind(id)
    .first<string>("sealed");
}

/** A company of before keyed hashes. */
async function givenCompanyWithoutKey(): Promise<TestCompany> {
  const company = await givenCompany();
  await env.DB.prepare("UPDATE companies SET lead_key_sealed = NULL WHERE id = ?")
    .bind(company.id)
    .run();
  return company;
}

it("a payer is known by a hash that differs from company to company", async () => {
  const [one, other] = [await givenCompany(), await givenCompany()];
  for (const request of [MARIA, MARIA, BY_ID]) await givenTransaction(one, request);
  await givenTransaction(other, MARIA);

  const [first, second, byId] = await payersOf(one);
  const [elsewhere] = await payersOf(other);
  expect(first!.key).toMatch(HASH);
  expect(second).toEqual(first);
  expect(byId!.key).toMatch(HASH);
  expect(new Set([first!.key, byId!.key, elsewhere!.key]).size).toBe(3);
});

it("a payer with neither document nor id has no hash", async () => {
  const company = await givenCompany();
  await givenTransaction(company, { customer: { name: "Maria" } });
  expect((await payersOf(company))[0]!.key).toBeNull();
});

it("a company without a key gets one at its first create, and keeps it", async () => {
  const company = await givenCompanyWithoutKey();
  await givenTransaction(company, MARIA, { deps: freshIsolate() });
  const sealed = await sealedKeyOf(company);
  await givenTransaction(company, MARIA, { deps: freshIsolate() });
  expect(await sealedKeyOf(company)).toBe(sealed);
  const [first, second] = await payersOf(company);
  expect(second).toEqual(first);
});

it("of first creates at the same time one makes the key, and all use it", async () => {
  const company = await givenCompanyWithoutKey();
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => createTransaction(company, MARIA, { deps: freshIsolate() })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  expect(new Set((await payersOf(company)).map(({ key, lead }) => `${key} ${lead}`)).size).toBe(1);
});

it("the search by document finds nothing for a company without a key", async () => {
  const company = await givenCompanyWithoutKey();
  await givenTransaction(company);
  const search = await call("/api/v1/transactions?document=52998224725", { company });
  expect(search.body.items).toEqual([]);
});
