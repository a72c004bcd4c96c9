import { expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import {
  BOLETO_REQUEST,
  CARD_REQUEST,
} from "../../../../support/builders/requests/full-request.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import {
  withValueAt,
  invalidValuesOf,
  type FieldKind,
} from "../../../../support/builders/requests/invalid-values.ts";
import { sharedCompany } from "../../../../support/builders/companies/shared-company.ts";

const PIX_REQUEST = { amount: 2_500, paymentMethod: "PIX" };

/** Null means absent for every other field; these are required, or an item of a list. */
const REQUIRED = new Set(["amount", "paymentMethod", "items.0", "pix.additionalInfo.0"]);

const PIX_FIELDS: Record<string, FieldKind> = {
  amount: "integer",
  currency: "word",
  paymentMethod: "word",
  installments: "integer",
  externalRef: "string",
  customer: "object",
  "customer.id": "string",
  "customer.name": "string",
  "customer.email": "string",
  "customer.document": "object",
  "customer.document.number": "word",
  "customer.phone": "string",
  "customer.externalRef": "string",
  shipping: "object",
  "shipping.fee": "integer",
  "shipping.address": "object",
  "shipping.address.street": "string",
  "shipping.address.streetNumber": "string",
  "shipping.address.complement": "string",
  "shipping.address.zipCode": "string",
  "shipping.address.neighborhood": "string",
  "shipping.address.city": "string",
  "shipping.address.state": "word",
  "shipping.address.country": "word",
  items: "array",
  "items.0": "object",
  "items.0.title": "string",
  "items.0.unitPrice": "integer",
  "items.0.quantity": "integer",
  "items.0.tangible": "boolean",
  "items.0.externalRef": "string",
  pix: "object",
  "pix.expiresInDays": "integer",
  "pix.expiresInSeconds": "integer",
  "pix.payerMessage": "string",
  "pix.additionalInfo": "array",
  "pix.additionalInfo.0": "object",
  "pix.validityAfterDue": "integer",
  "pix.fine": "object",
  "pix.interest": "object",
  "pix.discount": "object",
  postbackUrl: "word",
  metadata: "string or object",
  traceable: "boolean",
  ip: "word",
};

const BOLETO_FIELDS: Record<string, FieldKind> = {
  boleto: "object",
  "boleto.expiresInDays": "integer",
  "boleto.dueDate": "word",
  "boleto.instructions": "string",
  "boleto.documentNumber": "string",
  "boleto.fine": "object",
  "boleto.interest": "object",
  "boleto.discount": "object",
};

const CARD_FIELDS: Record<string, FieldKind> = {
  card: "object",
  "card.token": "string",
  "card.number": "word",
  "card.holderName": "string",
  "card.expirationMonth": "integer",
  "card.expirationYear": "integer",
  "card.cvv": "word",
  "card.capture": "boolean",
  "card.statementDescriptor": "string",
};

function cases(fields: Record<string, FieldKind>, base: object): [string, FieldKind, object][] {
  return Object.entries(fields).map(([field, kind]) => [field, kind, base]);
}

it.each([
  ...cases(PIX_FIELDS, PIX_REQUEST),
  ...cases(BOLETO_FIELDS, BOLETO_REQUEST),
  ...cases(CARD_FIELDS, CARD_REQUEST),
])("VALIDATION_FAILED: %s is not a %s", async (field, kind, base) => {
  const company = await sharedCompany();
  await expectNoSideEffects(company, async () => {
    for (const value of invalidValuesOf(kind, { required: REQUIRED.has(field) })) {
      const answer = await call("/api/v1/transactions/create", {
        company,
        body: withValueAt(base, field, value),
      });
      await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
      expect(answer.body.detail).toContain(field);
    }
  });
});

it("VALIDATION_FAILED: customer.document.type is neither CPF nor CNPJ", async () => {
  const company = await sharedCompany();
  for (const type of [true, 1.5, "RG", "cpf", "", {}, []]) {
    const document = { number: "52998224725", type };
    const answer = await call("/api/v1/transactions/create", {
      company,
      body: { ...PIX_REQUEST, customer: { document } },
    });
    await expectProblem(answer, {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["customer.document.type"],
    });
  }
});

it.each(["fine", "discount"])("VALIDATION_FAILED: a %s without type and value", async (name) => {
  const company = await sharedCompany();
  const answer = await call("/api/v1/transactions/create", {
    company,
    body: { ...BOLETO_REQUEST, boleto: { [name]: {} } },
  });
  await expectProblem(answer, {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: [`boleto.${name}.type`, `boleto.${name}.value`],
  });
});
