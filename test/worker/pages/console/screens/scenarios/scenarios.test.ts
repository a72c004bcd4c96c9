import { expect, it } from "vitest";
import { READY_NAMES } from "../../../../../../src/domain/scenarios/ready.ts";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { Browser } from "../../../../../support/builders/console/browser.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { givenSession } from "../../../../../support/builders/console/people.ts";
import { call } from "../../../../../support/builders/requests/api.ts";

const PATH = "/console/scenarios";

async function givenOwner(mode: "sandbox" | "live" = "sandbox") {
  const company = await givenCompany({ mode });
  const browser = new Browser(await givenSession(company, "owner", { nowMs: Date.now() }));
  return { company, browser };
}

it("lists each ready scenario with a button, in both languages", async () => {
  const { browser } = await givenOwner();
  const shown = await browser.ask(PATH);
  expectClean(shown.html);
  for (const name of READY_NAMES) expect(shown.html).toContain(`value="${name}"`);
  expect(shown.html).toContain("Um MED é perdido");
  expect((await browser.ask(PATH, { language: "en" })).html).toContain("A MED is lost");
});

it("plays one: what happened and that all was as it says, and the clock stays there", async () => {
  const { company, browser } = await givenOwner();
  const terms = () => call("/api/v1/sandbox/settings", { company });
  const before = (await terms()).body;
  const played = await browser.ask(PATH, { form: { scenario: "med-lost" } });
  expect(played.status).toBe(200);
  expectClean(played.html);
  expect(played.html).toContain("Tudo aconteceu como o cenário diz.");
  expect(played.html).toContain("O banco do pagador contesta");
  expect(played.html).toContain("O relógio desta empresa está em");
  expect((await terms()).body).toEqual(before);
  const { body } = await call("/api/v1/sandbox/clock", { company });
  expect(Date.parse(body.data.now)).toBeGreaterThan(Date.now() + 8 * 86_400_000);
});

it("says where it went otherwise", async () => {
  const { company, browser } = await givenOwner();
  const body = { unexpectedPayments: { LATE: "return" } };
  expect((await call("/api/v1/company/settings", { method: "PUT", company, body })).status).toBe(
    200,
  );
  const { html } = await browser.ask(PATH, { form: { scenario: "pix-paid-late" } });
  expectClean(html);
  expect(html).toContain("a história parou ali");
  expect(html).toContain("esperado R$");
});

it("FORBIDDEN, NOT_FOUND: a live company plays none, and nobody one that does not exist", async () => {
  const { browser } = await givenOwner("live");
  expect((await browser.ask(PATH)).status).toBe(403);
  expect((await browser.ask(PATH, { form: { scenario: "med-lost" } })).status).toBe(403);
  const { browser: other } = await givenOwner();
  expect((await other.ask(PATH, { form: { scenario: "none" } })).status).toBe(404);
});
