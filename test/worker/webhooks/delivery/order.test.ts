import { expect, it } from "vitest";
import { settle, endCharge } from "../../../support/builders/charges/charge-commands.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { givenCompany } from "../../../support/builders/companies/company.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { eventually } from "../../../support/probes/until.ts";
import { deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { givenHistory } from "../../../support/builders/webhooks/webhook-history.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";
import { givenWithdrawEvents } from "../../../support/builders/withdraws/withdraw-events.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

async function statusesOf(company: Parameters<typeof deliveriesOf>[0]): Promise<string[]> {
  return (await deliveriesOf(company)).slice(1).map((delivery) => delivery.status);
}

it("a newer event retries the undelivered older one at once and then is sent itself", async () => {
  const { clock, company, sink, createEvent, deliver } = await givenWithdrawEvents();
  sink.respondWith(500);
  await createEvent();
  await deliver();
  clock.advance(1_000);
  sink.respondWith(204);

  await createEvent();
  await deliver();

  expect(sink.types()).toEqual(["withdraw.processing", "withdraw.processing", "withdraw.paid"]);
  expect(await statusesOf(company)).toEqual(["delivered", "delivered"]);
});

it("an older event that fails again ends superseded, and the newer one is sent in any case", async () => {
  const { clock, company, sink, createEvent, deliver } = await givenWithdrawEvents();
  sink.respondWith(500);
  await createEvent();
  await deliver();
  clock.advance(1_000);

  await createEvent();
  await deliver();

  expect(sink.types()).toEqual(["withdraw.processing", "withdraw.processing", "withdraw.paid"]);
  expect(await statusesOf(company)).toEqual(["superseded", "pending"]);
});

it("an older event is never sent after a newer one", async () => {
  const { clock, company, sink, createEvent, deliver } = await givenWithdrawEvents();
  sink.respond = ({ body }) =>
    new Response(null, { status: body.type === "withdraw.paid" ? 204 : 500 });
  await createEvent();
  await createEvent();
  await deliver();

  for (let hours = 0; hours < 5; hours++) {
    clock.advance(HOUR);
    await sink.deliver(company, 2, { target: "endpoint" });
    await sink.deliver(company, 3, { target: "endpoint" });
  }

  expect(sink.types()).toEqual(["withdraw.processing", "withdraw.paid"]);
  expect(await statusesOf(company)).toEqual(["superseded", "delivered"]);
});

it("three events without wake-up messages are sent in order, none is skipped", async () => {
  const { company, sink, createEvent, deliver } = await givenWithdrawEvents();
  sink.respondWith(500);
  await createEvent();
  await createEvent();
  await createEvent();

  await deliver();

  expect(sink.received.map((request) => request.body.sequence)).toEqual([1, 2, 3]);
  expect(await statusesOf(company)).toEqual(["superseded", "superseded", "pending"]);
});

it("the wake-up message of an older event delivers the newer ones too, in order", async () => {
  const { company, sink, createEvent } = await givenWithdrawEvents();
  await createEvent();
  await createEvent();
  await createEvent();

  await sink.deliver(company, 2, { target: "endpoint" });

  expect(sink.received.map((request) => request.body.sequence)).toEqual([1, 2, 3]);
  expect(await statusesOf(company)).toEqual(["delivered", "delivered", "delivered"]);
});

it("a newer event ends an older event's long wait", async () => {
  const { clock, company, sink, createEvent, deliver } = await givenWithdrawEvents();
  sink.respondWith(503, { "Retry-After": String(10 * 3_600) });
  await createEvent();
  await deliver();
  expect((await deliveriesOf(company)).at(-1)?.dueAt).toBe(clock.now() + 10 * HOUR);

  clock.advance(MINUTE);
  await createEvent();

  sink.respondWith(204);
  await deliver();
  expect(await statusesOf(company)).toEqual(["delivered", "delivered"]);
});

it("an exhausted or stopped older event is not retried", async () => {
  const { clock, company, sink, createEvent, deliver } = await givenWithdrawEvents();
  sink.respondWith(410);
  await createEvent();
  await deliver();
  clock.advance(1_000);
  sink.respondWith(204);

  await createEvent();
  await deliver();

  expect(sink.types()).toEqual(["withdraw.processing", "withdraw.paid"]);
  expect(await statusesOf(company)).toEqual(["stopped", "delivered"]);
});

it("independent objects do not wait for each other", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const sink = new WebhookSink(clock);
  const wish = { postbackUrl: "https://loja.example.com/postback" };
  const first = await givenTransaction(company, wish);
  const second = await givenTransaction(company, wish);
  await settle(company, first, { paymentId: "E1" });
  await endCharge(company, second, "failed");
  const firstAnswer = Promise.withResolvers<Response>();
  sink.respond = ({ body }) =>
    body.data.id === first.id ? firstAnswer.promise : new Response(null, { status: 204 });

  const slow = sink.deliver(company, 1);
  await eventually(() => sink.received.length > 0);
  await sink.deliver(company, 2);

  expect((await deliveriesOf(company)).map((each) => each.status)).toEqual([
    "pending",
    "delivered",
  ]);
  firstAnswer.resolve(new Response(null, { status: 204 }));
  await slow;
  expect((await deliveriesOf(company)).map((each) => each.status)).toEqual([
    "delivered",
    "delivered",
  ]);
});

it("the two targets of one event do not wait for each other", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl: "https://loja.example.com/endpoint" });
  const sink = new WebhookSink(clock);
  const wish = { postbackUrl: "https://loja.example.com/postback" };
  const transaction = await givenTransaction(company, wish);
  await endCharge(company, transaction, "cancelled");
  await settle(company, transaction);
  sink.respond = ({ url }) => new Response(null, { status: url.endsWith("endpoint") ? 204 : 500 });

  await sink.deliver(company, 2, { target: "postback" });
  await sink.deliver(company, 2, { target: "endpoint" });

  expect(
    (await deliveriesOf(company)).map(
      (each) => `${each.companySequence} ${each.target} ${each.status}`,
    ),
  ).toEqual([
    "1 postback superseded",
    "1 endpoint delivered",
    "2 postback pending",
    "2 endpoint delivered",
    // The payment was late.
    "3 endpoint pending",
  ]);
});

it("all events that were created during an attempt are sent in order", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const sink = new WebhookSink(clock);
  const url = "https://loja.example.com/webhooks";
  const event = { objectId: "BRL", at: clock.now() + 1_000, url };
  const first = await givenHistory(company, [
    { ...event, status: "delivered" },
    ...Array.from({ length: 7 }, () => event),
  ]);
  clock.advance(MINUTE);

  // The hint of the one that has gone, as whoever sent it reads what is left.
  await sink.deliver(company, first, { target: "endpoint" });

  expect(sink.received.map(({ body }) => body.sequence)).toEqual([2, 3, 4, 5, 6, 7, 8]);
  expect(await statusesOf(company)).toEqual(Array.from({ length: 7 }, () => "delivered"));
});
