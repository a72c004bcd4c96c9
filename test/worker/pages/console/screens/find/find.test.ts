import { expect, it } from "vitest";
import { givenTransaction } from "../../../../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { givenDisputed } from "../../../../../support/builders/operations/dispute.ts";
import { requestWithdraw } from "../../../../../support/builders/withdraws/withdraw.ts";

const PATH = "/console/find";
const findIn = (text: string) => `${PATH}?q=${encodeURIComponent(text)}`;

it("an id, a reference and a withdraw's number lead to their page at once", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const { id } = await givenTransaction(company, { externalRef: "pedido-7" });
  await requestWithdraw(company);
  for (const [asked, path] of [
    [id, `/console/payments/${id}`],
    ["pedido-7", `/console/payments/${id}`],
    ["1", "/console/withdraws/1"],
  ] as const) {
    const { status, headers } = await visit(company, findIn(asked));
    expect([status, headers.get("Location")]).toEqual([302, path]);
  }
});

it("what is nowhere is said to be nowhere", async () => {
  const company = await givenCompany();
  const id = crypto.randomUUID();
  const { status, html } = await visit(company, findIn(id));
  expectClean(html);
  expect(status).toBe(200);
  expect(html).toContain(`Nada encontrado por “${id}”`);
  expect((await visit(company, findIn(""))).html).toContain("Digite um nome");
});

it("a part of a name and a value in reais find charges and payers, grouped, also while typing", async () => {
  const company = await givenCompany();
  const customer = { name: "Maria da Silva", document: { number: "52998224725" } };
  for (const amount of [30_953, 500]) await givenTransaction(company, { amount, customer });
  await givenTransaction(company, { amount: 30_953 });
  const byName = await visit(company, findIn("silva"));
  expectClean(byName.html);
  expect(byName.html.match(/href="\/console\/payments\/[0-9a-f-]+"/g)).toHaveLength(2);
  expect(byName.html).toContain("<h2>Clientes</h2>");
  expect(byName.html).toContain("***.982.247-**");
  const byValue = await visit(company, PATH, { form: { q: "309,53", live: "1" } });
  expectClean(byValue.html);
  expect(byValue.html).not.toContain("<html");
  expect(byValue.html.match(/href="\/console\/payments\/[0-9a-f-]+"/g)).toHaveLength(2);
  const support = await visit(company, findIn("silva"), { role: "support" });
  expect(support.html).not.toContain("982.247");
});

it("a posted CPF finds its charges in no address; other texts lead to one", async () => {
  const company = await givenCompany();
  const customer = { name: "Maria", document: { number: "52998224725" } };
  const { id } = await givenTransaction(company, { customer });
  const found = await visit(company, PATH, { form: { q: "529.982.247-25" } });
  expect(found.status).toBe(200);
  expect(found.headers.get("Cache-Control")).toBe("no-store");
  expect(found.html).toContain(`/console/payments/${id}`);
  expect(found.html).not.toMatch(/529\.?982\.?247-?25/);
  const support = await visit(company, PATH, { role: "support", form: { q: "52998224725" } });
  expect(support.html).not.toContain(id);
  const live = await visit(company, PATH, { form: { q: "52998224725", live: "1" } });
  expect(live.html).toContain("aperte Enter");
  const text = await visit(company, PATH, { form: { q: "pedido 7" } });
  expect(text.headers.get("Location")).toBe("/console/find?q=pedido%207");
});

it("no posted text with a document leads to an address, mistyped or among words", async () => {
  const company = await givenCompany();
  const customer = { name: "Maria", document: { number: "52998224725" } };
  const { id } = await givenTransaction(company, { customer });
  for (const q of ["CPF 529.982.247-25", "Maria 52998224725"]) {
    const found = await visit(company, PATH, { form: { q } });
    expect([q, found.status, found.headers.get("Location")]).toEqual([q, 200, null]);
    expect(found.html).toContain(`/console/payments/${id}`);
  }
  const mistyped = await visit(company, PATH, { form: { q: "529.982.247-26" } });
  expect([mistyped.status, mistyped.headers.get("Location")]).toEqual([200, null]);
  expect(mistyped.html).toContain("os dígitos verificadores não conferem");
});

it("a mistyped CPF is not searched, but may be as a reference", async () => {
  const company = await givenCompany();
  await givenTransaction(company, { externalRef: "52998224726" });
  const { status, html } = await visit(company, findIn("52998224726"));
  expectClean(html);
  expect(status).toBe(200);
  expect(html).toContain("os dígitos verificadores não conferem");
  expect(html).toContain('href="/console/payments?externalRef=52998224726"');
});

it("a page is found by its name, without accents and case", async () => {
  const company = await givenCompany();
  const { html } = await visit(company, findIn("contestacoes"));
  expectClean(html);
  expect(html).toContain('<a href="/console/disputes">Contestações</a>');
});

it("a CPF is not searched, and a text is shown escaped", async () => {
  const company = await givenCompany();
  const refused = await visit(company, findIn("529.982.247-25"), { language: "en" });
  expect(refused.html).toContain("A CPF or CNPJ is not searched by the address");
  const { html } = await visit(company, findIn("<script>alert(1)</script>"));
  expect(html).not.toContain("<script>alert");
});

it("a dispute is found by its value, and named by its reason", async () => {
  const company = await givenCompany();
  const { id } = await givenDisputed(company, { reason: "MED_FRAUD" });
  const { html } = await visit(company, findIn("25,00"));
  expectClean(html);
  const path = `/console/disputes/${encodeURIComponent(id)}`;
  expect(html).toContain(`<a href="${path}">Suspeita de fraude (MED)</a>`);
});
