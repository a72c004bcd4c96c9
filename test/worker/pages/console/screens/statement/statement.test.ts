import { beforeAll, expect, it } from "vitest";
import { addAnchor } from "../../../../../../src/db/reconciliation/anchors.ts";
import { givenPaid } from "../../../../../support/builders/charges/transaction.ts";
import {
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../../../support/builders/companies/company.ts";
import { expectClean } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { givenTwoMonths } from "../../../../../support/builders/ledger/two-months.ts";
import { call } from "../../../../../support/builders/requests/api.ts";

const PATH = "/console/statement";
const POSTINGS = `${PATH}/postings`;

const verify = (rawBody: string, by: TestCompany, type = "text/csv") =>
  call("/api/v1/statement/verify", {
    company: by,
    rawBody,
    headers: { "Content-Type": type },
  });

const monthFile = (file: string, month = "2026-11") =>
  visit(company, `${PATH}/month/${file}?month=${month}`);

let company: TestCompany;
let paidId: string;

beforeAll(async () => {
  company = await givenCompany();
  paidId = (await givenPaid(company, 2_500)).id;
});

it("each posting is there with the balance after it and the way to its payment", async () => {
  const { status, html } = await visit(company, POSTINGS, { role: "viewer" });
  expect(status).toBe(200);
  expectClean(html);
  expect(html).toContain(`href="/console/payments/${paidId}"`);
  expect(html).toMatch(/\+R\$\s25,00/);
  const english = await visit(company, `${POSTINGS}?from=2020-01-01&to=2020-01-31`, {
    language: "en",
  });
  expectClean(english.html);
  expect(english.html).toContain("Nothing moved in this period.");
  const wrong = await visit(company, `${POSTINGS}?from=amanha`);
  expect([wrong.status, wrong.html.includes('value="amanha"')]).toEqual([400, true]);
});

it("a month shows a line for each thing that happened, between its opening and closing balance", async () => {
  const { company: shop, months } = await givenTwoMonths();
  const first = await visit(shop, `${PATH}?month=${months[0]}`, { role: "viewer" });
  expect(first.status).toBe(200);
  expectClean(first.html);
  const text = first.html.replaceAll(/<[^>]+>/g, "|").replaceAll(/\s/g, " ");
  for (const shown of [
    "Entrou|||R$ 140,00|",
    "Taxas|||-R$ 1,35|",
    "Saiu|||-R$ 27,00|",
    "Saldo final|||R$ 111,65|",
    "Pix recebido||",
    "M*** &amp;*** F*** L*** · pedido-2||+R$ 90,00||-R$ 0,35||+R$ 89,65|||R$ 139,65|",
  ]) {
    expect(text).toContain(shown);
  }
  expect(first.html).toContain('href="/console/statement/postings"');
  // A sum opens what it is made of, a balance its postings.
  const [, out = ""] = /Saiu<\/p><p class="amount"><a href="([^"]+)"/.exec(first.html) ?? [];
  const wentOut = await visit(shop, out.replaceAll("&amp;", "&"));
  expectClean(wentOut.html);
  expect(wentOut.html).toContain("Só saídas ×");
  expect(wentOut.html).not.toContain("pedido-2");
  const balance = /<a href="([^"]+)">R\$\s139,65/.exec(first.html)?.[1] ?? "";
  const postings = await visit(shop, balance.replaceAll("&amp;", "&"));
  const amounts = [...postings.html.matchAll(/"Valor">([^<]+)</g)].map(([, amount]) => amount);
  expect(amounts.slice(0, 2).join()).toMatch(/^\+R\$\s0,35,\+R\$\s89,65$/);
  const second = await visit(shop, `${PATH}?month=${months[1]}`, { language: "en" });
  expectClean(second.html);
  expect(second.html).toMatch(/Release of R\$89\.65/);
  expect(second.html).toContain("Dispute: amount blocked");
  const none = await visit(shop, `${PATH}?month=2020-01`);
  expect(none.html).toContain("Nada se moveu neste período.");
  const wrong = await visit(shop, `${PATH}?month=amanha`);
  expect([wrong.status, wrong.html.includes('value="amanha"')]).toEqual([400, true]);
});

