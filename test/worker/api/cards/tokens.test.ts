import { describe, expect, it } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import {
  createCard,
  givenToken,
  NUMBERS,
  tokenize,
} from "../../../support/builders/charges/card.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { CARD_REQUEST } from "../../../support/builders/requests/full-request.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { anyTime } from "../../../support/probes/http/matchers.ts";
import { sharedCompany } from "../../../support/builders/companies/shared-company.ts";
import { createTransaction } from "../../../support/builders/charges/transaction.ts";
import vectors from "../../../vectors/cards.json";

const aToken = expect.stringMatching(/^tok_[0-9a-f]{32}$/);
const INVALID = { status: 400, code: "VALIDATION_FAILED" };

/** A create by token only. */
const charge = (company: Parameters<typeof createCard>[0], token: string) =>
  createTransaction(company, { ...CARD_REQUEST, card: { token } });

it("the token response shows only the card data that may be stored", async () => {
  const company = await sharedCompany();
  const answer = await tokenize(company);
  expect(answer.status).toBe(201);
  expect(answer.body).toStrictEqual({
    token: aToken,
    card: {
      brand: "visa",
      firstDigits: "424242",
      lastDigits: "4242",
      holderName: "MARIA SILVA",
      expirationMonth: 12,
      expirationYear: 2030,
    },
    createdAt: anyTime,
  });
  await expectDocumented("POST /api/v1/cards/tokens", answer);
  expect((await tokenize(company)).body.token).not.toBe(answer.body.token);
});

describe("the vectors of card numbers", () => {
  for (const { number, cardValidator: expected } of vectors.cases) {
    it(`${number} is ${expected.isValid ? expected.brand : "no card"}`, async () => {
      const company = await sharedCompany();
      const digits = number.replaceAll(" ", "");
      const answer = await tokenize(company, {
        number,
        cvv: expected.code?.size === 4 ? "1234" : "123",
      });
      if (!expected.isValid) return expectProblem(answer, { ...INVALID, fields: ["number"] });
      expect(answer.body.card).toMatchObject({
        brand: expected.brand,
        firstDigits: digits.slice(0, 6),
        lastDigits: digits.slice(-4),
      });
    });
  }

  it.each(vectors.cvv.filter(({ length }) => length === 3))(
    "the CVV $input of a visa is valid: $isValid",
    async ({ input, isValid }) => {
      const answer = await tokenize(await sharedCompany(), { cvv: input });
      expect(answer.status).toBe(isValid ? 201 : 400);
    },
  );
});

describe("VALIDATION_FAILED", () => {
  it.each([
    ["a bad check digit", { number: "4242424242424241" }, ["number"]],
    ["a number", { number: 4242424242424242 }, ["number"]],
    ["a CVV of four digits for a visa", { cvv: "1234" }, ["cvv"]],
    ["a CVV of three digits for an amex", { number: "378282246310005" }, ["cvv"]],
    ["a past year", { expirationYear: 2020 }, ["expirationYear"]],
    ["month 13", { expirationMonth: 13 }, ["expirationMonth"]],
    ["no name", { holderName: "" }, ["holderName"]],
    ["all of it", { number: "1", cvv: "", expirationYear: 1 }, ["cvv", "expirationYear", "number"]],
  ])("%s", async (_what, card, fields) => {
    await expectProblem(await tokenize(await sharedCompany(), card), { ...INVALID, fields });
  });

  it("an empty body", async () => {
    const company = await sharedCompany();
    await expectProblem(await call("/api/v1/cards/tokens", { company, body: {} }), {
      ...INVALID,
      fields: Object.keys(CARD_REQUEST.card),
    });
  });
});

describe("a charge by token", () => {
  it("equals a charge of its card each time the token is used", async () => {
    const company = await givenCompany();
    const token = await givenToken(company);
    const { card } = (await createCard(company)).body.data;
    for (let time = 0; time < 2; time++) {
      const answer = await charge(company, token);
      expect(answer.body.data).toMatchObject({
        status: "PAID",
        card: { ...card, authorizationCode: expect.any(String) },
      });
    }
  });

  it.each([
    [NUMBERS.declined, "REFUSED", "CARD_DECLINED"],
    [NUMBERS.withoutFunds, "REFUSED", "INSUFFICIENT_FUNDS"],
    [NUMBERS.unanswered, "WAITING_PAYMENT", undefined],
  ])("of %s is %s", async (number, status, code) => {
    const company = await givenCompany();
    const { data } = (await charge(company, await givenToken(company, number))).body;
    expect([data.status, data.refusedReason?.code]).toEqual([status, code]);
  });

  it("CHARGE_REFUSED: rejects an unknown token and another company's token", async () => {
    const company = await givenCompany();
    const theirs = await givenToken(await givenCompany());
    for (const token of ["tok_unknown", theirs]) {
      const answer = await charge(company, token);
      await expectProblem(answer, { status: 422, code: "CHARGE_REFUSED" });
    }
  });
});
