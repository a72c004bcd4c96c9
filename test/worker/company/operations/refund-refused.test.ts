import { expect, it } from "vitest";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  claimPayout,
  PAID,
  reportPayout,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import { waitUntilDrained, givenCompany } from "../../../support/builders/companies/company.ts";
import { cronDeps } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { accountsOf, movementsOf } from "../../../support/probes/ledger/ledger.ts";
import {
  reportOperation,
  requestRefund,
  DAY_MS,
  dispute,
  givenSettled,
  settleCharge,
} from "../../../support/builders/operations/object-operations.ts";
import { releasesOf } from "../../../support/probes/charges/operation-rows.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { refund } from "../../../support/builders/operations/refund.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const CARD = { paymentMethod: "CREDIT_CARD", installments: 3, releaseDays: 30 } as const;
const REFUSED = { kind: "failed", reason: "the payer's account is closed" } as const;

/** A card paid in three parts of 334, 333 and 333 centavos. */
async function givenCard() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const paidAt = clock.now();
  const transaction = await givenSettled(company, 1_000, { terms: CARD, payment: { paidAt } });
  const object = callsTo(company.id);
  return { clock, company, transaction, object, dueAt: (n: number) => paidAt + n * 30 * DAY_MS };
}

it("a refund takes the latest installments first, and a rejection restores them", async () => {
  const { company, transaction, object, dueAt } = await givenCard();
  const before = await releasesOf(company, transaction);
  const forecast = await object.forecast();
  expect(before).toEqual([
    { installment: 1, amount: 334, dueAt: dueAt(1) },
    { installment: 2, amount: 333, dueAt: dueAt(2) },
    { installment: 3, amount: 333, dueAt: dueAt(3) },
  ]);

  await requestRefund(company, transaction, { amount: 500 });
  expect(await releasesOf(company, transaction)).toEqual([
    { installment: 1, amount: 334, dueAt: dueAt(1) },
    { installment: 2, amount: 166, dueAt: dueAt(2) },
  ]);
  expect(await accountsOf(company)).toMatchObject({ awaiting: 500, blocked: 500 });
  await reportOperation(company, REFUSED);

  expect(await releasesOf(company, transaction)).toEqual(before);
  expect(await object.forecast()).toEqual(forecast);
  expect(await accountsOf(company)).toMatchObject({ awaiting: 1_000, blocked: 0 });
  expect((await eventsOf(company)).map(({ type }) => type)).toEqual(["transaction.paid"]);
});

it("two refunds that are rejected in reverse order leave every installment complete", async () => {
  const { company, transaction } = await givenCard();
  const before = await releasesOf(company, transaction);
  await requestRefund(company, transaction, { amount: 400 });
  await requestRefund(company, transaction, { amount: 550 });
  expect(await releasesOf(company, transaction)).toMatchObject([{ installment: 1, amount: 50 }]);

  await reportOperation(company, REFUSED, 1);
  await reportOperation(company, REFUSED, 2);

  expect(await releasesOf(company, transaction)).toEqual(before);
});

it("a rejection restores available money as available and unreleased money as unreleased", async () => {
  const { clock, company, transaction, object } = await givenCard();
  clock.advance(30 * DAY_MS);
  await waitUntilDrained(company);
  expect(await accountsOf(company)).toMatchObject({ available: 334, awaiting: 666 });
  const before = await releasesOf(company, transaction);

  await requestRefund(company, transaction);
  expect(await accountsOf(company)).toMatchObject({ available: 0, awaiting: 0, blocked: 1_000 });
  expect(await object.forecast()).toEqual([]);
  await reportOperation(company, REFUSED);

  expect(await accountsOf(company)).toMatchObject({ available: 334, awaiting: 666, blocked: 0 });
  expect(await releasesOf(company, transaction)).toEqual(before);
});

