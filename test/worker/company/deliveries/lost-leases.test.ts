import { expect, it } from "vitest";
import { DeliveryLeases } from "../../../../src/company/deliveries/delivery-leases.ts";
import {
  deliver as followHint,
  type DeliveryDeps,
} from "../../../../src/webhooks/delivery/deliver.ts";
import { env } from "../../../support/builders/companies/company.ts";
import { eventually } from "../../../support/probes/until.ts";
import { attemptsOf, deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import {
  givenWithdrawEvents,
  type WithdrawEventsSetup,
} from "../../../support/builders/withdraws/withdraw-events.ts";

const LEASE_MS = 30_000;
const SECOND = 1_000;

/** Evicts the object: its next instance has no leases and permits. */
function loseLeases({ sink, clock }: WithdrawEventsSetup): void {
  sink.leases = new DeliveryLeases(clock.now());
}

/** What the newest event's consumer does, with something else in its world. */
function processWith(
  { company, newestEventNumber }: WithdrawEventsSetup,
  deps: DeliveryDeps,
  companySequence = newestEventNumber(),
): Promise<void> {
  return followHint(env, { companyId: company.id, companySequence, target: "endpoint" }, deps);
}

function sequences({ sink }: WithdrawEventsSetup): number[] {
  return sink.received.map((request) => request.body.sequence);
}

it("an event in flight when its lease is lost may be sent twice under one id and is recorded once", async () => {
  const announcing = await givenWithdrawEvents();
  const { clock, company, sink, createEvent, deliver } = announcing;
  await createEvent();
  const answer = Promise.withResolvers<Response>();
  sink.respond = () => answer.promise;
  const first = deliver();
  await eventually(() => sink.received.length === 1);

  clock.advance(SECOND);
  loseLeases(announcing);
  sink.respondWith(204);
  await deliver();
  answer.resolve(new Response(null, { status: 500 }));
  await first;

  expect(sink.received.map((request) => request.id)).toEqual([
    `evt_${company.id}_2`,
    `evt_${company.id}_2`,
  ]);
  expect((await deliveriesOf(company)).at(-1)).toMatchObject({ status: "delivered", attempts: 1 });
  const tries = (await attemptsOf(company)).filter((each) => each.companySequence === 2);
  expect(tries).toMatchObject([{ number: 1, httpStatus: 204 }]);
});

it("events wait until the holder of a lost lease must have stopped", async () => {
  const announcing = await givenWithdrawEvents();
  const { clock, company, sink, createEvent, deliver } = announcing;
  await createEvent();
  const answer = Promise.withResolvers<Response>();
  sink.respond = () => answer.promise;
  const first = deliver();
  await eventually(() => sink.received.length === 1);

  clock.advance(SECOND);
  loseLeases(announcing);
  await createEvent();
  await deliver();
  expect(sequences(announcing)).toEqual([1]);
  expect(sink.wakeUps.map(({ delayMs }) => delayMs)).toEqual([LEASE_MS]);
  sink.respondWith(204);
  answer.resolve(new Response(null, { status: 204 }));
  await first;
  clock.advance(LEASE_MS);
  await deliver();

  expect(sequences(announcing)).toEqual([1, 2]);
  expect((await deliveriesOf(company)).slice(1)).toMatchObject([
    { status: "delivered", attempts: 1 },
    { status: "delivered", attempts: 1 },
  ]);
});

it("a newer event waits for a holder that may still consider the older event open", async () => {
  const announcing = await givenWithdrawEvents();
  const { clock, sink, createEvent, deliver } = announcing;
  await createEvent();
  clock.advance(SECOND);
  loseLeases(announcing);
  await deliver();
  await createEvent();
  await deliver();
  expect(sequences(announcing)).toEqual([1]);

  clock.advance(LEASE_MS);
  await deliver();
  expect(sequences(announcing)).toEqual([1, 2]);
  expect(sink.wakeUps).toHaveLength(1);
});

it("rows that were read before another holder's lease are read again", async () => {
  const announcing = await givenWithdrawEvents();
  const { company, sink, createEvent, deliver } = announcing;
  await createEvent();
  await createEvent();
  const deps = sink.deps();
  const acquire: DeliveryDeps["leases"]["acquire"] = async (companyId, request) => {
    await deliver();
    return deps.leases.acquire(companyId, request);
  };

  await processWith(announcing, { ...deps, leases: { ...deps.leases, acquire } }, 2);

  expect(sequences(announcing)).toEqual([1, 2]);
  expect((await deliveriesOf(company)).slice(1).map(({ attempts }) => attempts)).toEqual([1, 1]);
  // Nothing is held by the one that found nothing to do.
  await createEvent();
  await deliver();
  expect(sequences(announcing)).toEqual([1, 2, 3]);
});

it("a holder that stalls until its lease expires sends nothing", async () => {
  const announcing = await givenWithdrawEvents();
  const { clock, company, sink, createEvent, deliver } = announcing;
  await createEvent();
  sink.addresses = () => {
    clock.advance(LEASE_MS);
    return ["1.1.1.1"];
  };
  await deliver();
  expect(sink.received).toEqual([]);
  expect((await deliveriesOf(company)).at(-1)).toMatchObject({ status: "pending", attempts: 0 });

  sink.addresses = () => ["1.1.1.1"];
  await deliver();
  expect(sequences(announcing)).toEqual([1]);
});

it("a holder that stalls for a second checks its lease again and skips delivered events", async () => {
  const announcing = await givenWithdrawEvents();
  const { clock, company, sink, createEvent, deliver } = announcing;
  await createEvent();
  const deps = sink.deps();
  let meanwhile: Promise<void> | undefined;
  const resolve: DeliveryDeps["resolve"] = async () => {
    if (meanwhile !== undefined) return ["1.1.1.1"];
    clock.advance(SECOND);
    loseLeases(announcing);
    meanwhile = deliver();
    await meanwhile;
    return ["1.1.1.1"];
  };

  await processWith(announcing, { ...deps, resolve });

  expect(sequences(announcing)).toEqual([1]);
  expect((await deliveriesOf(company)).at(-1)).toMatchObject({ status: "delivered", attempts: 1 });
});

it("an open event is never sent after a newer finished one", async () => {
  const announcing = await givenWithdrawEvents();
  const { company, sink, createEvent, deliver } = announcing;
  await createEvent();
  await createEvent();
  await deliver();
  await env.DB.prepare(
    `UPDATE deliveries SET status = 'pending', next_attempt_at = 1
     WHERE company_id = ? AND company_sequence = 2`,
  )
    .bind(company.id)
    .run();

  await sink.deliver(company, 2, { target: "endpoint" });

  expect(sequences(announcing)).toEqual([1, 2]);
  expect((await deliveriesOf(company)).map(({ status }) => status)).toEqual([
    "delivered",
    "superseded",
    "delivered",
  ]);
});
