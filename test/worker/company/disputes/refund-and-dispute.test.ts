import { expect, it } from "vitest";
import { systemClock } from "../../../../src/domain/shared/clock.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { fetchSnapshot } from "../../../../src/api/operator/audit/service.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { withdraw } from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { cronDeps } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { accountsOf, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import {
  reportOperation,
  requestRefund,
  DAY_MS,
  dispute,
  givenSettled,
} from "../../../support/builders/operations/object-operations.ts";
import { releasesOf } from "../../../support/probes/charges/operation-rows.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { refund } from "../../../support/builders/operations/refund.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";

const REFUSED = { kind: "failed", reason: "the payment is disputed" } as const;

async function typesOf(company: TestCompany): Promise<string[]> {
  return (await movementsOf(company)).map(({ type }) => type);
}

/** Of 1,000 paid, 800 are on their way back and a chargeback took 500: nothing is left. */
async function givenNothingLeft() {
  const company = await givenCompany({ balance: 10_000 });
  const transaction = await givenSettled(company, 1_000);
  await requestRefund(company, transaction, { amount: 800 });
  await dispute(company, transaction, { kind: "CHARGEBACK", status: "LOST", amount: 500 });
  return { company, transaction, deps: cronDeps(systemClock, new FakeBank()) };
}

it("a refund of the remaining amount is rejected when chargeback and pending refund exceed the payment", async () => {
  const { company, transaction, deps } = await givenNothingLeft();

  await expectProblem(await refund(company, transaction.id, undefined, { deps }), {
    status: 422,
    code: "REFUND_EXCEEDS_PAID",
    extensions: { refundableCents: 0 },
  });
});

it("the refundable amount is never negative", async () => {
  const { company, transaction } = await givenNothingLeft();

  expect(await requestRefund(company, transaction, { amount: 1 })).toEqual({
    kind: "exceeds_paid",
    refundable: 0,
  });
});

it("a refund is rejected while any dispute of the charge is open, not only the newest", async () => {
  const company = await givenCompany({ balance: 10_000 });
  const transaction = await givenSettled(company, 1_000);
  await dispute(company, transaction, { id: "d1", amount: 600 });
  await dispute(company, transaction, { id: "d2", amount: 400 });
  await dispute(company, transaction, { id: "d2", amount: 400, status: "WON" });

  expect(await requestRefund(company, transaction)).toEqual({ kind: "disputed" });
  await dispute(company, transaction, { id: "d1", amount: 600, status: "WON" });

  expect((await requestRefund(company, transaction)).kind).toBe("send");
});

it("a charge shows its latest dispute, regardless of the order of ids", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenSettled(company, 1_000);
  for (const id of ["b", "c", "a"]) {
    await dispute(company, transaction, { id, amount: 100 });
    await dispute(company, transaction, { id, amount: 100, status: "WON" });
  }

  const { charges } = await fetchSnapshot(env, company.id, {
    transactionIds: [transaction.id],
    withdrawIds: [],
  });
  expect(charges[0]?.state.dispute).toMatchObject({ id: "a" });
});

it("a rejected refund under an open dispute is blocked and cannot be withdrawn", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 5_000);
  await requestRefund(company, transaction);
  await dispute(company, transaction);
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 5_000 });

  await reportOperation(company, REFUSED);

  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 5_000 });
  expect(await typesOf(company)).toEqual([
    "charge_paid",
    "refund_requested",
    "refund_failed",
    "dispute_opened",
  ]);
  expect((await withdraw(company, { amount: 5_000 })).kind).toBe("insufficient_balance");
  await dispute(company, transaction, { status: "LOST" });
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0, provider: 0 });
  expect(await accountsOf(company)).not.toHaveProperty("debt");
});

it("a rejected refund completes the hold of a dispute, and the rest is available", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 5_000);
  await requestRefund(company, transaction, { amount: 4_000 });
  await dispute(company, transaction, { amount: 3_000 });
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 5_000 });

  await reportOperation(company, REFUSED);

  expect(await accountsOf(company)).toMatchObject({ available: 2_000, blocked: 3_000 });
  await dispute(company, transaction, { amount: 3_000, status: "WON" });
  expect(await accountsOf(company)).toMatchObject({ available: 5_000, blocked: 0 });
});

it("a rejected refund completes the holds of several disputes in their order", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 1_000);
  await requestRefund(company, transaction, { amount: 700 });
  await dispute(company, transaction, { id: "z", amount: 600 });
  await dispute(company, transaction, { id: "a", amount: 400 });
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 1_000 });

  await reportOperation(company, REFUSED);

  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 1_000 });
  await dispute(company, transaction, { id: "a", amount: 400, status: "WON" });
  expect(await accountsOf(company)).toMatchObject({ available: 400, blocked: 600 });
  await dispute(company, transaction, { id: "z", amount: 600, status: "WON" });
  expect(await accountsOf(company)).toMatchObject({ available: 1_000, blocked: 0 });
});

it("a won dispute restores unreleased credit that completed its hold", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const terms = { paymentMethod: "CREDIT_CARD", installments: 2, releaseDays: 30 } as const;
  const payment = { paidAt: clock.now() };
  const transaction = await givenSettled(company, 1_000, { terms, payment });
  const before = await releasesOf(company, transaction);
  const object = callsTo(company.id);
  const forecast = await object.forecast();
  await requestRefund(company, transaction, { amount: 700 });
  await dispute(company, transaction, { amount: 1_000 });
  await reportOperation(company, REFUSED);
  expect(await releasesOf(company, transaction)).toEqual([]);
  expect(await accountsOf(company)).toMatchObject({ awaiting: 0, blocked: 1_000 });

  await dispute(company, transaction, { amount: 1_000, status: "WON" });

  expect(await releasesOf(company, transaction)).toEqual(before);
  expect(await object.forecast()).toEqual(forecast);
  clock.advance(60 * DAY_MS);
  expect((await object.balances()).balances).toMatchObject({ available: 1_000, awaiting: 0 });
});

it("a partly lost dispute takes only the amount that the bank took", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 1_000);
  await dispute(company, transaction);

  await dispute(company, transaction, { amount: 600, status: "LOST" });

  expect(await accountsOf(company)).toMatchObject({ available: 400, blocked: 0, provider: -400 });
  expect(await typesOf(company)).toEqual([
    "charge_paid",
    "dispute_opened",
    "dispute_reduced",
    "dispute_lost",
  ]);
  expect(await transactionsOf(company)).toMatchObject([{ status: "paid" }]);
  expect(await requestRefund(company, transaction)).toMatchObject({ order: { amount: 400 } });
});

it("a dispute with a hold below the lost amount takes the rest from other money", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 1_000);
  await withdraw(company, { amount: 700 });
  await dispute(company, transaction);
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 300 });

  await dispute(company, transaction, { amount: 600, status: "LOST" });

  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0, debt: -300 });
  expect(await typesOf(company)).not.toContain("dispute_reduced");
});
