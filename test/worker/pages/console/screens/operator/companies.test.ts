import { beforeAll, expect, it } from "vitest";
import { callAsOperator } from "../../../../../support/builders/companies/operator.ts";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { approve } from "../../../../../support/builders/operations/decide.ts";
import { createTransaction } from "../../../../../support/builders/charges/transaction.ts";
import { Browser } from "../../../../../support/builders/console/browser.ts";
import { expectClean, keyOf } from "../../../../../support/builders/console/page-checks.ts";
import { givenOperatorPerson } from "../../../../../support/builders/console/people.ts";
import type { TestCompany } from "../../../../../support/builders/companies/env.ts";

const PATH = "/console/operator/companies";

let admin: Browser;
let company: TestCompany;

beforeAll(async () => {
  admin = new Browser((await givenOperatorPerson("admin")).cookie);
  company = await givenCompany();
});

it("a company is made once by its form, with its key shown this once", async () => {
  const name = `Doceria ${crypto.randomUUID()}`;
  const page = await admin.ask(`${PATH}/new`);
  expectClean(page.html);
  const form = { name, mode: "live", reason: "new merchant", idempotencyKey: keyOf(page.html) };
  const made = await admin.ask(PATH, { form });
  expect(made.status).toBe(201);
  expectClean(made.html);
  expect(made.html).toMatch(/sk_live_[\w-]{20}/);
  expect(made.headers.get("Cache-Control")).toBe("no-store");
  const again = await admin.ask(PATH, { form });
  expect(again.html).not.toContain("sk_live_");
  const list = await admin.ask(`${PATH}?search=${encodeURIComponent(name.slice(3))}`);
  expectClean(list.html);
  expect(list.html.split(name)).toHaveLength(2);
});

it("a refused company keeps what was typed", async () => {
  const form = { name: "Feira", mode: "sandbox", document: "123", idempotencyKey: "k-refused" };
  const { status, html } = await admin.ask(PATH, { form });
  expect(status).toBe(400);
  expect(html).toContain('value="123"');
  expect(html).toContain("VALIDATION_FAILED");
});

it("a company is frozen with a reason, which its page shows, and let go again", async () => {
  const freeze = (form: Record<string, string>) =>
    admin.ask(`${PATH}/${company.id}/freeze`, { form });
  const withdraws = { frozen: "true", withdraws: "on" };
  const refused = await freeze({ ...withdraws, reason: " " });
  expect([refused.status, refused.html.includes("Diga o motivo.")]).toEqual([400, true]);
  const nothing = await freeze({ frozen: "true", reason: "court order" });
  expect([nothing.status, nothing.html.includes("Marque o que congelar.")]).toEqual([400, true]);
  expect((await freeze({ ...withdraws, reason: "court order" })).status).toBe(303);
  const { html } = await admin.ask(`${PATH}/${company.id}`);
  expect(html).toContain("court order");
  expect((await admin.ask("/console/operator")).html).toContain("court order");
  const lifted = await freeze({ frozen: "false", reason: "lifted" });
  const proposal = (lifted.headers.get("Location") ?? "").split("/").at(-1)!.split("?")[0]!;
  expect((await admin.ask(`${PATH}/${company.id}`)).html).toContain("court order");
  expect((await approve(proposal)).status).toBe(200);
  expect((await admin.ask(`${PATH}/${company.id}`)).html).not.toContain("court order");
});

it("charges are frozen alone, and withdraws afterwards", async () => {
  const other = await givenCompany();
  const path = `${PATH}/${other.id}`;
  const freeze = (form: Record<string, string>) =>
    admin.ask(`${path}/freeze`, { form: { frozen: "true", reason: "fraud", ...form } });
  expect((await freeze({ charges: "on" })).status).toBe(303);
  expect((await createTransaction(other)).body.code).toBe("COMPANY_FROZEN");
  const { html } = await admin.ask(path);
  expect(html).toContain("O que está congelado: Novas cobranças e capturas.");
  const half = await admin.ask(`${path}/manage`);
  expectClean(half.html);
  expect(half.html).toContain('name="withdraws"');
  expect(half.html).not.toContain('name="charges"');
  expect((await freeze({ withdraws: "on" })).status).toBe(303);
  const whole = await admin.ask(`${path}/manage`);
  expect(whole.html).not.toContain('name="withdraws"');
  expect(whole.html).toContain('name="frozen" value="false"');
  expect((await createTransaction(other)).body.code).toBe("COMPANY_FROZEN");
});

