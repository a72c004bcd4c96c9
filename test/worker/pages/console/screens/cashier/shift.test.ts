import { expect, it, vi } from "vitest";
import { givenTransaction, pay } from "../../../../../support/builders/charges/transaction.ts";
import { env, givenCompany } from "../../../../../support/builders/companies/company.ts";
import { givenCashierCharge } from "../../../../../support/builders/console/counter.ts";
import { expectClean, keyOf } from "../../../../../support/builders/console/page-checks.ts";
import { callAsMember, givenMember } from "../../../../../support/builders/console/members.ts";
import { Browser } from "../../../../../support/builders/console/browser.ts";
import { givenSession } from "../../../../../support/builders/console/people.ts";
import { withD1 } from "../../../../../support/faults/faulty-env.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { call } from "../../../../../support/builders/requests/api.ts";

const COUNTER = "/console/cashier";
const role = "cashier";

const idOf = (path: string) => path.split("/").at(-1) ?? "";

it("a charge in a shift shows its code, then that it arrived, and says which cashier made it", async () => {
  const company = await givenCompany();
  const start = await visit(company, COUNTER, { role });
  expectClean(start.html);
  expect(start.html).toContain("Abrir turno");
  const path = await givenCashierCharge(company);
  const waiting = await visit(company, path, { role });
  expectClean(waiting.html);
  expect(waiting.html).toContain('data-arrival="waiting"');
  expect(waiting.html).toContain("QR Code do Pix");
  const id = idOf(path);
  const { metadata } = (await call(`/api/v1/transactions/${id}`, { company })).body.data;
  expect(JSON.stringify(metadata)).toContain(`person_test_cashier_${company.id}`);
  await pay(company, id);
  const { html } = await visit(company, `${path}/status`, { role });
  expect(html).toContain('data-arrival="arrived"');
  expect(html).toContain("Chegou");
});

it("a payment's page names who made it at the counter, and nobody by what an application wrote", async () => {
  const company = await givenCompany();
  const made = idOf(await givenCashierCharge(company));
  const { metadata } = (await call(`/api/v1/transactions/${made}`, { company })).body.data;
  const { id: written } = await givenTransaction(company, { metadata });
  const shownOn = async (id: string) =>
    (await visit(company, `/console/payments/${id}`)).html.includes(
      "<dt>Cobrado no caixa por</dt>",
    );
  expect([await shownOn(made), await shownOn(written)]).toEqual([true, false]);
});

it("a shift closes with the sum of what was paid by then, once", async () => {
  const company = await givenCompany();
  const paid = await givenCashierCharge(company, "25,00");
  const late = await givenCashierCharge(company, "10,00");
  await pay(company, idOf(paid));
  const open = await visit(company, `${COUNTER}/shift`, { role });
  expectClean(open.html);
  const shift = /name="shift" value="([^"]+)"/.exec(open.html)?.[1] ?? "";
  const form = { shift, idempotencyKey: keyOf(open.html) };
  const closed = await visit(company, `${COUNTER}/close`, { role, form });
  const again = await visit(company, `${COUNTER}/close`, { role, form });
  expect(again.headers.get("Location")).toBe(closed.headers.get("Location"));
  // A payment after the close changes no closed sum.
  await pay(company, idOf(late));
  const { html } = await visit(company, closed.headers.get("Location") ?? "", { role });
  expectClean(html);
  expect(html).toMatch(/25,00/);
  expect(html).not.toMatch(/35,00/);
  // While it was open, the page said what still waited.
  expect(open.html).toMatch(/ainda aguardam: 1 \(R\$\s10,00\)/);
  expect(html).not.toContain("ainda aguardam");
  expect((await visit(company, `${COUNTER}/shift`, { role })).status).toBe(404);
});

it("the same form sent twice charges once, and a wrong amount charges nothing", async () => {
  const company = await givenCompany();
  const key = crypto.randomUUID();
  const first = await givenCashierCharge(company, "25,00", key);
  expect(await givenCashierCharge(company, "25,00", key)).toBe(first);
  const form = { amount: "vinte", idempotencyKey: key };
  const wrong = await visit(company, `${COUNTER}/charges`, { role, form });
  expect([wrong.status, wrong.html.includes('value="vinte"')]).toEqual([400, true]);
  const { items } = (await call("/api/v1/transactions", { company })).body;
  expect(items).toHaveLength(1);
});

it("a charge that was not noted in its shift is once the form is sent again, and is no second one", async () => {
  const company = await givenCompany();
  await visit(company, `${COUNTER}/open`, { role, form: {} });
  const form = { amount: "25,00", idempotencyKey: crypto.randomUUID() };
  const failing = withD1(env, (label, run) =>
    label.includes('insert into "cashier_charges"')
      ? Promise.reject(new Error("the database is away"))
      : run(),
  );
  const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const browser = new Browser(await givenSession(company, role));
  const failed = await browser.ask(`${COUNTER}/charges`, { form, env: failing });
  logged.mockRestore();
  expect(failed.status).toBe(500);
  const path = await givenCashierCharge(company, form.amount, form.idempotencyKey);
  expect((await visit(company, path, { role })).status).toBe(200);
  expect((await call("/api/v1/transactions", { company })).body.items).toHaveLength(1);
});

it("without a shift nothing is charged", async () => {
  const company = await givenCompany();
  const form = { amount: "25,00", idempotencyKey: crypto.randomUUID() };
  const { headers } = await visit(company, `${COUNTER}/charges`, { role, form });
  expect(headers.get("Location")).toBe(COUNTER);
  expect((await call("/api/v1/transactions", { company })).body.items).toEqual([]);
});

it("a cashier sees neither other charges nor another's shift", async () => {
  const company = await givenCompany();
  const mine = await givenCashierCharge(company);
  const { id } = await givenTransaction(company);
  expect((await visit(company, `${COUNTER}/charges/${id}`, { role })).status).toBe(404);
  // The owner has a counter of his own, without the cashier's charge.
  expect((await visit(company, mine)).status).toBe(404);
  const other = await givenCompany();
  expect((await visit(other, mine, { role })).status).toBe(404);
});

it("a cashier reads no balance, no list, no export and no payer, and cancels nothing", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company);
  const cashier = await givenMember(company, role);
  for (const path of [
    `/api/Balance/balance/${company.id}`,
    "/api/v1/transactions",
    `/api/v1/transactions/${id}`,
    "/api/v1/statement/entries",
    "/api/v1/payers",
    "/api/v1/withdraws",
  ]) {
    expect((await callAsMember(company, cashier, path)).status, path).toBe(403);
  }
  const cancel = { method: "PATCH", body: { status: "CANCELLED" } };
  const answer = await callAsMember(company, cashier, `/api/v1/transactions/${id}`, cancel);
  expect(answer.status).toBe(403);
  const home = await visit(company, "/console", { role });
  expect(home.headers.get("Location")).toBe(COUNTER);
});
