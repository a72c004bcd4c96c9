import { expect, it } from "vitest";
import { givenTransaction, pay } from "../../../../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { call } from "../../../../../support/builders/requests/api.ts";

const asked = (query: Record<string, string>) =>
  `/console/cashier/question?${new URLSearchParams(query).toString()}`;

it("a payment that arrived is told by amount and minute or by id, with a first name only", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { customer: { name: "Maria <i>Silva</i>" } });
  await pay(company, id);
  const { endToEndId, paidAt } = (await call(`/api/v1/transactions/${id}`, { company })).body.data;
  // The browser's field has the minute in São Paulo.
  const at = new Date(Date.parse(paidAt) - 3 * 3_600_000).toISOString().slice(0, 16);
  for (const query of [{ amount: "25,00", at }, { endToEndId }]) {
    const { status, html } = await visit(company, asked(query), { role: "cashier" });
    expectClean(html);
    expect(status).toBe(200);
    expect(html).toContain("Sim, chegou.");
    expect(html).toContain("Maria");
    expect(html).not.toContain("Silva");
  }
});

it("what did not arrive is not called arrived, and a wrong question keeps its words", async () => {
  const company = await givenCompany();
  const first = await visit(company, "/console/cashier/question", { language: "en" });
  expectClean(first.html);
  expect(first.html).not.toMatch(/class="notice (good|bad)"/);
  const none = await visit(company, asked({ amount: "25,00" }), { language: "en" });
  expect(none.html).toContain("It did not arrive.");
  const word = await visit(company, asked({ amount: "vinte" }));
  expect([word.status, word.html.includes('value="vinte"')]).toEqual([400, true]);
  const wrongId = await visit(company, asked({ endToEndId: "E1" }));
  expect([wrongId.status, wrongId.html.includes('value="E1"')]).toEqual([400, true]);
});