it("installments that fell due while held are released once the refund is rejected", async () => {
  const { clock, company, transaction } = await givenCard();
  await requestRefund(company, transaction);
  clock.advance(60 * DAY_MS);
  await waitUntilDrained(company);
  expect(await accountsOf(company)).toMatchObject({ awaiting: 0, blocked: 1_000 });

  await reportOperation(company, REFUSED);
  await waitUntilDrained(company);

  expect(await accountsOf(company)).toMatchObject({ available: 667, awaiting: 333, blocked: 0 });
  expect((await eventsOf(company)).at(-1)).toMatchObject({
    type: "balance.released",
    body: { data: { releasedCents: 667 } },
  });
});

it("a completed refund takes the held installments for good", async () => {
  const { clock, company, transaction } = await givenCard();
  await requestRefund(company, transaction, { amount: 500 });
  await reportOperation(company, { kind: "done" });

  clock.advance(90 * DAY_MS);
  await waitUntilDrained(company);

  expect(await accountsOf(company)).toMatchObject({ available: 500, awaiting: 0, blocked: 0 });
});

it("a rejected refund repays debt first", async () => {
  const company = await givenCompany();
  const other = await givenSettled(company, 600);
  await withdraw(company, { amount: 600 });
  await claimPayout(company);
  await reportPayout(company, PAID);
  const transaction = await givenSettled(company, 1_000);
  await requestRefund(company, transaction);
  await dispute(company, other, { kind: "CHARGEBACK", status: "LOST" });
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 1_000, debt: -600 });

  await reportOperation(company, REFUSED);

  expect(await accountsOf(company)).toMatchObject({ available: 400, blocked: 0, debt: 0 });
  expect((await movementsOf(company)).at(-1)).toEqual({
    type: "refund_failed",
    postings: { blocked: -1_000, debt: 600, available: 400 },
  });
});

it("a rejected refund can be retried under another bank id, and the bank is told that the first has failed", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  bank.onRefund = async () => REFUSED;
  const deps = cronDeps(clock, bank);
  const { id } = await givenSettled(company, 2_500);

  const refused = await refund(company, id, 2_000, { key: "re_1", deps });
  await expectProblem(refused, { status: 422, code: "REFUND_REFUSED" });
  const replay = await refund(company, id, 2_000, { key: "re_1", deps });
  expect([replay.status, replay.body]).toEqual([422, refused.body]);
  expect(bank.sentRefunds).toHaveLength(1);
  expect(await accountsOf(company)).toMatchObject({ available: 2_500, blocked: 0 });
  bank.onRefund = async () => ({ kind: "done" });
  const answer = await refund(company, id, 2_000, { key: "re_2", deps });

  expect(answer.body.data).toMatchObject({
    refundedAmount: 2_000,
    refunds: [{ status: "FAILED" }, { status: "DONE" }],
  });
  const [first, second] = bank.sentRefunds;
  expect(second?.refundId).not.toBe(first?.refundId);
  expect(first).not.toHaveProperty("failedBefore");
  expect(second?.failedBefore).toEqual([first?.refundId]);
});

it("a bank is told of the refunds of a charge that were sent before and have no end yet", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  bank.onRefund = async () => ({ kind: "processing" });
  const deps = cronDeps(clock, bank);
  const { id } = await givenSettled(company, 2_500);

  await refund(company, id, 1_000, { key: "re_1", deps });
  clock.advance(1);
  await refund(company, id, 500, { key: "re_2", deps });
  await reportOperation(company, { kind: "done" }, 1);
  await refund(company, id, 200, { key: "re_3", deps });

  const [first, second, third] = bank.sentRefunds;
  expect(first).not.toHaveProperty("sentBefore");
  expect(second?.sentBefore).toEqual([first?.refundId]);
  expect(third?.sentBefore).toEqual([second?.refundId]);
});

it("a rejected refund returns its money although a chargeback emptied the charge", async () => {
  const company = await givenCompany();
  const transaction = await givenSettled(company, 1_000);
  await requestRefund(company, transaction, { amount: 400 });
  await settleCharge(company, transaction, { payment: { amount: 50 } });
  await dispute(company, transaction, { kind: "CHARGEBACK", status: "LOST" });
  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 400, debt: -400 });

  await reportOperation(company, REFUSED);

  expect(await accountsOf(company)).toMatchObject({ available: 0, blocked: 0, debt: 0 });
});
