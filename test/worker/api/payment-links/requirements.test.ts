import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  formOf,
  givenLink,
  openLink,
  sendForm,
  transactionOf,
} from "../../../support/builders/charges/payment-links.ts";
import { patchAccount } from "../../../support/builders/providers/accounts.ts";
import { REASON } from "../../../support/builders/operations/decide.ts";
import { givenPagarMe } from "../../../support/builders/providers/pagarme.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { givenPsp } from "../../../support/builders/providers/psp.ts";

const PAYER = {
  name: "Maria da Silva",
  document: "529.982.247-25",
  email: "maria@example.com",
};
const ADDRESS = {
  zipCode: "01305-100",
  street: "Rua Augusta",
  streetNumber: "1500",
  city: "São Paulo",
  state: "sp",
};
const CARD = {
  number: "4111111111111111",
  holderName: "MARIA DA SILVA",
  expirationMonth: 12,
  expirationYear: 2040,
  cvv: "123",
};

type World = Awaited<ReturnType<typeof givenPagarMe>>;
let world: World;
beforeEach(async () => {
  world = await givenPagarMe();
});
afterEach(() => vi.restoreAllMocks());

const linkOf = (paymentMethods: string[]) =>
  givenLink(world.company, { paymentMethods }, world.options);

/** Opens the link and sends its form. */
async function act(slug: string, fields: Record<string, string>) {
  const { text } = await openLink(slug, world.options);
  return sendForm(slug, formOf(text, fields), world.options);
}

describe("a link of a company whose cards go to Pagar.me", () => {
  it("asks the payer's phone, and sells", async () => {
    const { slug } = await linkOf(["PIX", "CREDIT_CARD"]);
    const { text } = await openLink(slug, world.options);
    expect(text).toMatch(/name="phone"[^>]*data-required-by="CREDIT_CARD" data-of-method=""/);
    expect(text).not.toContain('name="street"');

    const payer = { ...PAYER, method: "CREDIT_CARD" };
    for (const phone of ["", "98765-4321", "ligue"]) {
      const wrong = await act(slug, { ...payer, phone });
      expect([wrong.status, wrong.text.includes('id="phone-wrong"')]).toEqual([400, true]);
    }
    const card = await act(slug, { ...payer, phone: "(11) 98765-4321" });
    expect(card.status, card.text).toBe(200);
    const cardToken = world.house.book.tokenize(CARD);
    const typed = { ...payer, phone: "(11) 98765-4321", cardToken, cardAccount: "pagarme" };
    const paid = await sendForm(slug, formOf(card.text, typed), world.options);
    expect(paid.status, paid.text).toBe(303);
    expect(world.house.book.orders).toHaveLength(1);
    expect(world.house.seen.map(({ request }) => JSON.stringify(request)).join()).toContain(
      '{"country_code":"55","area_code":"11","number":"987654321"}',
    );
  });

  it("asks and keeps no phone of who pays by Pix", async () => {
    const { slug } = await linkOf(["PIX", "CREDIT_CARD"]);
    const pix = await act(slug, { method: "PIX", phone: "(11) 98765-4321" });
    expect(pix.status, pix.text).toBe(303);
    const path = `/api/v1/transactions/${transactionOf(pix)}`;
    const made = await call(path, { ...world.options, company: world.company });
    expect([made.status, made.text.includes("98765")]).toEqual([200, false]);
    const link = await linkOf(["PIX"]);
    expect((await openLink(link.slug, world.options)).text).not.toContain('name="phone"');
  });

  it("asks the address of a boleto where its account needs it", async () => {
    const change = { methods: ["BOLETO"], reason: REASON };
    const changed = await patchAccount(world.company, "pagarme", change, world);
    expect(changed.status, changed.text).toBe(200);
    const { slug } = await linkOf(["BOLETO"]);
    const payer = { ...PAYER, phone: "11987654321", method: "BOLETO" };
    const wrong = await act(slug, { ...payer, ...ADDRESS, zipCode: "1305", state: "São Paulo" });
    expect(wrong.status).toBe(400);
    expect([...wrong.text.matchAll(/id="(\w+)-wrong"/g)].map(([, name]) => name)).toEqual([
      "zipCode",
      "state",
    ]);
    const made = await act(slug, { ...payer, ...ADDRESS });
    expect(made.status, made.text).toBe(303);
    expect(world.house.seen.map(({ request }) => JSON.stringify(request)).join()).toContain(
      '"line_1":"1500, Rua Augusta"',
    );
  });
});

it("a link of a company that takes Pix alone asks nothing", async () => {
  const { company, options } = await givenPsp();
  const { slug } = await givenLink(company, {}, options);
  const { text } = await openLink(slug, options);
  for (const name of ["name", "document", "email", "phone", "zipCode"])
    expect(text).not.toContain(`name="${name}"`);
});
