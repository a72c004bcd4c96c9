import { expect, it } from "vitest";
import { providerChargeId } from "../../../../src/domain/charges/transaction.ts";
import { saoPauloDay } from "../../../../src/domain/shared/business-day.ts";
import { addDays } from "../../../../src/domain/shared/calendar-day.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";
import {
  createTransaction,
  givenTransaction,
  pay,
} from "../../../support/builders/charges/transaction.ts";
import { givenBoleto } from "../../../support/builders/charges/boleto-at-bank.ts";
import { createCard } from "../../../support/builders/charges/card.ts";
import {
  env,
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import {
  CLAIM_EXPIRED_MS,
  freshEndToEndId,
  runOperation,
} from "../../../support/builders/operations/object-operations.ts";
import { cancel, changeDueDate } from "../../../support/builders/operations/refund.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { expectNoSideEffects } from "../../../support/probes/ledger/footprint.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const DAY_MS = 86_400_000;
const CUSTOMER = { name: "Maria da Conceição", document: { number: "12345678909" } };
const BOLETO = { amount: 2_500, paymentMethod: "BOLETO", customer: CUSTOMER };
const REFUSED = { kind: "refused", reason: "Data de vencimento inválida." } as const;
const UNKNOWN = { kind: "unknown" } as const;

function paymentOf(amount: number, paidAt: number) {
  return { paymentId: freshEndToEndId(), method: "PIX" as const, amount, paidAt };
}

async function currentOf(company: TestCompany, id: string, deps: object = {}) {
  await waitUntilDrained(company);
  return (await call(`/api/v1/transactions/${id}`, { company, deps })).body.data;
}

it("a sandbox boleto gets its new day, line and expiry in every view, and no webhook tells of it", async () => {
  const company = await givenCompany();
  const created = await givenTransaction(company, BOLETO);
  const dueDate = addDays(created.boleto.dueDate, 10);

  const answer = await changeDueDate(company, created.id, dueDate);

  expect(answer.status).toBe(200);
  const { boleto, ...rest } = answer.body.data;
  expect(rest).toEqual({
    ...created,
    boleto: undefined,
    updatedAt: expect.any(String),
  });
  expect(boleto).toMatchObject({ dueDate, ourNumber: created.boleto.ourNumber });
  expect(boleto.digitableLine).not.toBe(created.boleto.digitableLine);
  expect(Date.parse(boleto.expirationDate) - Date.parse(created.boleto.expirationDate)).toBe(
    10 * DAY_MS,
  );
  expect((await currentOf(company, created.id)).boleto).toEqual(boleto);
  const slip = await call(new URL(boleto.url).pathname);
  expect(slip.text).toContain(boleto.formattedLine);
  expect(await eventsOf(company)).toEqual([]);
  expect(await transactionsOf(company)).toMatchObject([
    { nextSweepAt: Date.parse(boleto.expirationDate) },
  ]);
});

it("the timeline says which day became which, and who is told of a payment after it sees the new boleto", async () => {
  const company = await givenCompany();
  const { id, boleto } = await givenTransaction(company, BOLETO);
  const dueDate = addDays(boleto.dueDate, 1);
  await changeDueDate(company, id, dueDate);
  await pay(company, id);

  const { items } = (await call(`/api/v1/transactions/${id}/timeline`, { company })).body;
  const operations = items.filter(({ kind }: { kind: string }) => kind === "operation");
  const days = { from: boleto.dueDate, to: dueDate };
  expect(operations).toMatchObject([
    { operation: "due_date", status: "PENDING", amount: 0, dueDate: days },
    { operation: "due_date", status: "DONE", amount: 0, dueDate: days },
  ]);
  const [event] = await eventsOf(company);
  expect(event?.body.data).toMatchObject({ status: "PAID", boleto: { dueDate } });
});

it("a charge that is no boleto keeps its day: its account changes none", async () => {
  const company = await givenCompany();
  const pix = await givenTransaction(company);

  const answer = await expectNoSideEffects(company, () =>
    changeDueDate(company, pix.id, "2040-01-01"),
  );

  await expectProblem(answer, { status: 422, code: "NOT_SUPPORTED_BY_PROVIDER" });
});

it("a day that is today, too late or before the discount's is refused at its field, and nothing is sent", async () => {
  const { company, bank, today, change } = await givenBoleto({
    discount: { type: "FIXED", value: 100, untilDate: addDays(saoPauloDay(Date.now()), 2) },
  });

  for (const [day, rule] of [
    [today, "afterToday"],
    [addDays(today, 1), "notBefore"],
    ["2049-10-14", "notAfter"],
    ["2026-02-30", "calendarDay"],
  ] as const) {
    const answer = await expectNoSideEffects(company, () => change(day));
    await expectProblem(answer, {
      status: 400,
      code: "VALIDATION_FAILED",
      fields: ["dueDate"],
    });
    expect(answer.body.rules.dueDate).toMatchObject([{ rule }]);
  }
  expect(bank.dueDateChanges).toEqual([]);
});

it("a paid or cancelled boleto keeps its day", async () => {
  const company = await givenCompany();
  const [paid, cancelled] = [
    await givenTransaction(company, BOLETO),
    await givenTransaction(company, BOLETO),
  ];
  await pay(company, paid.id);
  await cancel(company, cancelled.id);
  await waitUntilDrained(company);

  for (const { id, boleto } of [paid, cancelled]) {
    const answer = await expectNoSideEffects(company, () =>
      changeDueDate(company, id, addDays(boleto.dueDate, 5)),
    );
    await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
  }
});

it("a day that the house refuses is DUE_DATE_REFUSED, and the boleto keeps the one it had", async () => {
  const { company, bank, created, id, change, today, deps } = await givenBoleto();
  bank.onDueDate = async () => REFUSED;

  const answer = await change(addDays(today, 9));

  await expectProblem(answer, { status: 422, code: "DUE_DATE_REFUSED" });
  expect(answer.body.detail).toContain(REFUSED.reason);
  expect((await currentOf(company, id, deps)).boleto).toEqual(created.boleto);
});

it("the key answers the same, also when the day has passed and another was chosen", async () => {
  const { clock, today, change } = await givenBoleto();
  const first = await change(addDays(today, 5), "due_1");
  await change(addDays(today, 6), "due_2");
  clock.advance(7 * DAY_MS);

  const replay = await change(addDays(today, 5), "due_1");

  expect(replay.status).toBe(200);
  expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
  expect(replay.body).toEqual(first.body);
  const other = await change(addDays(today, 20), "due_1");
  await expectProblem(other, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
});

it("without an answer the change goes on beside nothing else, and is looked up until its house has the day", async () => {
  const { clock, company, bank, deps, today, created, id, change } = await givenBoleto();
  bank.onDueDate = async () => UNKNOWN;

  expect((await change(addDays(today, 9), "due_1")).status).toBe(202);
  expect((await currentOf(company, id, deps)).boleto).toEqual(created.boleto);
  const other = await change(addDays(today, 4));
  await expectProblem(other, { status: 409, code: "INVALID_STATE" });
  expect(other.body.detail).toContain("change of its due date in progress");

  bank.onDueDate = new FakeBank().onDueDate;
  clock.advance(CLAIM_EXPIRED_MS);
  await runOperation(company, bank, clock);

  expect(bank.dueDateChanges.map(({ chargeId }) => chargeId)).toEqual(
    Array.from({ length: 2 }, () => providerChargeId(id)),
  );
  const { boleto } = await currentOf(company, id, deps);
  expect(boleto.dueDate).toBe(addDays(today, 9));
  expect((await cancel(company, id, { deps })).status).toBe(200);
});

it("a refusal of a repeat counts only once the first call cannot be on its way any more", async () => {
  const { clock, company, bank, today, change } = await givenBoleto();
  bank.onDueDate = async () => UNKNOWN;
  await change(addDays(today, 9), "due_1");
  bank.onDueDate = async () => REFUSED;
  const changeAgain = async () => {
    await runOperation(company, bank, clock);
    return change(addDays(today, 10));
  };

  clock.advance(CLAIM_EXPIRED_MS);
  await expectProblem(await changeAgain(), { status: 409, code: "INVALID_STATE" });
  clock.advance(DAY_MS);

  await expectProblem(await changeAgain(), { status: 422, code: "DUE_DATE_REFUSED" });
});

it("a payment during the change is credited once, under whichever day it was paid", async () => {
  const fine = { type: "FIXED", value: 500 };
  const { clock, company, bank, deps, today, id, change, sync } = await givenBoleto({ fine });
  clock.advance(8 * DAY_MS);
  bank.onDueDate = async (order) => {
    const changed = await new FakeBank().onDueDate(order);
    // The payer has the new line already: no fine.
    bank.setPayments(paymentOf(2_500, clock.now()));
    expect(await sync()).toBe("paid");
    return changed;
  };

  const answer = await change(addDays(today, 20));

  expect(answer.body.data).toMatchObject({
    status: "PAID",
    paidAmount: 2_500,
    boleto: { dueDate: addDays(today, 20) },
  });
  await sync();
  expect(await accountsOf(company)).toMatchObject({ awaiting: 2_500 });
  expect((await eventsOf(company)).map(({ type }) => type)).toEqual(["transaction.paid"]);
  expect((await currentOf(company, id, deps)).boleto.dueDate).toBe(addDays(today, 20));
});

it("a payment by the old line, with its fine, is expected after the change", async () => {
  const fine = { type: "FIXED", value: 500 };
  const { clock, company, bank, today, change, sync } = await givenBoleto({ fine });
  clock.advance(8 * DAY_MS);
  expect((await change(addDays(today, 20))).status).toBe(200);
  bank.setPayments(paymentOf(3_000, clock.now()));

  expect(await sync()).toBe("paid");

  expect((await eventsOf(company)).map(({ type }) => type)).toEqual(["transaction.paid"]);
});

it("an amount that no day explains is unexpected", async () => {
  const { company, bank, clock, today, change, sync } = await givenBoleto();
  await change(addDays(today, 20));
  bank.setPayments(paymentOf(2_600, clock.now()));

  await sync();

  expect((await eventsOf(company)).map(({ type }) => type)).toContain("payment.unexpected");
});

it("a boleto that is paid when its house refuses is credited, and the change is a conflict", async () => {
  const { clock, company, bank, today, change } = await givenBoleto();
  bank.onDueDate = async () => {
    bank.setPayments(paymentOf(2_500, clock.now()));
    return REFUSED;
  };

  const answer = await change(addDays(today, 9));

  await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
  expect(await accountsOf(company)).toMatchObject({ awaiting: 2_500 });
});

it("a payer is reminded by the new day", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const deps = { platformClock: clock };
  const reminders = {
    email: true,
    daysBefore: [1],
    daysAfter: [],
    quietHours: { from: 20, to: 8 },
  };
  await call("/api/v1/company/settings", { method: "PUT", company, deps, body: { reminders } });
  const customer = { ...CUSTOMER, email: "maria@example.com" };
  const created = await createTransaction(company, { ...BOLETO, customer }, { deps });
  const { id, boleto } = created.body.data;

  await changeDueDate(company, id, addDays(boleto.dueDate, 10), { deps });

  const { results } = await env.DB.prepare("SELECT id FROM emails WHERE subject = ? ORDER BY id")
    .bind(id)
    .all<{ id: string }>();
  expect(results.map((row) => row.id.slice(-10))).toEqual([
    addDays(boleto.dueDate, -1),
    addDays(boleto.dueDate, 9),
  ]);
});

it("a repeat under the key of a change that was under way learns its outcome, and then always the same", async () => {
  const { clock, company, bank, today, change } = await givenBoleto();
  bank.onDueDate = async () => UNKNOWN;
  expect((await change(addDays(today, 9), "due_1")).status).toBe(202);
  bank.onDueDate = new FakeBank().onDueDate;
  clock.advance(CLAIM_EXPIRED_MS);
  await runOperation(company, bank, clock);

  const learnt = await change(addDays(today, 9), "due_1");

  expect(learnt.status).toBe(200);
  expect(learnt.body.data.boleto.dueDate).toBe(addDays(today, 9));
  await change(addDays(today, 12), "due_2");
  expect((await change(addDays(today, 9), "due_1")).body).toEqual(learnt.body);
});

it("a payment by the day of a change that failed here is expected: its house may have it", async () => {
  const { clock, company, bank, today, change, sync } = await givenBoleto({
    fine: { type: "FIXED", value: 500 },
  });
  bank.onDueDate = async () => REFUSED;
  await change(addDays(today, 20));
  clock.advance(8 * DAY_MS);
  bank.setPayments(paymentOf(2_500, clock.now()));

  expect(await sync()).toBe("paid");

  expect((await eventsOf(company)).map(({ type }) => type)).toEqual(["transaction.paid"]);
});

it("a paid card is a conflict, as for a cancel", async () => {
  const company = await givenCompany();
  const { body } = await createCard(company);

  const answer = await changeDueDate(company, body.data.id, "2040-01-01");

  await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
});

it("the twenty-first change is a conflict that names the limit", async () => {
  const { bank, today, change } = await givenBoleto();
  bank.onDueDate = async () => REFUSED;
  for (let day = 1; day <= 20; day += 1) {
    await expectProblem(await change(addDays(today, 5 + day)), {
      status: 422,
      code: "DUE_DATE_REFUSED",
    });
  }

  const answer = await change(addDays(today, 30));

  await expectProblem(answer, { status: 409, code: "INVALID_STATE" });
  expect(answer.body.detail).toContain("had this 20 times already");
});
