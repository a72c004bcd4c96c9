import { expect, it } from "vitest";
import { requireTransaction } from "../../../../src/api/transactions/attempts/shown-at.ts";
import { sweepTransactions } from "../../../../src/api/transactions/sweep/tasks.ts";
import { syncCharge } from "../../../../src/api/transactions/sync.ts";
import { addDays } from "../../../../src/domain/shared/calendar-day.ts";
import { givenBoleto } from "../../../support/builders/charges/boleto-at-bank.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";
import {
  env,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { bookingOf } from "../../../support/builders/operations/operations.ts";
import {
  CLAIM_EXPIRED_MS,
  DAY_MS,
  freshEndToEndId,
  runOperation,
} from "../../../support/builders/operations/object-operations.ts";
import { cancel } from "../../../support/builders/operations/refund.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const REFUSED = { kind: "refused", reason: "Data de vencimento inválida." } as const;
const UNKNOWN = { kind: "unknown" } as const;

async function currentOf(company: TestCompany, id: string, deps: object) {
  await waitUntilDrained(company);
  return (await call(`/api/v1/transactions/${id}`, { company, deps })).body.data;
}

it("the end of the earlier day ends no boleto whose day is being changed, or was", async () => {
  const { clock, company, bank, deps, today, id, change, sync } = await givenBoleto();
  clock.advance(6 * DAY_MS);
  bank.onDueDate = async (order) => {
    clock.advance(2 * DAY_MS);
    expect(await sync()).toBe("open");
    return new FakeBank().onDueDate(order);
  };
  const context = await bookingOf(company, bank, clock);
  const before = await requireTransaction(context, id);

  expect((await change(addDays(today, 20))).status).toBe(200);
  expect(await syncCharge(context, bank, before)).toBe("open");

  expect((await currentOf(company, id, deps)).status).toBe("WAITING_PAYMENT");
  clock.advance(30 * DAY_MS);
  expect(await sync()).toBe("cancelled");
});

it("a cancel takes the place of a change that nobody waits for, and of none that goes on", async () => {
  const { company, bank, deps, today, id, change } = await givenBoleto();
  bank.onDueDate = async () => {
    await expectProblem(await cancel(company, id, { deps }), {
      status: 409,
      code: "INVALID_STATE",
    });
    return UNKNOWN;
  };
  expect((await change(addDays(today, 9), "due_1")).status).toBe(202);

  expect((await cancel(company, id, { deps })).body.data.status).toBe("CANCELLED");

  expect(bank.cancelled).toHaveLength(1);
  await expectProblem(await change(addDays(today, 9), "due_1"), {
    status: 409,
    code: "INVALID_STATE",
  });
  expect(bank.dueDateChanges).toHaveLength(1);
  const { items } = (await call(`/api/v1/transactions/${id}/timeline`, { company })).body;
  const operations = items.filter(({ kind }: { kind: string }) => kind === "operation");
  expect(
    operations.map(({ operation, status }: Record<string, string>) => `${operation} ${status}`),
  ).toEqual(["due_date PENDING", "due_date FAILED", "cancel PENDING", "cancel DONE"]);
});

it("a change whose place a refused cancel took may be had at its house: the boleto lasts as long, and is asked for again", async () => {
  const { clock, company, bank, deps, today, id, change, sync } = await givenBoleto();
  bank.onDueDate = async () => UNKNOWN;
  await change(addDays(today, 20), "due_1");
  bank.onCancel = async () => ({ kind: "refused", reason: "Cobrança em processamento." });
  await expectProblem(await cancel(company, id, { deps }), { status: 409, code: "INVALID_STATE" });
  clock.advance(8 * DAY_MS);

  expect(await sync()).toBe("open");
  await expectProblem(await change(addDays(today, 20), "due_1"), {
    status: 422,
    code: "DUE_DATE_REFUSED",
  });

  bank.onDueDate = new FakeBank().onDueDate;
  expect((await change(addDays(today, 20), "due_2")).status).toBe(200);
  expect((await currentOf(company, id, deps)).boleto.dueDate).toBe(addDays(today, 20));
});

it("a change that its house never answers keeps a boleto open for as long as that day can be paid", async () => {
  const { clock, company, bank, deps, today, change, sync } = await givenBoleto();
  bank.onDueDate = async () => UNKNOWN;
  await change(addDays(today, 20));
  clock.advance(CLAIM_EXPIRED_MS);
  await runOperation(company, bank, clock);
  clock.advance(20 * DAY_MS);
  expect(await sync()).toBe("open");
  await sweepTransactions(env, deps);
  // Once an hour: its house limits what it is asked in a day.
  const hour = { nextSweepAt: clock.now() + 60 * 60_000 };
  expect(await transactionsOf(company)).toMatchObject([hour]);
  clock.advance(10 * DAY_MS);

  expect(await sync()).toBe("cancelled");

  expect((await eventsOf(company)).map(({ type }) => type)).toEqual(["transaction.cancelled"]);
});

it("a boleto whose later day was refused here ends by that day, and is paid until then", async () => {
  const { clock, company, bank, today, change, sync } = await givenBoleto();
  bank.onDueDate = async () => REFUSED;
  await change(addDays(today, 20));
  clock.advance(15 * DAY_MS);
  expect(await sync()).toBe("open");
  bank.setPayments({
    paymentId: freshEndToEndId(),
    method: "PIX",
    amount: 2_500,
    paidAt: clock.now(),
  });

  expect(await sync()).toBe("paid");

  expect(await accountsOf(company)).toMatchObject({ awaiting: 2_500 });
});

it("a later day that failed counts no more once its house has another one", async () => {
  const { clock, bank, today, change, sync } = await givenBoleto();
  bank.onDueDate = async () => REFUSED;
  await change(addDays(today, 40));
  bank.onDueDate = new FakeBank().onDueDate;
  await change(addDays(today, 5));
  clock.advance(15 * DAY_MS);

  expect(await sync()).toBe("cancelled");
});
