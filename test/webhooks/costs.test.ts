import { expect, it } from "vitest";
import { systemSender } from "../../src/api/webhooks/sender.ts";
import { recordsOf } from "../../src/db/records.ts";
import { deliver, takeUp, type DeliveryDeps } from "../../src/webhooks/deliver.ts";
import { TestClock } from "../support/clock.ts";
import { end, endToEndId, settle, termsOf } from "../support/commands.ts";
import { env, givenCompany, type TestCompany } from "../support/company.ts";
import { costInObject, meteredD1, type Cost } from "../support/cost.ts";
import { replaceInObject } from "../support/object.ts";
import { givenTransaction } from "../support/transaction.ts";
import { deliveriesOf } from "../support/webhook-rows.ts";
import { WebhookSink } from "../support/webhook-sink.ts";

const MINUTE = 60_000;

interface Merchant {
  clock: TestClock;
  company: TestCompany;
  transaction: { id: string; amount: number };
  sink: WebhookSink;
}

async function givenMerchant(): Promise<Merchant> {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const transaction = await givenTransaction(company, {
    postbackUrl: "https://loja.example.com/postback",
  });
  return { clock, company, transaction, sink: new WebhookSink(clock) };
}

/** What one hint costs: taking the delivery up, and all attempts with what is written of them. */
async function costsOf(
  { company, sink }: Merchant,
  companySequence: number,
): Promise<{ takeUp: Cost; work: Cost }> {
  const meter = meteredD1();
  const ref = { companyId: company.id, companySequence, target: "postback" } as const;
  const work = await takeUp(meter.env, ref, sink.deps());
  const taken = meter.lap();
  await work?.();
  return { takeUp: taken, work: meter.lap() };
}

async function statusesOf({ company }: Merchant): Promise<string[]> {
  return (await deliveriesOf(company)).map((delivery) => delivery.status);
}

const DRAINED: Cost = { read: 3, written: 6 };
const TAKEN_UP: Cost = { read: 7, written: 1 };
const DELIVERED: Cost = { read: 3, written: 2 };

it("the drain of one event to one target", async () => {
  const { company, transaction } = await givenMerchant();
  const meter = meteredD1();
  await replaceInObject(company, { records: () => recordsOf(meter.env) });

  const inObject = await costInObject(company, (account) =>
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

  expect(meter.lap()).toEqual(DRAINED);
  expect(inObject, "the payment's commit, postings and all, and the drain").toEqual({
    read: 23,
    written: 17,
  });
  expect(await deliveriesOf(company)).toMatchObject([{ status: "pending" }]);
});

it("an event delivered at the first attempt", async () => {
  const merchant = await givenMerchant();
  await settle(merchant.company, merchant.transaction);

  expect(await costsOf(merchant, 1)).toEqual({ takeUp: TAKEN_UP, work: DELIVERED });
  expect(await statusesOf(merchant)).toEqual(["delivered"]);
});

it("an event that failed once and was then delivered", async () => {
  const merchant = await givenMerchant();
  await settle(merchant.company, merchant.transaction);
  merchant.sink.answering(503);

  expect(await costsOf(merchant, 1), "the failure").toEqual({
    takeUp: TAKEN_UP,
    work: { read: 4, written: 6 },
  });
  merchant.sink.answering(204);
  merchant.clock.advance(MINUTE);
  expect(await costsOf(merchant, 1), "the success").toEqual({
    takeUp: { read: 8, written: 1 },
    work: { read: 4, written: 3 },
  });
  expect(await statusesOf(merchant)).toEqual(["delivered"]);
});

it("an event that failed, was offered once more and superseded by the object's next", async () => {
  const merchant = await givenMerchant();
  await end(merchant.company, merchant.transaction, "failed");
  merchant.sink.answering(503);
  await costsOf(merchant, 1);
  await settle(merchant.company, merchant.transaction);
  merchant.sink.answer = (request) =>
    new Response(null, { status: request.body.sequence === 1 ? 503 : 204 });

  expect(await costsOf(merchant, 2)).toEqual({
    takeUp: { read: 13, written: 2 },
    work: { read: 7, written: 7 },
  });
  expect(await statusesOf(merchant)).toEqual(["superseded", "delivered"]);
});

it("a hint that comes again after the delivery", async () => {
  const merchant = await givenMerchant();
  await settle(merchant.company, merchant.transaction);
  await costsOf(merchant, 1);

  expect(await costsOf(merchant, 1)).toEqual({
    takeUp: { read: 5, written: 0 },
    work: { read: 0, written: 0 },
  });
});

it("a delivery touches no row of the company's object: its slots are in memory", async () => {
  const merchant = await givenMerchant();
  const { company, clock, sink } = merchant;
  await settle(company, merchant.transaction);
  const deps: DeliveryDeps = { ...sink.deps(), slots: systemSender(env, clock).slots };

  const cost = await costInObject(company, () =>
    deliver(env, { companyId: company.id, companySequence: 1, target: "postback" }, deps),
  );

  expect(cost).toEqual({ read: 0, written: 0 });
  expect(await statusesOf(merchant)).toEqual(["delivered"]);
});
