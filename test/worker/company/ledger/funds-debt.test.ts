import { expect, it } from "vitest";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  claimPayout,
  FAILED,
  PAID,
  reportPayout,
  RETURNED,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  waitUntilDrained,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { accountsOf, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import {
  reportOperation,
  requestRefund,
  DAY_MS,
  dispute,
  givenSettled,
} from "../../../support/builders/operations/object-operations.ts";
import { releasesOf } from "../../../support/probes/charges/operation-rows.ts";

const BOLETO = { paymentMethod: "BOLETO", releaseDays: 1 } as const;
const CHARGEBACK = { kind: "CHARGEBACK", status: "LOST" } as const;

/** A company that owes `amount`: its fee took a payment that a chargeback then took as well. */
async function owe(company: TestCompany, amount: number): Promise<void> {
  const gone = await givenSettled(company, amount, {
    terms: { fee: { basisPoints: 0, fixed: amount } },
  });
  await dispute(company, gone, CHARGEBACK);
}

async function lastPostings(company: TestCompany): Promise<Record<string, number> | undefined> {
  return (await movementsOf(company)).at(-1)?.postings;
}

it("a chargeback takes the charge's own credit, then available money, and the rest becomes debt", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const other = await givenSettled(company, 50, {
    terms: BOLETO,
    payment: { paidAt: clock.now() },
  });
  await givenSettled(company, 200);
  const card = { paymentMethod: "CREDIT_CARD", installments: 2, releaseDays: 30 } as const;
  const fee = { basisPoints: 1_000, fixed: 0 };
  const transaction = await givenSettled(company, 1_000, { terms: { ...card, fee } });

  await dispute(company, transaction, { ...CHARGEBACK, id: "c1", amount: 300 });
  expect(await lastPostings(company)).toEqual({ awaiting: -300, provider: 300 });
  expect(await releasesOf(company, transaction)).toMatchObject([
    { installment: 1, amount: 450 },
    { installment: 2, amount: 150 },
  ]);
  await dispute(company, transaction, { ...CHARGEBACK, id: "c2", amount: 700 });
  expect(await lastPostings(company)).toEqual({ awaiting: -600, available: -100, provider: 700 });
  await dispute(company, transaction, { ...CHARGEBACK, id: "c3", amount: 250 });

  expect(await lastPostings(company)).toEqual({ available: -100, debt: -150, provider: 250 });
  expect(await releasesOf(company, other)).toHaveLength(1);
  expect(await accountsOf(company)).toMatchObject({ available: 0, awaiting: 50, debt: -150 });
});

it("a lost dispute takes its hold, then credit and available money, and the rest becomes debt", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 1_000);
  await withdraw(company, { amount: 700 });
  await dispute(company, transaction);
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 300, payout: 700 });
  await givenSettled(company, 100);

  await dispute(company, transaction, { status: "LOST" });

  expect(await lastPostings(company)).toEqual({
    blocked: -300,
    available: -100,
    debt: -600,
    provider: 1_000,
  });
});

it("a payment repays the debt first, to the centavo", async () => {
  const company = await givenCompany();
  await owe(company, 1_000);

  await givenSettled(company, 999);
  expect(await accountsOf(company)).toMatchObject({ debt: -1 });
  await givenSettled(company, 2);

  expect(await lastPostings(company)).toEqual({ provider: -2, debt: 1, available: 1 });
  expect(await accountsOf(company)).toMatchObject({ debt: 0, available: 1 });
});

it("unreleased credit repays no debt before its release day", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  await owe(company, 1_000);
  await givenSettled(company, 1_500, { terms: BOLETO, payment: { paidAt: clock.now() } });
  expect(await accountsOf(company)).toMatchObject({ awaiting: 1_500, debt: -1_000 });

  clock.advance(DAY_MS);
  await waitUntilDrained(company);

  expect(await lastPostings(company)).toEqual({ awaiting: -1_500, debt: 1_000, available: 500 });
});

