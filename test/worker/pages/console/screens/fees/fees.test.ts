import { afterEach, expect, it, vi } from "vitest";
import { saoPauloDay } from "../../../../../../src/domain/shared/business-day.ts";
import {
  givenCompany,
  waitUntilDrained,
} from "../../../../../support/builders/companies/company.ts";
import { givenPaid } from "../../../../../support/builders/charges/transaction.ts";
import { updateSettings } from "../../../../../support/builders/operations/refund.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { givenSettled } from "../../../../../support/builders/reports/settled.ts";

const PATH = "/console/fees";

afterEach(() => vi.restoreAllMocks());

it("shows agreed, taken and difference, and the payments that differ", async () => {
  const { company, transactionId } = await givenSettled();
  const { status, html } = await visit(company, PATH, { role: "viewer" });

  expect(status).toBe(200);
  expectClean(html);
  expect(html).toMatch(/data-heading="Taxa combinada">R\$\s3,01/);
  expect(html).toMatch(/data-heading="Taxa cobrada">R\$\s3,02/);
  expect(html).toContain("Taxa maior que a combinada");
  expect(html).toContain(`href="/console/payments/${transactionId}"`);
  expect(html).toMatch(/retirou R\$\s10,00 por estornos/);
  expect(html).toMatch(/custou mais R\$\s0,07/);
});

it("its file has the days in the person's language, and a wrong period is said", async () => {
  const { company } = await givenSettled();
  const day = saoPauloDay(Date.now());
  const file = await visit(company, `${PATH}.csv`);
  expect(file.html).toContain("Data;Conta;");
  expect(file.html.split("\r\n")).toHaveLength(3);
  const english = await visit(company, `${PATH}.csv?from=${day}&to=${day}`, { language: "en" });
  expect(english.html).toContain("day,account,");
  const wrong = await visit(company, `${PATH}?from=2026-01-01&to=2026-12-01`);
  expect(wrong.status).toBe(400);
  expectClean(wrong.html);
});

it("of a test company shows what the sandbox's bank took", async () => {
  const company = await givenCompany();
  await updateSettings(company, { fees: { PIX: { basisPoints: 100, fixed: 0 } } });
  await givenPaid(company, 2_500);
  await waitUntilDrained(company);
  const { html } = await visit(company, PATH);
  expectClean(html);
  expect(html).toContain("o banco do sandbox cobra o combinado");
  expect(html).toMatch(/data-heading="Taxa cobrada">R\$\s0,25/);
});

it("says why it is empty: a bank that does not tell, days without a payment", async () => {
  const company = await givenCompany({ mode: "live" });
  const { html } = await visit(company, PATH, { language: "en" });
  expect(html).toContain("No bank of this company tells what it took");
  const settled = await givenSettled();
  const past = await visit(settled.company, `${PATH}?from=2026-01-01&to=2026-01-02`);
  expect(past.html).toContain("O banco não pagou nada nestes dias");
  expect(past.html).not.toContain("O que difere");
});
