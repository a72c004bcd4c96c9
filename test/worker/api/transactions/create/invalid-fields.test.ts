import { expect, it } from "vitest";
import { type Answer, call } from "../../../../support/builders/requests/api.ts";
import type { TestCompany } from "../../../../support/builders/companies/company.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import {
  BOLETO_REQUEST,
  CARD_REQUEST,
} from "../../../../support/builders/requests/full-request.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { createTransaction } from "../../../../support/builders/charges/transaction.ts";
import { sharedCompany } from "../../../../support/builders/companies/shared-company.ts";

function create(company: TestCompany, body: unknown): Promise<Answer> {
  return call("/api/v1/transactions/create", { company, body });
}

it("VALIDATION_FAILED: an empty request lacks its amount and its payment method", async () => {
  const company = await sharedCompany();
  const answer = await expectNoSideEffects(company, () => create(company, {}));
  await expectProblem(answer, {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["amount", "paymentMethod"],
  });
});

it("VALIDATION_FAILED: reports every invalid field at once, nested ones by their path", async () => {
  const company = await sharedCompany();
  const answer = await expectNoSideEffects(company, () =>
    create(company, {
      amount: "2500",
      currency: "USD",
      paymentMethod: "CASH",
      installments: 0,
      customer: { name: 7, document: { number: "52998224724", type: "CPF" } },
      shipping: { fee: -1, address: { state: "São Paulo", country: 55 } },
      items: [
        { title: "ok", quantity: 1 },
        { quantity: 0, unitPrice: 1.5 },
      ],
      pix: { expiresInDays: 366 },
      postbackUrl: "http://192.168.0.1/hook",
      metadata: 5,
      traceable: "yes",
      ip: "300.1.1.1",
    }),
  );
  await expectProblem(answer, {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: [
      "amount",
      "currency",
      "paymentMethod",
      "installments",
      "customer.name",
      "customer.document.number",
      "shipping.fee",
      "shipping.address.state",
      "shipping.address.country",
      "items.1.quantity",
      "items.1.unitPrice",
      "pix.expiresInDays",
      "postbackUrl",
      "metadata",
      "traceable",
      "ip",
    ],
  });
});

it("VALIDATION_FAILED: reports the missing fields of a boleto next to an invalid amount", async () => {
  const company = await sharedCompany();
  const answer = await create(company, { amount: "x", paymentMethod: "BOLETO" });
  await expectProblem(answer, {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["amount", "customer.name", "customer.document.number"],
  });
});

it("VALIDATION_FAILED: reports an invalid document number next to an invalid document type", async () => {
  const company = await sharedCompany();
  const answer = await create(company, {
    amount: 100,
    paymentMethod: "PIX",
    customer: { email: 1, document: { number: "11111111111" } },
  });
  await expectProblem(answer, {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["customer.email", "customer.document.number"],
  });
});

it("each message is a sentence, and each invalid field has one", async () => {
  const company = await sharedCompany();
  const { body } = await create(company, { amount: 0, paymentMethod: "PIX", ip: "x" });
  expect(body.errors).toEqual({
    amount: ["must be at least 1 centavos; got the number 0"],
    ip: ["must be an IP address; got a string of 1 character"],
  });
});

it.each([
  ["a CPF whose check digits fail", { number: "52998224724", type: "CPF" }],
  ["a CPF of one repeated digit", { number: "11111111111", type: "CPF" }],
  ["a CPF that is too short", { number: "5299822472", type: "CPF" }],
  ["a CNPJ whose check digits fail", { number: "11222333000182", type: "CNPJ" }],
  ["an alphanumeric CNPJ whose check digits fail", { number: "12ABC34501DE36", type: "CNPJ" }],
  ["a CPF called a CNPJ", { number: "52998224725", type: "CNPJ" }],
  ["a CNPJ called a CPF", { number: "11222333000181", type: "CPF" }],
  ["a number of neither kind without a type", { number: "123" }],
  ["letters", { number: "abcdefghijk" }],
])("VALIDATION_FAILED: %s", async (_what, document) => {
  const company = await sharedCompany();
  const answer = await expectNoSideEffects(company, () =>
    createTransaction(company, { customer: { document } }),
  );
  await expectProblem(answer, {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["customer.document.number"],
  });
});

it.each([
  ["CPF", { number: "52998224725", type: "CPF" }],
  ["CNPJ", { number: "11222333000181", type: "CNPJ" }],
  ["alphanumeric CNPJ", { number: "12ABC34501DE35", type: "CNPJ" }],
  ["CPF without a type", { number: "52998224725" }],
])("a valid %s is accepted", async (_what, document) => {
  const company = await sharedCompany();
  expect((await createTransaction(company, { customer: { document } })).status).toBe(200);
});

it.each([
  ["BOLETO", BOLETO_REQUEST],
  ["CREDIT_CARD", CARD_REQUEST],
])("VALIDATION_FAILED: %s without the payer's name and document", async (_method, request) => {
  const company = await sharedCompany();
  const { customer: _customer, ...rest } = request;
  const nobody = await createTransaction(company, rest);
  await expectProblem(nobody, {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["customer.name", "customer.document.number"],
  });
  const nameless = await createTransaction(company, {
    ...rest,
    customer: { document: { number: "52998224725" } },
  });
  await expectProblem(nameless, {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["customer.name"],
  });
});

it("VALIDATION_FAILED: CREDIT_CARD without a card", async () => {
  const company = await sharedCompany();
  const { card: _card, ...rest } = CARD_REQUEST;
  await expectProblem(await createTransaction(company, rest), {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["card"],
  });
});

it("VALIDATION_FAILED: a card with neither token nor number", async () => {
  const company = await sharedCompany();
  await expectProblem(await createTransaction(company, { ...CARD_REQUEST, card: {} }), {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: [
      "card.number",
      "card.holderName",
      "card.expirationMonth",
      "card.expirationYear",
      "card.cvv",
    ],
  });
});

it("a rejected card number is not repeated in the response", async () => {
  const company = await sharedCompany();
  const card = { ...CARD_REQUEST.card, number: "4242-4242-4242-4241", cvv: "98765" };
  const answer = await createTransaction(company, { ...CARD_REQUEST, card });
  await expectProblem(answer, {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["card.number", "card.cvv"],
  });
  expect(answer.text).not.toMatch(/4242-?4242/);
  expect(answer.text).not.toMatch(/\b98765\b/);
});

it.each([
  ["2026-02-30", "a day that no calendar has"],
  ["30/12/2030", "another notation"],
  ["2030-12-30T00:00:00Z", "a time"],
])("VALIDATION_FAILED: a due date of %s, %s", async (dueDate) => {
  const company = await sharedCompany();
  const answer = await createTransaction(company, { ...BOLETO_REQUEST, boleto: { dueDate } });
  await expectProblem(answer, {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["boleto.dueDate"],
  });
});
