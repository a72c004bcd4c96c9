import { afterAll, expect, it } from "vitest";
import { projectionWriter } from "../../../../src/db/projection/projection-writer.ts";
import { OBJECT_EVENTS_MAX } from "../../../../src/webhooks/delivery/delivery-group.ts";
import { acquireDelivery } from "../../../../src/webhooks/delivery/deliver.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { endToEndId, settle } from "../../../support/builders/charges/charge-commands.ts";
import { env, givenCompany } from "../../../support/builders/companies/company.ts";
import { meteredD1 } from "../../../support/probes/database/cost.ts";
import { cronDeps, runCron } from "../../../support/fakes/cron.ts";
import { withResults } from "../../../support/probes/database/instrumented-database.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { replaceInObject } from "../../../support/faults/object.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import {
  finishAllDue,
  dueEvents,
  deleteAllDue,
  givenHistory,
} from "../../../support/builders/webhooks/webhook-history.ts";
import { deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";

const ENDPOINT = "https://loja.example.com/webhooks";
const HOUR_MS = 3_600_000;
const OPEN = 2_000;
const SWEEP = /from "deliveries".*"next_attempt_at" <= /s;

afterAll(finishAllDue);

it(`${OPEN} undelivered events do not increase the reads of a drain, a delivery or a sweep`, async () => {
  await deleteAllDue();
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl: ENDPOINT });
  const sink = new WebhookSink(clock);
  const meter = meteredD1();
  await replaceInObject(company, { projection: () => projectionWriter(meter.env) });
  const costs = async (payment: number) => {
    const transaction = await givenTransaction(company);
    meter.lap();
    await settle(company, transaction, { paymentId: endToEndId(payment) });
    const drain = meter.lap();
    const newest = (await deliveriesOf(company)).at(-1)!;
    clock.advance(1);
    await sink.deliver(company, newest.companySequence, { target: "endpoint", env: meter.env });
    const delivery = meter.lap();
    const sweeping = meteredD1((sql) => SWEEP.test(sql));
    expect(await runCron(cronDeps(clock, new FakeBank()), sweeping.env)).toEqual([]);
    return { drain, delivery, sweep: sweeping.lap() };
  };

  // The first event has no neighbour in the index, which saves a row.
  await costs(1);
  const none = await costs(2);
  await givenHistory(company, dueEvents(OPEN, clock.now() + HOUR_MS, ENDPOINT));

  expect(await costs(3)).toEqual(none);
  expect(sink.received).toHaveLength(3);
  const open = (await deliveriesOf(company)).filter(({ status }) => status === "pending");
  expect(open).toHaveLength(OPEN);
});

it("the newest events of an object are sent when it has more than one read returns", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl: ENDPOINT });
  const due = { objectId: "BRL", at: clock.now(), url: ENDPOINT };
  const first = await givenHistory(
    company,
    Array.from({ length: OPEN }, () => due),
  );
  const ref = {
    companyId: company.id,
    companySequence: first + OPEN - 1,
    target: "endpoint",
  } as const;
  const meter = meteredD1();
  clock.advance(1);

  const work = await acquireDelivery(meter.env, ref, new WebhookSink(clock).deps());

  expect(work).not.toBeNull();
  // The first look at a few events, then one at each event and its delivery.
  expect(meter.lap().read).toBeLessThanOrEqual(2 * OBJECT_EVENTS_MAX + 50);
});

it("at most a few bodies of a long backlog are in memory at once", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl: ENDPOINT });
  const many = 100;
  const due = { objectId: "BRL", at: clock.now(), url: ENDPOINT };
  const first = await givenHistory(
    company,
    Array.from({ length: many }, () => due),
  );
  await env.DB.prepare(
    "UPDATE events SET body = json_object('number', company_sequence, 'wide', ?2) WHERE company_id = ?1",
  )
    .bind(company.id, "w".repeat(60_000))
    .run();
  let most = 0;
  const heard = withResults((rows) => (most = Math.max(most, JSON.stringify(rows).length)));
  const sink = new WebhookSink(clock);
  clock.advance(1);

  await sink.deliver(company, first, { target: "endpoint", env: heard });

  expect(sink.received.map(({ body }) => body.number)).toEqual(
    Array.from({ length: many }, (_, index) => first + index),
  );
  expect(most).toBeLessThan(300_000);
});
