import { expect, it } from "vitest";
import { deliver as followHint } from "../../../../src/webhooks/delivery/deliver.ts";
import { env } from "../../../support/builders/company.ts";
import {
  CRASH,
  fault,
  withD1,
  type Around,
  type Fault,
} from "../../../support/faults/faulty-env.ts";
import { until } from "../../../support/probes/until.ts";
import { attemptsOf, deliveriesOf } from "../../../support/probes/webhook-rows.ts";
import { givenAnnouncing, type Announcing } from "../../../support/builders/withdraw-events.ts";

/** Longer than one attempt can take. */
const HOLDER_IS_DEAD_MS = 30_000;
const RECORDS_THE_ATTEMPT = /update "deliveries" set/;

/** Follows the newest event's hint in a process that dies at a fault: it gives nothing back. */
async function dyingAt(strike: Fault, { company, sink, newest }: Announcing): Promise<void> {
  const ref = { companyId: company.id, companySequence: newest(), target: "endpoint" } as const;
  const deps = sink.deps();
  const dying = followHint(withD1(env, strike.around), ref, {
    ...deps,
    slots: { ...deps.slots, free: () => Promise.reject(new Error(CRASH)) },
  });
  await expect(dying).rejects.toThrow(CRASH);
  expect(strike.strikes()).toBe(1);
}

/** Holds every request back until it is let go, and counts how many are in flight at once. */
function holdRequests({ sink }: Announcing) {
  let inFlight = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  sink.answer = async () => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await new Promise<void>((resolve) => waiting.push(resolve));
    inFlight -= 1;
    return new Response(null, { status: 204 });
  };
  return {
    most: () => most,
    received: (count: number) => until(() => sink.received.length >= count),
    letGo: () => waiting.splice(0).forEach((resolve) => resolve()),
    letAllGo: () => {
      sink.answering(204);
      waiting.splice(0).forEach((resolve) => resolve());
    },
  };
}

it("of two hints of one delivery at once, one makes the attempt", async () => {
  const announcing = await givenAnnouncing();
  const { company, sink, announce, deliver } = announcing;
  await announce();
  const requests = holdRequests(announcing);

  const first = deliver();
  await requests.received(1);
  await deliver();
  await deliver();
  expect(sink.received).toHaveLength(1);
  requests.letAllGo();
  await first;

  expect(sink.received).toHaveLength(1);
  expect(requests.most()).toBe(1);
  expect((await deliveriesOf(company)).at(-1)).toMatchObject({ status: "delivered", attempts: 1 });
});

it("an event that comes while the lease is held is delivered by the holder", async () => {
  const announcing = await givenAnnouncing();
  const { company, sink, announce, deliver } = announcing;
  await announce();
  const requests = holdRequests(announcing);
  const holder = deliver();
  await requests.received(1);

  await announce();
  await deliver();
  expect(sink.types()).toEqual(["withdraw.processing"]);
  requests.letAllGo();
  await holder;

  expect(sink.types()).toEqual(["withdraw.processing", "withdraw.paid"]);
  expect((await deliveriesOf(company)).slice(1).map((each) => each.status)).toEqual([
    "delivered",
    "delivered",
  ]);
});

it("a lease left by a crash keeps others away until it runs out", async () => {
  const announcing = await givenAnnouncing();
  const { clock, company, sink, announce, deliver: follow } = announcing;
  await announce();
  await dyingAt(fault({ on: RECORDS_THE_ATTEMPT, when: "before" }), announcing);

  clock.advance(HOLDER_IS_DEAD_MS - 1);
  await follow();
  expect(sink.received).toHaveLength(1);
  clock.advance(1);
  await follow();

  expect(sink.received).toHaveLength(2);
  expect((await deliveriesOf(company)).at(-1)?.status).toBe("delivered");
});

it("work that fails gives its lease back at once", async () => {
  const { company, sink, announce, newest, deliver: follow } = await givenAnnouncing();
  await announce();
  const down = fault({ on: RECORDS_THE_ATTEMPT, when: "before" });
  await expect(
    sink.deliver(company, newest(), { target: "endpoint", env: withD1(env, down.around) }),
  ).rejects.toThrow();

  await follow();

  expect(sink.received).toHaveLength(2);
  expect((await deliveriesOf(company)).at(-1)).toMatchObject({ status: "delivered", attempts: 1 });
});

it("posted and crashed before it was written down: posted again under the same webhook-id", async () => {
  const announcing = await givenAnnouncing();
  const { clock, company, sink, announce, deliver: follow } = announcing;
  await announce();
  await dyingAt(fault({ on: RECORDS_THE_ATTEMPT, when: "before" }), announcing);

  clock.advance(HOLDER_IS_DEAD_MS);
  await follow();

  const [first, second] = sink.received;
  expect(second?.id).toBe(first?.id);
  expect(second?.rawBody).toBe(first?.rawBody);
  expect((await attemptsOf(company)).filter((each) => each.companySequence === 2)).toHaveLength(1);
});

it("written down and crashed before the lease was given back: nothing is posted again", async () => {
  const announcing = await givenAnnouncing();
  const { clock, sink, announce, deliver: follow } = announcing;
  await announce();
  await dyingAt(fault({ on: RECORDS_THE_ATTEMPT, when: "after" }), announcing);

  clock.advance(HOLDER_IS_DEAD_MS);
  await follow();

  expect(sink.received).toHaveLength(1);
});

it("an event that comes before the lease is given back is its holder's: one attempt is in flight", async () => {
  const announcing = await givenAnnouncing();
  const { company, sink, announce, deliver: follow, newest } = announcing;
  await announce();
  const requests = holdRequests(announcing);
  let other: Promise<void> | undefined;
  // The newer event comes, and is asked for by another consumer, just after the holder has written its
  // attempt down and before it gives its lease back.
  const afterTheAttempt: Around = async (label, run) => {
    const answer = await run();
    if (other === undefined && RECORDS_THE_ATTEMPT.test(label)) {
      await announce();
      other = follow();
      await other;
    }
    return answer;
  };
  const holder = sink.deliver(company, newest(), {
    target: "endpoint",
    env: withD1(env, afterTheAttempt),
  });
  await requests.received(1);
  requests.letGo();
  await requests.received(2);
  requests.letAllGo();
  await Promise.all([holder, other]);

  expect(sink.types()).toEqual(["withdraw.processing", "withdraw.paid"]);
  expect(requests.most()).toBe(1);
});