it.each([
  ["cancelled", { payout: -2_000, fees: -30, debt: 500, available: 1_530 }],
  ["failed", { payout: -2_000, fees: -30, debt: 500, available: 1_530 }],
  ["returned", { provider: -2_000, fees: -30, debt: 500, available: 1_530 }],
])("a withdraw that is %s repays the debt first, its fee included", async (how, postings) => {
  const company = await givenCompany();
  await givenSettled(company, 2_030);
  await withdraw(company, { amount: 2_000, fee: { basisPoints: 0, fixed: 30 } });
  await owe(company, 500);

  if (how === "cancelled")
    await callsTo(company.id).cancelWithdraw({ companyId: company.id, id: 1, key: null });
  else await claimPayout(company);
  if (how === "failed") await reportPayout(company, FAILED);
  if (how === "returned") {
    await reportPayout(company, PAID);
    await reportPayout(company, RETURNED);
  }

  expect(await lastPostings(company)).toEqual(postings);
  expect(await accountsOf(company)).toMatchObject({ available: 1_530, payout: 0, debt: 0 });
});

it("a won dispute repays the debt first", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 1_000);
  await dispute(company, transaction);
  await owe(company, 1_200);

  await dispute(company, transaction, { status: "WON" });

  expect(await lastPostings(company)).toEqual({ blocked: -1_000, debt: 1_000 });
  expect(await accountsOf(company)).toMatchObject({ blocked: 0, debt: -200 });
});

it("a won dispute restores unreleased credit, which repays nothing yet", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const payment = { paidAt: clock.now() };
  const transaction = await givenSettled(company, 1_000, { terms: BOLETO, payment });
  const before = await releasesOf(company, transaction);
  await dispute(company, transaction);
  await owe(company, 400);
  expect(await releasesOf(company, transaction)).toEqual([]);

  await dispute(company, transaction, { status: "WON" });

  expect(await releasesOf(company, transaction)).toEqual(before);
  expect(await accountsOf(company)).toMatchObject({ awaiting: 1_000, blocked: 0, debt: -400 });
  clock.advance(DAY_MS);
  await waitUntilDrained(company);
  expect(await accountsOf(company)).toMatchObject({ available: 600, awaiting: 0, debt: 0 });
});

it("money that is owed cannot be withdrawn, and a refund uses only the charge's own credit", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  await owe(company, 5_000);
  const pix = await givenSettled(company, 1_000);
  const payment = { paidAt: clock.now() };
  const boleto = await givenSettled(company, 700, { terms: BOLETO, payment });

  expect(await withdraw(company, { amount: 1 })).toMatchObject({ kind: "insufficient_balance" });
  expect(await requestRefund(company, pix, { amount: 1 })).toMatchObject({
    kind: "insufficient_balance",
    available: 0,
  });
  expect((await requestRefund(company, boleto)).kind).toBe("send");
  await reportOperation(company, { kind: "done" });

  expect(await accountsOf(company)).toMatchObject({ awaiting: 0, blocked: 0, debt: -4_000 });
});

it("available money and debt never exist together", async () => {
  const company = await givenCompany();
  const steps: (() => Promise<unknown>)[] = [
    () => owe(company, 300),
    () => givenSettled(company, 1_000),
    () => withdraw(company, { amount: 700 }),
    () => owe(company, 900),
    () => claimPayout(company),
    () => reportPayout(company, FAILED),
    () => givenSettled(company, 450),
    () => owe(company, 1),
    () => owe(company, 249),
    () => owe(company, 1),
    () => givenSettled(company, 1),
  ];
  for (const step of steps) {
    await step();
    const { available = 0, debt = 0 } = await accountsOf(company);
    expect([available, debt]).toContain(0);
    expect(debt).toBeLessThanOrEqual(0);
  }
  expect(await accountsOf(company)).toMatchObject({ available: 0, debt: 0 });
});
