import { expect, it } from "vitest";
import { parseDeliveryId } from "../../../../src/domain/events/delivery.ts";
import { deliver } from "../../../../src/webhooks/delivery/deliver.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  claim,
  drained,
  end,
  PAID,
  report,
  settle,
  withdraw,
} from "../../../support/builders/commands.ts";
import { env, givenCompany, type TestCompany } from "../../../support/builders/company.ts";
import { cronDeps, runCron } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { givenTransaction } from "../../../support/builders/transaction.ts";
import { deliveriesOf } from "../../../support/probes/webhook-rows.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";

const MINUTE = 60_000;
const POSTBACK = "https://loja.example.com/postback";
const ENDPOINT = "https://loja.example.com/endpoint";

/** One company with two objects and five events, none of which was hinted. */
async function givenUnhinted(clock: TestClock): Promise<TestCompany> {
  const company = await givenCompany({ clock, webhookUrl: ENDPOINT });
  const transaction = await givenTransaction(company, { amount: 5_000, postbackUrl: POSTBACK });
  await end(company, transaction, "failed");
  await settle(company, transaction);
  await withdraw(company);
  await claim(company);
  await report(company, PAID);
  await drained(company);
  return company;
}

/** One minute's sweep: its hints of this company, whatever else is due. */
async function sweep(clock: TestClock, company: TestCompany): Promise<string[]> {
  const hints = await runCron(cronDeps(clock, new FakeBank()));
  return hints.filter((hint) => hint.startsWith(`dlv_${company.id}_`));
}

async function follow(sink: WebhookSink, hints: string[]): Promise<void> {
  for (const hint of hints) await deliver(env, parseDeliveryId(hint)!, sink.deps());
}

/** What each target was told of each object, in the order it was told. */
function told(sink: WebhookSink, url: string, object: "transaction" | "withdraw"): number[] {
  return sink.received
    .filter((request) => request.url === url && request.body.type.startsWith(object))
    .map((request) => request.body.sequence);
}

function expectAllTold(sink: WebhookSink): void {
  expect(told(sink, POSTBACK, "transaction")).toEqual([1, 2]);
  expect(told(sink, ENDPOINT, "transaction")).toEqual([1, 2]);
  expect(told(sink, ENDPOINT, "withdraw")).toEqual([1, 2]);
}

it("hints that were all lost are given again by the sweep, and every event arrives", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenUnhinted(clock);
  clock.advance(MINUTE);

  const hints = await sweep(clock, company);
  expect(hints).toHaveLength(6);
  await follow(sink, hints);

  expectAllTold(sink);
  expect((await deliveriesOf(company)).every((each) => each.status === "delivered")).toBe(true);
  clock.advance(MINUTE);
  expect(await sweep(clock, company)).toEqual([]);
});

it("hints that come twice and in any order change nothing", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenUnhinted(clock);
  clock.advance(MINUTE);
  const hints = await sweep(clock, company);

  await follow(sink, hints.toReversed());
  await follow(sink, hints);
  await Promise.all(hints.map((hint) => follow(sink, [hint])));

  expectAllTold(sink);
});

it("hints that all come at once send nothing twice and keep each object's order", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenUnhinted(clock);
  clock.advance(MINUTE);
  const hints = await sweep(clock, company);

  await Promise.all([...hints, ...hints].map((hint) => follow(sink, [hint])));

  expectAllTold(sink);
});

it("a hint that is just under way is left alone by the sweep", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenUnhinted(clock);

  expect(await sweep(clock, company)).toEqual([]);

  await sink.deliverAll(company);
  expectAllTold(sink);
});

it("a retry that the queue lost is found by the sweep when it is due", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock).answering(500);
  const company = await givenCompany({ clock });
  const transaction = await givenTransaction(company, { postbackUrl: POSTBACK });
  await settle(company, transaction);
  await sink.deliver(company, 1);
  sink.answering(204);

  clock.advance(4_000);
  expect(await sweep(clock, company)).toEqual([]);
  clock.advance(MINUTE);
  const hints = await sweep(clock, company);
  expect(hints).toEqual([`dlv_${company.id}_1_postback`]);
  await follow(sink, hints);

  expect(sink.received).toHaveLength(2);
  expect(await deliveriesOf(company)).toMatchObject([{ status: "delivered", attempts: 2 }]);
});

it("a hint of a delivery that does not exist is followed to nothing", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenCompany({ clock });

  await sink.deliver(company, 99);

  expect(sink.received).toEqual([]);
});
