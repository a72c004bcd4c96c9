import { expect, it } from "vitest";
import type { Projection } from "../../../../src/company/outbox/ports.ts";
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
  endCharge,
  endToEndId,
  settle,
} from "../../../support/builders/charges/charge-commands.ts";
import {
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { CONNECTION_LOST } from "../../../support/faults/faulty-env.ts";
import {
  accountsOf,
  alarmOf,
  movementsOf,
  outboxLength,
} from "../../../support/probes/ledger/ledger.ts";
import { unavailableProjection, evict, replaceInObject } from "../../../support/faults/object.ts";
import { updateSettings, cancel, refund } from "../../../support/builders/operations/refund.ts";
import { givenPaid, givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import { deliveriesOf, eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";

const ENDPOINT = "https://loja.example.com/webhooks";
const DAY_MS = 24 * 3_600_000;
/** Longer than any backoff of the drain. */
const BACKOFF_IS_OVER_MS = 2 * 3_600_000;

async function givenClocked(balance = 0) {
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl: ENDPOINT, balance });
  return { clock, company };
}

/** The platform fires the object's alarm. */
function alarm(company: TestCompany): Promise<void> {
  return inAccount(company.id, (account) => account.alarm());
}

async function withdrawsInD1(company: TestCompany): Promise<string[]> {
  const { results } = await env.DB.prepare(
    "SELECT status FROM withdraws WHERE company_id = ? ORDER BY id",
  )
    .bind(company.id)
    .all<{ status: string }>();
  return results.map(({ status }) => status);
}

/** Types of the events in D1, which are numbered without a gap, each with its delivery. */
async function announcedInOrder(company: TestCompany): Promise<string[]> {
  const events = await eventsOf(company);
  const numbers = events.map((_, index) => index + 1);
  expect(events.map((event) => event.companySequence)).toEqual(numbers);
  const deliveries = await deliveriesOf(company);
  expect(deliveries.map((delivery) => delivery.companySequence)).toEqual(numbers);
  const perObject = new Map<string, number>();
  for (const { objectId, sequence } of events) {
    expect(sequence, objectId).toBe((perObject.get(objectId) ?? 0) + 1);
    perObject.set(objectId, sequence);
  }
  return events.map((event) => event.type);
}

it("the alarm releases credits while D1 is down and announces them when D1 is back", async () => {
  const { clock, company } = await givenClocked();
  expect((await updateSettings(company, { releaseDays: { PIX: 1 } })).status).toBe(200);
  const { id } = await givenTransaction(company, { amount: 2_500 });
  expect((await pay(company, id)).status).toBe(200);
  expect(await accountsOf(company)).toMatchObject({ awaiting: 2_500 });
  const restore = await replaceInObject(company, unavailableProjection());

  clock.advance(2 * DAY_MS);
  await alarm(company);

  expect(await accountsOf(company)).toMatchObject({ awaiting: 0, available: 2_500 });
  expect(await outboxLength(company)).toBe(1);
  expect(await alarmOf(company)).not.toBeNull();
  expect(await announcedInOrder(company)).toEqual(["transaction.paid"]);
  await restore();
  clock.advance(BACKOFF_IS_OVER_MS);
  await alarm(company);
  expect(await outboxLength(company)).toBe(0);
  expect(await announcedInOrder(company)).toEqual(["transaction.paid", "balance.released"]);
});

it.each([
  ["paid", [PAID], ["withdraw.paid"], { available: 3_000, payout: 0 }],
  ["refused", [FAILED], ["withdraw.failed"], { available: 5_000, payout: 0 }],
  [
    "paid and sent back",
    [PAID, RETURNED],
    ["withdraw.paid", "withdraw.returned"],
    { available: 5_000, payout: 0 },
  ],
])(
  "a payout that is %s while D1 is down is booked at once and projected when D1 is back",
  async (_what, reports, types, accounts) => {
    const { clock, company } = await givenClocked(5_000);
    const restore = await replaceInObject(company, unavailableProjection());
    await withdraw(company, { amount: 2_000 });

    expect((await claimPayout(company)).kind).toBe("send");
    for (const each of reports) expect((await reportPayout(company, each)).kind).toBe("recorded");

    expect(await accountsOf(company)).toMatchObject(accounts);
    expect(await withdrawsInD1(company)).toEqual([]);
    await restore();
    clock.advance(BACKOFF_IS_OVER_MS);
    await alarm(company);
    expect(await outboxLength(company)).toBe(0);
    expect(await withdrawsInD1(company)).toHaveLength(1);
    expect(await announcedInOrder(company)).toEqual([
      "transaction.paid",
      "withdraw.processing",
      ...types,
    ]);
  },
);

it("a day of work while D1 is down is projected in order when D1 is back", async () => {
  const { clock, company } = await givenClocked();
  const charges = [];
  for (let made = 0; made < 5; made++) {
    charges.push(await givenTransaction(company, { amount: 2_500 }));
  }
  const down = unavailableProjection();
  const restore = await replaceInObject(company, down);
  const types: string[] = [];
  for (const [index, charge] of charges.entries()) {
    if (index === 4) {
      expect((await endCharge(company, charge, "failed")).kind).toBe("transitioned");
      types.push("transaction.failed");
      continue;
    }
    await settle(company, charge, { paymentId: endToEndId(index + 1) });
    await withdraw(company, { amount: 1_000, idempotencyKey: `wd_${index}` });
    await claimPayout(company, index + 1);
    await reportPayout(company, index % 2 === 0 ? PAID : FAILED, index + 1);
    types.push("transaction.paid", "withdraw.processing");
    types.push(index % 2 === 0 ? "withdraw.paid" : "withdraw.failed");
    clock.advance(BACKOFF_IS_OVER_MS);
    await alarm(company);
  }
  expect(down.calls()).toBeGreaterThan(1);
  expect(await announcedInOrder(company)).toEqual([]);
  expect(await accountsOf(company)).toMatchObject({ available: 8_000, payout: 0 });

  await restore();
  clock.advance(BACKOFF_IS_OVER_MS);
  await alarm(company);

  expect(await outboxLength(company)).toBe(0);
  expect(await announcedInOrder(company)).toEqual(types);
  expect(await withdrawsInD1(company)).toEqual(["Paid", "Failed", "Paid", "Failed"]);
  const statuses = (await transactionsOf(company)).map(({ status }) => status);
  expect(statuses).toEqual(["paid", "paid", "paid", "paid", "failed"]);
});

it("alarms retry a D1 outage with growing waits and drop nothing", async () => {
  const { clock, company } = await givenClocked();
  const down = unavailableProjection();
  const restore = await replaceInObject(company, down);
  await settle(company, await givenTransaction(company, { amount: 2_500 }));
  const waits: number[] = [];

  for (let fired = 0; fired < 6; fired++) {
    const before = down.calls();
    const at = await alarmOf(company);
    expect(at).not.toBeNull();
    waits.push(at! - clock.now());
    clock.advance(Math.max(0, at! - clock.now()));
    await alarm(company);
    expect(down.calls()).toBe(before + 1);
    expect(await outboxLength(company)).toBe(1);
  }

  expect(waits).toEqual(waits.toSorted((left, right) => left - right));
  expect(waits.at(-1)).toBeGreaterThan(waits[0]!);
  await restore();
  await alarm(company);
  expect(await outboxLength(company)).toBe(0);
  expect(await announcedInOrder(company)).toEqual(["transaction.paid"]);
});

it("a D1 write without a response is repeated and stored once", async () => {
  const { clock, company } = await givenClocked();
  const charge = await givenTransaction(company, { amount: 2_500 });
  let applied = 0;
  const restore = await replaceInObject(company, {
    projection: (real: Projection): Projection => ({
      write: async (...parameters) => {
        await real.write(...parameters);
        applied += 1;
        throw new Error(CONNECTION_LOST);
      },
    }),
  });

  await settle(company, charge);
  await withdraw(company, { amount: 1_000 });
  await claimPayout(company);
  await reportPayout(company, PAID);
  clock.advance(BACKOFF_IS_OVER_MS);
  await alarm(company);
  const types = await announcedInOrder(company);

  expect(applied).toBeGreaterThan(1);
  expect(await outboxLength(company)).toBeGreaterThan(0);
  await restore();
  clock.advance(BACKOFF_IS_OVER_MS);
  await alarm(company);
  expect(await outboxLength(company)).toBe(0);
  expect(await announcedInOrder(company)).toEqual(types);
  expect(types).toEqual(["transaction.paid", "withdraw.processing", "withdraw.paid"]);
});

it("an object that is evicted while D1 is down resumes from its rows", async () => {
  const { clock, company } = await givenClocked(5_000);
  await replaceInObject(company, unavailableProjection());
  await withdraw(company, { amount: 2_000 });
  await claimPayout(company);

  await evict(company, { clock });
  await replaceInObject(company, unavailableProjection());
  expect((await reportPayout(company, PAID)).kind).toBe("recorded");
  await evict(company, { clock });
  clock.advance(BACKOFF_IS_OVER_MS);
  await alarm(company);

  expect(await outboxLength(company)).toBe(0);
  expect(await withdrawsInD1(company)).toEqual(["Paid"]);
  expect((await movementsOf(company)).map((movement) => movement.type)).toEqual([
    "charge_paid",
    "withdraw_requested",
    "withdraw_paid",
  ]);
  expect(await announcedInOrder(company)).toEqual([
    "transaction.paid",
    "withdraw.processing",
    "withdraw.paid",
  ]);
});

it("a refund and a cancel return the object's result although D1 lacks it", async () => {
  const { company } = await givenClocked();
  const { id } = await givenPaid(company, 2_500);
  const open = await givenTransaction(company);
  const restore = await replaceInObject(company, unavailableProjection());

  const refunded = await refund(company, id);
  const cancelled = await cancel(company, open.id);

  await restore();
  expect(refunded.body.data).toMatchObject({ status: "REFUNDED", refundedAmount: 2_500 });
  expect(cancelled.body.data).toMatchObject({ status: "CANCELLED" });
});
