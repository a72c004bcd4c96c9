import { beforeAll, describe, expect, it } from "vitest";
import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../../src/domain/shared/calendar-day.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { BOLETO_REQUEST } from "../../../support/builders/requests/full-request.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { callAsOperator } from "../../../support/builders/companies/operator.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { refund, simulate } from "../../../support/builders/operations/refund.ts";
import { anyEndToEndId } from "../../../support/probes/http/matchers.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";

const DAY_MS = 86_400_000;

/** A clock on a Monday, so that no weekend moves the due date. */
function mondayClock(): TestClock {
  const clock = new TestClock();
  while (new Date(`${saoPauloDay(clock.now())}T12:00Z`).getUTCDay() !== 1) clock.advance(DAY_MS);
  return clock;
}

const givenBoleto = (company: TestCompany, boleto: object = {}, clock = new TestClock()) =>
  givenTransaction(company, { ...BOLETO_REQUEST, boleto }, { deps: { platformClock: clock } });

const payWith = (company: TestCompany, id: string, body: object) =>
  call(`/api/v1/sandbox/transactions/${id}/pay`, { company, body });

describe("the due amount when no amount is sent", () => {
  const terms = {
    fine: { type: "PERCENTAGE", value: 200 },
    interest: { value: 300 },
    discount: { type: "FIXED", value: 500 },
  };
  let company: TestCompany;
  beforeAll(async () => {
    company = await givenCompany();
  });

  it.each([
    ["early", 1, {}, 4_500],
    ["in time after the discount's day", 1, { untilDate: 0 }, 5_000],
    ["late: 2 % once, and 3 % a month for 2 days", 3, {}, 5_110],
  ])("%s", async (_when, day, discount: { untilDate?: number }, paidAmount) => {
    const clock = mondayClock();
    const today = saoPauloDay(clock.now());
    const { untilDate } = discount;
    const until = untilDate === undefined ? {} : { untilDate: addDays(today, untilDate) };
    const boleto = { ...terms, discount: { ...terms.discount, ...until } };
    const { id } = await givenBoleto(company, { ...boleto, expiresInDays: 1 }, clock);
    clock.advance(day * DAY_MS);
    const { body } = await pay(company, id, undefined, { deps: { platformClock: clock } });
    expect(body.data).toMatchObject({ status: "PAID", amount: 5_000, paidAmount });
  });

  it("a requested amount is the paid amount", async () => {
    const { id } = await givenBoleto(company, terms);
    expect((await pay(company, id, 123)).body.data).toMatchObject({ paidAmount: 123 });
  });
});

describe("the way of payment", () => {
  it("by barcode has no end-to-end id and releases the credit a day later", async () => {
    const company = await givenCompany();
    const { id } = await givenBoleto(company);
    const { body } = await pay(company, id);
    expect(body.data).toMatchObject({ status: "PAID", endToEndId: null, externalNsu: null });
    expect(await accountsOf(company)).toMatchObject({ awaiting: 5_000 });
  });

  it("by PIX code has the end-to-end id of that PIX", async () => {
    const company = await givenCompany();
    const { id } = await givenBoleto(company);
    const { body } = await payWith(company, id, { method: "PIX" });
    expect(body.data).toMatchObject({ status: "PAID", endToEndId: anyEndToEndId });
    await payWith(company, id, { method: "BOLETO" });
    const { items } = (await callAsOperator(`/companies/${company.id}/suspense`)).body;
    expect(items).toMatchObject([{ paymentId: expect.stringMatching(/^B/), amount: 5_000 }]);
  });

  it("VALIDATION_FAILED: a PIX has no barcode", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    for (const method of ["BOLETO", "CREDIT_CARD"]) {
      const answer = await payWith(company, id, { method });
      await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["method"] });
    }
  });
});

it("an expired boleto is paid by a late payment", async () => {
  const company = await givenCompany();
  const { id } = await givenBoleto(company);
  const expired = await simulate(company, id, "expire");
  expect(expired.body.data).toMatchObject({ status: "CANCELLED", cancelReason: "EXPIRED" });
  expect((await pay(company, id)).body.data).toMatchObject({ status: "PAID", paidAmount: 5_000 });
});

it("a boleto fails, is refunded and charged back like a PIX", async () => {
  const company = await givenCompany();
  const failed = await givenBoleto(company);
  expect((await simulate(company, failed.id, "fail")).body.data.status).toBe("FAILED");
  const refunded = await givenBoleto(company);
  await pay(company, refunded.id);
  expect((await refund(company, refunded.id)).body.data.status).toBe("REFUNDED");
  const back = await givenBoleto(company);
  const before = await simulate(company, back.id, "chargeback");
  await expectProblem(before, { status: 409, code: "INVALID_STATE" });
  await pay(company, back.id);
  expect((await simulate(company, back.id, "chargeback")).body.data).toMatchObject({
    status: "REFUNDED",
    refundReason: "CHARGEBACK",
    refundedAmount: 5_000,
  });
});

it.each([
  ["PIX", "MED"],
  ["BOLETO", "CHARGEBACK"],
])("a dispute that is lost after a payment by %s is a %s", async (method, refundReason) => {
  const company = await givenCompany();
  const { id } = await givenBoleto(company);
  await payWith(company, id, { method });
  await simulate(company, id, "dispute");
  const resolve = `/api/v1/sandbox/transactions/${id}/dispute/resolve`;
  const lost = await call(resolve, { company, body: { outcome: "lost" } });
  expect(lost.body.data).toMatchObject({ status: "REFUNDED", refundReason });
});
