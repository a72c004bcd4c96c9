import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import {
  formOf,
  givenLink,
  LINKS,
  openLink,
  sendForm,
  sessionOf,
  transactionOf,
} from "../../../support/builders/charges/payment-links.ts";
import { CARD_REQUEST } from "../../../support/builders/requests/full-request.ts";
import { call, type Call } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { FakeAcquirer } from "../../../support/fakes/fake-acquirer.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const PAYER = {
  name: "Maria da Silva",
  document: "529.982.247-25",
  email: "maria@example.com",
  method: "CREDIT_CARD",
};
const CHECKBOX = 'name="saveCard"';

/** The saved cards of the payer of a company's only charge. */
async function savedCards(company: TestCompany): Promise<any[]> {
  await waitUntilDrained(company);
  const { body } = await call("/api/v1/transactions", { company });
  const { leadId } = body.items[0];
  return (await call(`/api/v1/cards?customer=${leadId}`, { company })).body.data;
}

describe("saveCard of a link", () => {
  it("needs a card, and stands in the answer", async () => {
    const company = await givenCompany();
    const body = { name: "Curso", amount: 5_000, saveCard: true };
    const refused = await call(LINKS, { company, body });
    await expectProblem(refused, { status: 400, code: "VALIDATION_FAILED", fields: ["saveCard"] });
    const link = await givenLink(company, { paymentMethods: ["CREDIT_CARD"], saveCard: true });
    expect(link.saveCard).toBe(true);
    expect((await givenLink(company)).saveCard).toBe(false);
  });

  it.each([
    ["the payer says so", true, "on", 1],
    ["the payer does not", true, "", 0],
    ["the link does not offer it", false, "on", 0],
  ])("in the sandbox: %s", async (_who, saveCard, checked, count) => {
    const company = await givenCompany();
    const { slug } = await givenLink(company, { paymentMethods: ["CREDIT_CARD"], saveCard });
    const { text } = await openLink(slug);
    expect(text.includes(CHECKBOX)).toBe(saveCard);
    const { body } = await call("/api/v1/cards/tokens", {
      body: CARD_REQUEST.card,
      headers: { "X-Checkout-Session": sessionOf(text) },
    });
    const typed = { ...PAYER, cardToken: body.token, saveCard: checked };
    const paid = await sendForm(slug, formOf(text, typed));
    expect(paid.status, paid.text).toBe(303);
    const saved = await savedCards(company);
    expect(saved).toHaveLength(count);
    for (const { consent } of saved) expect(consent).toMatchObject({ textVersion: "1", by: null });
  });
});

describe("the card's page of a live company", () => {
  let company: TestCompany;
  let acquirer: FakeAcquirer;
  let options: Call;
  beforeAll(async () => {
    company = await givenCompany({ mode: "live" });
  });
  beforeEach(() => {
    acquirer = new FakeAcquirer(new TestClock());
    acquirer.savedCard = "the house's word";
    acquirer.cardTokenisation = {
      kind: "pagarme",
      publicKey: "pk_1",
      tokensUrl: "https://api.pagar.me/core/v5/tokens",
    };
    options = { deps: { providers: () => acquirer.registry() } };
  });

  async function givenCardPage() {
    const terms = { paymentMethods: ["CREDIT_CARD"], saveCard: true };
    const { slug } = await givenLink(company, terms, options);
    const { text } = await openLink(slug, options);
    return { slug, page: await sendForm(slug, formOf(text, PAYER), options) };
  }

  it("offers to keep the card, and the merchant can charge it again", async () => {
    const { slug, page } = await givenCardPage();
    expect(page.text).toContain(CHECKBOX);
    const typed = { ...PAYER, cardToken: "token_1", cardAccount: "first", saveCard: "on" };
    const paid = await sendForm(slug, formOf(page.text, typed), options);
    expect(paid.status, paid.text).toBe(303);
    expect(acquirer.orders).toMatchObject([{ save: true }]);
    await waitUntilDrained(company);
    const made = await call(`/api/v1/transactions/${transactionOf(paid)}`, { company });
    const { savedCardId } = made.body.data.card;
    const customer = { name: PAYER.name, document: { number: "52998224725" } };
    const card = { savedCardId, initiatedBy: "merchant" };
    const again = await call("/api/v1/transactions/create", {
      ...options,
      company,
      body: { amount: 1_000, paymentMethod: "CREDIT_CARD", customer, card },
    });
    expect(again.body.data.status, again.text).toBe("PAID");
    expect(acquirer.orders.at(-1)?.source).toEqual({ savedCard: "the house's word" });
  });

  it("does not offer what its house cannot do", async () => {
    acquirer.savesCards = false;
    const { page } = await givenCardPage();
    expect(page.status).toBe(200);
    expect(page.text).not.toContain(CHECKBOX);
  });
});
