import { expect, it } from "vitest";
import {
  givenPaid,
  givenTransaction,
} from "../../../../../support/builders/charges/transaction.ts";
import { createCard, NUMBERS } from "../../../../../support/builders/charges/card.ts";
import {
  env,
  givenCompany,
  waitUntilDrained,
} from "../../../../../support/builders/companies/company.ts";
import { updateSettings } from "../../../../../support/builders/operations/refund.ts";
import { givenAccess } from "../../../../../support/builders/providers/access.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { givenPending } from "../../../../../support/builders/withdraws/approvals.ts";
import { requestWithdraw } from "../../../../../support/builders/withdraws/withdraw.ts";
import { givenDisputed } from "../../../../../support/builders/operations/dispute.ts";

const DAY_MS = 86_400_000;

it("the first page shows the balance with its posting, what came in and what waits for a person", async () => {
  const company = await givenCompany();
  await givenPaid(company, 12_345);
  await givenDisputed(company, { reason: "MED_FRAUD" });
  await givenTransaction(company);
  await env.DB.prepare(
    "INSERT INTO webhook_hosts VALUES (?, 'loja.example.com', ?, ?, '503', NULL)",
  )
    .bind(company.id, Date.now(), Date.now())
    .run();
  const { status, html } = await visit(company, "/console");
  expect(status).toBe(200);
  expectClean(html);
  expect(html).toMatch(/Disponível <strong data-balance="\d+">R\$\s123,45/);
  expect(html).toMatch(/Bloqueado <strong>R\$\s25,00/);
  expect(html).toMatch(/Contestação para responder<\/strong>.*R\$\s25,00.*\d dias restantes/);
  expect(html).toMatch(/Webhook com falha<\/strong><span class="need-subject">loja\.example\.com/);
  expect(html).toMatch(/Conversão<\/p><p class="amount"><a [^>]*>66,7%</);
  expect(html).toMatch(/data-heading="Cobranças criadas"><a [^>]*>3<\/a><\/td>/);
  expect(html).toMatch(/Pagamentos<\/p><p class="amount"><a [^>]*>2</);
});

it("what loses the most money an hour comes first, with the balance after it and a key", async () => {
  const { company } = await givenPending();
  await requestWithdraw(company, { amount: 1_500 }, { key: "small" });
  const { html } = await visit(company, "/console");
  expect(html).toContain("Saque para aprovar");
  expect(html).toMatch(/Recusar devolve: de R\$\s[\d.,]+ para R\$\s[\d.,]+/);
  expect(html).toMatch(/<a class="button" href="\/console\/withdraws\/\d+" accesskey="1">/);
});

it("each figure opens what it is made of: payments, fees, refusals, an hour, a day of the calendar", async () => {
  const company = await givenCompany();
  await updateSettings(company, { fees: { PIX: { fixed: 10 } }, releaseDays: { PIX: 2 } });
  await givenPaid(company, 12_345);
  await createCard(company, { number: NUMBERS.declined });
  await waitUntilDrained(company);
  const { html } = await visit(company, "/console");
  const opened = async (pattern: RegExp) => {
    const [, path = ""] = pattern.exec(html) ?? [];
    const page = await visit(company, path.replaceAll("&amp;", "&"));
    expect([path, page.status]).toEqual([expect.stringMatching(/^\/console\//), 200]);
    expectClean(page.html);
    return page.html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
  };
  expect(await opened(/Recebido<\/p><p class="amount"><a href="([^"]+)"/)).toContain(
    "123,45 pagos",
  );
  expect(await opened(/Taxas<\/p><p class="amount"><a href="([^"]+)"/)).toMatch(
    /Só com taxa × .*Pix recebido .*-R\$ 0,10/,
  );
  expect(await opened(/<a href="([^"]+)">cartão recusado \(1\)/)).toMatch(
    /Motivo da falha: cartão recusado × .*Falhou/,
  );
  expect(await opened(/<td class="heat-4"><a href="([^"]+)">1</)).toMatch(
    /\d+ h × Só entradas × .*Pix recebido/,
  );
  expect(await opened(/<a class="release" href="([^"]+)"/)).toMatch(/Liberações de .*R\$ 123,35/);
});

it("the end of an access to a bank is a need, which says what to do", async () => {
  const company = await givenCompany();
  await givenPaid(company, 16_800);
  await givenAccess(company, { certificateExpiresAt: Date.now() + 10.5 * DAY_MS });
  const { html } = await visit(company, "/console");
  expect(html).toMatch(
    /Acesso ao banco termina.*pix\.bank\.example.*R\$\s24,00.*10 dias restantes/,
  );
  expect(html).toMatch(/href="\/console\/providers" accesskey="1"/);
  const page = await visit(company, "/console/providers", { role: "viewer" });
  expectClean(page.html);
  expect(page.html).toContain("Peça novos ao banco");
  await givenAccess(company, { certificateExpiresAt: Date.now() + 40 * DAY_MS });
  expect((await visit(company, "/console")).html).not.toContain("Acesso ao banco termina");
});

it("a company without a payment sees its steps, in English too", async () => {
  const company = await givenCompany();
  const { html } = await visit(company, "/console?period=month", { language: "en" });
  expectClean(html);
  expect(html).toContain("No payment in this period.");
  expect(html).toContain("Nothing waits for you.");
  expect(html).toContain('href="/console?period=month" aria-current="page"');
  expect(html).toContain("Five steps to the first payment");
  await givenPaid(company, 2_500);
  expect((await visit(company, "/console")).html).not.toContain("Cinco passos");
});

it("every role sees a first page", async () => {
  const company = await givenCompany();
  await givenPaid(company, 2_500);
  for (const role of ["owner", "admin", "finance", "support", "developer", "viewer"] as const) {
    const { status, html } = await visit(company, "/console", { role });
    expect(status).toBe(200);
    expectClean(html);
  }
});
