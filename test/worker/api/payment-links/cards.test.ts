import { findTransaction } from "../../../../src/api/transactions/repository.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { chargeTerms } from "../../../../src/db/projection/transaction-mapper.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { NUMBERS, tokenize } from "../../../support/builders/charges/card.ts";
import {
  env,
  givenCompany,
  inAccount,
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
import { call, type Answer, type Call } from "../../../support/builders/requests/api.ts";
import { pay } from "../../../support/builders/charges/transaction.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { captureConsole, dumpD1 } from "../../../support/probes/database/dumps.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { accountsOf, dumpObject } from "../../../support/probes/ledger/ledger.ts";

const TOKENS = "/api/v1/cards/tokens";
const PAYER = { name: "Maria da Silva", document: "529.982.247-25", method: "CREDIT_CARD" };
const CARD = CARD_REQUEST.card;

let company: TestCompany;
beforeAll(async () => {
  company = await givenCompany();
});

const cardLink = (changes: Record<string, unknown> = {}) =>
  givenLink(company, { paymentMethods: ["PIX", "CREDIT_CARD"], ...changes });

/** Makes a token as the page's script does. */
function askToken(
  session: string,
  card: { number?: string; cvv?: string } = {},
  options: Call = {},
) {
  return call(TOKENS, {
    ...options,
    body: { ...CARD, ...card },
    headers: { "X-Checkout-Session": session },
  });
}

/** A page, its card's token and what its form sends. */
async function givenTypedCard(slug: string, number: string, path = slug) {
  const { text } = await openLink(path);
  const answer = await askToken(sessionOf(text), { number });
  expect(answer.status, answer.text).toBe(201);
  return formOf(text, { ...PAYER, cardToken: answer.body.token });
}

async function payByCard(slug: string, number: string = NUMBERS.approved): Promise<Answer> {
  return sendForm(slug, await givenTypedCard(slug, number));
}

const find = async (id: string) => {
  await waitUntilDrained(company);
  return (await call(`/api/v1/transactions/${id}`, { company })).body.data;
};
const show = async (id: string) => {
  await waitUntilDrained(company);
  return (await call(`${LINKS}/${id}`, { company })).body.data;
};

describe("a card on the page of a link", () => {
  it("that the bank refuses later leaves three ways on, each with its method chosen", async () => {
    const returnUrl = "https://loja.example.com/fim";
    const { slug } = await cardLink({ maxPayments: 1, returnUrl });
    const form = await givenTypedCard(slug, NUMBERS.unanswered);
    const open = await sendForm(slug, form);
    const known = await findTransaction(env, company.id, transactionOf(open));
    await callsTo(company.id).transitionCharge({
      companyId: company.id,
      terms: chargeTerms(known!),
      to: "refused",
    });
    await waitUntilDrained(company);

    const { text } = await call(open.headers.get("Location")!);
    expect(text).toContain("Cartão recusado");
    const ways = [...text.matchAll(/<a class="button[^"]*" href="([^"]+)"[^>]*>([^<]+)</g)];
    const again = `/l/${slug}?checkout=${form["checkout"]}&amp;method=`;
    expect(ways.slice(0, 3).map(([, href, words]) => [href, words])).toEqual([
      [`${again}CREDIT_CARD`, "Usar outro cartão"],
      [`${again}PIX`, "Pagar com Pix"],
      [`${open.headers.get("Location")}/return`, expect.stringMatching(/^Voltar para /)],
    ]);
    const byCard = await openLink(ways[0]![1]!.slice("/l/".length).replace("&amp;", "&"));
    expect(byCard.text).toMatch(/value="CREDIT_CARD" checked/);
  });

  it("pays in the installments that the payer chose, and sells one reservation however often it is sent", async () => {
    const { id, slug } = await cardLink({ amount: 10_000, maxPayments: 1, maxInstallments: 3 });
    const { text } = await openLink(slug);
    expect(text).toMatch(/3x de R\$\s33,33, total R\$\s100,00 \(a primeira de R\$\s33,34\)/);
    expect(text).not.toMatch(/name="(number|cvv|expiry|holderName)"/);
    const form = { ...(await givenTypedCard(slug, CARD.number)), installments: "3" };

    const answers = [await sendForm(slug, form), await sendForm(slug, form)];

    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(new Set(answers.map(transactionOf)).size).toBe(1);
    expect(await find(transactionOf(answers[0]!))).toMatchObject({
      status: "PAID",
      installments: 3,
      card: { brand: "visa", lastDigits: "4242" },
      paymentLinkId: id,
    });
    expect(await show(id)).toMatchObject({ paidCount: 1, openCount: 0, status: "exhausted" });
  });

  it("that is refused says what to try, frees its reservation, and another card pays", async () => {
    const { id, slug } = await cardLink({ maxPayments: 1 });
    const refused = await payByCard(slug, NUMBERS.withoutFunds);
    expect(refused.status).toBe(422);
    expect(refused.text).toContain("não tem limite para este valor");
    expect(refused.text).toContain('value="Maria da Silva"');
    expect(refused.text).not.toContain('name="cardToken" value="v2');
    expect(await show(id)).toMatchObject({ openCount: 0, paidCount: 0 });

    const next = await askToken(sessionOf(refused.text));
    const paid = await sendForm(
      slug,
      formOf(refused.text, { ...PAYER, cardToken: next.body.token }),
    );

    expect(paid.status).toBe(303);
    expect(await show(id)).toMatchObject({ paidCount: 1, status: "exhausted" });
    expect((await find(transactionOf(paid))).status).toBe("PAID");
  });

  it("without an answer of its acquirer stays open, and a PIX that is paid meanwhile is the one that counts", async () => {
    const { id, slug } = await cardLink({ maxPayments: 1 });
    const { suspense = 0, available = 0 } = await accountsOf(company);
    const form = await givenTypedCard(slug, NUMBERS.unanswered);
    const open = await sendForm(slug, form);
    const card = transactionOf(open);
    const page = await call(open.headers.get("Location")!);
    expect(page.text).toContain('data-state="processing"');
    expect((await openLink(slug)).status).toBe(409);
    const again = await openLink(`${slug}?checkout=${form["checkout"]}`);
    const pix = transactionOf(await sendForm(slug, formOf(again.text)));
    expect((await pay(company, pix)).status).toBe(200);

    await pay(company, card);

    expect(await show(id)).toMatchObject({ paidCount: 1, openCount: 0 });
    const accounts = await accountsOf(company);
    expect([accounts.suspense! - suspense, accounts.available! - available]).toEqual([
      5_000, 5_000,
    ]);
    const { items } = (await call("/api/v1/payments/unexpected", { company })).body;
    expect(items[0]).toMatchObject({ reason: "SECOND_PAYMENT", transactionId: card });
    expect((await find(card)).status).toBe("CANCELLED");
  });

  it("that is authorized after another way was paid is cancelled at its acquirer, in the same commit", async () => {
    const { slug } = await cardLink({ maxPayments: 1 });
    const form = await givenTypedCard(slug, NUMBERS.unanswered);
    const card = transactionOf(await sendForm(slug, form));
    const again = await openLink(`${slug}?checkout=${form["checkout"]}`);
    const pix = transactionOf(await sendForm(slug, formOf(again.text)));
    expect((await pay(company, pix)).status).toBe(200);

    const known = await findTransaction(env, company.id, card);
    const answer = await callsTo(company.id).transitionCharge({
      companyId: company.id,
      terms: chargeTerms(known!),
      to: "authorized",
    });

    expect(answer).toEqual({ kind: "transitioned" });
    expect((await find(card)).status).toBe("CANCELLED");
    const operations = await inAccount(company.id, (_, { storage }) =>
      storage.sql.exec("SELECT kind FROM operations WHERE transaction_id = ?", card).toArray(),
    );
    expect(operations).toEqual([{ kind: "cancel" }]);
  });

  it("keeps its token while another field is wrong, and shows which card it is", async () => {
    const { slug } = await cardLink();
    const form = await givenTypedCard(slug, CARD.number);
    const wrong = await sendForm(slug, { ...form, document: "123" });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain("Cartão visa com final 4242");
    expect(wrong.text).toContain(form["cardToken"]);
    expect((await sendForm(slug, form)).status).toBe(303);
  });

  it("is asked for where the form comes without its token", async () => {
    const { slug } = await cardLink({ maxInstallments: 3 });
    const { text } = await openLink(slug);
    const missing = await sendForm(slug, formOf(text, { ...PAYER, installments: "1" }));
    expect(missing.status).toBe(400);
    expect(missing.text).toContain("Informe o cartão.");
    const many = await givenTypedCard(slug, CARD.number);
    expect((await sendForm(slug, { ...many, installments: "4" })).status).toBe(400);
  });

  it("leaves neither number nor CVV in storage, answers or logs", async () => {
    const { slug } = await cardLink();
    const overheard = captureConsole();
    const answer = await payByCard(slug, "5555555555554444");
    expect(answer.status).toBe(303);
    await waitUntilDrained(company);
    const said = [answer.text, overheard()];
    for (const text of [...said, await dumpD1(company.id), await dumpObject(company)])
      expect(text).not.toContain("5555555555554444");
  });
});

describe("a checkout session", () => {
  const refused = { status: 401, code: "INVALID_CREDENTIALS" } as const;

  it("makes one token; faults of the card leave it unused", async () => {
    const { slug } = await cardLink();
    const session = sessionOf((await openLink(slug)).text);
    const faulty = await askToken(session, { number: "4242424242424241", cvv: "1" });
    expect(faulty.status).toBe(400);
    expect(Object.keys(faulty.body.errors).sort()).toEqual(["cvv", "number"]);
    const answers = await Promise.all([askToken(session), askToken(session)]);
    const made = answers.find(({ status }) => status === 201)!;
    await expectDocumented(`POST ${TOKENS}`, made);
    await expectProblem(
      answers.find(({ status }) => status !== 201)!,
      refused,
    );
  });

  it("ends after an hour, and no other text is one", async () => {
    const clock = new TestClock();
    const { slug } = await cardLink();
    const { text } = await openLink(slug, { deps: { platformClock: clock } });
    const session = sessionOf(text);
    clock.advance(60 * 60_000);
    await expectProblem(await askToken(session, {}, { deps: { platformClock: clock } }), refused);
    const sealed = (await tokenize(company)).body.token as string;
    for (const other of ["", "x", sealed, `${session}x`, session.slice(0, -4)])
      await expectProblem(await askToken(other), refused);
  });

  it("gives a token that is good on its own page only", async () => {
    const { slug } = await cardLink();
    const { cardToken = "" } = await givenTypedCard(slug, CARD.number);
    const other = await openLink(slug);
    const ofMerchant = (await tokenize(company)).body.token as string;
    for (const foreign of [cardToken, ofMerchant, "tok_1"]) {
      const answer = await sendForm(slug, formOf(other.text, { ...PAYER, cardToken: foreign }));
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("Informe o cartão.");
    }
    const charge = await call("/api/v1/transactions/create", {
      company,
      body: {
        amount: 100,
        paymentMethod: "CREDIT_CARD",
        customer: { name: "Maria", document: { number: "52998224725" } },
        card: { token: cardToken },
      },
    });
    expect(charge.status).not.toBe(200);
  });

  it("is limited for each address", async () => {
    const limited = {
      ...env,
      LIMIT_CARD_SESSIONS: { limit: () => Promise.resolve({ success: false }) },
    };
    const answer = await askToken("x", {}, { env: limited });
    await expectProblem(answer, { status: 429, code: "TOO_MANY_REQUESTS", retryAfter: true });
  });
});
