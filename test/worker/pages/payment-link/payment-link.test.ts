import { beforeAll, describe, expect, it } from "vitest";
import {
  env,
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import {
  actOnLink,
  formOf,
  givenLink,
  LINKS,
  openLink,
  sendForm,
  transactionOf,
} from "../../../support/builders/charges/payment-links.ts";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { pay } from "../../../support/builders/charges/transaction.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";

const ALL_FIELDS = [{ name: "name" }, { name: "document" }, { name: "email" }];
const PAYER = { name: "Maria da Silva", document: "529.982.247-25", email: "maria@example.com" };

let company: TestCompany;
beforeAll(async () => {
  company = await givenCompany();
});

/** Asserts a page in words, of this status and with this text. */
function expectPage(answer: Answer, status: number, text: string): void {
  expect([answer.status, answer.headers.get("Content-Type")]).toEqual([
    status,
    "text/html; charset=UTF-8",
  ]);
  expect(answer.text).toContain(text);
  expect(answer.headers.get("X-Robots-Tag") ?? "noindex").toBe("noindex");
}

describe("the form of a link", () => {
  it.each([
    ["name", "", "Informe o nome"],
    ["name", "a".repeat(121), "Informe o nome"],
    ["document", "", "Informe um CPF ou CNPJ válido."],
    ["document", "529.982.247-26", "Informe um CPF ou CNPJ válido."],
    ["email", "", "Informe um e-mail."],
    ["email", "maria", "Informe um e-mail."],
    ["amount", "4,99", "Informe um valor que este link aceita."],
    ["amount", "mil", "Informe um valor que este link aceita."],
    ["quantity", "4", "Informe uma quantidade que este link aceita."],
    ["quantity", "-1", "Informe uma quantidade que este link aceita."],
  ])(
    "with a wrong %s (%s) says so at the field, keeps the rest and makes nothing",
    async (name, value, words) => {
      const { slug } = await givenLink(company, {
        amount: undefined,
        minimum: 500,
        maxQuantity: 3,
        fields: ALL_FIELDS,
      });
      const before = (await transactionsOf(company)).length;
      const typed = { ...PAYER, amount: "10,00", quantity: "1", [name]: value };
      const answer = await actOnLink(slug, typed);
      expectPage(answer, 400, words);
      expect(answer.text).toContain(`aria-describedby="${name}-wrong"`);
      const [kept, text] = Object.entries(PAYER).find(([field]) => field !== name)!;
      expect(answer.text).toMatch(new RegExp(`name="${kept}"[^>]*value="${text}"`));
      expect(await transactionsOf(company)).toHaveLength(before);
    },
  );

  it("with a way to pay that the link does not offer is refused", async () => {
    const { slug } = await givenLink(company);
    expectPage(await actOnLink(slug, { method: "BOLETO" }), 400, "Confira os campos marcados.");
  });

  it("that is too large is answered in words", async () => {
    const { slug } = await givenLink(company);
    expectPage(await actOnLink(slug, { name: "a".repeat(10_000) }), 413, "Texto longo demais");
  });

  it("of another site makes nothing", async () => {
    const { slug } = await givenLink(company);
    const { text } = await openLink(slug);
    const before = (await transactionsOf(company)).length;
    const foreign = { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" };
    expectPage(
      await sendForm(slug, formOf(text), { headers: foreign }),
      403,
      "não veio da página do link",
    );
    expect(await transactionsOf(company)).toHaveLength(before);
  });

  it.each(["LIMIT_PUBLIC_ROUTES", "LIMIT_LINK_PAYMENTS"])(
    "beyond %s is told to wait",
    async (name) => {
      const { slug } = await givenLink(company);
      const { text } = await openLink(slug);
      const limited = { ...env, [name]: { limit: () => Promise.resolve({ success: false }) } };
      const answer = await sendForm(slug, formOf(text), { env: limited });
      expectPage(answer, 429, "Espere um minuto");
      expect(answer.headers.get("Retry-After")).toBe("60");
    },
  );

  it("with a foreign or invented checkout takes no other payer's reservation", async () => {
    const { slug } = await givenLink(company, { maxPayments: 1 });
    const other = await givenLink(company);
    const { text } = await openLink(other.slug);
    const theirs = formOf(text);
    expect((await sendForm(other.slug, theirs)).status).toBe(303);
    for (const checkout of [theirs["checkout"]!, "x", "a".repeat(22)]) {
      const page = await openLink(`${slug}?checkout=${checkout}`);
      expect(page.status).toBe(200);
      const answer = await sendForm(slug, { ...formOf(page.text), checkout });
      if (checkout === "a".repeat(22)) expect(answer.status).toBe(303);
      else expectPage(answer, 404, "Link não encontrado");
    }
  });
});

describe("the last reservation of a link", () => {
  it("comes back to who held it, in the same browser, until it is paid", async () => {
    const { slug } = await givenLink(company, { maxPayments: 1 });
    const { text } = await openLink(slug);
    const held = await sendForm(slug, formOf(text));
    const charge = held.headers.get("Location") ?? "";
    const [cookie = ""] = (held.headers.get("Set-Cookie") ?? "").split(";");
    const own = { headers: { Cookie: cookie } };
    expectPage(await openLink(slug), 409, "Não há vagas neste momento");
    const back = await openLink(slug, own);
    expect([back.status, back.headers.get("Location")]).toEqual([303, charge]);
    const again = await sendForm(slug, formOf(text, { checkout: "x".repeat(22) }), own);
    expect([again.status, again.headers.get("Location")]).toEqual([303, charge]);
    const elsewhere = await givenLink(company, { maxPayments: 1 });
    expect((await openLink(elsewhere.slug, own)).status).toBe(200);
    await pay(company, transactionOf(held));
    await waitUntilDrained(company);
    expectPage(await openLink(slug, own), 410, "Este link já foi pago");
  });
});

describe("the page of a link that takes nothing", () => {
  it.each([
    ["inactive", { active: false }, "Este link foi desativado"],
    ["expired", { expiresAt: "2040-01-01T00:00:00Z" }, "O prazo deste link acabou"],
  ])("because it is %s says so, before and after the form", async (_why, change, title) => {
    const { id, slug } = await givenLink(company);
    const { text } = await openLink(slug);
    await call(`${LINKS}/${id}`, { method: "PATCH", company, body: change });
    await waitUntilDrained(company);
    const clock = new TestClock();
    clock.advance(20 * 365 * 86_400_000);
    const deps = "expiresAt" in change ? { deps: { platformClock: clock } } : {};
    expectPage(await openLink(slug, deps), 410, title);
    if (!("expiresAt" in change)) expectPage(await sendForm(slug, formOf(text)), 410, title);
  });

  it("because it was paid says so in English too", async () => {
    const { slug } = await givenLink(company, { maxPayments: 1 });
    await pay(company, transactionOf(await actOnLink(slug)));
    await waitUntilDrained(company);
    expectPage(
      await openLink(slug, { headers: { "Accept-Language": "en" } }),
      410,
      "This link is paid",
    );
  });

  it("because it is none is a page too, whatever is asked for", async () => {
    for (const slug of ["x", "0".repeat(18), "%00", "a".repeat(200)])
      expectPage(await openLink(slug), 404, "Link não encontrado");
    expectPage(await sendForm("0".repeat(18), {}), 404, "Link não encontrado");
  });
});
