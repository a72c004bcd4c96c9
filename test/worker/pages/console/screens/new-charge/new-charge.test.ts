import { expect, it } from "vitest";
import { givenTransaction } from "../../../../../support/builders/charges/transaction.ts";
import {
  givenCompany,
  type TestCompany,
} from "../../../../../support/builders/companies/company.ts";
import { expectClean, keyOf } from "../../../../../support/builders/console/page-checks.ts";
import { visit } from "../../../../../support/builders/console/visit.ts";
import { call } from "../../../../../support/builders/requests/api.ts";

const PATH = "/console/charges/new";

it("a PIX made by the form leads to its page; the form sent twice makes one", async () => {
  const company = await givenCompany();
  const page = await visit(company, PATH);
  expectClean(page.html);
  const form = {
    method: "PIX",
    amount: "1.234,56",
    externalRef: "order-1",
    description: "Camiseta",
    name: "Maria",
    document: "529.982.247-25",
    expiresInSeconds: "3600",
    idempotencyKey: keyOf(page.html),
  };
  const [first, second] = [
    await visit(company, PATH, { form }),
    await visit(company, PATH, { form }),
  ];
  expect(first.status).toBe(303);
  expect(second.headers.get("Location")).toBe(first.headers.get("Location"));
  expect(await transactions(company)).toMatchObject([{ amount: 123_456, externalRef: "order-1" }]);
  const made = await visit(company, first.headers.get("Location") ?? "");
  expect(made.html).toContain("Cobrança criada.");
  expect(made.html).toContain("Camiseta");
});

it("a boleto needs the payer's name and document: the errors stand at the fields, what was typed stays", async () => {
  const company = await givenCompany();
  const form = { method: "BOLETO", amount: "50,00", description: "<script>", document: "123" };
  const refused = await visit(company, PATH, { form, language: "en" });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain('id="name-error"');
  expect(refused.html).toContain('id="document-error"');
  expect(refused.html).toContain('value="50,00"');
  expect(refused.html).toContain('value="123"');
  expectClean(refused.html);
  const corrected = { ...form, name: "Maria", document: "52998224725" };
  expect((await visit(company, PATH, { form: corrected })).status).toBe(303);
  expect(await transactions(company)).toMatchObject([{ paymentMethod: "BOLETO" }]);
});

it("a card becomes a link for one payment, whose page asks the payer for it", async () => {
  const company = await givenCompany();
  const page = await visit(company, PATH);
  const form = {
    method: "CREDIT_CARD",
    amount: "300,00",
    externalRef: "order-2",
    maxInstallments: "3",
    idempotencyKey: keyOf(page.html),
  };
  const [first, second] = [
    await visit(company, PATH, { form }),
    await visit(company, PATH, { form }),
  ];
  expect(first.headers.get("Location")).toMatch(/^\/console\/payment-links\/.*\?done=made$/);
  expect(second.headers.get("Location")).toBe(first.headers.get("Location"));
  const { items } = (await call("/api/v1/payment-links", { company })).body;
  expect(items).toMatchObject([
    {
      name: "order-2",
      amount: 30_000,
      maxPayments: 1,
      maxInstallments: 3,
      paymentMethods: ["CREDIT_CARD"],
    },
  ]);
});

it("an amount that is none is refused at its field, and nothing is made", async () => {
  const company = await givenCompany();
  const refused = await visit(company, PATH, { form: { method: "PIX", amount: "dez" } });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain('id="amount-error"');
  expect(refused.html).toContain('value="dez"');
  expect(await transactions(company)).toEqual([]);
});

it("403: a role without transactions:write has no such menu entry and makes no charge", async () => {
  const company = await givenCompany();
  const refused = await visit(company, PATH, { role: "viewer" });
  expect(refused.status).toBe(403);
  expect(refused.html).not.toContain(`href="${PATH}"`);
  const form = { method: "PIX", amount: "10,00", expiresInSeconds: "3600" };
  expect((await visit(company, PATH, { role: "developer", form })).status).toBe(403);
  expect((await visit(company, PATH, { role: "support" })).html).toContain(`href="${PATH}"`);
  expect(await transactions(company)).toEqual([]);
});

it("a payer of an earlier charge is chosen without the data on the page, and is charged again", async () => {
  const company = await givenCompany();
  const customer = { name: "Maria", document: { number: "52998224725" } };
  const { id } = await givenTransaction(company, { customer });
  const page = await visit(company, `${PATH}?payer=${id}`);
  expectClean(page.html);
  expect(page.html).toContain("Maria · ***.982.247-**");
  expect(page.html).toContain(`value="${id}" selected=""`);
  expect(page.html).not.toContain("52998224725");
  const form = {
    method: "PIX",
    amount: "10,00",
    payerOf: id,
    expiresInSeconds: "3600",
    idempotencyKey: keyOf(page.html),
  };
  expect((await visit(company, PATH, { form })).status).toBe(303);
  const [newest] = await transactions(company);
  expect(newest.lead).toMatchObject({ name: "Maria", documentNumber: "52998224725" });
  const support = await visit(company, `${PATH}?payer=${id}`, { role: "support" });
  expect(support.html).not.toContain("Maria");
  const stranger = { ...form, payerOf: crypto.randomUUID(), idempotencyKey: "other" };
  const refused = await visit(company, PATH, { form: stranger });
  expect(refused.status).toBe(400);
  expect(refused.html).toContain("Este cliente não foi encontrado");
  expect(await transactions(company)).toHaveLength(2);
});

async function transactions(company: TestCompany) {
  return (await call("/api/v1/transactions", { company })).body.items;
}
