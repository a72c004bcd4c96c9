import { afterEach, expect, it, vi } from "vitest";
import { call } from "../../../support/builders/requests/api.ts";
import { deliver } from "../../../../src/webhooks/delivery/deliver.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { configureObject, env, givenCompany } from "../../../support/builders/companies/company.ts";
import { cronDeps, runCron } from "../../../support/fakes/cron.ts";
import { DAY, givenHosts, SHOP_URL } from "../../../support/builders/webhooks/failing-host.ts";
import { captureOpenedCircuits } from "../../../support/probes/webhooks/circuits.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { withD1, type Interceptor } from "../../../support/faults/faulty-env.ts";
import { recordingQueue } from "../../../support/fakes/recording-queue.ts";
import { resendAllPages } from "../../../support/builders/webhooks/resend-range.ts";
import { setChaos } from "../../../support/faults/chaos-run.ts";
import { depsWithSink, sendTestEvent } from "../../../support/builders/webhooks/test-events.ts";
import { eventually } from "../../../support/probes/until.ts";
import { dueEvents, givenHistory } from "../../../support/builders/webhooks/webhook-history.ts";
import { deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { finishDueBefore } from "../../../support/builders/webhooks/stored-deliveries.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";
import { givenWithdrawEvents } from "../../../support/builders/withdraws/withdraw-events.ts";

afterEach(() => vi.restoreAllMocks());

const MINUTE = 60_000;

/** Once, just after a statement that fits ran. */
function afterFirst(on: RegExp, act: () => Promise<unknown>): Interceptor {
  let done = false;
  return async (label, run) => {
    const answer = await run();
    if (!done && on.test(label)) {
      done = true;
      await act();
    }
    return answer;
  };
}

const NEWEST = /order by "deliveries"."company_sequence" desc/;

it("resend sends the newest event only, also when it is created during the lookup", async () => {
  const { clock, company, sink, createEvent, deliver: follow } = await givenWithdrawEvents();
  await createEvent();
  await follow();
  const raced = withD1(
    env,
    afterFirst(NEWEST, async () => {
      await createEvent();
      await follow();
    }),
  );
  const answer = await call(`/api/v1/webhooks/deliveries/dlv_${company.id}_2_endpoint/resend`, {
    method: "POST",
    company,
    env: recordingQueue(raced).env,
    deps: { platformClock: clock },
  });
  expect(answer.body).toMatchObject({ id: `dlv_${company.id}_3_endpoint` });
  await sink.deliverAll(company);
  expect(sink.received.map((request) => request.body.sequence)).toEqual([1, 2, 2]);
});

it("resend sends no older event after a newer one that is in flight", async () => {
  const { clock, company, sink, createEvent, deliver: follow } = await givenWithdrawEvents();
  await createEvent();
  await follow();
  const answer = Promise.withResolvers<Response>();
  let inFlight: Promise<void> | undefined;
  const raced = withD1(
    env,
    afterFirst(NEWEST, async () => {
      await createEvent();
      sink.respond = () => answer.promise;
      inFlight = follow();
      await eventually(() => sink.received.length === 2);
    }),
  );
  await call(`/api/v1/webhooks/deliveries/dlv_${company.id}_2_endpoint/resend`, {
    method: "POST",
    company,
    env: recordingQueue(raced).env,
    deps: { platformClock: clock },
  });
  answer.resolve(new Response());
  await inFlight;
  await sink.deliverAll(company);
  expect(sink.received.map((request) => request.body.sequence)).toEqual([1, 2]);
});

it("a test with a timestamp slightly ahead of the local clock is sent at once", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl: SHOP_URL });
  const sink = new WebhookSink(clock);
  const ahead = new TestClock();
  ahead.advance(clock.now() - ahead.now() + 20);
  await configureObject(company.id, { clock: ahead });
  const answer = await sendTestEvent({ company, sink, clock });
  expect(answer.status).toBe(201);
  expect(answer.body.deliveries[0].tries).toHaveLength(1);
});

it("a wake-up message that is processed slightly early is not delayed by a minute", async () => {
  const { clock, company, sink } = await givenHosts();
  const number = await givenHistory(company, [
    { objectId: "x", at: clock.now() + 20, url: SHOP_URL },
  ]);
  await sink.deliver(company, number, { target: "endpoint" });
  expect(sink.received.length + sink.wakeUps.length).toBe(1);
});

it("a test returns its attempt even when its host is busy", async () => {
  const given = await givenHosts();
  const held = Promise.withResolvers<Response>();
  given.sink.respond = ({ body }) => (body.type === "webhook.test" ? new Response() : held.promise);
  const first = await givenHistory(given.company, dueEvents(16, given.clock.now(), SHOP_URL));
  const work = Array.from({ length: 16 }, (_, index) =>
    given.sink.deliver(given.company, first + index, { target: "endpoint" }),
  );
  await eventually(() => given.sink.received.length === 16);
  const answer = await sendTestEvent(given);
  held.resolve(new Response());
  await Promise.all(work);
  expect(answer.body.deliveries[0].tries).toHaveLength(1);
});

it("a test that chaos delays or drops is not reported as a receiver failure", async () => {
  const given = await givenHosts();
  await setChaos(given.company, { seed: 1, drop: 1 });
  const dropped = await sendTestEvent(given);
  await setChaos(given.company, { seed: 1, delay: 3_600 });
  const delayed = await sendTestEvent(given);
  expect([dropped, delayed].map((answer) => answer.body.deliveries[0].status)).toEqual([
    "delivered",
    "delivered",
  ]);
});

