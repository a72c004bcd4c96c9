import { describe, expect, it } from "vitest";
import { systemDependencies } from "../../../../../src/dependencies.ts";
import { saoPauloDay } from "../../../../../src/domain/shared/business-day.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { createCard, givenToken, NUMBERS } from "../../../../support/builders/charges/card.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { givenCompany } from "../../../../support/builders/companies/company.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { CARD_REQUEST } from "../../../../support/builders/requests/full-request.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { anySecureId, anyTime, anyUuid } from "../../../../support/probes/http/matchers.ts";
import { sharedCompany } from "../../../../support/builders/companies/shared-company.ts";
import { createTransaction, pay } from "../../../../support/builders/charges/transaction.ts";

const CREATE = "POST /api/v1/transactions/create";
const aCode = expect.stringMatching(/^[0-9A-Z]{6}$/);
const anNsu = expect.stringMatching(/^\d{12}$/);

it("a charge that is captured at once is returned as paid, with every field of a card", async () => {
  const company = await givenCompany();
  const answer = await createCard(company, { number: "4111 1111-1111 1111" });
  expect(answer.body).toStrictEqual({
    status: 200,
    message: expect.stringMatching(/\S/),
    data: {
      id: anyUuid,
      externalRef: "",
      amount: 5_000,
      amountText: "R$ 50,00",
      refundedAmount: 0,
      providerCompanyId: company.providerCompanyId,
      companyId: company.id,
      installments: 1,
      paymentMethod: "CREDIT_CARD",
      status: "PAID",
      postbackUrl: "",
      metadata: null,
      traceable: false,
      secureId: anySecureId,
      secureUrl: null,
      currency: "BRL",
      createdAt: anyTime,
      updatedAt: anyTime,
      paidAt: anyTime,
      paidAmount: 5_000,
      underpaid: false,
      endToEndId: null,
      externalNsu: anNsu,
      card: {
        brand: "visa",
        firstDigits: "411111",
        lastDigits: "1111",
        holderName: "MARIA SILVA",
        expirationMonth: 12,
        expirationYear: 2030,
        authorizationCode: aCode,
      },
    },
  });
  await expectDocumented(CREATE, answer);
});

it("a charge without capture is authorized", async () => {
  const company = await givenCompany();
  const answer = await createCard(company, { capture: false });
  const { data } = answer.body;
  expect(data).toMatchObject({ status: "AUTHORIZED", externalNsu: anNsu });
  expect(data.card.authorizationCode).toEqual(aCode);
  expect(data).not.toHaveProperty("paidAt");
  await expectDocumented(CREATE, answer);
});

it.each([
  [NUMBERS.declined, "CARD_DECLINED", false],
  [NUMBERS.withoutFunds, "INSUFFICIENT_FUNDS", true],
  [NUMBERS.expired, "EXPIRED_CARD", false],
  [NUMBERS.wrongCvv, "INCORRECT_CVV", false],
])("%s is refused with %s, retryable %s", async (number, code, retryable) => {
  const company = await givenCompany();
  const answer = await createCard(company, { number });
  expect(answer.status).toBe(200);
  const { data } = answer.body;
  expect(data).toMatchObject({
    status: "REFUSED",
    card: { lastDigits: number.slice(-4), authorizationCode: null },
  });
  const message = expect.stringMatching(/^[A-Z].*\.$/);
  expect(data.refusedReason).toStrictEqual({ code, message, retryable, attemptsLeft: 15 });
  expect(data).not.toHaveProperty("paidAt");
  await expectDocumented(CREATE, answer);
});

