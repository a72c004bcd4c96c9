import { expect, it } from "vitest";
import { givenTransaction } from "../../../../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { requestWithdraw } from "../../../../../support/builders/withdraws/withdraw.ts";

const findIn = (text: string) => `/console/find?q=${encodeURIComponent(text)}`;

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

it("what is nowhere is said to be nowhere, with what it was looked for as", async () => {
  const company = await givenCompany();
  const id = crypto.randomUUID();
  const { status, html } = await visit(company, findIn(id));
  expectClean(html);
  expect(status).toBe(200);
  expect(html).toContain(`Nada encontrado por “${id}”`);
  expect(html).toContain("nome de página, id de pagamento, referência");
  const number = await visit(company, findIn("999"), { language: "en" });
  expect(number.html).toContain("name of a page, withdraw number, reference");
  expect((await visit(company, findIn(""))).html).toContain("Digite um id");
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
  expect(html).toContain('<li><a href="/console/disputes">Contestações</a></li>');
});

it("a CPF is not searched, and a text is shown escaped", async () => {
  const company = await givenCompany();
  const refused = await visit(company, findIn("529.982.247-25"), { language: "en" });
  expect(refused.html).toContain("A CPF or CNPJ is not searched here");
  const { html } = await visit(company, findIn("<script>alert(1)</script>"));
  expect(html).not.toContain("<script>alert");
});
