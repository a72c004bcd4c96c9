import { expect, it } from "vitest";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { meteredD1, type RowCost } from "../../../support/probes/database/cost.ts";
import { withD1 } from "../../../support/faults/faulty-env.ts";
import { BOLETO_REQUEST, CARD_REQUEST } from "../../../support/builders/requests/full-request.ts";
import { createTransaction } from "../../../support/builders/charges/transaction.ts";

/** Excludes the sandbox bank's tables: a real provider stores those rows elsewhere. */
const OWN = (sql: string) => !/sandbox_/.test(sql);

const payer = (number: string) => ({ customer: { document: { type: "CPF", number } } });
const KNOWN = "52998224725";
const NEW = "11144477735";

async function givenKnownPayer(): Promise<TestCompany> {
  const company = await givenCompany();
  await createTransaction(company, payer(KNOWN), { key: "before" });
  await createTransaction(company, { customer: { id: "known" } }, { key: "before by its id" });
  return company;
}

/** The D1 cost of a create, including credentials. */
async function costOfCreate(
  company: TestCompany,
  request: Record<string, unknown>,
  key?: string,
): Promise<RowCost> {
  const { env: metered, lap } = meteredD1(OWN);
  const answer = await createTransaction(company, request, {
    env: metered,
    ...(key === undefined ? {} : { key }),
  });
  expect(answer.status).toBe(200);
  return lap();
}

it.each<[string, number, Record<string, unknown>, string?]>([
  ["a known payer, with a key", 7, payer(KNOWN), "k"],
  ["a known payer, without a key", 6, payer(KNOWN)],
  ["a new payer, with a key", 7, payer(NEW), "k"],
  ["a new payer, without a key", 6, payer(NEW)],
  ["a payer known by its id, with a key", 7, { customer: { id: "known" } }, "k"],
  ["a payer new by its id, with a key", 7, { customer: { id: "new" } }, "k"],
  ["an anonymous payer, with a key", 6, {}, "k"],
  ["an anonymous payer, without a key", 5, {}],
  ["a known payer and an external reference", 8, { ...payer(KNOWN), externalRef: "order 1" }, "k"],
  ["a new payer and an external reference", 8, { ...payer(NEW), externalRef: "order 1" }, "k"],
  ["a boleto of a known payer", 8, BOLETO_REQUEST, "k"],
  ["a card of a known payer", 7, CARD_REQUEST, "k"],
  [
    "a card of a known payer, to be captured later",
    8,
    { ...CARD_REQUEST, card: { ...CARD_REQUEST.card, capture: false } },
    "k",
  ],
])("a create of %s writes %i rows", async (_whose, rows, request, key) => {
  const company = await givenKnownPayer();
  expect((await costOfCreate(company, request, key)).written).toBe(rows);
});

it("a replay writes no row", async () => {
  const company = await givenKnownPayer();
  await costOfCreate(company, payer(NEW), "k");
  expect((await costOfCreate(company, payer(NEW), "k")).written).toBe(0);
});

it.each(["PIX", "BOLETO"])(
  "a create of a %s takes one round trip to claim and one to save the result",
  async (paymentMethod) => {
    const company = await givenCompany();
    const trips: string[] = [];
    const counted = withD1(env, (sql, run) => {
      if (/transactions/.test(sql)) trips.push(sql);
      return run();
    });
    const request = paymentMethod === "BOLETO" ? BOLETO_REQUEST : payer(NEW);
    await createTransaction(company, request, { env: counted, key: "k" });
    expect(trips).toHaveLength(2);
    expect(trips[0]).toMatch(/^insert into "transactions"/);
    expect(trips[1]).toMatch(/^update "transactions"/);
  },
);
