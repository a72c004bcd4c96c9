import { describe, expect, it } from "vitest";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { settle } from "../../../../support/builders/charges/charge-commands.ts";
import { givenCompany } from "../../../../support/builders/companies/company.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import {
  reportOperation,
  requestRefund,
  requestReturn,
  DAY_MS,
  dispute,
  freshEndToEndId,
  givenSettled,
  settleCharge,
} from "../../../../support/builders/operations/object-operations.ts";
import { depsWithBank } from "../../../../support/builders/operations/operations.ts";
import {
  cancel,
  refund,
  resolveDispute,
  simulate,
} from "../../../../support/builders/operations/refund.ts";
import {
  expectCompleteLedger,
  timelineOf,
  describeItem,
} from "../../../../support/probes/charges/timeline.ts";
import {
  createTransaction,
  givenPaid,
  givenTransaction,
  pay,
} from "../../../../support/builders/charges/transaction.ts";
import { transactionsOf } from "../../../../support/probes/charges/transaction-rows.ts";

const CREATED = ["created PIX 2500 BRL", "answered WAITING_PAYMENT"];
const PAID = [
  ...CREATED,
  "payment 2500",
  "WAITING_PAYMENT to PAID by payment",
  "booked charge_paid by payment",
  "event 1 transaction.paid",
];
const REFUSED = { kind: "failed", reason: "The account is closed." } as const;

describe("an end without money", () => {
  it("by a cancel names its operation", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    await cancel(company, id);

    const items = await timelineOf(company, id);

    expect(items.map(describeItem)).toEqual([
      ...CREATED,
      "cancel 0 PENDING",
      "cancel 0 DONE",
      "WAITING_PAYMENT to CANCELLED by cancel",
      "event 1 transaction.cancelled",
    ]);
    const [requested, done, transition] = items.slice(2);
    expect(done.id).toBe(requested.id);
    expect(transition.cause).toEqual({ kind: "cancel", id: requested.id, amount: 0 });
  });

  it.each([
    ["expire", "WAITING_PAYMENT to CANCELLED by expiry", "transaction.cancelled"],
    ["fail", "WAITING_PAYMENT to FAILED by refusal", "transaction.failed"],
  ] as const)("%s names its cause", async (what, transition, event) => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    await simulate(company, id, what);

    const items = await timelineOf(company, id);

    expect(items.map(describeItem)).toEqual([...CREATED, transition, `event 1 ${event}`]);
    expect(items[2].cause).toStrictEqual({ kind: expect.any(String), id: null, amount: null });
  });

  it("by a cancel of the provider names the provider", async () => {
    const bank = new FakeBank();
    const company = await givenCompany();
    const deps = depsWithBank(bank, new TestClock());
    const { id } = await givenTransaction(company, {}, { deps });
    bank.charge = { kind: "known", status: "cancelled", payments: [], disputes: [], refunds: [] };
    deps.platformClock = { now: () => Date.now() + 2 * DAY_MS };
    await cancel(company, id, { deps });

    expect((await timelineOf(company, id)).map(describeItem).slice(2)).toEqual([
      "WAITING_PAYMENT to CANCELLED by provider_cancel",
      "event 1 transaction.cancelled",
    ]);
  });

  it("by a refusal at its creation shows the reason", async () => {
    const bank = new FakeBank();
    bank.onCreate = async () => ({ kind: "refused", message: "No such payer." });
    const company = await givenCompany();
    await createTransaction(company, {}, { deps: depsWithBank(bank) });
    const [row] = await transactionsOf(company);

    expect((await timelineOf(company, row!.id)).map(describeItem)).toEqual([
      "created PIX 2500 BRL",
      "answered FAILED: No such payer.",
      "WAITING_PAYMENT to FAILED by refusal",
      "event 1 transaction.failed",
    ]);
  });

  it("that a late payment reverses shows both", async () => {
    const company = await givenCompany();
    const { id } = await givenTransaction(company);
    await simulate(company, id, "expire");
    await settle(company, { id, amount: 2_500 });

    const items = (await timelineOf(company, id)).map(describeItem);

    expect(items.slice(4)).toEqual([
      "payment 2500",
      "CANCELLED to PAID by payment",
      "booked charge_paid by payment",
      "event 2 transaction.paid",
    ]);
  });
});

it("a cancel that lost to a payment failed, with the reason", async () => {
  const bank = new FakeBank();
  const company = await givenCompany();
  const deps = depsWithBank(bank);
  const { id } = await givenTransaction(company, {}, { deps });
  bank.onCancel = async () => {
    await settle(company, { id, amount: 2_500 });
    return { kind: "cancelled" };
  };
  await cancel(company, id, { deps });

  expect((await timelineOf(company, id)).map(describeItem).slice(2)).toEqual([
    "cancel 0 PENDING",
    ...PAID.slice(2),
    "cancel 0 FAILED: The charge is paid.",
  ]);
});

it("a refund that the provider refused shows its reason and its movements", async () => {
  const company = await givenCompany();
  const bank = new FakeBank();
  const { id } = await givenPaid(company, 2_500);
  bank.onRefund = async () => ({ kind: "failed", reason: "x".repeat(5_000) });
  await refund(company, id, 700, { deps: depsWithBank(bank) });

  const items = await timelineOf(company, id);

  expect(items.map(describeItem)).toEqual([
    ...PAID,
    "refund 700 PENDING",
    "booked refund_requested by refund",
    `refund 700 FAILED: ${"x".repeat(200)}`,
    "booked refund_failed by refund",
  ]);
  await expectCompleteLedger(company, id, items);
});

