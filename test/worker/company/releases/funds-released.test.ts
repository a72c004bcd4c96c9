import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it } from "vitest";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { accountsOf, nextAlarmOf } from "../../../support/probes/ledger/ledger.ts";
import {
  DAY_MS,
  dispute,
  givenSettled,
} from "../../../support/builders/operations/object-operations.ts";
import { tamper } from "../../../support/faults/tamper.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const BOLETO = { paymentMethod: "BOLETO", releaseDays: 1 } as const;

async function releasedEvents(company: TestCompany) {
  const events = await eventsOf(company);
  expect(events.map(({ companySequence }) => companySequence)).toEqual(
    events.map((_, index) => index + 1),
  );
  const released = events.filter(({ type }) => type === "balance.released");
  expect(released.map(({ sequence }) => sequence)).toEqual(released.map((_, index) => index + 1));
  return released.map(({ body }) => body.data);
}

/** A clock that stands at a time to come. */
function clockAt(time: string): TestClock {
  const clock = new TestClock();
  clock.advance(Date.parse(time) - clock.now());
  return clock;
}

/** A credit in many parts, one a day. */
const inParts = (installments: number) =>
  ({ paymentMethod: "CREDIT_CARD", installments, releaseDays: 1 }) as const;

it("credits that are due together are one event, other credits have an event each", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const at = (offset: number) => ({ terms: BOLETO, payment: { paidAt: clock.now() + offset } });
  const first = await givenSettled(company, 100, at(0));
  const second = await givenSettled(company, 20, at(0));
  const third = await givenSettled(company, 3, at(1));

  clock.advance(DAY_MS);
  await waitUntilDrained(company);
  clock.advance(1);
  await waitUntilDrained(company);

  const [together, alone, ...more] = await releasedEvents(company);
  expect(together).toMatchObject({
    releasedCents: 120,
    accBalance: 1.2,
    accBalanceCredit: 1.23,
    accBalanceCreditAwaiting: 0.03,
    previousStatus: "Pending",
    enBalanceStatus: "Released",
  });
  expect(together.releases).toHaveLength(2);
  expect(together.releases).toEqual(
    expect.arrayContaining([
      { transactionId: first.id, installment: 1, amountCents: 100 },
      { transactionId: second.id, installment: 1, amountCents: 20 },
    ]),
  );
  expect(alone).toMatchObject({
    releasedCents: 3,
    releases: [{ transactionId: third.id, installment: 1, amountCents: 3 }],
    accBalance: 1.23,
    accBalanceCreditAwaiting: 0,
  });
  expect(more).toEqual([]);
});

it("the alarm is set to the earliest credit and advances with each release", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const paidAt = clock.now();
  await givenSettled(company, 1_000, { terms: inParts(3), payment: { paidAt } });

  for (const day of [1, 2, 3]) {
    expect(await nextAlarmOf(company)).toBe(paidAt + day * DAY_MS);
    clock.advance(DAY_MS);
    await runDurableObjectAlarm(companyStub(env, company.id));
  }

  expect(await nextAlarmOf(company)).toBeNull();
  expect((await releasedEvents(company)).map(({ releasedCents }) => releasedCents)).toEqual([
    334, 333, 333,
  ]);
});

it.each(["alarm", "tick", "balance"] as const)(
  "1,200 due credits are all released by one %s, with at most 100 per event",
  async (wake) => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const object = callsTo(company.id);
    const payment = { paidAt: clock.now() };
    await givenSettled(company, 12_007, { terms: inParts(1_200), payment });
    clock.advance(1_200 * DAY_MS);

    if (wake === "alarm") await runDurableObjectAlarm(companyStub(env, company.id));
    if (wake === "tick") await object.runNow();
    if (wake === "balance") {
      expect((await object.balances()).balances).toMatchObject({
        available: 12_007,
        awaiting: 0,
      });
    }
    await waitUntilDrained(company);

    expect(await accountsOf(company)).toMatchObject({ available: 12_007, awaiting: 0 });
    const events = await releasedEvents(company);
    expect(events.map(({ releases }) => releases.length)).toEqual(Array(12).fill(100));
    expect(events.map(({ releasedCents }) => releasedCents)).toEqual([
      1_007,
      ...Array(11).fill(1_000),
    ]);
    expect(events.map(({ accBalanceCreditAwaiting }) => accBalanceCreditAwaiting)).toEqual(
      events.map((_, index) => 110 - index * 10),
    );
    const told = events.flatMap(({ releases }) => releases);
    expect(new Set(told.map(({ installment }) => installment)).size).toBe(1_200);
    expect(await object.forecast()).toEqual([]);
  },
);

