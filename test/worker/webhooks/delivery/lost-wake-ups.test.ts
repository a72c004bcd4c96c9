import { expect, it } from "vitest";
import { parseDeliveryId } from "../../../../src/domain/events/delivery.ts";
import { deliver } from "../../../../src/webhooks/delivery/deliver.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
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
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { endCharge, settle } from "../../../support/builders/charges/charge-commands.ts";
import { cronDeps, runCron } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";

const MINUTE = 60_000;
const POSTBACK = "https://loja.example.com/postback";
const ENDPOINT = "https://loja.example.com/endpoint";

/** One company with two objects and five events, none of which was hinted. */
async function givenLostWakeUps(clock: TestClock): Promise<TestCompany> {
  const company = await givenCompany({ clock, webhookUrl: ENDPOINT });
  const transaction = await givenTransaction(company, { amount: 5_000, postbackUrl: POSTBACK });
  await endCharge(company, transaction, "failed");
  await settle(company, transaction);
  await withdraw(company);
  await claimPayout(company);
  await reportPayout(company, PAID);
  await waitUntilDrained(company);
  return company;
}

/** One minute's sweep: its hints of this company, whatever else is due. */
async function sweep(clock: TestClock, company: TestCompany): Promise<string[]> {
  const wakeUps = await runCron(cronDeps(clock, new FakeBank()));
  return wakeUps.filter((wakeUp) => wakeUp.startsWith(`dlv_${company.id}_`));
}

async function processWakeUps(sink: WebhookSink, wakeUps: string[]): Promise<void> {
  for (const wakeUp of wakeUps) await deliver(env, parseDeliveryId(wakeUp)!, sink.deps());
}

/** What each target was told of each object, in the order it was told. */
function sequencesReceived(
  sink: WebhookSink,
  url: string,
  object: "transaction" | "withdraw" | "payment",
): number[] {
  return sink.received
    .filter((request) => request.url === url && request.body.type.startsWith(object))
    .map((request) => request.body.sequence);
}

function expectAllReceived(sink: WebhookSink): void {
  expect(sequencesReceived(sink, POSTBACK, "transaction")).toEqual([1, 2]);
  expect(sequencesReceived(sink, ENDPOINT, "transaction")).toEqual([1, 2]);
  expect(sequencesReceived(sink, ENDPOINT, "withdraw")).toEqual([1, 2]);
  expect(sequencesReceived(sink, ENDPOINT, "payment")).toEqual([1]);
}

it("the sweep repeats lost wake-up messages and every event arrives", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenLostWakeUps(clock);
  clock.advance(MINUTE);

  const wakeUps = await sweep(clock, company);
  expect(wakeUps).toHaveLength(7);
  await processWakeUps(sink, wakeUps);

  expectAllReceived(sink);
  expect((await deliveriesOf(company)).every((each) => each.status === "delivered")).toBe(true);
  clock.advance(MINUTE);
  expect(await sweep(clock, company)).toEqual([]);
});

it("repeated and reordered wake-up messages change nothing", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenLostWakeUps(clock);
  clock.advance(MINUTE);
  const wakeUps = await sweep(clock, company);

  await processWakeUps(sink, wakeUps.toReversed());
  await processWakeUps(sink, wakeUps);
  await Promise.all(wakeUps.map((wakeUp) => processWakeUps(sink, [wakeUp])));

  expectAllReceived(sink);
});

it("concurrent wake-up messages send nothing twice and keep each object's order", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenLostWakeUps(clock);
  clock.advance(MINUTE);
  const wakeUps = await sweep(clock, company);

  await Promise.all([...wakeUps, ...wakeUps].map((wakeUp) => processWakeUps(sink, [wakeUp])));

  expectAllReceived(sink);
});

it("the sweep skips a delivery with a recent wake-up message", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenLostWakeUps(clock);

  expect(await sweep(clock, company)).toEqual([]);

  await sink.deliverAll(company);
  expectAllReceived(sink);
});

it("the sweep finds a due retry whose message was lost", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock).respondWith(500);
  const company = await givenCompany({ clock });
  const transaction = await givenTransaction(company, { postbackUrl: POSTBACK });
  await settle(company, transaction);
  await sink.deliver(company, 1);
  sink.respondWith(204);

  clock.advance(4_000);
  expect(await sweep(clock, company)).toEqual([]);
  clock.advance(MINUTE);
  const wakeUps = await sweep(clock, company);
  expect(wakeUps).toEqual([`dlv_${company.id}_1_postback`]);
  await processWakeUps(sink, wakeUps);

  expect(sink.received).toHaveLength(2);
  expect(await deliveriesOf(company)).toMatchObject([{ status: "delivered", attempts: 2 }]);
});

it("a wake-up message for an unknown delivery has no effect", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenCompany({ clock });

  await sink.deliver(company, 99);

  expect(sink.received).toEqual([]);
});
