import { expect, it } from "vitest";
import { givenTransaction } from "../../../../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { Browser } from "../../../../../support/builders/console/browser.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { givenSession } from "../../../../../support/builders/console/people.ts";

const PATH = "/console/clock";

async function givenTester(mode: "sandbox" | "live" = "sandbox") {
  const company = await givenCompany({ mode });
  const browser = new Browser(await givenSession(company, "owner", { nowMs: Date.now() }));
  return { company, browser };
}

it("a tester advances the clock, sees what was due, and each page says the time", async () => {
  const { company, browser } = await givenTester();
  const { id } = await givenTransaction(company, { pix: { expiresInSeconds: 3_600 } });
  const before = await browser.ask(PATH);
  expectClean(before.html);
  expect(before.html).toContain("Avançar o relógio");
  expect(before.html).not.toContain("O relógio desta empresa");

  const moved = await browser.ask(PATH, { form: { advance: "P1D" } });
  expectClean(moved.html);
  expect(moved.html).toContain("Fim do prazo da cobrança");
  expect(moved.html).toContain(`href="/console/payments/${id}"`);
  const [, shown = ""] = /O relógio está em ([^<]+)\.</.exec(moved.html) ?? [];
  expect(moved.html).toContain(`O relógio desta empresa está em ${shown}.`);

  const later = await browser.ask("/console/payments", { language: "en" });
  expect(later.html).toContain("clock is at");
});

it("goes to a day, and where nothing is due it says so", async () => {
  const { browser } = await givenTester();
  const year = new Date().getUTCFullYear() + 1;
  const moved = await browser.ask(PATH, { form: { set: `${year}-12-31` } });
  expectClean(moved.html);
  expect(moved.html).toContain("Nada vencia neste tempo.");
  expect(moved.html).toContain(`O relógio está em 31/12/${year}`);
});

it("VALIDATION_FAILED, INVALID_STATE: a time out of reach or over stays typed", async () => {
  const { browser } = await givenTester();
  const far = await browser.ask(PATH, { form: { set: "2999-01-01" } });
  expect(far.status).toBe(400);
  expect(far.html).toMatch(/value="2999-01-01"[^>]*aria-invalid="true"/);
  const over = await browser.ask(PATH, { form: { set: "2020-01-01" } });
  expect(over.status).toBe(409);
  expect(over.html).toContain('value="2020-01-01"');
});

it("FORBIDDEN: a live company has no clock, and no way to it", async () => {
  const { browser } = await givenTester("live");
  const refused = await browser.ask(PATH);
  expect(refused.status).toBe(403);
  expect(refused.html).not.toContain(`href="${PATH}"`);
});