it("a month's files are downloaded, and what holds none is refused on a page", async () => {
  const csv = await monthFile("extrato.csv");
  expect(csv.headers.get("Content-Disposition")).toBe('attachment; filename="extrato-2026-11.csv"');
  expect(csv.html).toContain("Data;Hora;");
  const zip = await monthFile("contador.zip");
  expect(zip.headers.get("Content-Disposition")).toBe(
    'attachment; filename="contador-2026-11.zip"',
  );
  expect(zip.html.startsWith("PK")).toBe(true);
  expect((await monthFile("extrato.xlsx")).html.startsWith("PK")).toBe(true);
  expect((await monthFile("extrato.exe")).status).toBe(404);
  const wrong = await monthFile("extrato.csv", "2026-13");
  expect(wrong.status).toBe(400);
  expectClean(wrong.html);
});

it("its proof is downloaded, and passes its own check; a changed one does not", async () => {
  const csv = (await visit(company, `${PATH}/proof.csv`)).html;
  expect(csv).toContain(",provider,");
  const ofx = await visit(company, `${PATH}/statement.ofx`);
  expect(ofx.headers.get("Content-Disposition")).toBe('attachment; filename="statement.ofx"');
  expect(JSON.parse((await visit(company, `${PATH}/balance.json`)).html).companyId).toBe(
    company.id,
  );
  const agrees = await visit(company, `${PATH}/verify`, { form: { csv } });
  expectClean(agrees.html);
  expect(agrees.html).toContain("Confere.");
  expect(agrees.html).toContain("Nenhum movimento está ancorado ainda");
  const changed = await visit(company, `${PATH}/verify`, {
    form: { csv: csv.replace(",2500,", ",9500,") },
    language: "en",
  });
  expectClean(changed.html);
  expect(changed.html).toContain("It does not agree.");
  const large = await visit(company, `${PATH}/verify`, { form: { csv: "x".repeat(400_000) } });
  expect(large.status).toBe(200);
  const tooLarge = await visit(company, `${PATH}/verify`, { form: { csv: "x".repeat(600_000) } });
  expect(tooLarge.status).toBe(413);
});

it("the API's check tells what is wrong: no CSV, no provider's side, another company's ledger", async () => {
  const path = `/api/Balance/statement/${company.id}?currency=BRL`;
  const csvOf = async (query: string) =>
    (await call(path + query, { company, headers: { Accept: "text/csv" } })).text;
  const whole = await csvOf("&accounts=all");
  const { body } = await verify(whole, company);
  expect(body).toMatchObject({ valid: true, error: null, movements: 1, ledgerSequence: 16 });
  expect(body.balances).toContainEqual({ account: "provider", balance: -2_500 });
  const errorOf = async (csv: string, by: TestCompany) => (await verify(csv, by)).body.error;
  expect(await errorOf("a,b", company)).toContain("not a statement's CSV");
  expect(await errorOf(await csvOf(""), company)).toContain("accounts=all");
  expect(await errorOf(whole, await givenCompany())).toContain("not in this company's ledger");
  expect((await verify(whole, company, "application/json")).status).toBe(415);
});

it("the check says how far the stored anchors reach, and finds a past that differs from one", async () => {
  const anchored = await givenCompany({ balance: 1_000 });
  const path = `/api/Balance/statement/${anchored.id}?currency=BRL&accounts=all`;
  const csvNow = async () =>
    (await call(path, { company: anchored, headers: { Accept: "text/csv" } })).text;
  const before = await csvNow();
  expect((await verify(before, anchored)).body).toMatchObject({ anchored: null, notAnchored: 1 });
  const { hash } = await inAccount(anchored.id, (account) => account.ledgerHead());
  const anchor = {
    companyId: anchored.id,
    day: "2026-11-21",
    movement: 1,
    hash,
    digest: hash,
    anchoredAt: 0,
  };
  await addAnchor(env, anchor);
  await givenPaid(anchored, 500);
  const csv = await csvNow();

  expect((await verify(csv, anchored)).body).toMatchObject({
    valid: true,
    movements: 2,
    anchored: { day: "2026-11-21", movement: 1 },
    notAnchored: 1,
  });
  const english = await visit(anchored, `${PATH}/verify`, { form: { csv }, language: "en" });
  expectClean(english.html);
  expect(english.html).toContain("Anchored up to movement 1, on 2026-11-21.");
  await addAnchor(env, { ...anchor, day: "2026-11-22", movement: 2 });
  expect((await verify(csv, anchored)).body).toMatchObject({
    valid: false,
    error: "it differs from the anchor of 2026-11-22",
    anchored: null,
    notAnchored: 2,
  });
});
