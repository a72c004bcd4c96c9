import { expect, it } from "vitest";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { expectClean, keyOf } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { call } from "../../../../../support/builders/requests/api.ts";
import {
  changeSettings,
  givenPending,
} from "../../../../../support/builders/withdraws/approvals.ts";
import { requestWithdraw } from "../../../../../support/builders/withdraws/withdraw.ts";
import type { TestCompany } from "../../../../../support/builders/companies/env.ts";

const FORM = { amount: "100,00", pixKey: "quem@example.com", pixKeyType: "EMAIL", description: "" };

const withdrawsOf = async (company: TestCompany) =>
  (await call("/api/v1/withdraws", { company })).body.items;

it("a withdraw is checked first, and its form sent twice makes one", async () => {
  const company = await givenCompany({ balance: 50_000 });
  const checked = await visit(company, "/console/withdraws/new", { form: FORM });
  expect(checked.status).toBe(200);
  expectClean(checked.html);
  expect(checked.html).toContain("quem@example.com");
  expect(checked.html).toMatch(/Saldo depois<\/dt><dd>R\$\s400,00/);
  expect(await withdrawsOf(company)).toEqual([]);

  const form = { ...FORM, idempotencyKey: keyOf(checked.html) };
  const made = await visit(company, "/console/withdraws", { form });
  expect([made.status, made.headers.get("Location")]).toEqual([
    303,
    "/console/withdraws/1?done=requested",
  ]);
  expect((await visit(company, "/console/withdraws", { form })).status).toBe(303);
  expect(await withdrawsOf(company)).toHaveLength(1);
  const { html } = await visit(company, "/console/withdraws/1?done=requested", { language: "en" });
  expectClean(html);
  expect(html).toContain("Withdraw requested.");
});

it("INSUFFICIENT_BALANCE: the check names what would refuse it, and offers no form to send", async () => {
  const company = await givenCompany({ balance: 1_000 });
  const { html } = await visit(company, "/console/withdraws/new", { form: FORM });
  expect(html).toContain("Este saque seria recusado");
  expect(keyOf(html)).toBe("");
  const sent = await visit(company, "/console/withdraws", {
    form: { ...FORM, idempotencyKey: "k_1" },
  });
  expect(sent.status).toBe(422);
  expect(sent.html).toContain("INSUFFICIENT_BALANCE");
});

it("an amount that is none keeps what was typed", async () => {
  const company = await givenCompany();
  const form = { ...FORM, amount: "cem", description: "<b>aluguel</b>" };
  const { status, html } = await visit(company, "/console/withdraws/new", { form });
  expect(status).toBe(400);
  expect(html).toContain("Digite um valor em reais");
  expect(html).toContain('value="cem"');
  expect(html).toContain("&lt;b&gt;aluguel");
});

it("a second person approves what one person asked for, and that one cannot", async () => {
  const company = await givenCompany({ balance: 50_000 });
  await changeSettings(company, { withdrawApprovalAbove: 2_000 });
  const form = { ...FORM, idempotencyKey: "k_pending" };
  await visit(company, "/console/withdraws", { role: "finance", form });
  const own = await visit(company, "/console/withdraws/1", { role: "finance" });
  expect(own.html).toContain("Quem pediu não decide");
  const path = "/console/withdraws/1/approve";
  const refused = await visit(company, path, { role: "finance", form: { idempotencyKey: "k_a" } });
  expect(refused.status).toBe(403);

  const page = await visit(company, "/console/withdraws/1", { role: "owner" });
  expectClean(page.html);
  expect(page.html).toContain("passa do limite da empresa (R$\u00a020,00)");
  expect(page.html).toContain("Primeira vez para esta chave.");
  expect(page.html).toMatch(/Saldo antes<\/dt><dd>R\$\s500,00/);
  expect(page.html).toMatch(/Saldo depois<\/dt><dd>R\$\s400,00/);
  const approved = await visit(company, path, { form: { idempotencyKey: keyOf(page.html) } });
  expect(approved.headers.get("Location")).toBe("/console/withdraws/1?done=approve");
  expect((await withdrawsOf(company))[0]).toMatchObject({ approval: "approved" });
});

it("COMPANY_FROZEN: a refused decision keeps the reason that was typed", async () => {
  const { company } = await givenPending();
  const frozen = { idempotencyKey: "k_frozen", reason: "checked by phone" };
  await call("/api/v1/sandbox/settings", { method: "PUT", company, body: { frozen: true } });
  const answer = await visit(company, "/console/withdraws/1/approve", { form: frozen });
  expect(answer.status).toBe(422);
  expect(answer.html).toContain('value="checked by phone"');
});

it("a refusal has its reason", async () => {
  const { company } = await givenPending();
  const form = { idempotencyKey: "k_refuse", reason: "unknown receiver" };
  await visit(company, "/console/withdraws/1/refuse", { form });
  const { html } = await visit(company, "/console/withdraws/1");
  expect(html).toContain("unknown receiver");
  expect(html).toContain("Cancelado");
});

it("FORBIDDEN: support lists withdraws and may make none", async () => {
  const company = await givenCompany({ balance: 5_000 });
  await requestWithdraw(company, { description: "mine" });
  const { html } = await visit(company, "/console/withdraws", { role: "support" });
  expectClean(html);
  expect(html).toContain("/console/withdraws/1");
  expect(html).not.toContain("/console/withdraws/new");
  const form = { ...FORM, idempotencyKey: "k_support" };
  const sent = await visit(company, "/console/withdraws", { role: "support", form });
  expect(sent.status).toBe(403);
});