it("acquired deliveries are sent to a host whose circuit was closed meanwhile", async () => {
  const { clock, company, sink, failFor } = await givenHosts();
  captureOpenedCircuits();
  await failFor(5 * DAY);
  sink.respondWith(204);
  sink.received.length = 0;
  const number = await givenHistory(company, [{ objectId: "x", at: clock.now(), url: SHOP_URL }]);
  const raced = withD1(
    env,
    afterFirst(/from "webhook_hosts" where/, () =>
      call("/api/v1/webhooks/endpoint", { method: "PUT", company, body: { url: SHOP_URL } }),
    ),
  );
  await sink.deliver(company, number, { target: "endpoint", env: raced });
  expect((await deliveriesOf(company)).at(-1)?.status).not.toBe("stopped");
});

it("bulk resend of every status sends no event twice across its pages", async () => {
  const company = await givenCompany();
  await givenHistory(
    company,
    Array.from({ length: 120 }, (_, index) => ({
      objectId: `object-${index % 60}`,
      at: 1_000 * index,
      url: SHOP_URL,
      status: "exhausted",
    })),
  );
  const sent = (
    await resendAllPages(company, {
      from: "1970-01-01",
      to: "1970-01-02",
      status: ["exhausted", "pending", "delivered"],
    })
  ).flat();
  expect(sent).toHaveLength(new Set(sent).size);
});

it("a backlog larger than one sweep does not hide another company's lost message", async () => {
  const clock = new TestClock();
  const longAgo = clock.now() - 400 * DAY;
  const [busy, other] = [await givenCompany({ clock }), await givenCompany({ clock })];
  await givenHistory(busy, dueEvents(5_001, longAgo, "https://dead.example.com/hook"));
  await givenHistory(other, dueEvents(1, longAgo + 1, SHOP_URL));
  const heard: string[] = [];
  for (let minute = 0; minute < 3; minute++) {
    heard.push(...(await runCron(cronDeps(clock, new FakeBank()))));
    clock.advance(MINUTE);
  }
  await finishDueBefore(longAgo + 1, "delivered");
  expect(heard).toContain(`dlv_${other.id}_1_endpoint`);
});

it("chaos with only a seed is shown as it was returned", async () => {
  const company = await givenCompany();
  const { body } = await setChaos(company, { seed: 7 });
  expect((await call("/api/v1/sandbox/webhooks/chaos", { company })).body).toEqual(body);
});

it("chaos sends no previous event to a URL that the policy rejects or that returned 410", async () => {
  const { clock, company, sink } = await givenHosts();
  await setChaos(company, { reorder: 1 });
  const object = { objectId: "x", at: clock.now() };
  const first = await givenHistory(company, [
    { ...object, url: "https://10.0.0.1/hook", status: "stopped" },
    { ...object, url: SHOP_URL },
  ]);
  await sink.deliver(company, first + 1, { target: "endpoint" });
  expect(sink.received.map((request) => request.url)).toEqual([SHOP_URL]);
});

it("bulk resend of exhausted deliveries sends no tests again", async () => {
  const given = await givenHosts();
  given.sink.respondWith(500);
  await sendTestEvent(given);
  const sent = await resendAllPages(given.company, { from: "2020-01-01", to: "2099-01-01" });
  expect(sent).toEqual([[]]);
});

it("a test returns its result although the queue is down", async () => {
  const given = await givenHosts();
  given.sink.respondWith(204);
  const sender = { ...given.sink.deps(), hintLater: async () => Promise.reject(new Error("down")) };
  const held = Promise.withResolvers<Response>();
  given.sink.respond = ({ body }) => (body.type === "webhook.test" ? new Response() : held.promise);
  const first = await givenHistory(given.company, dueEvents(17, given.clock.now(), SHOP_URL));
  const follow = (number: number) =>
    given.sink.deliver(given.company, number, { target: "endpoint" });
  const work = Array.from({ length: 15 }, (_, index) => follow(first + index));
  await eventually(() => given.sink.received.length === 15);
  const leases = {
    ...sender.leases,
    take: async (...of: Parameters<typeof sender.leases.acquire>) => {
      const slot = await sender.leases.acquire(...of);
      work.push(follow(first + 15), follow(first + 16));
      await eventually(() => given.sink.received.length >= 15);
      return slot;
    },
  };
  const answer = await call("/api/v1/webhooks/test", {
    method: "POST",
    company: given.company,
    deps: { ...depsWithSink(given.sink, given.clock), sender: () => ({ ...sender, leases }) },
  });
  held.resolve(new Response());
  await Promise.all(work);
  expect(answer.status).toBe(201);
});

it("work that continues after its lease was lost sends nothing next to the new holder", async () => {
  const { clock, company, sink } = await givenHosts();
  const first = await givenHistory(company, [
    { objectId: "x", at: clock.now(), url: SHOP_URL },
    { objectId: "x", at: clock.now(), url: SHOP_URL },
    { objectId: "x", at: clock.now(), url: SHOP_URL },
  ]);
  let inFlight = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  sink.respond = async () => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await new Promise<void>((resolve) => waiting.push(resolve));
    inFlight -= 1;
    return new Response();
  };
  const ref = { companyId: company.id, companySequence: first, target: "endpoint" as const };
  const slow = deliver(env, ref, sink.deps());
  await eventually(() => waiting.length === 1);
  clock.advance(30_000);
  const other = deliver(env, ref, sink.deps());
  await eventually(() => waiting.length === 2);
  const pump = setInterval(() => waiting.shift()?.(), 5);
  await Promise.all([slow, other]);
  clearInterval(pump);
  const told = sink.received.map((request) => request.body.sequence);
  expect(told).toEqual(told.toSorted((a, b) => a - b));
});
