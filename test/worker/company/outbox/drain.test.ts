import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it } from "vitest";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { RENOTIFY_AFTER_MS } from "../../../../src/company/runtime/polling.ts";
import { projectionWriter } from "../../../../src/db/projection/projection-writer.ts";
import {
  claimPayout,
  PAID,
  reportPayout,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
  inAccount,
  takeCreatedCompanies,
} from "../../../support/builders/companies/company.ts";
import {
  endCharge,
  endToEndId,
  settle,
  termsOf,
} from "../../../support/builders/charges/charge-commands.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { CONNECTION_LOST, injectFault, withD1 } from "../../../support/faults/faulty-env.ts";
import { accountsOf, alarmOf, outboxLength } from "../../../support/probes/ledger/ledger.ts";
import { unavailableProjection, replaceInObject } from "../../../support/faults/object.ts";
import { recordingNotifier } from "../../../support/fakes/recording-notifier.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { eventually } from "../../../support/probes/until.ts";
import { deliveriesOf, eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { transactionsOf } from "../../../support/probes/charges/transaction-rows.ts";

/** Promises that settle one after another in one turn: a drain that ends takes fewer. */
const TURN_MAX = 20;
const POSTBACK = "https://loja.example.com/webhooks";

it("a payment while D1 is down is credited and returned, and the alarm drains it later", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { amount: 2_500 });
  const restore = await replaceInObject(company, unavailableProjection());

  expect(await settle(company, transaction)).toEqual({ kind: "credited" });

  expect(await accountsOf(company)).toMatchObject({ available: 2_500 });
  expect(await outboxLength(company)).toBe(1);
  expect(await eventsOf(company)).toEqual([]);
  expect(await alarmOf(company)).not.toBeNull();
  await restore();
  expect(await runDurableObjectAlarm(companyStub(env, company.id))).toBe(true);
  expect(await outboxLength(company)).toBe(0);
  expect((await eventsOf(company)).map((event) => event.type)).toEqual(["transaction.paid"]);
  expect((await transactionsOf(company))[0]).toMatchObject({ status: "paid", version: 1 });
  expect(await alarmOf(company)).toBeNull();
});

it("an alarm during a D1 outage schedules the next one with a growing wait", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenTransaction(company);
  const down = unavailableProjection();
  const restore = await replaceInObject(company, down);
  await settle(company, transaction);

  const waits: number[] = [];
  for (let alarms = 0; alarms < 8; alarms++) {
    expect(await runDurableObjectAlarm(companyStub(env, company.id))).toBe(true);
    waits.push(((await alarmOf(company)) ?? 0) - clock.now());
  }

  expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  expect(down.calls()).toBe(9);
  await restore();
});

it("commits during a D1 outage are drained in order", async () => {
  const company = await givenCompany();
  const first = await givenTransaction(company, { amount: 2_500 });
  const second = await givenTransaction(company, { amount: 1_000 });
  const restore = await replaceInObject(company, unavailableProjection());
  await endCharge(company, first, "failed");
  await settle(company, first);
  await endCharge(company, second, "cancelled");
  await withdraw(company);
  await claimPayout(company);
  await reportPayout(company, PAID);
  await restore();

  await waitUntilDrained(company);

  const events = await eventsOf(company);
  expect(events.map((event) => event.companySequence)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(events.map((event) => event.type)).toEqual([
    "transaction.failed",
    "transaction.paid",
    "payment.unexpected",
    "transaction.cancelled",
    "withdraw.processing",
    "withdraw.paid",
  ]);
});

it("a commit stays in the outbox when the queue fails, and is drained again as the same event", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { postbackUrl: POSTBACK });
  const restore = await replaceInObject(company, {
    notifier: {
      notifyDeliveries: () => Promise.reject(new Error("the queue is down")),
      notifyPayouts: async () => undefined,
    },
  });
  await settle(company, transaction);
  expect(await outboxLength(company)).toBe(1);
  const told = await eventsOf(company);
  expect(told).toHaveLength(1);
  await restore();
  const notifier = recordingNotifier();
  await replaceInObject(company, { notifier });

  await runDurableObjectAlarm(companyStub(env, company.id));

  expect(await outboxLength(company)).toBe(0);
  expect(await eventsOf(company)).toEqual(told);
  expect(await deliveriesOf(company)).toHaveLength(1);
  expect(notifier.deliveryIds).toEqual([`dlv_${company.id}_1_postback`]);
});

