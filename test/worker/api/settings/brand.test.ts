import { expect, it } from "vitest";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { sharedCompany } from "../../../support/builders/companies/shared-company.ts";
import { visit } from "../../../support/builders/console/visit.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const PATH = "/api/v1/company/settings";
const LOGO = "https://cdn.loja.com.br/logo,1.png";
const BRAND = { name: "Pão & Cia", color: "#FFE600", logoUrl: LOGO };

const change = (company: TestCompany, brand: unknown) =>
  call(PATH, { method: "PUT", company, body: { brand } });

it("a brand is stored in parts, shown to the payers, and removed by null", async () => {
  const company = await givenCompany();
  const answer = await change(company, BRAND);
  expect(answer.body.brand).toEqual({ ...BRAND, color: "#ffe600" });
  await expectDocumented(`PUT ${PATH}`, answer);
  const { secureId } = await givenTransaction(company);
  const { text, headers } = await call(`/checkout/${secureId}`);
  expect(text).toContain("Pão &amp; Cia");
  // Who is paid is also named as the payer's bank names it.
  expect(text).toContain(`<dd>${company.name}</dd>`);
  expect(text).toContain(`<img src="${LOGO}" alt="" referrerpolicy="no-referrer"/>`);
  expect(headers.get("Content-Security-Policy")).toContain(
    "img-src 'self' https://cdn.loja.com.br/logo%2C1.png;",
  );
  const [style = ""] = /\/checkout\/assets\/brand-[0-9a-f]{6}\.css/.exec(text) ?? [];
  const sheet = await call(style);
  expect(sheet.headers.get("Content-Type")).toBe("text/css; charset=utf-8");
  expect(sheet.headers.get("Cache-Control")).toContain("immutable");
  expect(sheet.text).toContain("#ffe600");

  const removed = await change(company, { color: null, logoUrl: null });
  expect(removed.body.brand).toEqual({ name: BRAND.name, color: null, logoUrl: null });
  const plain = await call(`/checkout/${secureId}`);
  expect(plain.text).not.toMatch(/brand-|<img/);
  expect(plain.headers.get("Content-Security-Policy")).toContain("img-src 'self';");
});

it.each([
  ["color", "green"],
  ["color", "#fff"],
  ["color", "#0b6b4f;}"],
  ["name", ""],
  ["name", "a".repeat(61)],
  ["logoUrl", "http://cdn.loja.com.br/logo.png"],
  ["logoUrl", "https://127.0.0.1/logo.png"],
  ["logoUrl", "https://cdn.loja.com.br/logo.png?size=2"],
  ["logoUrl", "data:image/png;base64,AA=="],
])("VALIDATION_FAILED: brand.%s %s", async (part, value) => {
  const answer = await change(await sharedCompany(), { [part]: value });
  const fields = [`brand.${part}`];
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields });
});

it("the console's form saves a brand, and keeps what was typed where it is refused", async () => {
  const company = await givenCompany();
  const path = "/console/settings/brand";
  const typed = { "brand.name": "Loja <b>", "brand.color": "verde", "brand.logoUrl": "" };
  const refused = await visit(company, path, { form: typed });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain('value="verde"');
  expect(refused.html).toContain("Loja &lt;b&gt;");
  const saved = await visit(company, path, { form: { ...typed, "brand.color": "#0b6b4f" } });
  expect([saved.status, saved.headers.get("Location")]).toEqual([
    303,
    "/console/settings?done=brand",
  ]);
  const { body } = await call(PATH, { company });
  expect(body.brand).toEqual({ name: "Loja <b>", color: "#0b6b4f", logoUrl: null });
  expect((await visit(company, "/console/settings?done=brand")).html).toContain("Marca salva");
});
