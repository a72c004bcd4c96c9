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
  expect(wrong.html).toContain("Informe dois horários");
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
