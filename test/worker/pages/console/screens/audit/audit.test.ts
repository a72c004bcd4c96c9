import { expect, it } from "vitest";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";

const form = { name: "ERP", scopes: "webhooks:read", idempotencyKey: "form-1" };

it("an action of a person is in the trail with the name and the kind person", async () => {
  const company = await givenCompany();
  await visit(company, "/console/keys", { form });
  const { html, status } = await visit(company, "/console/audit?action=application.create");
  expect(status).toBe(200);
  expect(html).toContain("Test owner (pessoa)");
  expect(html).toContain("application.create");
  expect(html).toMatch(/<a href="\/console\/keys\/app_\w+">Aplicação ERP<\/a>/);
  const english = await visit(company, "/console/audit?actor=nobody", { language: "en" });
  expect(english.html).toContain("Nothing in the trail fits the filters.");
  const refused = await visit(company, "/console/audit?from=yesterday&actor=nobody");
  expect(refused.status).toBe(400);
  expect(refused.html).toMatch(/value="yesterday"[^>]*aria-invalid="true"/);
  expect(refused.html).toContain('value="nobody"');
  const proof = await visit(company, "/console/audit/trail.json");
  const items = JSON.parse(proof.html);
  expect(items.at(-1).actor).toEqual({
    kind: "person",
    id: `person_test_owner_${company.id}`,
    name: "Test owner",
  });
});

it("a developer is refused the audit trail", async () => {
  const { status } = await visit(await givenCompany(), "/console/audit", { role: "developer" });
  expect(status).toBe(403);
});
