import { describe, expect, it } from "vitest";
import {
  saoPauloDay,
  saoPauloHour,
  startOfNextDay,
} from "../../../../src/domain/shared/business-day.ts";
import { projectionWriter } from "../../../../src/db/projection/projection-writer.ts";
import type { TransactionEntry } from "../../../../src/domain/events/outbox-entry.ts";
import { call, type Answer, type Call } from "../../../support/builders/requests/api.ts";
import {
  env,
  givenCompany,
  inAccount,
  waitUntilDrained,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import {
  refund,
  resolveDispute,
  simulate,
  updateSettings,
} from "../../../support/builders/operations/refund.ts";
import { givenPaid, givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";

const NAME = "GET /api/v1/reports/daily";
const KEY = "35261112345678000195550010000001231000001235";
const OTHER_KEY = "13181017921427000125650010000000309887251170";
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

const report = (company: TestCompany, query = "", options: Call = {}): Promise<Answer> =>
  call(`/api/v1/reports/daily${query}`, { ...options, company });

async function itemsOf(company: TestCompany, query?: string, options?: Call): Promise<any[]> {
  const answer = await report(company, query, options);
  await expectDocumented(NAME, answer);
  return answer.body.items;
}

const link = (company: TestCompany, id: string, fiscalKey: string | null): Promise<Answer> =>
  call(`/api/v1/transactions/${id}`, { method: "PATCH", company, body: { fiscalKey } });

const fiscalKeysOf = async (company: TestCompany) =>
  (await itemsOf(company)).map((item) => item.fiscalKeys);

describe("the daily report", () => {
  it("sums payments, fees and refunds by method, on the day that the ledger booked them", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const hour = saoPauloHour(clock.now());
    await updateSettings(company, { fees: { PIX: { basisPoints: 100, fixed: 5 } } });
    const first = await givenPaid(company, 10_000);
    const second = await givenPaid(company, 2_000);
    await givenTransaction(company, { amount: 700 });
    await refund(company, first.id, 1_500);
    await simulate(company, second.id, "dispute");
    await resolveDispute(company, second.id, "lost");
    const boleto = await givenTransaction(company, {
      amount: 3_000,
      paymentMethod: "BOLETO",
      customer: { name: "Maria", document: { number: "52998224725" } },
    });
    await pay(company, boleto.id, 3_050);

    expect(await itemsOf(company)).toEqual([
      {
        day: saoPauloDay(Date.now()),
        paymentMethod: "BOLETO",
        count: 1,
        gross: 3_050,
        fees: 0,
        refunds: 0,
        net: 3_050,
        fiscalKeys: 0,
        hours: { [hour]: 1 },
      },
      {
        day: saoPauloDay(Date.now()),
        paymentMethod: "PIX",
        count: 2,
        gross: 12_000,
        fees: 130,
        refunds: 3_500,
        net: 8_370,
        fiscalKeys: 0,
        hours: { [hour]: 2 },
      },
    ]);
  });

  it("counts a refund, a chargeback and its reversal on their own days", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const { id } = await givenPaid(company, 5_000);
    clock.advance(DAY_MS);
    await simulate(company, id, "chargeback");
    clock.advance(DAY_MS);
    await call(`/api/v1/sandbox/transactions/${id}/chargeback/reverse`, {
      method: "POST",
      company,
    });

    const [first, second, third, ...none] = await itemsOf(
      company,
      `?from=${saoPauloDay(Date.now())}&to=${saoPauloDay(clock.now())}`,
    );
    expect(first).toMatchObject({ count: 1, gross: 5_000, refunds: 0, net: 5_000 });
    expect(second).toMatchObject({ count: 0, gross: 0, refunds: 5_000, net: -5_000 });
    expect(third).toMatchObject({ count: 0, gross: 0, refunds: -5_000, net: 5_000 });
    expect(none).toEqual([]);
  });

  it("counts the payments of each hour, and no refund", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    // The next midnight in São Paulo.
    clock.advance(startOfNextDay(clock.now()) - clock.now());
    const { id } = await givenPaid(company, 5_000);
    clock.advance(2 * HOUR_MS);
    await givenPaid(company, 1_000);
    await givenPaid(company, 1_000);
    await refund(company, id, 500);
    const [day] = await itemsOf(company, `?to=${saoPauloDay(clock.now())}`);
    expect(day).toMatchObject({ count: 3, refunds: 500, hours: { 0: 1, 2: 2 } });
  });

  it("keeps a day whose refunds cancel out", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const { id } = await givenPaid(company, 5_000);
    clock.advance(DAY_MS);
    await simulate(company, id, "chargeback");
    await call(`/api/v1/sandbox/transactions/${id}/chargeback/reverse`, {
      method: "POST",
      company,
    });

    const today = saoPauloDay(clock.now());
    const items = await itemsOf(company, `?from=${today}&to=${today}`, {
      deps: { platformClock: clock },
    });
    expect(items).toMatchObject([{ day: today, count: 0, gross: 0, refunds: 0, net: 0 }]);
  });

  it("shows the days from `from` to `to`, by default the 30 days up to today", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    for (const amount of [100, 200]) {
      await givenPaid(company, amount);
      clock.advance(31 * DAY_MS);
    }
    const days = [clock.now() - 62 * DAY_MS, clock.now() - 31 * DAY_MS].map(saoPauloDay);

    const grossOf = async (query: string) =>
      (await itemsOf(company, query, { deps: { platformClock: clock } })).map((item) => item.gross);
    expect(await grossOf("")).toEqual([]);
    expect(await grossOf(`?to=${days[1]}`)).toEqual([200]);
    expect(await grossOf(`?from=${days[0]}&to=${days[1]}`)).toEqual([100, 200]);
    expect(await grossOf(`?from=${days[1]}&to=${days[1]}`)).toEqual([200]);
  });

  it("does not change when the drain writes an entry again, or an older one later", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 400);
    await givenPaid(company, 600);
    const before = await itemsOf(company);
    const [totals] = await inAccount(company.id, async (account) => {
      const query = { afterTransaction: "", afterWithdraw: 0, afterDay: "", limit: 10 };
      return (await account.snapshot(query)).dailyTotals;
    });
    const state = await inAccount(company.id, (account) => account.findCharge(id));
    const write = (version: number, gross: number, count: number) =>
      projectionWriter(env).write(
        company.id,
        [
          {
            kind: "transaction",
            transactionId: id,
            state,
            event: null,
            daily: [{ ...totals, version, gross, count }],
          } as TransactionEntry,
        ],
        Date.now(),
      );
    await write(2, 1_000, 2);
    expect(await itemsOf(company)).toEqual(before);
    await write(1, 400, 1);
    expect(await itemsOf(company)).toEqual(before);
  });

  it("takes an entry from before there were daily totals", async () => {
    const company = await givenCompany();
    const { id } = await givenPaid(company, 1_000);
    const before = await itemsOf(company);
    const state = await inAccount(company.id, (account) => account.findCharge(id));
    const { bookedDay: _day, ...older } = state!;
    const entry = { kind: "transaction", transactionId: id, state: older, event: null };
    await projectionWriter(env).write(company.id, [entry as TransactionEntry], Date.now());
    await waitUntilDrained(company);
    expect(await itemsOf(company)).toEqual(before);
  });

  it.each([
    ["from", "?from=21.11.2026", 'must be a day, such as 2026-11-21; got "21.11.2026"'],
    ["from", "?from=2026-02-30", 'must be a day, such as 2026-11-21; got "2026-02-30"'],
    [
      "to",
      "?to=2026-11-21T00:00:00Z",
      'must be a day, such as 2026-11-21; got "2026-11-21T00:00:00Z"',
    ],
    ["to", "?from=2026-11-22&to=2026-11-21", "must not be before from"],
    ["to", "?from=2025-01-01&to=2026-01-02", 'must be within 366 days of from; got "2026-01-02"'],
    ["to", "?from=2025-01-01", "must be within 366 days of from"],
    ["to", "?from=2999-01-01", "must not be before from"],
  ])("refuses %s in %s", async (field, query, message) => {
    const company = await givenCompany();
    const answer = await report(company, query);
    expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
    expect(answer.body.errors).toEqual({ [field]: [message] });
  });

  it("takes 366 days", async () => {
    const company = await givenCompany();
    expect((await report(company, "?from=2024-01-01&to=2024-12-31")).status).toBe(200);
  });
});

