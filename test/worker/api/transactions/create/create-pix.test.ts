import { describe, expect, it } from "vitest";
import { findTransaction } from "../../../../../src/api/transactions/repository.ts";
import { chargeTerms } from "../../../../../src/db/projection/transaction-mapper.ts";
import { saoPauloDay } from "../../../../../src/domain/shared/business-day.ts";
import { addDays, weekday } from "../../../../../src/domain/shared/calendar-day.ts";
import { parseBrCode } from "../../../../../src/methods/pix/br-code-parser.ts";
import { providerRegistry } from "../../../../../src/providers/registry.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { sharedCompany } from "../../../../support/builders/companies/shared-company.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import {
  registerCharge,
  ScriptedProvider,
  giveNoResponse,
} from "../../../../support/fakes/provider.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { anyBrCode } from "../../../../support/probes/http/matchers.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";
import {
  createTransaction,
  givenTransaction,
  pay,
} from "../../../../support/builders/charges/transaction.ts";

const DAY_MS = 86_400_000;
const INVALID = { status: 400, code: "VALIDATION_FAILED" };
const CUSTOMER = { name: "Maria", document: { number: "52998224725", type: "CPF" } };
const TEXTS = { payerMessage: "Seu pedido?", additionalInfo: [{ name: "Pedido", value: "1001" }] };

/** A clock on a Monday, so that no weekend moves a due date of the same week. */
function mondayClock(): TestClock {
  const clock = new TestClock();
  while (weekday(saoPauloDay(clock.now())) !== 1) clock.advance(DAY_MS);
  return clock;
}

const clock = mondayClock();
const DEPS = { deps: { platformClock: clock } };
const TODAY = saoPauloDay(clock.now());
const day = (count: number) => addDays(TODAY, count);

/** Due on Wednesday. */
const TERMS = {
  dueDate: day(2),
  validityAfterDue: 5,
  fine: { type: "PERCENTAGE", value: 200 },
  interest: { value: 300 },
  discount: { type: "FIXED", value: 500, untilDate: day(1) },
};
const due = (pix: object = TERMS, rest: object = {}) => ({
  amount: 5_000,
  customer: CUSTOMER,
  pix,
  ...rest,
});

describe("a PIX with a due date", () => {
  it("answers its terms and what is owed that day, and a code without an amount", async () => {
    const company = await givenCompany();
    const answer = await createTransaction(company, due({ ...TERMS, ...TEXTS }), DEPS);
    expect(answer.body.data).toMatchObject({ status: "WAITING_PAYMENT", amount: 5_000 });
    const { pix } = answer.body.data;
    expect(pix).toStrictEqual({
      qrcode: anyBrCode,
      url: null,
      // Wednesday and five days: Monday, to its last second in São Paulo.
      expirationDate: `${day(8)}T02:59:59.000Z`,
      dueDate: day(2),
      validityAfterDue: 5,
      fine: TERMS.fine,
      interest: TERMS.interest,
      discount: TERMS.discount,
      amountDue: 4_500,
      amountDueOn: TODAY,
    });
    expect(parseBrCode(pix.qrcode)).toMatchObject({
      valid: true,
      content: { kind: "dynamic", location: expect.stringContaining("/cobv/") },
    });
    const decoded = await call(`/api/v1/pix/decode?code=${encodeURIComponent(pix.qrcode)}`);
    expect(decoded.body).toMatchObject({ valid: true, kind: "dynamic", amount: null });
    await expectDocumented("POST /api/v1/transactions/create", answer);
  });

  it("is valid for 30 days without fine, interest and discount unless it says otherwise", async () => {
    const company = await givenCompany();
    const { pix } = await givenTransaction(company, due({ dueDate: TODAY }), DEPS);
    const none = { fine: null, interest: null, discount: null };
    expect(pix).toMatchObject({ validityAfterDue: 30, ...none, amountDue: 5_000 });
  });

  it.each([
    ["in time for the discount", 1, 4_500],
    ["on the due date", 2, 5_000],
    ["two days late: 2 % once, and 3 % a month for 2 days", 4, 5_110],
  ])("paid %s, without an amount, costs what is due that day", async (_when, days, paidAmount) => {
    const company = await givenCompany();
    const later = mondayClock();
    const deps = { deps: { platformClock: later, providers: () => providerRegistry(env, later) } };
    const { id } = await givenTransaction(company, due(), deps);
    later.advance(days * DAY_MS);

    const { body } = await pay(company, id, undefined, deps);

    expect(body.data).toMatchObject({
      status: "PAID",
      amount: 5_000,
      paidAmount,
      underpaid: false,
    });
    expect(body.data.pix).toMatchObject({ amountDue: paidAmount, amountDueOn: day(days) });
    const [event] = await eventsOf(company);
    expect(event?.body).toMatchObject({ data: { paidAmount, pix: { amountDue: paidAmount } } });
  });

  it("is underpaid in every view by a centavo less than is due", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company, due(), DEPS);
    expect((await pay(company, id, 4_499, DEPS)).body.data.underpaid).toBe(true);
    const list = await call("/api/Transaction/company/transactions", { company });
    const search = await call("/api/v1/transactions?status=PAID", { company });
    const byId = await call(`/api/v1/transactions?ids=${id}`, { company });
    for (const { items } of [list.body.res, search.body, byId.body]) {
      expect(items).toMatchObject([{ paidAmount: 4_499, underpaid: true }]);
    }
  });

  it("is open for a week after its last day, because of holidays, and is then cancelled", async () => {
    const company = await givenCompany();
    const later = mondayClock();
    const deps = { platformClock: later };
    const { id, pix } = await givenTransaction(company, due(), { deps });
    const statuses = async () => {
      const path = `/api/Transaction/transactionByTransactionId/${id}`;
      const detail = await call(path, { company, deps });
      const found = await call("/api/v1/transactions?status=CANCELLED", { company, deps });
      return [detail.body.enStatusTransaction, found.body.items.length];
    };
    later.advance(Date.parse(pix.expirationDate) - later.now() + 7 * DAY_MS - 1);
    expect(await statuses()).toEqual(["Awaiting", 0]);
    later.advance(1);
    expect(await statuses()).toEqual(["Cancelled", 1]);
  });

  it("is resumed by its key on a later day as the same order", async () => {
    const company = await givenCompany();
    const later = mondayClock();
    const provider = new ScriptedProvider(giveNoResponse);
    const options = { key: "tx_1", deps: { ...provider.deps, platformClock: later } };
    const request = due({ ...TERMS, ...TEXTS, dueDate: TODAY, discount: undefined });
    const { status } = await createTransaction(company, request, options);
    expect(status).toBe(503);
    provider.onCreate = registerCharge;
    later.advance(DAY_MS);
    const resumed = await createTransaction(company, request, options);
    const replay = await createTransaction(company, request, options);
    expect([resumed.status, replay.text]).toEqual([200, resumed.text]);
    const [first, second] = provider.orders;
    expect(second).toEqual(first);
    expect(second).toMatchObject({ pix: { ...TEXTS, due: { dueDate: TODAY, discount: null } } });
    const other = await createTransaction(
      company,
      { ...request, pix: { dueDate: TODAY } },
      options,
    );
    await expectProblem(other, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
  });
});

