import { expect, it } from "vitest";
import { createTransaction } from "../../../../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { Browser } from "../../../../../support/builders/console/browser.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { givenSession } from "../../../../../support/builders/console/people.ts";

const PATH = "/console/requests";

it("a developer finds what a request did by its trace id, or among the newest", async () => {
  const company = await givenCompany();
  const browser = new Browser(await givenSession(company, "developer", { nowMs: Date.now() }));
  const none = await browser.ask(PATH);
  expectClean(none.html);
  expect(none.html).toContain("Nenhuma mudança ainda");
  const created = await createTransaction(company, { amount: 1_000, paymentMethod: "PIX" });
  const traceId = created.headers.get("X-Trace-Id")!;
  const newest = await browser.ask(PATH, { language: "en" });
  expectClean(newest.html);
  expect(newest.html).toContain(`href="${PATH}?traceId=${traceId}"`);
  const found = await browser.ask(`${PATH}?traceId=%20${traceId.toUpperCase()}`);
  expectClean(found.html);
  expect(found.html).toContain(`href="/console/payments/${created.body.data.id}"`);
  const unknown = await browser.ask(`${PATH}?traceId=${"0".repeat(32)}`);
  expect(unknown.html).toContain("Nada foi guardado desta requisição");
});

it("VALIDATION_FAILED: a text that is no trace id stays typed", async () => {
  const company = await givenCompany();
  const browser = new Browser(await givenSession(company, "developer", { nowMs: Date.now() }));
  const refused = await browser.ask(`${PATH}?traceId=a%2Fb`);
  expect(refused.status).toBe(400);
  expect(refused.html).toMatch(/value="a\/b"[^>]*aria-invalid="true"/);
});
