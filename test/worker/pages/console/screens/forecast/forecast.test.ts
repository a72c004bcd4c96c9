import { expect, it } from "vitest";
import { givenPaid } from "../../../../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { call } from "../../../../../support/builders/requests/api.ts";

it("what awaits release is a bar and a row of its day", async () => {
  const company = await givenCompany();
  const none = await visit(company, "/console/calendar", { language: "en" });
  expectClean(none.html);
  expect(none.html).toContain("Nothing awaits release.");
  await call("/api/v1/sandbox/settings", {
    method: "PUT",
    company,
    body: { releaseDays: { PIX: 2 } },
  });
  const { id } = await givenPaid(company, 2_500);
  const { status, html } = await visit(company, "/console/calendar", { role: "viewer" });
  expect(status).toBe(200);
  expectClean(html);
  expect(html).toContain("<rect");
  expect(html).toMatch(/<td class="number ?" data-heading="Valor">R\$\s25,00/);
  const [, path = ""] = /data-heading="Dia"><a href="([^"]+)"/.exec(html) ?? [];
  const day = await visit(company, path, { role: "viewer" });
  expectClean(day.html);
  expect(day.html).toContain(`href="/console/payments/${id}"`);
  expect(day.html).toMatch(/data-heading="Valor">R\$\s25,00/);
  expect((await visit(company, "/console/calendar/2026-02-30")).status).toBe(404);
  const past = await visit(company, "/console/calendar/2026-02-28", { language: "en" });
  expect(past.html).toContain("Nothing more awaits release on this day.");
  expect(past.html).toContain('href="/console/statement?from=2026-02-28&amp;to=2026-02-28"');
});
