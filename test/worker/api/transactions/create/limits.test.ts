import { describe, expect, it } from "vitest";
import { saoPauloDay } from "../../../../../src/domain/shared/business-day.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import {
  BOLETO_REQUEST,
  CARD_REQUEST,
} from "../../../../support/builders/requests/full-request.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { withValueAt } from "../../../../support/builders/requests/invalid-values.ts";
import { sharedCompany } from "../../../../support/builders/companies/shared-company.ts";

const PIX_REQUEST = { amount: 2_500, paymentMethod: "PIX" };
const INFO_REQUEST = { ...PIX_REQUEST, pix: { additionalInfo: [{ name: "a", value: "b" }] } };
const DUE_REQUEST = {
  ...BOLETO_REQUEST,
  ...PIX_REQUEST,
  pix: { dueDate: saoPauloDay(Date.now() + 86_400_000) },
};

/**
 * Each text field with its maximum length. Names 120, e-mail 254, free text 255, metadata 4,096.
 */
const TEXTS: [field: string, max: number, base: object][] = [
  ["externalRef", 255, PIX_REQUEST],
  ["customer.id", 255, PIX_REQUEST],
  ["customer.name", 120, PIX_REQUEST],
  ["customer.email", 254, PIX_REQUEST],
  ["customer.phone", 255, PIX_REQUEST],
  ["customer.externalRef", 255, PIX_REQUEST],
  ["shipping.address.street", 255, PIX_REQUEST],
  ["shipping.address.streetNumber", 255, PIX_REQUEST],
  ["shipping.address.complement", 255, PIX_REQUEST],
  ["shipping.address.zipCode", 255, PIX_REQUEST],
  ["shipping.address.neighborhood", 255, PIX_REQUEST],
  ["shipping.address.city", 255, PIX_REQUEST],
  ["items.0.title", 255, PIX_REQUEST],
  ["items.0.externalRef", 255, PIX_REQUEST],
  ["metadata", 4_096, PIX_REQUEST],
  ["pix.payerMessage", 140, PIX_REQUEST],
  ["pix.additionalInfo.0.name", 50, INFO_REQUEST],
  ["pix.additionalInfo.0.value", 200, INFO_REQUEST],
  ["boleto.instructions", 256, BOLETO_REQUEST],
  ["boleto.documentNumber", 16, BOLETO_REQUEST],
  ["card.holderName", 120, CARD_REQUEST],
  ["card.statementDescriptor", 13, CARD_REQUEST],
];

/** Each number field with its minimum and maximum. */
const NUMBERS: [field: string, min: number, max: number, base: object][] = [
  ["amount", 1, 999_999_999_999, PIX_REQUEST],
  ["shipping.fee", 0, 999_999_999_999, PIX_REQUEST],
  ["items.0.unitPrice", 0, 999_999_999_999, PIX_REQUEST],
  ["pix.expiresInDays", 1, 365, PIX_REQUEST],
  ["pix.expiresInSeconds", 60, 31_536_000, PIX_REQUEST],
  ["pix.validityAfterDue", 0, 365, DUE_REQUEST],
  ["boleto.expiresInDays", 0, 60, BOLETO_REQUEST],
  ["card.expirationMonth", 1, 12, CARD_REQUEST],
];

/** A text of so many characters that its field takes. */
function textOf(field: string, length: number): string {
  const end = field === "customer.email" ? "@example.com" : "";
  return (end === "" ? "é" : "e").repeat(length - end.length) + end;
}

describe("text", () => {
  it.each(TEXTS)("%s accepts %i characters", async (field, max, base) => {
    const company = await sharedCompany();
    const body = withValueAt(base, field, textOf(field, max));
    const { status } = await call("/api/v1/transactions/create", { company, body });
    expect(status).toBe(200);
  });

  it.each(TEXTS)("VALIDATION_FAILED: %s is longer than %i", async (field, max, base) => {
    const company = await sharedCompany();
    const body = withValueAt(base, field, textOf(field, max + 1));
    const answer = await expectNoSideEffects(company, () =>
      call("/api/v1/transactions/create", { company, body }),
    );
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
  });
});

describe("numbers", () => {
  it.each(NUMBERS)("%s accepts %i and %i", async (field, min, max, base) => {
    const company = await sharedCompany();
    for (const value of [min, max]) {
      const body = withValueAt(base, field, value);
      const { status } = await call("/api/v1/transactions/create", { company, body });
      expect(status, String(value)).toBe(200);
    }
  });

  it.each(NUMBERS)(
    "VALIDATION_FAILED: %s is below %i or above %i",
    async (field, min, max, base) => {
      const company = await sharedCompany();
      for (const value of [min - 1, max + 1, -1, Number.MAX_SAFE_INTEGER, 1e21]) {
        const body = withValueAt(base, field, value);
        const answer = await call("/api/v1/transactions/create", { company, body });
        await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
      }
    },
  );

  it("VALIDATION_FAILED: 1e400 is not a number of centavos", async () => {
    const company = await sharedCompany();
    const answer = await call("/api/v1/transactions/create", {
      company,
      rawBody: '{"amount":1e400,"paymentMethod":"PIX"}',
    });
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["amount"] });
  });
});

describe("items", () => {
  it("accept 100 entries", async () => {
    const company = await sharedCompany();
    const items = Array.from({ length: 100 }, () => ({ title: "x" }));
    const body = { ...PIX_REQUEST, items };
    expect((await call("/api/v1/transactions/create", { company, body })).status).toBe(200);
  });

  it("VALIDATION_FAILED: rejects 101 entries", async () => {
    const company = await sharedCompany();
    const items = Array.from({ length: 101 }, () => ({ title: "x" }));
    const body = { ...PIX_REQUEST, items };
    const answer = await call("/api/v1/transactions/create", { company, body });
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["items"] });
  });
});

it("VALIDATION_FAILED: rejects a metadata object whose JSON is longer than 4,096 characters", async () => {
  const company = await sharedCompany();
  const fitting = { a: "x".repeat(4_096 - '{"a":""}'.length) };
  const body = { ...PIX_REQUEST, metadata: fitting };
  expect((await call("/api/v1/transactions/create", { company, body })).status).toBe(200);
  const longer = { ...PIX_REQUEST, metadata: { a: `${fitting.a}x` } };
  const answer = await call("/api/v1/transactions/create", { company, body: longer });
  await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["metadata"] });
});

describe("text that cannot be stored", () => {
  it.each([
    ["NUL", "a\0b"],
    ["a lone high surrogate", "a\ud83d"],
    ["a lone low surrogate", "\ude00a"],
  ])("VALIDATION_FAILED: %s", async (_what, text) => {
    const company = await sharedCompany();
    const fields = TEXTS.filter(([, max]) => max >= 13).map(([field, , base]) => ({ field, base }));
    for (const { field, base } of fields) {
      const answer = await call("/api/v1/transactions/create", {
        company,
        body: withValueAt(base, field, text),
      });
      await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
    }
  });

  it("a complete surrogate pair is a normal character", async () => {
    const company = await sharedCompany();
    const body = { ...PIX_REQUEST, externalRef: "🎉" };
    const { body: answer } = await call("/api/v1/transactions/create", { company, body });
    expect(answer.data.externalRef).toBe("🎉");
  });
});
