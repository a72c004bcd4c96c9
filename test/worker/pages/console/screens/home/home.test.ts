import { expect, it } from "vitest";
import {
  givenPaid,
  givenTransaction,
} from "../../../../../support/builders/charges/transaction.ts";
import { env, givenCompany } from "../../../../../support/builders/companies/company.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { givenPending } from "../../../../../support/builders/withdraws/approvals.ts";
import { requestWithdraw } from "../../../../../support/builders/withdraws/withdraw.ts";
import { givenDisputed } from "../../../../../support/builders/operations/dispute.ts";

it("the first page shows the balance, what came in and what waits for a person", async () => {
  const company = await givenCompany();
  await givenPaid(company, 12_345);
  await givenDisputed(company, { reason: "MED_FRAUD" });
  await givenTransaction(company);
  await env.DB.prepare(
    "INSERT INTO webhook_hosts VALUES (?, 'loja.example.com', ?, ?, '503', NULL)",
  )
    .bind(company.id, Date.now(), Date.now())
    .run();
  const { status, html } = await visit(company, "/console");
  expect(status).toBe(200);
  expect(html).toMatch(/Disponível<\/p><p class="amount">R\$\s123,45/);
  expect(html).toMatch(/Bloqueado<\/p><p class="amount">R\$\s25,00/);
  expect(html).toMatch(
    /Contestações abertas: 1<\/a><span class="hint"> \(prazo mais próximo: .*, faltam \d dias/,
  );
  expect(html).toMatch(/webhook com falha: 1<\/a><span class="hint"> \(loja\.example\.com/);
  expect(html).toMatch(/Conversão<\/p><p class="amount">66,7%</);
  expect(html).toMatch(/data-heading="Cobranças criadas">3<\/td>/);
  expect(html).toMatch(/Pagamentos<\/p><p class="amount">2</);
  expect(html).not.toMatch(/undefined|NaN|>null</);
});

it("the first page counts withdraws that wait for an approval", async () => {
  const { company } = await givenPending();
  await requestWithdraw(company, { amount: 1_500 }, { key: "small" });
  expect((await visit(company, "/console")).html).toContain("Saques para aprovar: 1");
});

it("a company without a payment is told so, in English too", async () => {
  const company = await givenCompany();
  const { html } = await visit(company, "/console?period=month", { language: "en" });
  expect(html).toContain("No payment in this period.");
  expect(html).toContain("Nothing waits for you.");
  expect(html).toContain('href="/console?period=month" aria-current="page"');
});

it("every role sees a first page", async () => {
  const company = await givenCompany();
  for (const role of ["owner", "admin", "finance", "support", "developer", "viewer"] as const) {
    expect((await visit(company, "/console", { role })).status).toBe(200);
  }
});
