import { describe, expect, it } from "vitest";
import {
  env,
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { createCard, givenCard, givenToken } from "../../../support/builders/charges/card.ts";
import { refreshCharge } from "../../../support/builders/charges/acquirer-card.ts";
import { erasePayer, exportPayer } from "../../../support/builders/charges/payer-requests.ts";
import { createTransaction } from "../../../support/builders/charges/transaction.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { CARD_REQUEST } from "../../../support/builders/requests/full-request.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { FakeAcquirer } from "../../../support/fakes/fake-acquirer.ts";
import { dumpD1 } from "../../../support/probes/database/dumps.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { anyTime } from "../../../support/probes/http/matchers.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { dumpObject } from "../../../support/probes/ledger/ledger.ts";

const DOCUMENT = CARD_REQUEST.customer.document.number;
const OTHER = { customer: { name: "Outra Pessoa", document: { number: "12345678909" } } };
const UNKNOWN = {
  status: 400,
  code: "VALIDATION_FAILED" as const,
  fields: ["card.savedCardId"],
};

/** A card charge by a saved card. */
const chargeSaved = (company: TestCompany, card: object, changes = {}, options = {}) =>
  createTransaction(company, { ...CARD_REQUEST, card, ...changes }, options);

/** The id of a card that a company's customer has saved. */
async function givenSaved(company: TestCompany): Promise<string> {
  const { card } = await givenCard(company, { saveCard: true });
  return card.savedCardId;
}

async function customerOf(company: TestCompany): Promise<string> {
  await waitUntilDrained(company);
  const { body } = await call("/api/v1/transactions", { company });
  return body.items[0].leadId;
}

const listOf = async (company: TestCompany, customer: string) =>
  call(`/api/v1/cards?customer=${customer}`, { company });

describe("a saved card", () => {
  it("comes with the charge that saved it, is listed for its customer, and is charged again", async () => {
    const company = await givenCompany();
    const token = await givenToken(company);
    const first = await chargeSaved(company, { token, saveCard: true }, { ip: "203.0.113.7" });
    const { savedCardId } = first.body.data.card;
    expect(savedCardId).toBe(`card_${first.body.data.id.replaceAll("-", "")}`);

    const listed = await listOf(company, await customerOf(company));
    await expectDocumented("GET /api/v1/cards", listed);
    expect(listed.body.data).toEqual([
      {
        id: savedCardId,
        customer: expect.any(String),
        account: "sandbox",
        provider: "Sandbox",
        card: {
          brand: "visa",
          firstDigits: "424242",
          lastDigits: "4242",
          expirationMonth: 12,
          expirationYear: 2030,
        },
        consent: {
          at: anyTime,
          textVersion: "1",
          by: { kind: "application", id: company.clientId, name: expect.any(String) },
        },
        createdAt: anyTime,
      },
    ]);

    const again = await chargeSaved(company, { savedCardId, initiatedBy: "merchant" });
    expect(again.body.data).toMatchObject({ status: "PAID", card: { lastDigits: "4242" } });
    expect(again.body.data.card).not.toHaveProperty("savedCardId");
  });

  it("is its customer's alone, and gone once it is deleted", async () => {
    const company = await givenCompany();
    const savedCardId = await givenSaved(company);
    await expectProblem(await chargeSaved(company, { savedCardId }, OTHER), UNKNOWN);
    const stranger = await givenCompany();
    await expectProblem(await chargeSaved(stranger, { savedCardId }), UNKNOWN);

    const key = { key: "tx_1" };
    const charged = await chargeSaved(company, { savedCardId }, {}, key);
    const remove = () => call(`/api/v1/cards/${savedCardId}`, { method: "DELETE", company });
    const removed = await remove();
    await expectDocumented("DELETE /api/v1/cards/{id}", removed);
    expect(removed.body.data.id).toBe(savedCardId);
    await expectProblem(await remove(), { status: 404, code: "NOT_FOUND" });
    await expectProblem(await chargeSaved(company, { savedCardId }), UNKNOWN);
    expect((await listOf(company, await customerOf(company))).body.data).toEqual([]);
    const replayed = await chargeSaved(company, { savedCardId }, {}, key);
    expect(replayed.body.data.id).toBe(charged.body.data.id);
  });

  it("is in its payer's export with the consent, and erased with the payer", async () => {
    const company = await givenCompany();
    const savedCardId = await givenSaved(company);
    const customer = await customerOf(company);
    const listed = (await listOf(company, customer)).body.data;
    const page = await exportPayer(company, DOCUMENT);
    await expectDocumented("POST /api/v1/payers/export", page);
    expect(page.body.data.savedCards).toEqual(listed);
    expect(page.body.data.savedCards[0]).toMatchObject({
      id: savedCardId,
      card: { brand: "visa", lastDigits: "4242", expirationYear: 2030 },
      consent: { textVersion: "1" },
    });
    const next = await exportPayer(company, DOCUMENT, { after: page.body.after });
    expect(next.body.data.savedCards).toEqual([]);
    expect((await erasePayer(company, DOCUMENT)).status).toBe(200);
    expect((await listOf(company, customer)).body.data).toEqual([]);
    await expectProblem(await chargeSaved(company, { savedCardId }), UNKNOWN);
  });

  it("is saved by nobody who did not say so, and not by a refused charge", async () => {
    const company = await givenCompany();
    expect((await givenCard(company)).card).not.toHaveProperty("savedCardId");
    const refused = await createCard(company, { number: "4000000000000002", saveCard: true });
    expect(refused.body.data.card).not.toHaveProperty("savedCardId");
    expect((await listOf(company, await customerOf(company))).body.data).toEqual([]);
  });

  it.each([
    ["a token", { savedCardId: "card_1", token: "tok_1" }, ["card.token"]],
    ["a card", { savedCardId: "card_1", cvv: "123" }, ["card.cvv"]],
    ["a wish to save it", { savedCardId: "card_1", saveCard: true }, ["card.saveCard"]],
    [
      "another card, by the merchant",
      { token: "t", initiatedBy: "merchant" },
      ["card.savedCardId"],
    ],
  ])("is not sent with %s", async (_what, card, fields) => {
    const company = await givenCompany();
    const answer = await chargeSaved(company, card);
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields });
  });
});

