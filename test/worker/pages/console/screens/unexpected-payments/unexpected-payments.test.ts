import { expect, it } from "vitest";
import {
  newestUnexpected,
  UNEXPECTED,
} from "../../../../../support/builders/charges/unexpected.ts";
import type { TestCompany } from "../../../../../support/builders/companies/env.ts";
import { givenCompany } from "../../../../../support/builders/companies/company.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { call } from "../../../../../support/builders/requests/api.ts";

const PATH = "/console/unexpected-payments";

async function givenKept(payer?: object) {
  const company = await givenCompany();
  await (payer === undefined
    ? UNEXPECTED.NO_CHARGE(company)
    : call("/api/v1/sandbox/payments", { company, body: { amount: 900, payer } }));
  const { id } = await newestUnexpected(company);
  return { company, id, page: `${PATH}/${id}` };
}

const countCharges = async (company: TestCompany) =>
  (await call("/api/v1/transactions", { company })).body.items.length;

it("the list shows why a payment was not expected, with its payer masked", async () => {
  const { company } = await givenKept({ name: "Maria <script>", document: "12345678909" });
  const { html } = await visit(company, PATH);
  expect(html).toContain("Sem cobrança");
  expect(html).toMatch(/R\$\s9,00/);
  expect(html).toContain("M***");
  expect(html).not.toMatch(/Maria|12345678909|undefined|NaN|>null</);
  const english = await visit(company, `${PATH}?status=all&reason=LATE`, { language: "en" });
  expect(english.html).toContain("No payments here");
});

it("a credit shows what will happen, and sent twice credits once", async () => {
  const { company, id, page } = await givenKept();
  const { html } = await visit(company, `${page}/credit`);
  expect(html).toContain("em uma cobrança nova, já paga");
  expect(html).toMatch(/Saldo disponível agora<\/dt><dd>R\$\s0,00/);
  expect(html).not.toMatch(/undefined|NaN|>null</);
  const idempotencyKey = /name="idempotencyKey" value="([^"]+)"/.exec(html)?.[1] ?? "";
  expect(idempotencyKey).not.toBe("");
  for (const _ of [1, 2]) {
    const { status, headers } = await visit(company, `${page}/credit`, {
      form: { idempotencyKey },
    });
    expect([status, headers.get("Location")]).toEqual([303, `${PATH}?done=credit`]);
  }
  expect(await newestUnexpected(company)).toMatchObject({ id, status: "credited" });
  expect(await countCharges(company)).toBe(1);
  const decided = await visit(company, `${page}/credit`);
  expect(decided.html).toContain("já foi decidido: Creditado");
});

it("a return names the receiver, and then a credit is refused", async () => {
  const { company, id, page } = await givenKept();
  const before = await visit(company, `${page}/return`, { language: "en" });
  expect(before.html).toContain("Receiver");
  const { status } = await visit(company, `${page}/return`, { form: { idempotencyKey: "r1" } });
  expect(status).toBe(303);
  expect((await newestUnexpected(company)).status).toMatch(/return/);
  const refused = await visit(company, `${page}/credit`, { form: { idempotencyKey: "c1" } });
  expect(refused.status).toBe(409);
  expect(refused.html).toContain("Nada foi feito");
  expect(refused.html).not.toContain('value="c1"');
  expect((await visit(company, `${PATH}/${id}x/credit`)).status).toBe(404);
});

it("support sees the list but is refused a decision", async () => {
  const { company, id, page } = await givenKept();
  const { html } = await visit(company, PATH, { role: "support" });
  expect(html).not.toContain("Creditar");
  for (const form of [undefined, { idempotencyKey: "k" }]) {
    const options = { role: "support" as const, ...(form === undefined ? {} : { form }) };
    expect((await visit(company, `${page}/credit`, options)).status).toBe(403);
  }
  expect(await newestUnexpected(company)).toMatchObject({ id, status: "kept" });
});

it("the rules are saved by those who may, and refused to finance", async () => {
  const company = await givenCompany();
  const form = {
    SECOND_PAYMENT: "return",
    LATE: "keep",
    NO_CHARGE: "credit",
    WRONG_AMOUNT: "keep",
  };
  const { status } = await visit(company, `${PATH}/rules`, { form });
  expect(status).toBe(303);
  const { body } = await call("/api/v1/company/settings", { company });
  expect(body.unexpectedPayments).toEqual(form);
  const page = await visit(company, `${PATH}/rules?done=rules`);
  expect(page.html).toContain("Regras salvas");
  expect((await visit(company, `${PATH}/rules`, { role: "finance" })).status).toBe(403);
  expect((await visit(company, `${PATH}/rules`, { form: { LATE: "burn" } })).status).toBe(400);
});
