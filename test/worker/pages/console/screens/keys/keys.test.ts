import { expect, it } from "vitest";
import {
  givenCompany,
  type TestCompany,
} from "../../../../../support/builders/companies/company.ts";
import {
  patchApplication,
  shownApplications,
  shownKeys,
} from "../../../../../support/builders/requests/applications.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";

const developer = { role: "developer" } as const;
const form = { name: "<script>ERP", scopes: "webhooks:read", idempotencyKey: "form-1" };
const issue = { overlapHours: "1", expiresOn: "", idempotencyKey: "form-2" };

async function madePath(company: TestCompany): Promise<string> {
  const { status, headers } = await visit(company, "/console/keys", { ...developer, form });
  expect(status).toBe(303);
  return (headers.get("Location") ?? "").replace("?done=1", "");
}

const idIn = (path: string) => path.split("/").at(-1) ?? "";

it("a developer makes an application, and a form sent twice makes one", async () => {
  const company = await givenCompany();
  const path = await madePath(company);
  expect(await madePath(company)).toBe(path);
  for (const language of ["pt-BR", "en"] as const) {
    for (const shown of ["/console/keys", path, "/console/keys/new", `${path}/delete`]) {
      const { status, html } = await visit(company, shown, { ...developer, language });
      expect(status).toBe(200);
      expect(html).not.toContain("<script>ERP");
      expect(html).not.toMatch(/\b(?:undefined|null|NaN)\b/);
    }
  }
});

it("a developer is refused a scope that the role lacks, and keeps what was typed", async () => {
  const refused = { ...form, name: "Payroll", scopes: "withdraws:write" };
  const company = await givenCompany();
  const answer = await visit(company, "/console/keys", { ...developer, form: refused });
  expect(answer.status).toBe(403);
  expect(answer.html).toContain("scopes");
  expect(answer.html).toContain('value="Payroll"');
});

it("an issued key is shown once, and the form sent twice issues one", async () => {
  const company = await givenCompany();
  const path = await madePath(company);
  const issued = await visit(company, `${path}/issue`, { ...developer, form: issue });
  expect(issued.status).toBe(200);
  expect(issued.headers.get("Cache-Control")).toContain("no-store");
  const key = /sk_(?:live|test)_[\w-]{43}/.exec(issued.html)?.[0] ?? "";
  expect(key).not.toBe("");
  const again = await visit(company, `${path}/issue`, { ...developer, form: issue });
  expect(again.status).toBe(409);
  expect(again.html).not.toContain(key);
  expect(await shownKeys(company, idIn(path))).toHaveLength(1);
});

it("rotation shows when the old key ends, and revoking ends it after a confirmation", async () => {
  const company = await givenCompany();
  const path = await madePath(company);
  await visit(company, `${path}/issue`, { ...developer, form: issue });
  const [old] = await shownKeys(company, idIn(path));
  const rotation = { ...issue, idempotencyKey: "form-3" };
  const rotated = await visit(company, `${path}/issue`, { ...developer, form: rotation });
  expect(rotated.html).toContain(`A chave ${old?.prefix}… termina em`);
  const revoke = `${path}/revoke/${old?.id}`;
  expect((await visit(company, revoke, developer)).html).toContain("Não há volta");
  expect((await visit(company, revoke, { ...developer, form: issue })).status).toBe(303);
  const keys = await shownKeys(company, idIn(path));
  expect(keys.filter(({ revokedAt }) => revokedAt !== null)).toHaveLength(1);
});

it("a viewer is refused the applications and does not see them in the menu", async () => {
  const { status, html } = await visit(await givenCompany(), "/console/keys", { role: "viewer" });
  expect(status).toBe(403);
  expect(html).not.toContain('href="/console/keys"');
});

it("a change saves what was changed, and leaves the rest as another person has set it", async () => {
  const company = await givenCompany();
  const path = await madePath(company);
  const change = `${path}/change`;
  const { html } = await visit(company, change, developer);
  expectClean(html);
  const shown = /name="shown" value="([^"]*)"/.exec(html)?.[1]?.replaceAll("&quot;", '"') ?? "";
  await patchApplication(company, idIn(path), { networks: ["10.0.0.0/8"] });
  const typed = { ...JSON.parse(shown.replaceAll("&lt;", "<").replaceAll("&gt;", ">")) };
  const sent = { ...typed, name: "Loja", dailyLimit: "100,50", shown: JSON.stringify(typed) };
  const saved = await visit(company, change, { ...developer, form: sent });
  expect([saved.status, saved.headers.get("Location")]).toEqual([303, `${path}?done=1`]);
  const made = (await shownApplications(company)).find(({ id }) => id === idIn(path));
  expect(made).toMatchObject({
    name: "Loja",
    scopes: ["webhooks:read"],
    networks: ["10.0.0.0/8"],
    spendingLimits: { dailyLimit: 10_050, pixKeys: null, until: null },
  });

  const wrong = { ...sent, name: "Nova", expiresOn: "2020-01-01" };
  const refused = await visit(company, change, { ...developer, form: wrong });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain('value="Nova"');
  expect(refused.html).toMatch(/value="2020-01-01"[^>]*aria-invalid="true"/);
});
