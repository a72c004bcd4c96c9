import { beforeAll, expect, it } from "vitest";
import { env, givenCompany } from "../../../../../support/builders/companies/company.ts";
import { approve } from "../../../../../support/builders/operations/decide.ts";
import { givenTransaction } from "../../../../../support/builders/charges/transaction.ts";
import { Browser } from "../../../../../support/builders/console/browser.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { givenOperatorPerson } from "../../../../../support/builders/console/people.ts";
import { requestWithdraw, runPayout } from "../../../../../support/builders/withdraws/withdraw.ts";
import { call } from "../../../../../support/builders/requests/api.ts";
import type { TestCompany } from "../../../../../support/builders/companies/env.ts";

let finance: Browser;
let company: TestCompany;
let path: string;

beforeAll(async () => {
  finance = new Browser((await givenOperatorPerson("finance")).cookie);
  company = await givenCompany({ balance: 50_000 });
  path = `/console/operator/companies/${company.id}`;
});

it("a company's page shows its database, its copy and a payout that is decided with a reason", async () => {
  const { body } = await requestWithdraw(company, { amount: 4_098, pixKey: "quem@example.com" });
  await runPayout(company, body.id);
  const { html } = await finance.ask(path);
  expectClean(html);
  expect(html).toContain("R$\u00a040,98");
  for (const figure of ["Disponível", "Saques a caminho", "Recebido em 30 dias"]) {
    expect(html).toContain(figure);
  }
  expect(html).not.toContain(`${path}/manage`);
  const decide = `${path}/withdraws/${body.id}/decide`;
  const form = await finance.ask(decide);
  expectClean(form.html);
  expect(form.html).toContain("quem@example.com");
  const refused = await finance.ask(decide, { form: { outcome: "failed", reason: "" } });
  expect(refused.status).toBe(400);
  const decided = await finance.ask(decide, {
    form: { outcome: "failed", reason: "bank said no" },
  });
  const proposal = decided.headers.get("Location") ?? "";
  expect(proposal).toMatch(/^\/console\/operator\/proposals\/[0-9a-f-]{36}\?done=proposed$/);
  const before = await call(`/api/Withdraw/${body.id}`, { company });
  expect(before.body.enTransaction).toBe("Processing");
  const id = proposal.split("/").at(-1)!.split("?")[0]!;
  expect((await approve(id)).status).toBe(200);
  const { body: after } = await call(`/api/Withdraw/${body.id}`, { company });
  expect(after.enTransaction).toBe("Failed");
  expect((await finance.ask(decide)).status).toBe(404);
});

it("a check shows its progress, and repairs the copy when asked", async () => {
  const { id } = await givenTransaction(company, { amount: 1_000 });
  await env.DB.prepare("UPDATE withdraws SET amount = amount + 1 WHERE company_id = ?")
    .bind(company.id)
    .run();
  expectClean((await finance.ask(`${path}/reconcile`)).html);
  const found = await finance.ask(`${path}/reconcile`, { form: { idempotencyKey: "k" } });
  expectClean(found.html);
  expect(found.html).toContain("I9 D1 differs on withdraw 1");
  const repaired = await finance.ask(`${path}/reconcile`, { form: { repair: "on" } });
  expect(repaired.html).toMatch(/Corrigidos<\/dt><dd>1</);
  const clean = await finance.ask(`${path}/reconcile`, { form: { progress: "{" } });
  expect(clean.html).toContain("sem violação");
  const rows = await finance.ask(`${path}/inspect?of=${id}`);
  expectClean(rows.html);
  expect(rows.html).toContain("transactions (1)");
  expect((await finance.ask(`${path}/inspect?of=999`)).status).toBe(404);
});

it("the banks are asked only on demand", async () => {
  const { html } = await finance.ask(`${path}?banks=1`, { language: "en" });
  expectClean(html);
  expect(html).toContain("Balance by the ledger");
});
