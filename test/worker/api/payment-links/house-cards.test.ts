import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import {
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import {
  formOf,
  givenLink,
  openLink,
  sendForm,
  transactionOf,
} from "../../../support/builders/charges/payment-links.ts";
import { givenEfi } from "../../../support/builders/providers/efi.ts";
import { givenPagarMe } from "../../../support/builders/providers/pagarme.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { createTransaction } from "../../../support/builders/charges/transaction.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { FakeAcquirer } from "../../../support/fakes/fake-acquirer.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const PAYER = {
  name: "Maria da Silva",
  document: "529.982.247-25",
  email: "maria@example.com",
  method: "CREDIT_CARD",
};
const HOUSE = {
  kind: "pagarme",
  publicKey: "pk_1",
  tokensUrl: "https://api.pagar.me/core/v5/tokens",
} as const;

const CREATE = {
  amount: 500,
  paymentMethod: "CREDIT_CARD",
  customer: {
    name: "Maria",
    email: "maria@example.com",
    phone: "+55 11 98765-4321",
    document: { number: "52998224725" },
  },
};

let company: TestCompany;
let acquirer: FakeAcquirer;
let deps: { providers: () => ReturnType<FakeAcquirer["registry"]> };
beforeAll(async () => {
  company = await givenCompany({ mode: "live" });
});
beforeEach(() => {
  acquirer = new FakeAcquirer(new TestClock());
  acquirer.cardTokenisation = HOUSE;
  acquirer.required = ["email"];
  deps = { providers: () => acquirer.registry() };
});

const cardLink = (changes: Record<string, unknown> = {}) =>
  givenLink(company, { paymentMethods: ["PIX", "CREDIT_CARD"], ...changes }, { deps });

/** The card's page, after the link's first one. */
async function givenCardPage(slug: string, typed: Record<string, string> = {}) {
  const { text } = await openLink(slug, { deps });
  return sendForm(slug, formOf(text, { ...PAYER, ...typed }), { deps });
}

/** What the card's page sends once the house has made a token. */
function cardForm(html: string, fields: Record<string, string> = {}): Record<string, string> {
  const sent = { ...PAYER, cardToken: "token_1", cardAccount: "first", installments: "1" };
  return formOf(html, { ...sent, ...fields });
}

const send = (slug: string, form: Record<string, string>) => sendForm(slug, form, { deps });

describe("the card's page of a live company", () => {
  it("that is sent again while the card is decided shows that charge, also with another token", async () => {
    const { slug } = await cardLink();
    const form = cardForm((await givenCardPage(slug)).text);
    const started = Promise.withResolvers<void>();
    const decided = Promise.withResolvers<void>();
    acquirer.onCreate = async (order) => {
      started.resolve();
      await decided.promise;
      return acquirer.authorize(order);
    };
    const first = send(slug, form);
    await started.promise;

    const again = await Promise.all([
      send(slug, form),
      send(slug, { ...form, cardToken: "token_2" }),
    ]);
    decided.resolve();

    expect(again.map(({ status }) => status)).toEqual([303, 303]);
    const charges = new Set([...again, await first].map(transactionOf));
    expect(charges.size).toBe(1);
    expect(acquirer.orders).toHaveLength(1);
  });

  it("follows the first one, asks the company's house alone, and has no other script", async () => {
    const { slug } = await cardLink({ maxInstallments: 3 });
    const first = await openLink(slug, { deps });
    expect(first.text).not.toContain("data-card-field");

    const { status, text, headers } = await givenCardPage(slug);

    expect(status).toBe(200);
    const policy = headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("connect-src https://api.pagar.me;");
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).toContain("form-action 'self'");
    expect([...text.matchAll(/<script[^>]*src="([^"]+)"/g)].map(([, src]) => src)).toEqual([
      expect.stringMatching(/^\/checkout\/assets\/card-[0-9a-f]{12}\.js$/),
    ]);
    expect(text).not.toMatch(/name="(number|cvv|expiry|holderName)"/);
    expect(text).toContain('name="cardAccount" value="first"');
    expect(text).toMatch(/3x de R\$\s16,66, total R\$\s50,00/);
    expect(text).toMatch(/<noscript><p>[^<]*ative o JavaScript/);
    expect(text).toContain(`method=PIX">Pagar com Pix`);
  });

  it("charges the token at the account that made it, in the installments that the payer chose", async () => {
    const { slug } = await cardLink({ maxInstallments: 3 });
    const { text } = await givenCardPage(slug);
    const paid = await send(slug, cardForm(text, { installments: "3" }));
    expect(paid.status, paid.text).toBe(303);
    expect(acquirer.orders).toMatchObject([{ source: { token: "token_1" }, installments: 3 }]);
    await waitUntilDrained(company);
    const shown = await call(`/api/v1/transactions/${transactionOf(paid)}`, { company });
    expect(shown.body.data).toMatchObject({ status: "PAID", customer: { email: PAYER.email } });
  });

  it("shows a wrong field of the first page there, and asks for the e-mail that houses need", async () => {
    const { slug } = await cardLink();
    const wrong = await givenCardPage(slug, { document: "123", email: "" });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("Informe um CPF ou CNPJ válido.");
    expect(wrong.text).toContain("Informe um e-mail.");
    expect(acquirer.orders).toEqual([]);
  });

  it("shows a fault that the account finds at the payer's field", async () => {
    const { slug } = await cardLink();
    const { text } = await givenCardPage(slug);
    acquirer.faultsOfOrders = { "customer.document.number": ["is not a valid CPF"] };
    const answer = await send(slug, cardForm(text));
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("Informe um CPF ou CNPJ válido.");
    acquirer.faultsOfOrders = { "customer.phone": ["is required"] };
    expect((await send(slug, cardForm(text))).text).toContain("Não foi possível preparar");
  });

  it("comes back empty and says why after a refusal, with a key of its own", async () => {
    const { slug } = await cardLink();
    const { text } = await givenCardPage(slug);
    acquirer.declines = true;
    const refused = await send(slug, cardForm(text));
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("O banco do cartão recusou.");
    expect(refused.text).toContain('name="cardToken" value=""');
    acquirer.declines = false;
    expect((await send(slug, cardForm(refused.text, { cardToken: "token_2" }))).status).toBe(303);
    expect(acquirer.orders.map(({ source }) => source)).toEqual([
      { token: "token_1" },
      { token: "token_2" },
    ]);
  });

  it("asks for the card again where its token is another account's", async () => {
    const { slug } = await cardLink();
    const { text } = await givenCardPage(slug);
    const ended = await send(slug, cardForm(text, { cardAccount: "second" }));
    expect(ended.status).toBe(422);
    expect(ended.text).toContain("valia por um minuto só");
    expect(acquirer.orders).toEqual([]);
  });

  it("is not shown where no house takes the company's cards", async () => {
    const { slug } = await cardLink();
    acquirer.cardTokenisation = null;
    const answer = await givenCardPage(slug);
    expect(answer.status).toBe(503);
    expect(answer.text).toContain("Não foi possível preparar o pagamento agora");
  });
});

