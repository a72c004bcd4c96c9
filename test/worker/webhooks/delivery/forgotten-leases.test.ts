import { expect, it } from "vitest";
import { SendSlots } from "../../../../src/company/deliveries/send-slots.ts";
import {
  deliver as followHint,
  type DeliveryDeps,
} from "../../../../src/webhooks/delivery/deliver.ts";
import { env } from "../../../support/builders/company.ts";
import { until } from "../../../support/probes/until.ts";
import { attemptsOf, deliveriesOf } from "../../../support/probes/webhook-rows.ts";
import { givenAnnouncing, type Announcing } from "../../../support/builders/withdraw-events.ts";

const LEASE_MS = 30_000;
const SECOND = 1_000;

/** The object is evicted: its next instance knows of no lease and no slot. */
function forget({ sink, clock }: Announcing): void {
  sink.slots = new SendSlots(clock.now());
}

/** What the newest event's consumer does, with something else in its world. */
function followWith(
  { company, newest }: Announcing,
  deps: DeliveryDeps,
  companySequence = newest(),
): Promise<void> {
  return followHint(env, { companyId: company.id, companySequence, target: "endpoint" }, deps);
}

function sequences({ sink }: Announcing): number[] {
  return sink.received.map((request) => request.body.sequence);
}

it("an event in flight as its lease is forgotten may go twice, under one id, and counts once", async () => {
  const announcing = await givenAnnouncing();
  const { clock, company, sink, announce, deliver } = announcing;
  await announce();
  const answer = Promise.withResolvers<Response>();
  sink.answer = () => answer.promise;
  const first = deliver();
  await until(() => sink.received.length === 1);

  clock.advance(SECOND);
  forget(announcing);
  sink.answering(204);
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

it("of several events none goes past a holder that was forgotten; they go once it must be gone", async () => {
  const announcing = await givenAnnouncing();
  const { clock, company, sink, announce, deliver } = announcing;
  await announce();
  const answer = Promise.withResolvers<Response>();
  sink.answer = () => answer.promise;
  const first = deliver();
  await until(() => sink.received.length === 1);

  clock.advance(SECOND);
  forget(announcing);
  await announce();
  await deliver();
  expect(sequences(announcing)).toEqual([1]);
  expect(sink.hints.map(({ delayMs }) => delayMs)).toEqual([LEASE_MS]);
  sink.answering(204);
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

it("nor does a newer event go soon after the one that such a holder may still take for open", async () => {
  const announcing = await givenAnnouncing();
  const { clock, sink, announce, deliver } = announcing;
  await announce();
  clock.advance(SECOND);
  forget(announcing);
  await deliver();
  await announce();
  await deliver();
  expect(sequences(announcing)).toEqual([1]);

  clock.advance(LEASE_MS);
  await deliver();
  expect(sequences(announcing)).toEqual([1, 2]);
  expect(sink.hints).toHaveLength(1);
});

it("what is read before another's lease and acted upon after it is read again", async () => {
  const announcing = await givenAnnouncing();
  const { company, sink, announce, deliver } = announcing;
  await announce();
  await announce();
  const deps = sink.deps();
  const take: DeliveryDeps["slots"]["take"] = async (companyId, request) => {
    await deliver();
    return deps.slots.take(companyId, request);
  };

  await followWith(announcing, { ...deps, slots: { ...deps.slots, take } }, 2);

  expect(sequences(announcing)).toEqual([1, 2]);
  expect((await deliveriesOf(company)).slice(1).map(({ attempts }) => attempts)).toEqual([1, 1]);
  // Nothing is held by the one that found nothing to do.
  await announce();
  await deliver();
  expect(sequences(announcing)).toEqual([1, 2, 3]);
});

it("a holder that stood still until its lease was over posts nothing", async () => {
  const announcing = await givenAnnouncing();
  const { clock, company, sink, announce, deliver } = announcing;
  await announce();
  sink.addresses = () => {
    clock.advance(LEASE_MS);
    return [];
  };
  await deliver();
  expect(sink.received).toEqual([]);
  expect((await deliveriesOf(company)).at(-1)).toMatchObject({ status: "pending", attempts: 0 });

  sink.addresses = () => [];
  await deliver();
  expect(sequences(announcing)).toEqual([1]);
});

it("a holder that stood still for a second asks again, and leaves what was sent meanwhile", async () => {
  const announcing = await givenAnnouncing();
  const { clock, company, sink, announce, deliver } = announcing;
  await announce();
  const deps = sink.deps();
  let meanwhile: Promise<void> | undefined;
  const resolve: DeliveryDeps["resolve"] = async () => {
    if (meanwhile !== undefined) return [];
    clock.advance(SECOND);
    forget(announcing);
    meanwhile = deliver();
    await meanwhile;
    return [];
  };

  await followWith(announcing, { ...deps, resolve });

  expect(sequences(announcing)).toEqual([1]);
  expect((await deliveriesOf(company)).at(-1)).toMatchObject({ status: "delivered", attempts: 1 });
});

it("an open event below one that is over is never sent after it", async () => {
  const announcing = await givenAnnouncing();
  const { company, sink, announce, deliver } = announcing;
  await announce();
  await announce();
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