describe("a PIX without a due date", () => {
  it("ends after its seconds, and its answer does not repeat the texts for the payer", async () => {
    const company = await givenCompany();
    const pix = { expiresInSeconds: 90, ...TEXTS };
    const created = await givenTransaction(company, { pix }, DEPS);
    expect(Date.parse(created.pix.expirationDate)).toBe(Date.parse(created.createdAt) + 90_000);
    expect(Object.keys(created.pix)).toEqual(["qrcode", "url", "expirationDate"]);
    const row = await findTransaction(env, company.id, created.id);
    expect(row?.pix).toMatchObject(TEXTS);
    // Events are counted without them.
    const plain = { ...row!, pix: { ...created.pix, expirationDate: clock.now() + 90_000 } };
    expect(chargeTerms(row!).textBytes).toBe(chargeTerms(plain).textBytes);
  });

  it("keeps nothing of empty texts", async () => {
    const company = await sharedCompany();
    const { id } = await givenTransaction(company, {
      pix: { payerMessage: "", additionalInfo: [] },
    });
    const row = await findTransaction(env, company.id, id);
    expect(Object.keys(row?.pix ?? {})).toEqual(["qrcode", "url", "expirationDate"]);
  });
});

const info = (count: number) => Array.from({ length: count }, () => ({ name: "a", value: "b" }));

describe("VALIDATION_FAILED", () => {
  it.each<[string, object, string[]]>([
    ["days and seconds", { expiresInDays: 1, expiresInSeconds: 60 }, ["expiresInSeconds"]],
    ["a due date and days", { ...TERMS, expiresInDays: 1 }, ["dueDate"]],
    ["a due date and seconds", { ...TERMS, expiresInSeconds: 60 }, ["dueDate"]],
    ["a past day", { dueDate: day(-1) }, ["dueDate"]],
    ["more than five years", { dueDate: day(1_828) }, ["dueDate"]],
    ["no day", { dueDate: "2027-02-29" }, ["dueDate"]],
    [
      "terms without a due date",
      { validityAfterDue: 0, fine: TERMS.fine, interest: { value: 0 }, discount: TERMS.discount },
      ["validityAfterDue", "fine", "interest", "discount"],
    ],
    [
      "a discount after the due date, and of everything",
      { ...TERMS, discount: { type: "FIXED", value: 5_000, untilDate: day(3) } },
      ["discount.untilDate", "discount.value"],
    ],
    [
      "more than all of it, and a type of none",
      {
        ...TERMS,
        fine: { type: "PERCENTAGE", value: 10_001 },
        interest: { value: -1 },
        discount: {},
      },
      ["fine.value", "interest.value", "discount.type", "discount.value"],
    ],
    ["51 entries", { additionalInfo: info(51) }, ["additionalInfo"]],
    [
      "entries without name or value",
      { additionalInfo: [{ name: "", value: "x" }, { name: "x" }] },
      ["additionalInfo.0.name", "additionalInfo.1.value"],
    ],
    [
      "a card number in the texts",
      {
        payerMessage: "4242 4242 4242 4242",
        additionalInfo: [{ name: "a", value: "4242424242424242" }],
      },
      ["payerMessage", "additionalInfo.0.value"],
    ],
  ])("%s", async (_what, pix, fields) => {
    const company = await sharedCompany();
    const answer = await expectNoSideEffects(company, () =>
      createTransaction(company, due(pix), DEPS),
    );
    await expectProblem(answer, { ...INVALID, fields: fields.map((field) => `pix.${field}`) });
  });

  it("a due date without a payer's name and document, beside other faults", async () => {
    const company = await sharedCompany();
    const answer = await expectNoSideEffects(company, () =>
      createTransaction(company, { amount: 0, pix: { dueDate: TODAY } }, DEPS),
    );
    const fields = ["amount", "customer.name", "customer.document.number"];
    await expectProblem(answer, { ...INVALID, fields });
  });

  it("a null due date is none, and 50 entries are accepted", async () => {
    const company = await sharedCompany();
    const pix = { dueDate: null, additionalInfo: info(50) };
    expect((await createTransaction(company, { pix }, DEPS)).status).toBe(200);
  });
});
