import { describe, expect, it } from "vitest";
import { parseBoleto } from "../../../../../src/methods/boleto/boleto-code-parser.ts";
import { parseBrCode } from "../../../../../src/methods/pix/br-code-parser.ts";
import { addDays } from "../../../../../src/domain/shared/calendar-day.ts";
import { saoPauloDay } from "../../../../../src/domain/shared/business-day.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { BOLETO_REQUEST } from "../../../../support/builders/requests/full-request.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import {
  anyBrCode,
  anySecureId,
  anyTime,
  anyUuid,
} from "../../../../support/probes/http/matchers.ts";
import { sharedCompany } from "../../../../support/builders/companies/shared-company.ts";
import {
  createTransaction,
  givenTransaction,
} from "../../../../support/builders/charges/transaction.ts";

/** One fixed day for all tests, also across midnight. */
const clock = new TestClock();
const DEPS = { deps: { platformClock: clock } };
const TODAY = saoPauloDay(clock.now());
const INVALID = { status: 400, code: "VALIDATION_FAILED" };

const request = (boleto: Record<string, unknown> = {}, rest: Record<string, unknown> = {}) => ({
  ...BOLETO_REQUEST,
  boleto,
  ...rest,
});

const discount = (change: object) => ({ discount: { type: "FIXED", value: 100, ...change } });

