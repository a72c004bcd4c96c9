import { expect, it } from "vitest";
import { givenCard } from "../../../../../support/builders/charges/card.ts";
import { givenTransaction } from "../../../../../support/builders/charges/transaction.ts";
import {
  givenCompany,
  waitUntilDrained,
} from "../../../../../support/builders/companies/company.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { call } from "../../../../../support/builders/requests/api.ts";

const PATH = "/console/payers";
const DOCUMENT = "12345678909";

async function givenPayer() {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, {
    customer: {
      name: "Maria <script>alert(1)</script>",
      email: "maria@example.com",
      document: { number: DOCUMENT, type: "CPF" },
    },
  });
  await call(`/api/v1/sandbox/transactions/${id}/expire`, { method: "POST", company });
  return { company, id: id as string };
}

const chargesOf = async (company: Awaited<ReturnType<typeof givenCompany>>) =>
  (await call("/api/v1/transactions/search", { company, body: { document: DOCUMENT } })).body.items;

it("a payer is found by document, masked, and no address has the document", async () => {
  const { company, id } = await givenPayer();
  const { status, html } = await visit(company, PATH, { form: { document: "123.456.789-09" } });
  expect(status).toBe(200);
  expect(html).toContain(`/console/payments/${id}`);
  expect(html).toContain("***.456.789-**");
  expect(html).not.toMatch(/maria@|<script>alert|undefined|NaN|>null</);
  expect(html).not.toMatch(/(?:href|action)="[^"]*(?:456\.?789)/);
  const none = await visit(company, PATH, { form: { document: "52998224725" }, language: "en" });
  expect(none.html).toContain("No charge with this document");
});

it("a document that is none keeps what was typed", async () => {
  const company = await givenCompany();
  const { status, html } = await visit(company, PATH, { form: { document: "123" } });
  expect(status).toBe(400);
  expect(html).toContain('value="123"');
  expect(html).toContain("Nada foi feito");
});

it("an export is a JSON file with the payer's data as stored", async () => {
  const { company } = await givenPayer();
  const file = await visit(company, `${PATH}/export`, { form: { document: DOCUMENT } });
  expect(file.headers.get("Content-Disposition")).toContain("attachment");
  const { data, hasMore } = JSON.parse(file.html);
  expect([data.charges.length, hasMore]).toEqual([1, false]);
  expect(data.charges[0].payer.email).toBe("maria@example.com");
});

it("an erasure says what stays and why, and sent twice erases once", async () => {
  const { company } = await givenPayer();
  const form = { document: DOCUMENT };
  const confirm = await visit(company, `${PATH}/erase/confirm`, { form });
  expect(confirm.html).toContain("***.456.789-**");
  expect(confirm.html).toContain("a escrituração precisa fechar");
  expect(await chargesOf(company)).toHaveLength(1);
  const first = await visit(company, `${PATH}/erase`, { form });
  expect(first.headers.get("Location")).toBe(`${PATH}?done=erased&erased=1&open=0`);
  const second = await visit(company, `${PATH}/erase`, { form });
  expect(second.headers.get("Location")).toBe(`${PATH}?done=erased&erased=0&open=0`);
  expect(await chargesOf(company)).toHaveLength(0);
  const { html } = await visit(company, `${PATH}?done=erased&erased=1&open=0`);
  expect(html).toContain("Apagado em 1 cobranças");
  const forged = await visit(company, `${PATH}?done=erased&erased=call-us&open=0`);
  expect(forged.html).not.toContain("call-us");
});

it("support is refused payers, and finance is refused an erasure", async () => {
  const { company } = await givenPayer();
  const form = { document: DOCUMENT };
  for (const [path, sent] of [[PATH], [PATH, form], [`${PATH}/export`, form]] as const) {
    const options = { role: "support" as const, ...(sent === undefined ? {} : { form: sent }) };
    expect((await visit(company, path, options)).status, path).toBe(403);
  }
  const found = await visit(company, PATH, { role: "finance", form });
  expect(found.html).toContain("Baixar JSON");
  expect(found.html).not.toContain("erase/confirm");
  for (const path of [`${PATH}/erase/confirm`, `${PATH}/erase`]) {
    expect((await visit(company, path, { role: "finance", form })).status, path).toBe(403);
  }
  expect(await chargesOf(company)).toHaveLength(1);
});

it("a page that only a form shows leads back to its screen", async () => {
  const company = await givenCompany();
  for (const [path, screen] of [
    ["/console/payers/erase/confirm", PATH],
    ["/console/settings/withdraws", "/console/settings"],
    ["/console/disputes/D%3A1/evidence", "/console/disputes/D%3A1"],
  ] as const) {
    const { status, headers } = await visit(company, path);
    expect([status, headers.get("Location")]).toEqual([302, screen]);
  }
});

it("customers are listed with what they paid; the page of one has no document in full, and charges again", async () => {
  const { company, id } = await givenPayer();
  const { html } = await visit(company, PATH);
  expect(html).toContain(`href="${PATH}/${id}"`);
  const one = await visit(company, `${PATH}/${id}`);
  expect(one.html).toContain(`href="/console/charges/new?payer=${id}"`);
  expect(one.html).toContain("***.456.789-**");
  expect(one.html + html).not.toMatch(/12345678909|maria@|undefined|NaN|>null</);
  const file = await visit(company, `${PATH}/${id}/charges.csv`);
  expect(file.html.split("\n")[1]).toContain(id);
  const form = { charge: id };
  const exported = await visit(company, `${PATH}/export`, { form });
  expect(JSON.parse(exported.html).data.document).toBe(DOCUMENT);
  const stranger = await visit(await givenCompany(), `${PATH}/${id}`);
  expect(stranger.status).toBe(404);
});

it("a payer's saved cards are shown without what they are charged by, and one is deleted", async () => {
  const company = await givenCompany();
  const { id, card } = await givenCard(company, { saveCard: true });
  await waitUntilDrained(company);
  const path = `${PATH}/${id}`;
  const { html } = await visit(company, path, { language: "en" });
  expect(html).toContain("Visa •••• 4242");
  expect(html).toContain("Delete card Visa •••• 4242");
  // A phone hides what a row of two lines has to act.
  expect(html).not.toMatch(/class="acts"[^>]*><form/);

  const deleted = await visit(company, `${path}/cards/${card.savedCardId}/delete`, { form: {} });
  expect(deleted.headers.get("Location")).toBe(`${path}?done=card`);
  const after = await visit(company, `${path}?done=card`);
  expect(after.html).toContain("Cartão excluído.");
  expect(after.html).not.toContain("••••");
  const again = await visit(company, `${path}/cards/${card.savedCardId}/delete`, { form: {} });
  expect(again.status).toBe(303);
});
