import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it } from "vitest";
import { companyStub } from "../../../../src/company-client/stub.ts";
import { recordsOf } from "../../../../src/db/projection/records.ts";
import {
  claim,
  drained,
  end,
  endToEndId,
  PAID,
  report,
  settle,
  termsOf,
  withdraw,
} from "../../../support/builders/commands.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  env,
  givenCompany,
  inAccount,
  takeMadeCompanies,
} from "../../../support/builders/company.ts";
import { CONNECTION_LOST, fault, withD1 } from "../../../support/faults/faulty-env.ts";
import { accountsOf, alarmOf, outboxLength } from "../../../support/builders/ledger.ts";
import { downRecords, rememberedHints, replaceInObject } from "../../../support/probes/object.ts";
import { givenTransaction } from "../../../support/builders/transaction.ts";
import { until } from "../../../support/probes/until.ts";
import { deliveriesOf, eventsOf, transactionsOf } from "../../../support/probes/webhook-rows.ts";

/** Promises that settle one after another in one turn: a drain that ends takes fewer. */
const TURN_MAX = 20;
const POSTBACK = "https://loja.example.com/webhooks";

it("while D1 is down a payment is credited and answered, and the alarm tells D1 later", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { amount: 2_500 });
  const restore = await replaceInObject(company, downRecords());

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

it("an alarm that finds D1 still down arms the next one, further and further away", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenTransaction(company);
  const down = downRecords();
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

it("what came while D1 was down is told in the order it came", async () => {
  const company = await givenCompany();
  const first = await givenTransaction(company, { amount: 2_500 });
  const second = await givenTransaction(company, { amount: 1_000 });
  const restore = await replaceInObject(company, downRecords());
  await end(company, first, "failed");
  await settle(company, first);
  await end(company, second, "cancelled");
  await withdraw(company);
  await claim(company);
  await report(company, PAID);
  await restore();

  await drained(company);

  const events = await eventsOf(company);
  expect(events.map((event) => event.companySequence)).toEqual([1, 2, 3, 4, 5]);
  expect(events.map((event) => event.type)).toEqual([
    "transaction.failed",
    "transaction.paid",
    "transaction.cancelled",
    "withdraw.processing",
    "withdraw.paid",
  ]);
});

it("where the queue takes no hint the commit stays owed, and is told again as the same event", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { postbackUrl: POSTBACK });
  const restore = await replaceInObject(company, {
    hints: {
      deliveries: () => Promise.reject(new Error("the queue is down")),
      payouts: async () => undefined,
    },
  });
  await settle(company, transaction);
  expect(await outboxLength(company)).toBe(1);
  const told = await eventsOf(company);
  expect(told).toHaveLength(1);
  await restore();
  const hints = rememberedHints();
  await replaceInObject(company, { hints });

  await runDurableObjectAlarm(companyStub(env, company.id));

  expect(await outboxLength(company)).toBe(0);
  expect(await eventsOf(company)).toEqual(told);
  expect(await deliveriesOf(company)).toHaveLength(1);
  expect(hints.deliveryIds).toEqual([`dlv_${company.id}_1_postback`]);
});

it("a commit that comes while a drain writes to D1 is drained too", async () => {
  const company = await givenCompany();
  const first = await givenTransaction(company, { amount: 2_500 });
  const second = await givenTransaction(company, { amount: 1_000 });
  let ended: Promise<unknown> | undefined;
  const restore = await replaceInObject(company, {
    records: (real) => ({
      apply: async (companyId, entries, nowMs) => {
        if (ended === undefined) {
          ended = end(company, second, "failed");
          await until(async () => (await outboxLength(company)) === 2);
        }
        return real.apply(companyId, entries, nowMs);
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

it("a commit that comes when a drain has already seen the outbox empty is drained too", async () => {
  const company = await givenCompany({ balance: 2_500 });
  const transaction = await givenTransaction(company, { amount: 1_000 });
  let ended: Promise<unknown> | undefined;
  await replaceInObject(company, {
    hints: {
      deliveries: async () => undefined,
      payouts: async () => {
        ended = end(company, transaction, "failed");
        await until(async () => (await outboxLength(company)) === 1);
      },
    },
  });

  await withdraw(company);
  await until(() => ended !== undefined);
  await ended;

  expect(await outboxLength(company)).toBe(0);
  expect((await eventsOf(company)).at(-1)?.type).toBe("transaction.failed");
});

it("an answer of D1 that got lost after it wrote makes one event and one delivery", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company, { postbackUrl: POSTBACK });
  const lost = fault({ on: /insert into "events"/, when: "after", error: CONNECTION_LOST });
  const hints = rememberedHints();
  const restore = await replaceInObject(company, {
    records: () => recordsOf(withD1(env, lost.around)),
    hints,
  });

  await settle(company, transaction);

  expect(lost.strikes()).toBe(1);
  expect(await outboxLength(company)).toBe(0);
  expect(await eventsOf(company)).toHaveLength(1);
  expect(await deliveriesOf(company)).toHaveLength(1);
  expect(hints.deliveryIds).toEqual([`dlv_${company.id}_1_postback`]);
  await restore();
});

it("more commits than one batch holds are all told in one run", async () => {
  const company = await givenCompany({ balance: 50_000 });
  const restore = await replaceInObject(company, downRecords());
  for (let number = 0; number < 45; number++) {
    await withdraw(company, { idempotencyKey: `wd_${number}` });
    await claim(company, number + 1);
  }
  await restore();
  expect(await outboxLength(company)).toBe(45);

  await drained(company);

  expect(await outboxLength(company)).toBe(0);
});

it("a change in the very moment in which a drain ends is in D1 before its answer", async () => {
  for (let later = 1; later < TURN_MAX; later++) {
    const company = await givenCompany();
    // D1 takes everything without having any of it.
    takeMadeCompanies();
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
      account.records = {
        apply: async (_companyId, entries) => {
          told.push(
            ...entries.map((entry) => ("transactionId" in entry ? entry.transactionId : "")),
          );
          if (started.length === 0) started.push(inTheMoment());
          return [];
        },
      };
      await settleCharge("first", 1);
      await Promise.all(started);
    });
  }
});
