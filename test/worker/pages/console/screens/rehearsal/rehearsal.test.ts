import { expect, it } from "vitest";
import {
  givenPaid,
  givenTransaction,
} from "../../../../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { updateSettings } from "../../../../../support/builders/operations/refund.ts";
import { BOLETO_REQUEST } from "../../../../../support/builders/requests/full-request.ts";

const PATH = "/console/rehearsal";

it("shows the next days as figures, a chart that says its last day, and a table of what changes", async () => {
  const company = await givenCompany({ balance: 10_000 });
  await updateSettings(company, { releaseDays: { PIX: 2 } });
  await givenPaid(company, 2_500);
  await givenTransaction(company, { ...BOLETO_REQUEST, boleto: { expiresInDays: 3 } });
  const { status, html } = await visit(company, PATH, { role: "viewer" });
  expect(status).toBe(200);
  expectClean(html);
  expect(html).toMatch(/aria-label="Saldo disponível de hoje até [^"]+: certo R\$\s125,00/);
  expect(html).toMatch(/data-heading="O que acontece">libera R\$\s25,00/);
  expect(html).toMatch(/vence R\$\s50,00/);
  expect(html).toMatch(/data-heading="Certo">R\$\s125,00/);
  expect(html).toMatch(/data-heading="Melhor caso">R\$\s175,00/);
  expect(html).not.toContain("abate dívida");
  expect(html).toContain("Com menos de 30 cobranças vencidas");
  expect(html).toContain(`href="${PATH}.csv?days=30"`);
});

it("its file has the days in the person's language, and a wrong number of days is said", async () => {
  const company = await givenCompany();
  const file = await visit(company, `${PATH}.csv?days=7`);
  expect(file.html.split("\r\n")).toHaveLength(9);
  expect(file.html).toContain("Data;Saldo inicial;");
  const english = await visit(company, `${PATH}.csv?days=7`, { language: "en" });
  expect(english.html).toContain("day,opening,");
  expect((await visit(company, `${PATH}?days=7`)).html).toContain("7 dias");
  const wrong = await visit(company, `${PATH}?days=400`);
  expect(wrong.status).toBe(400);
  expectClean(wrong.html);
});