describe("idempotency", () => {
  it.each([
    ["PAID", {}],
    ["AUTHORIZED", { capture: false }],
    ["REFUSED", { number: NUMBERS.declined }],
    ["WAITING_PAYMENT", { number: NUMBERS.unanswered }],
  ])("the same key replays %s, and is rejected with 409 for another body", async (status, card) => {
    const company = await givenCompany();
    const first = await createCard(company, card, {}, { key: "tx_1" });
    const again = await createCard(company, card, {}, { key: "tx_1" });
    expect(first.body.data.status).toBe(status);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    expect(again.body).toEqual(first.body);
    const other = await createCard(company, card, { amount: 1 }, { key: "tx_1" });
    await expectProblem(other, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
  });
});

it("the key replays the first response of a token whose acquirer did not respond, also after the payment", async () => {
  const company = await givenCompany();
  const card = { token: await givenToken(company, NUMBERS.unanswered) };
  const create = () => createTransaction(company, { ...CARD_REQUEST, card }, { key: "tx_1" });
  const first = await create();
  expect(first.body.data.status).toBe("WAITING_PAYMENT");
  expect((await pay(company, first.body.data.id)).body.data.status).toBe("PAID");
  expect((await create()).text).toBe(first.text);
});

it("the key replays a card that has expired since", async () => {
  const clock = new TestClock();
  const deps = { ...systemDependencies, platformClock: clock };
  const company = await givenCompany();
  const [year = 0, month = 0] = saoPauloDay(clock.now()).split("-").map(Number);
  const card = { expirationYear: year, expirationMonth: month };
  const first = await createCard(company, card, {}, { key: "tx_1", deps });
  clock.advance(31 * 86_400_000);
  const again = await createCard(company, card, {}, { key: "tx_1", deps });
  expect(again.text).toBe(first.text);
  const other = await createCard(company, card, {}, { key: "tx_2", deps });
  expect(other.status).toBe(400);
});

it("the credit of 12 installments is released monthly, the remainder with the first", async () => {
  const company = await givenCompany();
  const { data } = (await createCard(company, {}, { amount: 10_007, installments: 12 })).body;
  expect(data.installments).toBe(12);
  const path = `/api/Balance/forecast/${company.id}?currency=BRL`;
  const { total, items } = (await call(path, { company })).body;
  expect(total).toBe(10_007);
  expect(items.map((item: { amount: number }) => item.amount)).toEqual([
    844,
    ...Array.from({ length: 11 }, () => 833),
  ]);
});

describe("VALIDATION_FAILED", () => {
  const { card } = CARD_REQUEST;
  const of = (change: object) => ({ card: { ...card, ...change } });
  const payer = ["customer.name", "customer.document.number"];
  it.each<[string, object, string[]]>([
    ["no payer", { customer: undefined }, payer],
    ["no card", { card: undefined }, ["card"]],
    ["neither token nor number", { card: {} }, Object.keys(card).map((name) => `card.${name}`)],
    ["a number without its CVV", of({ cvv: undefined }), ["card.cvv"]],
    [
      "both token and number",
      of({ token: "tok_1" }),
      Object.keys(card).map((name) => `card.${name}`),
    ],
    ["an empty token", { card: { token: "" } }, ["card.token"]],
    ["a bad check digit", of({ number: "4242424242424241" }), ["card.number"]],
    ["a bad check digit of a unionpay", of({ number: "6200000000000006" }), ["card.number"]],
    ["a number as the token", { card: { token: "4242-4242 42424242" } }, ["card.token"]],
    ["a number in the name", of({ holderName: "M 4242 4242 4242 4242" }), ["card.holderName"]],
    ["letters in the number", of({ number: "4242x42424242424" }), ["card.number"]],
    ["3 digits for an amex", of({ number: "378282246310005" }), ["card.cvv"]],
    ["4 digits for a visa", of({ cvv: "1234" }), ["card.cvv"]],
    ["a card of 2020", of({ expirationYear: 2020 }), ["card.expirationYear"]],
    ["a card of 2099", of({ expirationYear: 2099 }), ["card.expirationYear"]],
    [
      "month 13 of 2020",
      of({ expirationMonth: 13, expirationYear: 2020 }),
      ["card.expirationMonth", "card.expirationYear"],
    ],
    ["month 0", of({ expirationMonth: 0 }), ["card.expirationMonth"]],
    [
      "a descriptor of 14",
      of({ statementDescriptor: "x".repeat(14) }),
      ["card.statementDescriptor"],
    ],
    ["capture that is not a boolean", of({ capture: "false" }), ["card.capture"]],
    [
      "all at once",
      { ...of({ number: "1", cvv: 1, expirationMonth: 13 }), customer: undefined, amount: 0 },
      ["amount", ...payer, "card.number", "card.cvv", "card.expirationMonth"],
    ],
    [
      "missing fields next to invalid ones",
      { card: { number: 5, capture: "false" } },
      [...Object.keys(card).map((name) => `card.${name}`), "card.capture"],
    ],
  ])("%s", async (_what, change, fields) => {
    const company = await sharedCompany();
    const answer = await expectNoSideEffects(company, () =>
      createTransaction(company, { ...CARD_REQUEST, ...change }),
    );
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields });
  });
});

describe("business rules", () => {
  it("INSTALLMENTS_NOT_ALLOWED: rejects 13 installments", async () => {
    const company = await sharedCompany();
    const answer = await expectNoSideEffects(company, () =>
      createCard(company, {}, { installments: 13 }),
    );
    const refusal = { code: "INSTALLMENTS_NOT_ALLOWED", fields: ["installments"] };
    await expectProblem(answer, { status: 422, ...refusal });
  });

  it("RAW_CARD_NOT_ALLOWED: rejects a card number of a live company, with any provider", async () => {
    const company = await givenCompany({ mode: "live" });
    const raw = await expectNoSideEffects(company, () => createCard(company));
    await expectProblem(raw, { status: 422, code: "RAW_CARD_NOT_ALLOWED" });
    const card = { token: await givenToken(await sharedCompany()) };
    const token = await createTransaction(company, { ...CARD_REQUEST, card });
    await expectProblem(token, { status: 422, code: "PROVIDER_NOT_CONFIGURED" });
  });

  it("CHARGE_REFUSED: stores the refusal of an unknown token under the key", async () => {
    const company = await givenCompany();
    const body = { ...CARD_REQUEST, card: { token: "tok_unknown" } };
    const refusal = { status: 422, code: "CHARGE_REFUSED" };
    await expectProblem(await createTransaction(company, body, { key: "tx_1" }), refusal);
    const again = await createTransaction(company, body, { key: "tx_1" });
    await expectProblem(again, { ...refusal, replayed: true });
  });
});
