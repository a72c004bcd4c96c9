import { expect, it } from "vitest";
import { givenCompany } from "../../../../support/builders/companies/company.ts";
import { visit, visitAsOperator } from "../../../../support/builders/console/visit.ts";

it("every page of a test company says that no money is real, and none of a live one", async () => {
  const test = await givenCompany();
  const live = await givenCompany({ mode: "live" });
  for (const path of ["/console", "/console/payments", "/console/team"]) {
    expect((await visit(test, path)).html).toContain("Modo de teste");
    expect((await visit(live, path)).html).not.toContain("Modo de teste");
  }
});

it("an operator's page belongs to no company and shows no company's bar", async () => {
  const { status, html } = await visitAsOperator("/console/operator");
  expect(status).toBe(200);
  expect(html).not.toContain("company-bar");
});

it("a phone finds the console's name, its start and icons that are there", async () => {
  const company = await givenCompany();
  const { html } = await visit(company, "/console");
  const path = /rel="manifest" href="([^"]+)"/.exec(html)?.[1] ?? "";
  const file = await visit(company, path);
  expect(file.headers.get("Content-Type")).toBe("application/manifest+json");
  const manifest = JSON.parse(file.html) as { name: string; start_url: string; icons: Icon[] };
  expect(manifest).toMatchObject({ name: "Centavo", start_url: "/console" });
  expect(manifest.icons.length).toBeGreaterThan(0);
  for (const { src, type } of manifest.icons) {
    const icon = await visit(company, src);
    expect(icon.status).toBe(200);
    expect(icon.headers.get("Content-Type")).toBe(type);
  }
});

interface Icon {
  src: string;
  type: string;
}