it("two refunds of one amount that end in reverse order keep their own causes", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const charge = await givenSettled(company, 2_500);
  await requestRefund(company, charge, { amount: 500, operationId: "first" });
  await requestRefund(company, charge, { amount: 500, operationId: "second" });
  await reportOperation(company, { kind: "done" }, 2);
  await reportOperation(company, REFUSED, 1);

  const items = await timelineOf(company, charge.id);

  const caused = items
    .filter((item) => item.kind === "movement")
    .map(({ type, cause }) => [type, cause.id]);
  expect(caused.slice(1)).toEqual([
    ["refund_requested", "first"],
    ["refund_requested", "second"],
    ["refund_done", "second"],
    ["refund_failed", "first"],
  ]);
});

it("a return by the bank shows its kind", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const [disputed, charged] = [await givenPaid(company, 2_500), await givenPaid(company, 2_500)];
  await simulate(company, disputed.id, "dispute");
  await resolveDispute(company, disputed.id, "lost");
  await simulate(company, charged.id, "chargeback");

  const lost = await timelineOf(company, disputed.id);
  expect(lost.map(describeItem)).toEqual([
    ...PAID,
    "DISPUTE 2500 OPEN",
    "booked dispute_opened by dispute",
    "event 2 transaction.disputed",
    "DISPUTE 2500 LOST",
    "PAID to REFUNDED by dispute",
    "booked dispute_lost by dispute",
    "event 3 transaction.refunded",
  ]);
  const back = await timelineOf(company, charged.id);
  expect(back.map(describeItem)).toEqual([
    ...PAID,
    "CHARGEBACK 2500 LOST",
    "PAID to REFUNDED by chargeback",
    "booked chargeback by chargeback",
    "event 2 transaction.refunded",
  ]);
  expect(back.find((item) => item.kind === "move" && item.to === "REFUNDED").cause).toEqual({
    kind: "chargeback",
    id: back.find((item) => item.kind === "dispute").id,
    amount: 2_500,
  });
  await expectCompleteLedger(company, disputed.id, lost);
  await expectCompleteLedger(company, charged.id, back);
});

it("a partly lost dispute shows the requested and the taken amount", async () => {
  const company = await givenCompany();
  const charge = await givenSettled(company, 2_500);
  await dispute(company, charge);
  await dispute(company, charge, { status: "LOST", amount: 900 });

  const items = await timelineOf(company, charge.id);

  expect(items.map(describeItem).slice(PAID.length)).toEqual([
    "DISPUTE 2500 OPEN",
    "booked dispute_opened by dispute",
    "event 2 transaction.disputed",
    "DISPUTE 900 LOST",
    "booked dispute_reduced by dispute",
    "booked dispute_lost by dispute",
    "event 3 transaction.partially_refunded",
  ]);
  await expectCompleteLedger(company, charge.id, items);
});

it("names the refund as the cause when its failure gives held money to a dispute", async () => {
  const company = await givenCompany();
  const charge = await givenSettled(company, 2_500);
  await requestRefund(company, charge, { amount: 1_000 });
  await dispute(company, charge);
  await reportOperation(company, REFUSED);

  const items = await timelineOf(company, charge.id);

  expect(items.map(describeItem).slice(PAID.length)).toEqual([
    "refund 1000 PENDING",
    "booked refund_requested by refund",
    "DISPUTE 2500 OPEN",
    "booked dispute_opened by dispute",
    "event 2 transaction.disputed",
    "refund 1000 FAILED: The account is closed.",
    "booked refund_failed by refund",
    "booked dispute_opened by refund",
  ]);
  await expectCompleteLedger(company, charge.id, items);
});

it("a second payment is unexpected, and its return appears until it is done", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  const second = freshEndToEndId();
  await settle(company, { id, amount: 900 }, { paymentId: second });
  await requestReturn(company, second);
  await reportOperation(company, REFUSED);
  await requestReturn(company, second);
  await reportOperation(company, { kind: "done" }, 2);

  const items = await timelineOf(company, id);

  expect(items.map(describeItem)).toEqual([
    ...PAID,
    "payment 900 unexpected",
    "booked payment_suspended by payment",
    "return 900 PENDING",
    "return 900 FAILED: The account is closed.",
    "return 900 PENDING",
    "return 900 DONE",
    "booked suspense_returned by return",
  ]);
  expect(items[6]).toMatchObject({ paymentId: second, amount: 900 });
  await expectCompleteLedger(company, id, items);
});

it("the credit of a card is released in parts, independently of other movements", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const { id, amount } = await givenSettled(company, 900, {
    terms: { paymentMethod: "CREDIT_CARD", installments: 3, releaseDays: 30 },
    payment: { paidAt: clock.now() },
  });
  clock.advance(31 * DAY_MS);
  await requestRefund(company, { id, amount }, { amount: 100 });
  clock.advance(60 * DAY_MS);

  const items = await timelineOf(company, id);

  const booked = items.filter(({ kind }) => kind === "movement" || kind === "operation");
  expect(booked.map(describeItem)).toEqual([
    "booked charge_paid by payment",
    "booked credit_released by release",
    "refund 100 PENDING",
    "booked refund_requested by refund",
    "booked credit_released by release",
    "booked credit_released by release",
  ]);
  await expectCompleteLedger(company, id, items);
});

it("no transaction's timeline contains items of another", async () => {
  const company = await givenCompany();
  const charges = [await givenSettled(company, 500), await givenSettled(company, 500)];
  await settleCharge(company, charges[0]!);
  await refund(company, charges[1]!.id);
  await pay(company, charges[0]!.id, 1);
  const all: number[] = [];
  for (const { id } of charges) {
    const items = await timelineOf(company, id);
    await expectCompleteLedger(company, id, items);
    all.push(...items.flatMap((item) => (item.kind === "movement" ? [item.number] : [])));
  }
  expect(all.toSorted((left, right) => left - right)).toEqual([1, 2, 3, 4, 5, 6]);
});
