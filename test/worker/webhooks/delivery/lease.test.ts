import { expect, it } from "vitest";
import { deliver as followHint } from "../../../../src/webhooks/delivery/deliver.ts";
import { env } from "../../../support/builders/companies/company.ts";
import {
  CRASH,
  injectFault,
  withD1,
  type Interceptor,
  type Fault,
} from "../../../support/faults/faulty-env.ts";
import { eventually } from "../../../support/probes/until.ts";
import { attemptsOf, deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import {
  givenWithdrawEvents,
  type WithdrawEventsSetup,
} from "../../../support/builders/withdraws/withdraw-events.ts";

/** Longer than one attempt can take. */
const LEASE_EXPIRED_MS = 30_000;
const RECORDS_THE_ATTEMPT = /update "deliveries" set/;

/** Follows the newest event's hint in a process that dies at a fault: it gives nothing back. */
async function crashAt(
  injectedFault: Fault,
  { company, sink, newestEventNumber }: WithdrawEventsSetup,
): Promise<void> {
  const ref = {
    companyId: company.id,
    companySequence: newestEventNumber(),
    target: "endpoint",
  } as const;
  const deps = sink.deps();
  const dying = followHint(withD1(env, injectedFault.intercept), ref, {
    ...deps,
    leases: { ...deps.leases, release: () => Promise.reject(new Error(CRASH)) },
  });
  await expect(dying).rejects.toThrow(CRASH);
  expect(injectedFault.injections()).toBe(1);
}

/** Holds every request back until it is let go, and counts how many are in flight at once. */
function holdRequests({ sink }: WithdrawEventsSetup) {
  let inFlight = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  sink.respond = async () => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await new Promise<void>((resolve) => waiting.push(resolve));
    inFlight -= 1;
    return new Response(null, { status: 204 });
  };
  return {
    most: () => most,
    received: (count: number) => eventually(() => sink.received.length >= count),
    letGo: () => waiting.splice(0).forEach((resolve) => resolve()),
    letAllGo: () => {
      sink.respondWith(204);
      waiting.splice(0).forEach((resolve) => resolve());
    },
  };
}

it("one of two concurrent wake-ups for a delivery makes the attempt", async () => {
  const announcing = await givenWithdrawEvents();
  const { company, sink, createEvent, deliver } = announcing;
  await createEvent();
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

it("an event that is created while the lease is held is delivered by the holder", async () => {
  const announcing = await givenWithdrawEvents();
  const { company, sink, createEvent, deliver } = announcing;
  await createEvent();
  const requests = holdRequests(announcing);
  const holder = deliver();
  await requests.received(1);

  await createEvent();
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

it("a lease left by a crash blocks others until it expires", async () => {
  const announcing = await givenWithdrawEvents();
  const { clock, company, sink, createEvent, deliver: follow } = announcing;
  await createEvent();
  await crashAt(injectFault({ on: RECORDS_THE_ATTEMPT, when: "before" }), announcing);

  clock.advance(LEASE_EXPIRED_MS - 1);
  await follow();
  expect(sink.received).toHaveLength(1);
  clock.advance(1);
  await follow();

  expect(sink.received).toHaveLength(2);
  expect((await deliveriesOf(company)).at(-1)?.status).toBe("delivered");
});

it("failed work releases its lease at once", async () => {
  const {
    company,
    sink,
    createEvent,
    newestEventNumber,
    deliver: follow,
  } = await givenWithdrawEvents();
  await createEvent();
  const down = injectFault({ on: RECORDS_THE_ATTEMPT, when: "before" });
  await expect(
    sink.deliver(company, newestEventNumber(), {
      target: "endpoint",
      env: withD1(env, down.intercept),
    }),
  ).rejects.toThrow();

  await follow();

  expect(sink.received).toHaveLength(2);
  expect((await deliveriesOf(company)).at(-1)).toMatchObject({ status: "delivered", attempts: 1 });
});

it("a crash after the request and before its record causes a second request under the same webhook-id", async () => {
  const announcing = await givenWithdrawEvents();
  const { clock, company, sink, createEvent, deliver: follow } = announcing;
  await createEvent();
  await crashAt(injectFault({ on: RECORDS_THE_ATTEMPT, when: "before" }), announcing);

  clock.advance(LEASE_EXPIRED_MS);
  await follow();

  const [first, second] = sink.received;
  expect(second?.id).toBe(first?.id);
  expect(second?.rawBody).toBe(first?.rawBody);
  expect((await attemptsOf(company)).filter((each) => each.companySequence === 2)).toHaveLength(1);
});

it("a crash after the record and before the lease's release sends nothing again", async () => {
  const announcing = await givenWithdrawEvents();
  const { clock, sink, createEvent, deliver: follow } = announcing;
  await createEvent();
  await crashAt(injectFault({ on: RECORDS_THE_ATTEMPT, when: "after" }), announcing);

  clock.advance(LEASE_EXPIRED_MS);
  await follow();

  expect(sink.received).toHaveLength(1);
});

it("an event that is created before the lease is released belongs to its holder, with one attempt in flight", async () => {
  const announcing = await givenWithdrawEvents();
  const { company, sink, createEvent, deliver: follow, newestEventNumber } = announcing;
  await createEvent();
  const requests = holdRequests(announcing);
  let other: Promise<void> | undefined;
  // The newer event comes, and is asked for by another consumer, just after the holder has written its
  // attempt down and before it gives its lease back.
  const afterTheAttempt: Interceptor = async (label, run) => {
    const answer = await run();
    if (other === undefined && RECORDS_THE_ATTEMPT.test(label)) {
      await createEvent();
      other = follow();
      await other;
    }
    return answer;
  };
  const holder = sink.deliver(company, newestEventNumber(), {
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
