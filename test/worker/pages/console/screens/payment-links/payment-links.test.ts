import { expect, it } from "vitest";
import { givenLink } from "../../../../../support/builders/charges/payment-links.ts";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { expectClean, keyOf } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";

const PATH = "/console/payment-links";

it("a link is made once by a form that is sent twice, with its address and QR code", async () => {
  const company = await givenCompany();
  const empty = await visit(company, PATH);
  expectClean(empty.html);
  expect(empty.html).toContain("Nenhum link ainda");
  const fresh = await visit(company, `${PATH}/new`);
  expectClean(fresh.html);
  const form = {
    idempotencyKey: keyOf(fresh.html),
    name: "Curso <b>",
    kind: "fixed",
    amount: "50,00",
    methodPIX: "on",
    askemail: "on",
    maxPayments: "3",
  };
  const made = await visit(company, PATH, { form });
  const again = await visit(company, PATH, { form });
  const location = made.headers.get("Location") ?? "";
  expect([made.status, again.headers.get("Location")]).toEqual([303, location]);
  const page = await visit(company, location, { language: "en" });
  expectClean(page.html);
  expect(page.html).toContain("Curso &lt;b&gt;");
  expect(page.html).toContain("0 / 3");
  expect(page.html).toMatch(/\/l\/[0-9a-z]+"/);
  const png = await visit(company, location.replace(/\?.*/, "/qr.png"));
  expect(png.headers.get("Content-Type")).toBe("image/png");
});

it("a wrong amount makes nothing and keeps what was typed", async () => {
  const company = await givenCompany();
  const form = { name: "Curso", kind: "fixed", amount: "muito", methodPIX: "on" };
  const { status, html } = await visit(company, PATH, { form });
  expect(status).toBe(400);
  expect(html).toContain('value="muito"');
  expect((await visit(company, PATH)).html).toContain("Nenhum link ainda");
});

it("a link is switched off and gets a limit; a viewer changes nothing", async () => {
  const company = await givenCompany();
  const { id } = await givenLink(company);
  const form = { name: "Curso", maxPayments: "5", expires: "" };
  const changed = await visit(company, `${PATH}/${id}`, { form });
  expect(changed.status).toBe(303);
  const seen = await visit(company, `${PATH}/${id}`, { role: "viewer" });
  expect(seen.html).toContain("Desligado");
  expect(seen.html).toContain("0 / 5");
  expect(seen.html).not.toContain('name="maxPayments"');
  expect((await visit(company, `${PATH}/${id}`, { role: "viewer", form })).status).toBe(403);
});