it("terms, quotas and data are changed, and what cannot be read changes nothing", async () => {
  const path = `${PATH}/${company.id}`;
  const page = await admin.ask(`${path}/manage`, { language: "en" });
  expectClean(page.html);
  const inputs = [
    ...page.html.matchAll(/name="((?:percent|fixed|days)-\w+)"[^>]*value="([^"]*)"/g),
  ];
  const terms = Object.fromEntries(inputs.map(([, name, value]) => [name, value]));
  const form = { ...terms, "percent-PIX": "1.25", minimumWithdraw: "12.00", reason: "contract" };
  expect((await admin.ask(`${path}/terms`, { form })).status).toBe(303);
  const stored = await callAsOperator(`/companies/${company.id}/terms`);
  expect(stored.body.fees.PIX.basisPoints).toBe(125);
  expect(stored.body.minimumWithdraw).toBe(1_200);

  const unread = await admin.ask(`${path}/quotas`, { form: { percent: "lots" } });
  expect([unread.status, unread.html.includes('value="lots"')]).toEqual([400, true]);
  expect((await admin.ask(`${path}/quotas`, { form: { percent: "200" } })).status).toBe(303);
  const change = { name: "Loja do Teste", mode: "sandbox", reason: "new name" };
  expect((await admin.ask(`${path}/change`, { form: change })).status).toBe(303);
  expect((await admin.ask(`${path}/manage?done=changed`)).html).toContain("Loja do Teste");
});

it("INVALID_STATE: a company with money is not closed, an empty one is and opens again", async () => {
  const rich = await givenCompany({ balance: 5_000 });
  const form = { action: "close", reason: "the end" };
  const refused = await admin.ask(`${PATH}/${rich.id}/close`, { form });
  expect([refused.status, refused.html.includes("INVALID_STATE")]).toEqual([409, true]);
  const path = `${PATH}/${company.id}/close`;
  expect((await admin.ask(path, { form })).status).toBe(303);
  expect((await admin.ask(`${PATH}/${company.id}`)).html).toContain("Encerrada");
  expect((await admin.ask(path, { form: { ...form, action: "reopen" } })).status).toBe(303);
});

it("a test copy is made with a reason, and its key is shown this once", async () => {
  const paid = await givenCompany({ balance: 5_000 });
  const path = `${PATH}/${paid.id}`;
  const page = await admin.ask(`${path}/manage`);
  const [, typed = ""] = page.html.split(`action="${path}/fork"`);
  const form = { reason: "wrong balance", idempotencyKey: keyOf(typed) };
  const refused = await admin.ask(`${path}/fork`, { form: { ...form, reason: "" } });
  expect([refused.status, refused.html.includes("Diga o motivo.")]).toEqual([400, true]);
  const made = await admin.ask(`${path}/fork`, { form });
  expect(made.status).toBe(201);
  expectClean(made.html);
  expect(made.html).toMatch(/sk_test_[\w-]{20}/);
  expect(made.headers.get("Cache-Control")).toBe("no-store");
  const again = await admin.ask(`${path}/fork`, { form });
  expect([again.status, again.html.includes("sk_test_")]).toEqual([201, false]);
});

it("the owner's invitation is shown once", async () => {
  const path = `${PATH}/${company.id}/owner-invitation`;
  const email = `${crypto.randomUUID()}@example.com`;
  const { html, headers } = await admin.ask(path, { form: { email } });
  expect(html).toMatch(/\/console\/invitation\/[\w-]{20}/);
  expect(html).toContain("esperam a aprovação de outra pessoa");
  expect(headers.get("Cache-Control")).toBe("no-store");
});