it("a commit during a drain is drained too", async () => {
  const company = await givenCompany();
  const first = await givenTransaction(company, { amount: 2_500 });
  const second = await givenTransaction(company, { amount: 1_000 });
  let ended: Promise<unknown> | undefined;
  const restore = await replaceInObject(company, {
    projection: (real) => ({
      write: async (companyId, entries, nowMs) => {
        if (ended === undefined) {
          ended = endCharge(company, second, "failed");
          await eventually(async () => (await outboxLength(company)) === 2);
        }
        return real.write(companyId, entries, nowMs);
      },
    }),
  });

  await settle(company, first);
  await ended;

  expect(await outboxLength(company)).toBe(0);
  expect((await eventsOf(company)).map((event) => event.type)).toEqual([
    "transaction.paid",
    "transaction.failed",
  ]);
  await restore();
});

it("a commit after a drain saw an empty outbox is drained too", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 2_500, clock });
  const transaction = await givenTransaction(company, { amount: 1_000 });
  await withdraw(company);
  clock.advance(RENOTIFY_AFTER_MS);
  let ended: Promise<unknown> | undefined;
  await replaceInObject(company, {
    notifier: {
      notifyDeliveries: async () => undefined,
      // The alarm's drain has written to D1 and wakes the due withdraw now.
      notifyPayouts: async () => {
        ended = endCharge(company, transaction, "failed");
        await eventually(async () => (await outboxLength(company)) === 1);
      },
    },
  });

  await runDurableObjectAlarm(companyStub(env, company.id));
  await ended;

  expect(await outboxLength(company)).toBe(0);
  expect((await eventsOf(company)).at(-1)?.type).toBe("transaction.failed");
});

it("a lost D1 response after a write leads to one event and one delivery", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { postbackUrl: POSTBACK });
  const lost = injectFault({ on: /insert into "events"/, when: "after", error: CONNECTION_LOST });
  const notifier = recordingNotifier();
  const restore = await replaceInObject(company, {
    projection: () => projectionWriter(withD1(env, lost.intercept)),
    notifier: notifier,
  });

  await settle(company, transaction);

  expect(lost.injections()).toBe(1);
  expect(await outboxLength(company)).toBe(0);
  expect(await eventsOf(company)).toHaveLength(1);
  expect(await deliveriesOf(company)).toHaveLength(1);
  expect(notifier.deliveryIds).toEqual([`dlv_${company.id}_1_postback`]);
  await restore();
});

it("one run drains more commits than one batch holds", async () => {
  const company = await givenCompany({ balance: 50_000 });
  const restore = await replaceInObject(company, unavailableProjection());
  for (let number = 0; number < 45; number++) {
    await withdraw(company, { idempotencyKey: `wd_${number}` });
    await claimPayout(company, number + 1);
  }
  await restore();
  expect(await outboxLength(company)).toBe(45);

  await waitUntilDrained(company);

  expect(await outboxLength(company)).toBe(0);
});

it("a change at the moment when a drain ends is in D1 before its response", async () => {
  for (let later = 1; later < TURN_MAX; later++) {
    const company = await givenCompany();
    // D1 takes everything without having any of it.
    takeCreatedCompanies();
    const told: string[] = [];
    await inAccount(company.id, async (account) => {
      const settleCharge = (id: string, number: number) =>
        account.settlePayment({
          companyId: company.id,
          terms: termsOf({ id, amount: 100 }),
          payment: { paymentId: endToEndId(number), method: "PIX", amount: 100, paidAt: 1 },
        });
      const inTheMoment = async () => {
        for (let step = 0; step < later; step++) await Promise.resolve();
        await settleCharge("second", 2);
        expect(told).toEqual(["first", "second"]);
      };
      const started: Promise<void>[] = [];
      account.projection = {
        write: async (_companyId, entries) => {
          told.push(
            ...entries.map((entry) => ("transactionId" in entry ? entry.transactionId : "")),
          );
          if (started.length === 0) started.push(inTheMoment());
          return { due: [], change: { charges: [], entries } };
        },
      };
      await settleCharge("first", 1);
      await Promise.all(started);
    });
  }
});
