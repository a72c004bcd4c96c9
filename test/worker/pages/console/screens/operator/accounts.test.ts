import { beforeAll, expect, it } from "vitest";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { Browser } from "../../../../../support/builders/console/browser.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { givenOperatorPerson } from "../../../../../support/builders/console/people.ts";
import { approve } from "../../../../../support/builders/operations/decide.ts";
import { accountsOf } from "../../../../../support/builders/providers/accounts.ts";

let admin: Browser;
let reader: Browser;

beforeAll(async () => {
  admin = new Browser((await givenOperatorPerson("admin")).cookie);
  reader = new Browser((await givenOperatorPerson("read")).cookie);
});

const EFI = {
  provider: "efi-cobrancas",
  account: "efi-boletos",
  "method-BOLETO": "on",
  priority: "1",
  "conditions.amountTo": "500,00",
  "settings.baseUrl": "https://cobrancas.banco-de-teste.com.br",
  "secrets.clientSecret": "efi-s3cret",
  reason: "The contract is signed.",
};

it("an operator connects, drains and disconnects an account, and another approves the second one", async () => {
  const company = await givenCompany({ mode: "live" });
  const path = `/console/operator/companies/${company.id}/providers`;
  for (const kind of ["pix-api", "efi-cobrancas", "pagarme"]) {
    const { html } = await admin.ask(`${path}?kind=${kind}`);
    expectClean(html);
  }
  const form = { ...EFI, "settings.clientId": crypto.randomUUID() };
  const wrong = await admin.ask(path, {
    form: { ...form, "conditions.hours": "noite", "conditions.cost.fixed": "x" },
  });
  expect(wrong.status).toBe(400);
  expectClean(wrong.html);
  expect(wrong.html).toContain("Informe dois horários diferentes");
  expect(wrong.html).toContain("efi-boletos");

  const connected = await admin.ask(path, { form });
  expect(connected.headers.get("Location")).toBe(`${path}?done=connected`);
  const shown = await admin.ask(`${path}?done=connected`, { language: "en" });
  expectClean(shown.html);
  expect(shown.html).toContain("Up to this amount");
  expect(shown.html).toContain("≤ R$");
  expect(shown.html).not.toContain("s3cret");

  const cost = { "conditions.cost.basisPoints": "0,99", "conditions.cost.fixed": "1,90" };
  const second = { ...form, account: "efi-2", priority: "2", ...cost };
  const other = { ...second, "settings.clientId": crypto.randomUUID() };
  const proposed = await admin.ask(path, { form: other });
  const proposal = proposed.headers.get("Location") ?? "";
  expect(proposal).toMatch(/^\/console\/operator\/proposals\/[0-9a-f-]{36}\?done=proposed$/);
  const proposalPage = await admin.ask(proposal);
  expectClean(proposalPage.html);
  expect(proposalPage.html).toMatch(/R\$\s1,90/);
  expect((await approve(proposal.split("/").at(-1)!.split("?")[0]!)).status).toBe(200);

  await admin.ask(`${path}/efi-2/state`, { form: { state: "draining" } });
  await admin.ask(`${path}/efi-boletos/disconnect`, { form: {} });
  expect(await accountsOf(company, { options: {} })).toMatchObject([
    {
      account: "efi-2",
      state: "draining",
      conditions: { amountTo: 50_000, cost: { basisPoints: 99, fixed: 190 } },
    },
    { account: "efi-boletos", state: "disconnected" },
  ]);
  const seen = await reader.ask(path);
  expectClean(seen.html);
  expect(seen.html).toContain("Só o que já tem");
  expect(seen.html).toMatch(/0,99%\s\+\sR\$\s1,90/);
  expect(seen.html).not.toContain('<form class="action"');
});

it("an operator changes when an account takes charges, and its cost", async () => {
  const company = await givenCompany({ mode: "live" });
  const path = `/console/operator/companies/${company.id}/providers`;
  await admin.ask(path, { form: { ...EFI, "settings.clientId": crypto.randomUUID() } });
  expect((await admin.ask(path)).html).toContain(`href="${path}/efi-boletos/terms"`);

  const form = await admin.ask(`${path}/efi-boletos/terms`);
  expectClean(form.html);
  expect(form.html).toMatch(/name="conditions\.amountTo"[^>]*value="500,00"/);
  const terms = {
    "method-BOLETO": "on",
    "method-CREDIT_CARD": "on",
    priority: "3",
    "conditions.amountTo": "750,00",
    "conditions.hours": "08:00-20:00",
    "conditions.cost.fixed": "1,99",
  };
  const wrong = await admin.ask(`${path}/efi-boletos/terms`, { form: { ...terms, priority: "x" } });
  expect(wrong.status).toBe(400);
  expectClean(wrong.html);
  expect(wrong.html).toMatch(/name="conditions\.amountTo"[^>]*value="750,00"/);
  const changed = await admin.ask(`${path}/efi-boletos/terms`, { form: terms });
  expect(changed.headers.get("Location")).toBe(`${path}?done=termsChanged`);
  expect((await admin.ask(`${path}?done=termsChanged`)).html).toContain("foram salvas");
  expect(await accountsOf(company, { options: {} })).toMatchObject([
    {
      methods: ["BOLETO", "CREDIT_CARD"],
      priority: 3,
      conditions: {
        amountTo: 75_000,
        hours: "08:00-20:00",
        cost: { basisPoints: 0, fixed: 199 },
      },
    },
  ]);
  expect((await admin.ask(`${path}/other/terms`)).status).toBe(404);
  expect((await reader.ask(`${path}/efi-boletos/terms`)).status).toBe(403);
});

it("an operator connects a PSP that wants scopes, headers and the client's id otherwise", async () => {
  const company = await givenCompany({ mode: "live" });
  const path = `/console/operator/companies/${company.id}/providers`;
  const form = {
    provider: "pix-api",
    account: "sicoob",
    "method-PIX": "on",
    priority: "1",
    "settings.baseUrl": "https://pix.banco-de-teste.com.br/v2",
    "settings.tokenUrl": "https://pix.banco-de-teste.com.br/token",
    "settings.tokenBody": "form",
    "settings.tokenClient": "certificate",
    "settings.clientId": crypto.randomUUID(),
    "secrets.clientSecret": "sicoob-s3cret",
    "settings.pixKey": crypto.randomUUID(),
    noScope: "on",
    "settings.headers.client_id": "loja",
    "settings.charge": "cobv",
    "settings.requireClientCertificate": "on",
    reason: "The contract is signed.",
  };
  const wrong = await admin.ask(path, { form: { ...form, "settings.tokenClient": "x" } });
  expect(wrong.status).toBe(400);
  expectClean(wrong.html);
  expect(wrong.html).toContain('<details class="more-fields" open');
  expect((await admin.ask(path, { form })).status).toBe(303);
  const [account] = await accountsOf(company, { options: {} });
  expect(account).toMatchObject({
    account: "sicoob",
    settings: {
      tokenClient: "certificate",
      scope: "",
      headers: { client_id: "loja" },
      charge: "cobv",
      requireClientCertificate: true,
    },
  });
});
