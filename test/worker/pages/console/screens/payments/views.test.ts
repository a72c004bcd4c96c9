import { expect, it } from "vitest";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { Browser } from "../../../../../support/builders/console/browser.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { givenSession } from "../../../../../support/builders/console/people.ts";

const PATH = "/console/payments";

it("filters get a name, are found again, renamed and deleted", async () => {
  const company = await givenCompany();
  const browser = new Browser(await givenSession(company, "viewer", { nowMs: Date.now() }));
  expect((await browser.ask(PATH)).html).not.toContain('name="name"');
  const filtered = await browser.ask(`${PATH}?status=PAID&amountFrom=100`);
  expectClean(filtered.html);
  expect(filtered.html).toContain('name="filter.status" value="PAID"');
  const form = { name: "<b>Pagos", "filter.status": "PAID", "filter.amountFrom": "100" };
  const saved = await browser.ask(`${PATH}/views`, { form });
  expect(saved.status).toBe(303);
  await browser.ask(`${PATH}/views`, { form });
  const shown = await browser.ask(saved.headers.get("Location")!);
  expect(shown.html.match(/&lt;b&gt;Pagos/g)).toHaveLength(1);
  expect(shown.html).toMatch(/status=PAID&amp;amountFrom=100" aria-current="true"/);
  const settings = await browser.ask(`${PATH}/views`, { language: "en" });
  expectClean(settings.html);
  expect(settings.html).toContain("Paid · Amount from (R$): 100");
  const rename = /action="([^"]+\/rename)"/.exec(settings.html)![1]!;
  expect((await browser.ask(rename, { form: { name: "Grandes" } })).status).toBe(303);
  expect((await browser.ask(PATH)).html).toContain("Grandes");
  const remove = rename.replace("rename", "delete");
  expect((await browser.ask(remove, { form: {} })).status).toBe(303);
  expect((await browser.ask(remove, { form: {} })).status).toBe(404);
  expect((await browser.ask(PATH)).html).not.toContain("Grandes");
});

it("VALIDATION_FAILED: a view with too long a name is not saved; name and filters stay typed", async () => {
  const company = await givenCompany();
  const browser = new Browser(await givenSession(company, "viewer", { nowMs: Date.now() }));
  const name = "x".repeat(61);
  const refused = await browser.ask(`${PATH}/views`, { form: { name, "filter.status": "PAID" } });
  expect(refused.status).toBe(400);
  expectClean(refused.html);
  expect(refused.html).toMatch(new RegExp(`value="${name}"[^>]*aria-invalid="true"`));
  expect(refused.html).toContain('name="filter.status" value="PAID"');
});