describe("a fiscal key", () => {
  it("counts on the day of the payment, whether it is linked before or after", async () => {
    const company = await givenCompany();
    const before = await givenTransaction(company, { fiscalKey: KEY });
    const after = await givenTransaction(company);
    await givenTransaction(company, { fiscalKey: KEY });
    await pay(company, before.id);
    expect(await fiscalKeysOf(company)).toEqual([1]);

    await pay(company, after.id);
    expect(await fiscalKeysOf(company)).toEqual([1]);
    for (const key of [KEY, KEY, OTHER_KEY]) {
      expect((await link(company, after.id, key)).status).toBe(200);
      expect(await fiscalKeysOf(company)).toEqual([2]);
    }
    await refund(company, after.id);
    expect(await fiscalKeysOf(company)).toEqual([2]);
    await link(company, after.id, null);
    await link(company, after.id, null);
    expect(await fiscalKeysOf(company)).toEqual([1]);
  });

  it("counts once when its payment is written to D1 twice", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company, { fiscalKey: KEY });
    await pay(company, id);
    const state = await inAccount(company.id, (account) => account.findCharge(id));
    const entry = { kind: "transaction", transactionId: id, state, event: null };
    await projectionWriter(env).write(company.id, [entry as TransactionEntry], Date.now());
    expect(await fiscalKeysOf(company)).toEqual([1]);
  });

  it("is answered, and removed by null", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    const answer = await link(company, id, KEY);
    await expectDocumented("PATCH /api/v1/transactions/{id}", answer);
    expect(answer.body).toMatchObject({ data: { id }, status: 200 });
    expect((await link(company, id, null)).status).toBe(200);
  });

  it("must be right, and the only field", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    const message = "must be the 44 digits of a DF-e's access key, check digit included";
    for (const [body, errors] of [
      [
        { fiscalKey: `${KEY.slice(0, -1)}6` },
        { fiscalKey: [`${message}; got a string of 44 characters`] },
      ],
      [{ fiscalKey: 44 }, { fiscalKey: ["must be a string; got a number"] }],
      [{}, { fiscalKey: ["is required"] }],
      [{ fiscalKey: null, amount: 1 }, { amount: ["unknown field; known here: fiscalKey"] }],
    ] as const) {
      const answer = await call(`/api/v1/transactions/${id}`, { method: "PATCH", company, body });
      expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
      expect(answer.body.errors).toEqual(errors);
    }
    const created = await call("/api/v1/transactions/create", {
      company,
      body: { amount: 100, paymentMethod: "PIX", fiscalKey: "1" },
    });
    expect(created.body.errors).toEqual({ fiscalKey: [`${message}; got a string of 1 character`] });
  });

  it("is not linked to a transaction that is unknown or another company's", async () => {
    const company = await givenCompany();
    const other = await givenTransaction(await givenCompany());
    await expectProblem(await link(company, "42", KEY), { status: 404, code: "NOT_FOUND" });
    await expectProblem(await link(company, other.id, KEY), { status: 403, code: "FORBIDDEN" });
  });
});
