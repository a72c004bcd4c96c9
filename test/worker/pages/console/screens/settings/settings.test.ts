import { expect, it } from "vitest";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import type { TestCompany } from "../../../../../support/builders/companies/env.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { call } from "../../../../../support/builders/requests/api.ts";
import { requestWithdraw } from "../../../../../support/builders/withdraws/withdraw.ts";

const PATH = "/console/settings";
const POLICY = {
  withdrawDailyLimit: "1.500,00",
  withdrawNightLimit: "",
  withdrawKeyDailyLimit: "",
  withdrawApprovalAbove: "5,00",
  enforced: "on",
  coolDownHours: "48",
};

const settingsOf = async (company: TestCompany) =>
  (await call("/api/v1/company/settings", { company })).body;

it("a policy is tried against past withdraws before it is saved", async () => {
  const company = await givenCompany({ balance: 10_000 });
  expect((await requestWithdraw(company, { amount: 2_000 })).status).toBeLessThan(300);
  const tried = await visit(company, `${PATH}/withdraws`, {
    form: { ...POLICY, enforced: "" },
  });
  expect(tried.html).toContain("teriam barrado 1 de 1 saques");
  expect(tried.html).not.toMatch(/undefined|NaN|>null</);
  expect((await settingsOf(company)).withdrawApprovalAbove).toBeNull();
  const saved = await visit(company, `${PATH}/withdraws/save`, { form: POLICY });
  expect([saved.status, saved.headers.get("Location")]).toEqual([303, `${PATH}?done=policy`]);
  expect(await settingsOf(company)).toMatchObject({
    duplicateWithdrawGuard: false,
    withdrawDailyLimit: 150_000,
    withdrawNightLimit: null,
    withdrawApprovalAbove: 500,
    allowedPixKeys: { enforced: true, coolDownHours: 48 },
  });
  const { html } = await visit(company, `${PATH}?done=policy`, { language: "en" });
  expect(html).toContain("Withdraw policy saved");
  expect(html).toContain('value="1500.00"');
  expect(html).not.toMatch(/undefined|NaN|>null</);
});

it("an amount that cannot be read keeps what was typed, and is not saved as no limit", async () => {
  const company = await givenCompany();
  const form = { ...POLICY, withdrawDailyLimit: "muito <script>" };
  for (const path of [`${PATH}/withdraws`, `${PATH}/withdraws/save`]) {
    const { status, html } = await visit(company, path, { form });
    expect(status).toBe(400);
    expect(html).toContain("Nada foi salvo");
    expect(html).toContain('value="muito &lt;script&gt;"');
    expect(html).toContain('value="5,00"');
  }
  expect((await settingsOf(company)).withdrawApprovalAbove).toBeNull();
});

it("a key is added, shown masked until asked, and removed", async () => {
  const company = await givenCompany();
  const added = await visit(company, `${PATH}/pix-keys`, { form: { pixKey: "maria@example.com" } });
  expect(added.status).toBe(303);
  const { html } = await visit(company, `${PATH}?done=key`);
  expect(html).toContain("m***@example.com");
  expect(html).not.toContain("maria@example.com");
  expect((await visit(company, `${PATH}?reveal=keys`)).html).toContain("maria@example.com");
  const wrong = await visit(company, `${PATH}/pix-keys`, { form: { pixKey: "no key" } });
  expect([wrong.status, wrong.html.includes('value="no key"')]).toEqual([400, true]);
  const action = /action="([^"]+\/remove)"/.exec(html)?.[1] ?? "";
  for (const _ of [1, 2]) expect((await visit(company, action, { form: {} })).status).toBe(303);
  expect((await call("/api/v1/company/pix-keys", { company })).body.items).toEqual([]);
});

it("a sandbox company sets its fees and release days, and its retention", async () => {
  const company = await givenCompany();
  const { html } = await visit(company, `${PATH}?section=terms`);
  const fields = [...html.matchAll(/name="((?:percent|fixed|days)-\w+)"[^>]*value="([^"]*)"/g)];
  const form = Object.fromEntries(fields.map(([, name, value]) => [name, value]));
  expect(Object.keys(form)).toHaveLength(11);
  const sent = { ...form, "percent-PIX": "1,25", "fixed-PIX": "0,30", "days-BOLETO": "2" };
  expect((await visit(company, `${PATH}/terms`, { form: sent })).status).toBe(303);
  const { body } = await call("/api/v1/sandbox/settings", { company });
  expect(body.fees.PIX).toEqual({ basisPoints: 125, fixed: 30 });
  expect(body.releaseDays.BOLETO).toBe(2);
  const short = await visit(company, `${PATH}/retention`, { form: { retentionDays: "1" } });
  expect(short.status).toBe(400);
  await visit(company, `${PATH}/retention`, { form: { retentionDays: "365" } });
  expect((await settingsOf(company)).retentionDays).toBe(365);
});

it("a live company's terms cannot be set here", async () => {
  const company = await givenCompany({ mode: "live" });
  const { html } = await visit(company, `${PATH}?section=terms`);
  expectClean(html);
  expect(html).toContain("acordados com o operador");
  expect(html).toMatch(/data-heading="Liberação">na hora</);
  expect(html).not.toContain(`${PATH}/terms`);
});

it("finance reads the settings without a form, and is refused every change of them", async () => {
  const company = await givenCompany();
  const { status, html } = await visit(company, PATH, { role: "finance" });
  expectClean(html);
  expect(status).toBe(200);
  expect(html).toContain("não as muda");
  expect(html).toContain("Limite por noite");
  expect(html).not.toContain(`action="${PATH}`);
  const changes: [string, Record<string, string>][] = [
    ["withdraws", POLICY],
    ["withdraws/save", POLICY],
    ["pix-keys", { pixKey: "maria@example.com" }],
    ["pix-keys/1/remove", {}],
    ["retention", { retentionDays: "365" }],
  ];
  for (const [path, form] of changes) {
    expect((await visit(company, `${PATH}/${path}`, { role: "finance", form })).status).toBe(403);
  }
  expect((await settingsOf(company)).retentionDays).toBeNull();
});

it.each(["withdraws", "keys", "terms", "retention", "reminders", "brand", "embed"])(
  "the section %s has one save of its own, and leads to the others",
  async (section) => {
    const { html } = await visit(await givenCompany(), `${PATH}?section=${section}`);
    expectClean(html);
    expect(html.match(/<button type="submit" class="primary">/g)).toHaveLength(1);
    expect(html).toContain(`href="${PATH}?section=${section}" aria-current="page"`);
    expect(html.match(/\?section=\w+"/g)).toHaveLength(7);
  },
);

it("an unknown section shows the first, and a saved one shows itself again", async () => {
  const company = await givenCompany();
  const unknown = await visit(company, `${PATH}?section=constructor`);
  expect(unknown.html).toContain('name="withdrawDailyLimit"');
  const saved = await visit(company, `${PATH}?done=retention`);
  expect(saved.html).toContain('name="retentionDays"');
});
