import { describe, expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { CONNECTION_LOST, injectFault, withD1 } from "../../../../support/faults/faulty-env.ts";
import {
  createTransaction,
  givenTransaction,
} from "../../../../support/builders/charges/transaction.ts";

const MARIA = { customer: { document: { type: "CPF", number: "52998224725" } } };
const JOAO = { customer: { document: { type: "CPF", number: "11144477735" } } };
const BY_ID = { customer: { id: "cus-1" } };

/** The payer's number of each of a company's transactions, oldest first. */
async function payersOf(company: TestCompany): Promise<number[]> {
  const { results } = await env.DB.prepare(
    "SELECT lead_number AS number FROM transactions WHERE company_id = ? ORDER BY seq",
  )
    .bind(company.id)
    .all<{ number: number }>();
  return results.map(({ number }) => number);
}

const at = (time: number) => encodeURIComponent(new Date(time).toISOString());

async function foundBy(company: TestCompany, query: string) {
  const answer = await call(`/api/v1/transactions?document=52998224725&${query}`, { company });
  expect(answer.status).toBe(200);
  const { items, after, hasMore } = answer.body;
  return { ids: items.map((item: { id: number }) => item.id), after, hasMore };
}

it("leads are numbered densely, and an anonymous payer is a new payer each time", async () => {
  const company = await givenCompany();
  for (const request of [MARIA, {}, MARIA, JOAO, {}, BY_ID, JOAO, BY_ID, {}]) {
    await givenTransaction(company, request);
  }
  expect(await payersOf(company)).toEqual([1, 2, 1, 3, 4, 5, 3, 5, 6]);
});

it("leads of concurrent creates are numbered densely", async () => {
  const company = await givenCompany();
  const requests = Array.from({ length: 24 }, (_, index) =>
    index % 4 === 0 ? {} : { customer: { id: `cus-${index % 8}` } },
  );
  await Promise.all(requests.map((request) => givenTransaction(company, request)));

  const numbers = [...new Set(await payersOf(company))].sort((left, right) => left - right);
  const anonymous = requests.filter((request) => !("customer" in request)).length;
  expect(numbers).toEqual(Array.from({ length: anonymous + 6 }, (_, index) => index + 1));
});

it("a repeated key uses no payer's number, also for another payer", async () => {
  const company = await givenCompany();
  await createTransaction(company, MARIA, { key: "k" });
  expect((await createTransaction(company, MARIA, { key: "k" })).status).toBe(200);
  expect((await createTransaction(company, JOAO, { key: "k" })).status).toBe(409);
  await givenTransaction(company, BY_ID);
  await givenTransaction(company, JOAO);
  expect(await payersOf(company)).toEqual([1, 2, 3]);
});

it.each([
  ["without a key", {}],
  ["with one", { key: "k" }],
])("a claim that is sent twice, %s, creates one payer", async (_how, options) => {
  const company = await givenCompany();
  const lost = injectFault({
    on: /insert into "transactions"/,
    when: "after",
    error: CONNECTION_LOST,
  });
  const answer = await createTransaction(company, MARIA, {
    ...options,
    env: withD1(env, lost.intercept),
  });
  expect(answer.status).toBe(200);
  expect(lost.injections()).toBe(1);
  await givenTransaction(company, JOAO);
  await givenTransaction(company, MARIA);
  expect(await payersOf(company)).toEqual([1, 2, 1]);
  expect((await foundBy(company, "")).ids).toEqual([3, 1]);
});

describe("the search by document", () => {
  it("finds a payer's only transaction", async () => {
    const company = await givenCompany();
    await givenTransaction(company, JOAO);
    await givenTransaction(company, MARIA);
    expect(await foundBy(company, "limit=1")).toEqual({ ids: [2], after: null, hasMore: false });
  });

  it.each([1, 2, 3, 4])(
    "returns all of a payer's transactions in pages of %i, the first one last",
    async (limit) => {
      const company = await givenCompany();
      for (const request of [JOAO, MARIA, MARIA, JOAO, MARIA])
        await givenTransaction(company, request);
      const found: number[] = [];
      let after: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof foundBy>> = await foundBy(
          company,
          `limit=${limit}${after === null ? "" : `&after=${after}`}`,
        );
        expect(page.ids).toHaveLength(Math.min(limit, 3 - found.length));
        found.push(...page.ids);
        after = page.after;
      } while (after !== null);
      expect(found).toEqual([5, 3, 2]);
    },
  );

  it("omits the first transaction when it is outside the time range", async () => {
    const company = await givenCompany();
    await givenTransaction(company, MARIA);
    const { results } = await env.DB.prepare(
      "UPDATE transactions SET created_at = created_at - 1000 WHERE company_id = ? RETURNING created_at AS at",
    )
      .bind(company.id)
      .all<{ at: number }>();
    const [first] = results;
    await givenTransaction(company, MARIA);
    expect((await foundBy(company, `to=${at(first!.at)}`)).ids).toEqual([1]);
    expect((await foundBy(company, `to=${at(first!.at - 1)}`)).ids).toEqual([]);
    expect((await foundBy(company, `from=${at(first!.at + 1)}`)).ids).toEqual([2]);
  });
});