it("the links of a boleto use the public address, for any host of the request", async () => {
  const company = await sharedCompany();
  const publicEnv = { ...env, PUBLIC_URL: "https://pay.loja.example" };
  const { boleto } = await givenTransaction(company, BOLETO_REQUEST, { ...DEPS, env: publicEnv });
  expect(boleto.url).toMatch(/^https:\/\/pay\.loja\.example\/boletos\//);
  expect(boleto.pdfUrl).toBe(`${boleto.url}.pdf`);
});

it("a minimal request returns every field of a boleto", async () => {
  const company = await givenCompany();
  const answer = await createTransaction(company, BOLETO_REQUEST, DEPS);
  expect(answer.body).toStrictEqual({
    status: 200,
    message: expect.stringMatching(/\S/),
    data: {
      id: anyUuid,
      externalRef: "",
      amount: 5_000,
      amountText: "R$ 50,00",
      paidAmount: null,
      underpaid: false,
      refundedAmount: 0,
      providerCompanyId: company.providerCompanyId,
      companyId: company.id,
      installments: 1,
      paymentMethod: "BOLETO",
      status: "WAITING_PAYMENT",
      postbackUrl: "",
      metadata: null,
      traceable: false,
      secureId: anySecureId,
      secureUrl: null,
      currency: "BRL",
      createdAt: anyTime,
      updatedAt: anyTime,
      endToEndId: null,
      externalNsu: null,
      boleto: {
        barcode: expect.stringMatching(/^9999\d{40}$/),
        digitableLine: expect.stringMatching(/^9999\d{43}$/),
        formattedLine: expect.stringMatching(/^\d{5}\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d \d{14}$/),
        ourNumber: expect.stringMatching(/^\d{17}$/),
        dueDate: addDays(TODAY, 3),
        expirationDate: `${addDays(TODAY, 7)}T02:59:59.000Z`,
        url: expect.stringMatching(/^https:\/\/localhost\/boletos\/[\w-]{43}$/),
        pdfUrl: expect.stringMatching(/\.pdf$/),
        qrcode: anyBrCode,
      },
    },
  });
  await expectDocumented("POST /api/v1/transactions/create", answer);
});

it("line, barcode and PIX code belong to the same boleto", async () => {
  const company = await givenCompany();
  const dueDate = addDays(TODAY, 60);
  const first = (await givenTransaction(company, request({ dueDate }), DEPS)).boleto;
  const second = (await givenTransaction(company, request({ dueDate }), DEPS)).boleto;
  for (const text of [first.digitableLine, first.barcode, first.formattedLine]) {
    expect(parseBoleto(text, TODAY)).toMatchObject({
      valid: true,
      content: { amount: 5_000, dueDate },
    });
  }
  expect(parseBrCode(first.qrcode)).toMatchObject({ valid: true });
  expect(first.barcode).toContain(first.ourNumber);
  expect(second.ourNumber).not.toBe(first.ourNumber);
  expect(second.qrcode).not.toBe(first.qrcode);
});

it("with fine or interest it expires 30 days after its due date", async () => {
  const company = await givenCompany();
  const fine = { type: "PERCENTAGE", value: 200 };
  const { boleto } = await givenTransaction(company, request({ expiresInDays: 0, fine }), DEPS);
  expect(boleto.dueDate).toBe(TODAY);
  expect(boleto.expirationDate).toBe(`${addDays(TODAY, 31)}T02:59:59.000Z`);
});

it("the same key returns the same boleto, and 409 for another body", async () => {
  const company = await givenCompany();
  const later = new TestClock();
  const options = { key: "tx_1", deps: { platformClock: later } };
  const first = await createTransaction(company, request(), options);
  later.advance(1_000);
  const again = await createTransaction(company, request(), options);
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect(again.body).toEqual(first.body);
  const other = await createTransaction(company, request({ instructions: "x" }), options);
  await expectProblem(other, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
});

it("the key of a boleto that is due today works after midnight too", async () => {
  const company = await givenCompany();
  const later = new TestClock();
  const options = { key: "tx_1", deps: { platformClock: later } };
  const dueToday = request({ dueDate: saoPauloDay(later.now()) });
  const first = await createTransaction(company, dueToday, options);
  later.advance(86_400_000);
  expect((await createTransaction(company, dueToday, options)).text).toBe(first.text);
  const other = await createTransaction(company, { ...dueToday, amount: 1 }, options);
  await expectProblem(other, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
  const fresh = await createTransaction(company, dueToday, { deps: { platformClock: later } });
  await expectProblem(fresh, { ...INVALID, fields: ["boleto.dueDate"] });
});

describe("VALIDATION_FAILED", () => {
  const tooMuch = { type: "PERCENTAGE", value: 10_001 };
  it.each<[string, object, string[]]>([
    ["no payer", { customer: undefined }, ["customer.name", "customer.document.number"]],
    ["a past day", { boleto: { dueDate: addDays(TODAY, -1) } }, ["boleto.dueDate"]],
    ["no day", { boleto: { dueDate: "2027-02-30" } }, ["boleto.dueDate"]],
    ["a time", { boleto: { dueDate: "2027-02-20T00:00:00Z" } }, ["boleto.dueDate"]],
    ["61 days", { boleto: { expiresInDays: 61 } }, ["boleto.expiresInDays"]],
    ["-1 days", { boleto: { expiresInDays: -1 } }, ["boleto.expiresInDays"]],
    ["both", { boleto: { expiresInDays: 1, dueDate: addDays(TODAY, 1) } }, ["boleto.dueDate"]],
    ["257 characters", { boleto: { instructions: "x".repeat(257) } }, ["boleto.instructions"]],
    ["17 characters", { boleto: { documentNumber: "1".repeat(17) } }, ["boleto.documentNumber"]],
    ["a fine beyond 100 %", { boleto: { fine: tooMuch } }, ["boleto.fine.value"]],
    [
      "interest beyond 100 %",
      { boleto: { interest: { value: 10_001 } } },
      ["boleto.interest.value"],
    ],
    ["a discount beyond 100 %", { boleto: { discount: tooMuch } }, ["boleto.discount.value"]],
    ["a discount of all", { boleto: discount({ value: 5_000 }) }, ["boleto.discount.value"]],
    [
      "a discount for the late",
      { boleto: discount({ untilDate: addDays(TODAY, 4) }) },
      ["boleto.discount.untilDate"],
    ],
    [
      "all wrong fields at once",
      { boleto: { expiresInDays: "3", fine: { type: "X", value: -1 }, instructions: 1 } },
      ["boleto.expiresInDays", "boleto.fine.type", "boleto.fine.value", "boleto.instructions"],
    ],
    [
      "a discount next to other invalid fields",
      {
        boleto: {
          ...discount({ value: 5_000, untilDate: addDays(TODAY, 9) }),
          dueDate: addDays(TODAY, 5),
          expiresInDays: "3",
          instructions: 1,
        },
      },
      [
        "boleto.dueDate",
        "boleto.expiresInDays",
        "boleto.instructions",
        "boleto.discount.value",
        "boleto.discount.untilDate",
      ],
    ],
  ])("%s", async (_what, change, fields) => {
    const company = await sharedCompany();
    const answer = await expectNoSideEffects(company, () =>
      createTransaction(company, { ...BOLETO_REQUEST, ...change }, DEPS),
    );
    await expectProblem(answer, { ...INVALID, fields });
  });
});

describe("business rules", () => {
  it.each([
    [2, "INSTALLMENTS_NOT_ALLOWED", { installments: 2 }, ["installments"]],
    ["more than a barcode holds", "AMOUNT_TOO_LARGE", { amount: 10_000_000_000 }, ["amount"]],
  ])("%s: %s", async (_what, code, change, fields) => {
    const company = await sharedCompany();
    const answer = await expectNoSideEffects(company, () =>
      createTransaction(company, { ...BOLETO_REQUEST, ...change }, DEPS),
    );
    await expectProblem(answer, { status: 422, code, fields });
  });

  it("the maximum amount of a barcode is accepted", async () => {
    const company = await givenCompany();
    const { boleto } = await givenTransaction(company, request({}, { amount: 9_999_999_999 }));
    expect(boleto.barcode.slice(9, 19)).toBe("9999999999");
  });

  it("PROVIDER_NOT_CONFIGURED: rejects a live company without a provider", async () => {
    const company = await givenCompany({ mode: "live" });
    const answer = await expectNoSideEffects(company, () =>
      createTransaction(company, BOLETO_REQUEST, DEPS),
    );
    await expectProblem(answer, { status: 422, code: "PROVIDER_NOT_CONFIGURED" });
  });
});