/** A live company with the house itself behind it, over HTTP; each has a token that can be charged no longer. */
const HOUSES = {
  "expired at Pagar.me": async () => {
    const world = await givenPagarMe();
    const ended = world.token();
    world.clock.advance(61_000);
    return { ...world, account: "pagarme", ended };
  },
  "used at Pagar.me": async () => {
    const world = await givenPagarMe();
    const ended = world.token();
    await createTransaction(world.company, { ...CREATE, card: { token: ended } }, world.options);
    return { ...world, account: "pagarme", ended };
  },
  "used at Efí": async () => {
    const world = await givenEfi();
    const ended = world.token();
    await createTransaction(world.company, { ...CREATE, card: { token: ended } }, world.options);
    return { ...world, account: "efi", ended };
  },
};

describe.each(Object.entries(HOUSES))("a token that is %s", (_where, givenHouse) => {
  afterEach(() => vi.restoreAllMocks());

  it("asks the payer for the card again, and a new one pays", async () => {
    const { account, ended, token, ...world } = await givenHouse();
    const { options } = world;
    const terms = { paymentMethods: ["PIX", "CREDIT_CARD"] };
    const { slug } = await givenLink(world.company, terms, options);
    const typed = { ...PAYER, phone: "+55 11 98765-4321" };
    const opened = await openLink(slug, options);
    const page = await sendForm(slug, formOf(opened.text, typed), options);
    const cardOf = (html: string, cardToken: string) =>
      formOf(html, { ...typed, cardToken, cardAccount: account, installments: "1" });

    const again = await sendForm(slug, cardOf(page.text, ended), options);

    expect(again.status, again.text).toBe(422);
    expect(again.text).toContain("valia por um minuto só");
    expect(again.text).toContain('name="email" value="maria@example.com"');
    const paid = await sendForm(slug, cardOf(again.text, token()), options);
    expect(paid.status, paid.text).toBe(303);
  });

  it("fails as CARD_TOKEN_EXPIRED, and counts as no attempt of its payer", async () => {
    const { company: owner, options, ended, token } = await givenHouse();
    const pay = (cardToken: string) =>
      createTransaction(owner, { ...CREATE, card: { token: cardToken } }, options);
    for (let at = 0; at < 11; at++) {
      const refused = await pay(ended);
      expect(refused).toMatchObject({ status: 422, body: { code: "CHARGE_REFUSED" } });
    }

    expect(await pay(token())).toMatchObject({ status: 200, body: { data: { status: "PAID" } } });

    await waitUntilDrained(owner);
    const { body } = await call("/api/v1/transactions?status=FAILED", {
      ...options,
      company: owner,
    });
    expect(body.items).toHaveLength(11);
    for (const { failureReason } of body.items)
      expect(failureReason).toMatchObject({ code: "CARD_TOKEN_EXPIRED", retryable: true });
  });
});

describe("card.account", () => {
  it("of another account is refused before anything is stored", async () => {
    const wrong = { ...CREATE, card: { token: "token_1", account: "second" } };
    const answer = await createTransaction(company, wrong, { deps });
    await expectProblem(answer, {
      status: 422,
      code: "NOT_SUPPORTED_BY_PROVIDER",
      fields: ["card.account"],
    });
    expect(acquirer.orders).toEqual([]);
    const right = { ...CREATE, card: { token: "token_1", account: "first" } };
    expect((await createTransaction(company, right, { deps })).status).toBe(200);
  });

  it("of tokens whose cards nobody knows: ten declines of one payer, then no more", async () => {
    const other = await givenCompany({ mode: "live" });
    acquirer.declines = true;
    const tryToken = (token: string) =>
      createTransaction(other, { ...CREATE, card: { token } }, { deps });
    for (let at = 0; at < 10; at++) expect((await tryToken(`token_${at}`)).status).toBe(200);
    await expectProblem(await tryToken("token_10"), {
      status: 429,
      code: "CARD_ATTEMPTS_EXCEEDED",
      retryAfter: true,
    });
  });
});
