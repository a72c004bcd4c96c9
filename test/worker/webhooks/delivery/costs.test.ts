import { expect, it } from "vitest";
import { systemSender } from "../../../../src/api/webhooks/service.ts";
import { projectionWriter } from "../../../../src/db/projection/projection-writer.ts";
import {
  acquireDelivery,
  deliver,
  type DeliveryDeps,
} from "../../../../src/webhooks/delivery/deliver.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  endCharge,
  endToEndId,
  settle,
  termsOf,
} from "../../../support/builders/charges/charge-commands.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { costInObject, meteredD1, type RowCost } from "../../../support/probes/database/cost.ts";
import { withAccounts, withD1 } from "../../../support/faults/faulty-env.ts";
import { replaceInObject } from "../../../support/faults/object.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { givenHistory } from "../../../support/builders/webhooks/webhook-history.ts";
import { deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";
import { givenWithdrawEvents } from "../../../support/builders/withdraws/withdraw-events.ts";

const MINUTE = 60_000;
const POSTBACK = "https://loja.example.com/postback";
const ENDPOINT = "https://loja.example.com/endpoint";

interface Merchant {
  clock: TestClock;
  company: TestCompany;
  transaction: { id: string; amount: number };
  sink: WebhookSink;
}

async function givenMerchant(webhookUrl = ""): Promise<Merchant> {
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl });
  const transaction = await givenTransaction(company, { postbackUrl: POSTBACK });
  return { clock, company, transaction, sink: new WebhookSink(clock) };
}

/** The cost of one message: acquiring the delivery, and all attempts with their records. */
async function costsOf(
  { company, sink, clock }: Merchant,
  companySequence: number,
): Promise<{ takeUp: RowCost; work: RowCost }> {
  // Long enough after the object's previous event.
  clock.advance(1);
  const meter = meteredD1();
  const ref = { companyId: company.id, companySequence, target: "postback" } as const;
  const work = await acquireDelivery(meter.env, ref, sink.deps());
  const taken = meter.lap();
  expect(work).not.toBe("held");
  if (typeof work === "function") await work();
  return { takeUp: taken, work: meter.lap() };
}

async function statusesOf({ company }: Merchant): Promise<string[]> {
  return (await deliveriesOf(company)).map((delivery) => delivery.status);
}

/** What the drain of one payment costs in D1. */
async function drainCost({ company, transaction }: Merchant): Promise<RowCost> {
  const meter = meteredD1();
  await replaceInObject(company, { projection: () => projectionWriter(meter.env) });
  await costInObject(company, (account) =>
    account.settlePayment({
      companyId: company.id,
      terms: termsOf(transaction),
      payment: {
        paymentId: endToEndId(1),
        method: "PIX",
        amount: transaction.amount,
        paidAt: Date.now(),
      },
    }),
  );
  return meter.lap();
}

const ACQUIRED_DELIVERY: RowCost = { read: 7, written: 0 };

it("the event of a paid PIX can be read and filtered with SQL alone", async () => {
  const merchant = await givenMerchant();
  await drainCost(merchant);
  await costsOf(merchant, 1);

  const row = await env.DB.prepare(
    `SELECT type, object_id AS object, body ->> '$.data.status' AS transaction_status, target, url, status,
       attempts, next_attempt_at AS next, attempts_log ->> '$[0].httpStatus' AS answered
     FROM events JOIN deliveries USING (company_id, company_sequence)
     WHERE company_id = ? AND body ->> '$.data.id' = object_id`,
  )
    .bind(merchant.company.id)
    .first();
  expect(row).toEqual({
    type: "transaction.paid",
    object: merchant.transaction.id,
    transaction_status: "PAID",
    target: "postback",
    url: POSTBACK,
    status: "delivered",
    attempts: 1,
    next: null,
    answered: 204,
  });
});

it("the drain of one event writes the transaction's projection, the event and each delivery with their indexes", async () => {
  const one = await givenMerchant();
  // The fourth row is the charge as the batch left it, for the archive.
  expect(await drainCost(one), "3 and a day's first total (3), 3 and 2").toEqual({
    read: 4,
    written: 10,
  });
  expect(await deliveriesOf(one.company)).toMatchObject([{ status: "pending" }]);

  const two = await givenMerchant(ENDPOINT);
  expect(await drainCost(two), "to two targets").toEqual({ read: 4, written: 12 });
  expect(await deliveriesOf(two.company)).toHaveLength(2);
});

it("an event delivered at the first attempt is its row and the count of attempts", async () => {
  const merchant = await givenMerchant();
  await settle(merchant.company, merchant.transaction);

  expect(await costsOf(merchant, 1)).toEqual({
    takeUp: ACQUIRED_DELIVERY,
    work: { read: 4, written: 2 },
  });
  expect(await statusesOf(merchant)).toEqual(["delivered"]);
});