it("the forecast uses days in America/Sao_Paulo, which start at 03:00 UTC", async () => {
  const clock = clockAt("2040-03-08T12:00:00Z");
  const company = await givenCompany({ clock });
  const object = callsTo(company.id);
  /** Paid within the day before now: a PSP's time far from the object's is used for no release. */
  const due = async (time: string, amount: number) => {
    const releaseDays = Math.ceil((Date.parse(time) - clock.now()) / DAY_MS);
    return givenSettled(company, amount, {
      terms: { ...BOLETO, releaseDays },
      payment: { paidAt: Date.parse(time) - releaseDays * DAY_MS },
    });
  };
  await due("2040-03-10T02:59:59.999Z", 1);
  await due("2040-03-10T03:00:00.000Z", 20);
  await due("2040-03-11T02:59:59.999Z", 300);
  await due("2040-03-11T03:00:00.000Z", 4_000);
  await due("2040-12-31T23:59:59.999Z", 50_000);
  await due("2041-01-01T02:59:59.999Z", 600_000);

  expect(await object.forecast()).toEqual([
    { date: "2040-03-09", amount: 1 },
    { date: "2040-03-10", amount: 320 },
    { date: "2040-03-11", amount: 4_000 },
    { date: "2040-12-31", amount: 650_000 },
  ]);
});

it("a day without remaining credits leaves the forecast, a reduced day stays", async () => {
  const clock = clockAt("2040-03-09T12:00:00Z");
  const company = await givenCompany({ clock });
  const object = callsTo(company.id);
  const payment = { paidAt: clock.now() };
  const transaction = await givenSettled(company, 300, { terms: inParts(3), payment });
  await givenSettled(company, 70, { terms: BOLETO, payment });

  await dispute(company, transaction, { kind: "CHARGEBACK", status: "LOST", amount: 250 });

  expect(await object.forecast()).toEqual([{ date: "2040-03-10", amount: 120 }]);
});

it("a credit keeps its release day after a change of the calendar", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const object = callsTo(company.id);
  const payment = { paidAt: clock.now() };
  const transaction = await givenSettled(company, 300, { terms: inParts(3), payment });
  // As an older calendar would have said.
  await tamper(
    company,
    "UPDATE releases SET day = '2040-01-0' || installment",
    "DELETE FROM release_days",
    "INSERT INTO release_days SELECT day, amount FROM releases",
  );

  await dispute(company, transaction, { kind: "CHARGEBACK", status: "LOST", amount: 150 });
  expect(await object.forecast()).toEqual([
    { date: "2040-01-01", amount: 100 },
    { date: "2040-01-02", amount: 50 },
  ]);
  clock.advance(DAY_MS);
  await waitUntilDrained(company);
  expect(await object.forecast()).toEqual([{ date: "2040-01-02", amount: 50 }]);
  clock.advance(DAY_MS);
  await waitUntilDrained(company);

  expect(await object.forecast()).toEqual([]);
  expect(await accountsOf(company)).toMatchObject({ available: 150, awaiting: 0 });
});

it("a release that repays a debt reports that nothing became available", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const gone = await givenSettled(company, 500, { terms: { fee: { basisPoints: 0, fixed: 500 } } });
  await dispute(company, gone, { kind: "CHARGEBACK", status: "LOST" });
  await givenSettled(company, 300, { terms: BOLETO, payment: { paidAt: clock.now() } });
  expect(await accountsOf(company)).toMatchObject({ debt: -500, awaiting: 300 });

  clock.advance(DAY_MS);
  await waitUntilDrained(company);

  expect(await accountsOf(company)).toMatchObject({ debt: -200, awaiting: 0 });
  expect(await inAccount(company.id, (account) => account.balances())).toMatchObject({
    balances: { available: 0, owed: 200 },
  });
  expect(await releasedEvents(company)).toMatchObject([{ accBalance: 0, accBalanceDebt: 2 }]);
});
