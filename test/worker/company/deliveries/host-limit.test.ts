import { afterAll, afterEach, expect, it, vi } from "vitest";
import { systemSender } from "../../../../src/api/webhooks/service.ts";
import { deliver, type DeliveryDeps } from "../../../../src/webhooks/delivery/deliver.ts";
import { parseDeliveryId } from "../../../../src/domain/events/delivery.ts";
import type { Env } from "../../../../src/config.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { cronDeps, runCron } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { injectFault, withAccounts } from "../../../support/faults/faulty-env.ts";
import { processWakeUps } from "../../../support/fakes/wake-up-queue.ts";
import { permitRequest } from "../../../support/builders/webhooks/named-permits.ts";
import { evict, keepInMemory } from "../../../support/faults/object.ts";
import { eventually } from "../../../support/probes/until.ts";
import {
  finishAllDue,
  dueEvents,
  givenHistory,
} from "../../../support/builders/webhooks/webhook-history.ts";
import { deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";

afterAll(finishAllDue);

const MINUTE = 60_000;
const LIMIT = 16;
const COUNT = 40;
const HELD_OPEN = "https://held.example.com/hook";
const OTHER = "https://other.example.com/hook";

afterEach(() => vi.restoreAllMocks());

/** A company with 40 deliveries due to a host that holds every request, and one to another host. */
async function givenOpenRequests() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const sink = new WebhookSink(clock);
  await givenHistory(company, [
    ...dueEvents(COUNT, clock.now(), HELD_OPEN),
    { objectId: "other", at: clock.now(), url: OTHER },
  ]);
  let inFlight = 0;
  let most = 0;
  const held: (() => void)[] = [];
  let hold = true;
  sink.respond = async ({ url }) => {
    if (url === HELD_OPEN) {
      inFlight += 1;
      most = Math.max(most, inFlight);
      if (hold) await new Promise<void>((resolve) => held.push(resolve));
      inFlight -= 1;
    }
    return new Response(null, { status: 204 });
  };
  const deps: DeliveryDeps = { ...sink.deps(), leases: systemSender(env, clock).leases };
  return {
    clock,
    company,
    sink,
    deps,
    most: () => most,
    letOneGo: () => held.shift()?.(),
    letAllGo: () => {
      hold = false;
      for (const resolve of held.splice(0)) resolve();
    },
    follow: (companySequence: number) =>
      deliver(env, { companyId: company.id, companySequence, target: "endpoint" }, deps),
  };
}

const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

async function deliveredOf(company: TestCompany): Promise<number> {
  return (await deliveriesOf(company)).filter((each) => each.status === "delivered").length;
}

it("16 of 40 deliveries to one host run concurrently and the rest wait without delaying other hosts", async () => {
  const { company, sink, clock, deps, follow, most, letOneGo, letAllGo } =
    await givenOpenRequests();
  const endKeeping = keepInMemory(company);

  const work = Promise.all(numbers(1, LIMIT).map(follow));
  await eventually(() => sink.received.length === LIMIT);
  // These deliveries are rejected at once and end while the first ones hang.
  await Promise.all(numbers(LIMIT + 1, COUNT).map(follow));
  expect(sink.received).toHaveLength(LIMIT);
  await follow(COUNT + 1);
  expect(sink.received.at(-1)?.url).toBe(OTHER);
  expect(await deliveredOf(company)).toBe(1);

  // A finished delivery passes its permit to a waiting one.
  expect(sink.wakeUps).toEqual([]);
  letOneGo();
  await eventually(() => sink.wakeUps.length === 1);
  letAllGo();
  await work;
  await processWakeUps(sink, clock, { deps });
  await endKeeping();

  expect(most()).toBe(LIMIT);
  expect(sink.received).toHaveLength(COUNT + 1);
  expect(await deliveredOf(company)).toBe(COUNT + 1);
});

it("the waiting list is lost with the object's memory and the sweep finds the deliveries", async () => {
  const { company, sink, clock, deps, follow, letAllGo } = await givenOpenRequests();
  const endKeeping = keepInMemory(company);
  const work = Promise.all(numbers(1, LIMIT).map(follow));
  await eventually(() => sink.received.length === LIMIT);
  await Promise.all(numbers(LIMIT + 1, COUNT).map(follow));
  await endKeeping();
  await evict(company, { clock });
  letAllGo();
  await work;
  expect(sink.wakeUps).toEqual([]);
  expect(await deliveredOf(company)).toBe(LIMIT);

  clock.advance(MINUTE);
  const hints = await runCron(cronDeps(clock, new FakeBank()));
  for (const hint of hints.filter((id) => id.startsWith(`dlv_${company.id}_`))) {
    await deliver(env, parseDeliveryId(hint)!, deps);
  }

  expect(await deliveredOf(company)).toBe(COUNT + 1);
  expect(sink.received).toHaveLength(COUNT + 1);
});

it("no webhook is sent while the company's object is unavailable, and all are sent afterwards", async () => {
  const { company, sink, deps, clock, letAllGo } = await givenOpenRequests();
  letAllGo();
  const warnings = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  const away = injectFault({ on: /DeliveryLease/, when: "before", times: COUNT });
  const cutOff: Env = withAccounts(env, away.intercept);
  const leases = systemSender(cutOff, clock).leases;

  for (const companySequence of numbers(1, COUNT)) {
    const ref = { companyId: company.id, companySequence, target: "endpoint" as const };
    await deliver(env, ref, { ...deps, leases });
  }

  expect(sink.received).toEqual([]);
  expect(away.injections()).toBe(COUNT);
  const events = warnings.mock.calls.map(([line]) => JSON.parse(line as string).event);
  expect(new Set(events)).toEqual(new Set(["delivery_lease_failed"]));
  await processWakeUps(sink, clock, { deps: { ...deps, leases } });
  expect(sink.received).toHaveLength(COUNT);
});

it("wake-up messages for delivered events hold no permit", async () => {
  const { company, sink, follow, letAllGo } = await givenOpenRequests();
  letAllGo();
  await follow(1);
  for (let again = 0; again < 2 * LIMIT; again++) await follow(1);
  expect(sink.received).toHaveLength(1);

  const slots = await inAccount(company.id, (account) =>
    Promise.all(
      numbers(1, LIMIT).map((index) =>
        account.acquireDeliveryLease(
          permitRequest("held.example.com", `slot-${index}`, `x${index}`),
        ),
      ),
    ),
  );
  expect(new Set(slots.map(({ kind }) => kind))).toEqual(new Set(["granted"]));
});