it("an event that failed once and was then delivered", async () => {
  const merchant = await givenMerchant();
  await settle(merchant.company, merchant.transaction);
  merchant.sink.respondWith(503);

  expect(
    await costsOf(merchant, 1),
    "the delivery, its due time, that the host fails, and since when, and the count of attempts",
  ).toEqual({
    takeUp: ACQUIRED_DELIVERY,
    work: { read: 5, written: 5 },
  });
  merchant.sink.respondWith(204);
  merchant.clock.advance(MINUTE);
  expect(await costsOf(merchant, 1), "the delivery, that the host is well, and the count").toEqual({
    takeUp: ACQUIRED_DELIVERY,
    work: { read: 5, written: 3 },
  });
  expect(await statusesOf(merchant)).toEqual(["delivered"]);
});

it("an event failed, was retried and then superseded by the object's next event", async () => {
  const merchant = await givenMerchant();
  await endCharge(merchant.company, merchant.transaction, "failed");
  merchant.sink.respondWith(503);
  await costsOf(merchant, 1);
  await settle(merchant.company, merchant.transaction);
  merchant.sink.respond = (request) =>
    new Response(null, { status: request.body.sequence === 1 ? 503 : 204 });

  expect(await costsOf(merchant, 2)).toEqual({
    takeUp: { read: 9, written: 0 },
    work: { read: 11, written: 7 },
  });
  expect(await statusesOf(merchant)).toEqual(["superseded", "delivered"]);
});

it("a wake-up message repeats after the delivery or before the next attempt is due", async () => {
  const merchant = await givenMerchant();
  await settle(merchant.company, merchant.transaction);
  merchant.sink.respondWith(503);
  await costsOf(merchant, 1);
  const nothing = { takeUp: ACQUIRED_DELIVERY, work: { read: 0, written: 0 } };

  expect(await costsOf(merchant, 1)).toEqual(nothing);
  merchant.clock.advance(MINUTE);
  merchant.sink.respondWith(204);
  await costsOf(merchant, 1);

  expect(await costsOf(merchant, 1)).toEqual(nothing);
});

it("a first attempt makes two round trips to D1 and two to the company's object", async () => {
  const { company, transaction, sink, clock } = await givenMerchant();
  await settle(company, transaction);
  const trips: string[] = [];
  const counted: typeof env = withD1(env, (label, run) => {
    trips.push(label);
    return run();
  });
  const calls: string[] = [];
  const accounts = withAccounts(env, (label, run) => {
    calls.push(label);
    return run();
  });
  clock.advance(1_000);
  const deps: DeliveryDeps = { ...sink.deps(), leases: systemSender(accounts, clock).leases };

  await deliver(counted, { companyId: company.id, companySequence: 1, target: "postback" }, deps);

  expect(sink.received).toHaveLength(1);
  expect(trips).toHaveLength(2);
  expect(calls).toEqual(["acquireDeliveryLease", "releaseDeliveryLease"]);
});

it("a delivery writes no row in the company's object: its permits are in memory", async () => {
  const merchant = await givenMerchant();
  const { company, clock, sink } = merchant;
  await settle(company, merchant.transaction);
  const deps: DeliveryDeps = { ...sink.deps(), leases: systemSender(env, clock).leases };

  const cost = await costInObject(company, () =>
    deliver(env, { companyId: company.id, companySequence: 1, target: "postback" }, deps),
  );

  expect(cost).toEqual({ read: 0, written: 0 });
  expect(await statusesOf(merchant)).toEqual(["delivered"]);
});

it("a withdraw's event costs the same as a transaction's", async () => {
  const { clock, company, sink, createEvent, newestEventNumber } = await givenWithdrawEvents();
  const meter = meteredD1();
  await replaceInObject(company, { projection: () => projectionWriter(meter.env) });
  await createEvent();
  expect(
    meter.lap().written,
    "the copy, that no result is known, 3 of the event, 2 of its delivery",
  ).toBe(7);
  await createEvent();
  expect(meter.lap().written, "the same, without that").toBe(6);

  clock.advance(1);
  await sink.deliver(company, newestEventNumber(), { target: "endpoint", env: meter.env });
  expect(meter.lap().written, "two deliveries, each with the count of attempts").toBe(4);
  expect(sink.types()).toEqual(["withdraw.processing", "withdraw.paid"]);
});

it("an event of an object with a long history reads only its newest rows", async () => {
  const { clock, company, sink } = await givenMerchant();
  const costAfter = async (count: number): Promise<RowCost> => {
    const past = { objectId: `after-${count}`, at: clock.now(), url: ENDPOINT };
    const first = await givenHistory(company, [
      ...Array.from({ length: count }, () => ({ ...past, status: "delivered" })),
      past,
    ]);
    clock.advance(1);
    const meter = meteredD1();
    await sink.deliver(company, first + count, { target: "endpoint", env: meter.env });
    return meter.lap();
  };

  const few = await costAfter(10);

  expect(await costAfter(500)).toEqual(few);
  expect(few.read).toBeLessThan(40);
  expect(few.written).toBe(2);
});