/** Another account of a company. */
class OtherHouse extends FakeAcquirer {
  override readonly account: string = "second";
}

/** A live company whose acquirer keeps cards. */
async function givenHouse() {
  const clock = new TestClock();
  const acquirer = new FakeAcquirer(clock);
  acquirer.savedCard = "card_of_the_house";
  return { clock, acquirer, company: await givenCompany({ mode: "live" }) };
}

describe("at a house", () => {
  const LIVE = { amount: 100, paymentMethod: "CREDIT_CARD", customer: CARD_REQUEST.customer };
  const charge = (company: TestCompany, acquirer: Pick<FakeAcquirer, "registry">, card: object) =>
    createTransaction(
      company,
      { ...LIVE, card },
      { deps: { providers: () => acquirer.registry() } },
    );

  it("a repeat by the merchant is marked as such, and what the house gave is sealed", async () => {
    const { acquirer, company } = await givenHouse();
    const first = await charge(company, acquirer, { token: "token_1", saveCard: true });
    const { savedCardId } = first.body.data.card;
    const repeat = await charge(company, acquirer, { savedCardId, initiatedBy: "merchant" });
    expect(repeat.body.data.status).toBe("PAID");
    expect(acquirer.orders).toMatchObject([
      { source: { token: "token_1" }, save: true },
      { source: { savedCard: "card_of_the_house" }, initiatedBy: "merchant" },
    ]);
    for (const stored of [await dumpD1(company.id), await dumpObject(company), first.text])
      expect(stored).not.toContain("card_of_the_house");
  });

  it("is saved also where the house's answer was lost and is asked for later", async () => {
    const { acquirer, company, clock } = await givenHouse();
    acquirer.onCreate = async (order) => {
      acquirer.authorize(order);
      return { kind: "unknown" };
    };
    const lost = await charge(company, acquirer, { token: "token_1", saveCard: true });
    expect(lost.body.data.status).toBe("WAITING_PAYMENT");
    await refreshCharge(company, acquirer, clock);
    const { results } = await env.DB.prepare(
      "SELECT id FROM saved_cards WHERE company_id = ? AND sealed > ''",
    )
      .bind(company.id)
      .all();
    expect(results).toEqual([{ id: `card_${lost.body.data.id.replaceAll("-", "")}` }]);
  });

  it("is charged at its own account where another is asked first, and at no other", async () => {
    const { acquirer, company } = await givenHouse();
    const { card } = (await charge(company, acquirer, { token: "token_1", saveCard: true })).body
      .data;
    const saved = { savedCardId: card.savedCardId };
    const other = new OtherHouse(new TestClock());
    const both = { registry: () => ({ ...acquirer.registry(), routesFor: () => [other] }) };
    expect((await charge(company, both, saved)).body.data.status).toBe("PAID");
    expect(acquirer.orders).toHaveLength(2);

    await expectProblem(await charge(company, other, saved), {
      status: 422,
      code: "NOT_SUPPORTED_BY_PROVIDER",
      fields: ["card.savedCardId"],
    });
    expect(other.orders).toEqual([]);
  });

  it("a token is charged at the account that made it, as long as that takes such charges", async () => {
    const { acquirer, company } = await givenHouse();
    const other = new OtherHouse(new TestClock());
    const at = (...houses: FakeAcquirer[]) => ({
      registry: () => ({ ...acquirer.registry(), routesFor: () => houses }),
    });
    const token = { token: "token_1", account: acquirer.account };
    expect((await charge(company, at(other, acquirer), token)).body.data.status).toBe("PAID");
    await expectProblem(await charge(company, at(other), token), {
      status: 422,
      code: "NOT_SUPPORTED_BY_PROVIDER",
      fields: ["card.account"],
    });
    expect(other.orders).toEqual([]);
    expect(acquirer.orders).toHaveLength(1);
  });
});
