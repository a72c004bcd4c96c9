import { expect, it } from "vitest";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { visit } from "../../../support/builders/console/visit.ts";

it("a page that does not exist is a 404 in the browser's language", async () => {
  const company = await givenCompany();
  const portuguese = await visit(company, "/console/nothing");
  expect(portuguese.status).toBe(404);
  expect(portuguese.html).toContain("Página não encontrada");
  const english = await visit(company, "/console/nothing", { language: "en" });
  expect(english.html).toContain("Page not found");
});

it("every page allows no inline script, no other host and no frame", async () => {
  const { headers } = await visit(await givenCompany(), "/console/nothing");
  const policy = headers.get("Content-Security-Policy");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("unsafe");
});

it.each(["constructor", "__proto__", "toString", "..%2fapp.tsx"])(
  "there is no file %s",
  async (name) => {
    const { status } = await visit(await givenCompany(), `/console/assets/${name}`);
    expect(status).toBe(404);
  },
);

it("the style sheet is served as such", async () => {
  const path = "/console/assets/console.css";
  const { status, headers, html } = await visit(await givenCompany(), path);
  expect(status).toBe(200);
  // Of its first and of its last file.
  expect(html).toMatch(/^:root \{[^]*\.chip \{/);
  expect(headers.get("Content-Type")).toBe("text/css; charset=utf-8");
});
