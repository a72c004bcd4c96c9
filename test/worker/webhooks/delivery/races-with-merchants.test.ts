import { afterEach, expect, it, vi } from "vitest";
import { call } from "../../../support/builders/api.ts";
import { deliver } from "../../../../src/webhooks/delivery/deliver.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { arrangeObject, env, givenCompany } from "../../../support/builders/company.ts";
import { cronDeps, runCron } from "../../../support/fakes/cron.ts";
import { DAY, givenHosts, hearHostsOff, URL_OF_SHOP } from "../../../support/fakes/failing-host.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { withD1, type Around } from "../../../support/faults/faulty-env.ts";
import { quietQueue, resendAll } from "../../../support/builders/resend-range.ts";
import { setChaos } from "../../../support/faults/hostile-run.ts";
import { sendingTo, tryOut } from "../../../support/builders/try-out.ts";
import { until } from "../../../support/probes/until.ts";
import { eventsDue, givenHistory } from "../../../support/builders/webhook-history.ts";
import { deliveriesOf, endDueBefore } from "../../../support/probes/webhook-rows.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";
import { givenAnnouncing } from "../../../support/builders/withdraw-events.ts";

afterEach(() => vi.restoreAllMocks());

const MINUTE = 60_000;

/** Once, just after a statement that fits ran. */
function afterFirst(on: RegExp, act: () => Promise<unknown>): Around {
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

it("resend: a newer event that arrives while the resend is looked up is not followed by the old state", async () => {
  const { clock, company, sink, announce, deliver: follow } = await givenAnnouncing();
  await announce();
  await follow();
  const raced = withD1(
    env,
    afterFirst(NEWEST, async () => {
      await announce();
      await follow();
    }),
  );
  const answer = await call(`/api/v1/webhooks/deliveries/dlv_${company.id}_2_endpoint/resend`, {
    method: "POST",
    company,
    env: quietQueue(raced).env,
    deps: { clock },
  });
  expect(answer.body).toMatchObject({ id: `dlv_${company.id}_3_endpoint` });
  await sink.deliverAll(company);
  expect(sink.received.map((request) => request.body.sequence)).toEqual([1, 2, 2]);
});

it("resend: a newer event that is in flight while the older is made due is not followed by it", async () => {
  const { clock, company, sink, announce, deliver: follow } = await givenAnnouncing();
  await announce();
  await follow();
  const answer = Promise.withResolvers<Response>();
  let inFlight: Promise<void> | undefined;
  const raced = withD1(
    env,
    afterFirst(NEWEST, async () => {
      await announce();
      sink.answer = () => answer.promise;
      inFlight = follow();
      await until(() => sink.received.length === 2);
    }),
  );
  await call(`/api/v1/webhooks/deliveries/dlv_${company.id}_2_endpoint/resend`, {
    method: "POST",
    company,
    env: quietQueue(raced).env,
    deps: { clock },
  });
  answer.resolve(new Response());
  await inFlight;
  await sink.deliverAll(company);
  expect(sink.received.map((request) => request.body.sequence)).toEqual([1, 2]);
});

it("a test that an object announces a moment ahead of our clock is sent at once", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl: URL_OF_SHOP });
  const sink = new WebhookSink(clock);
  const ahead = new TestClock();
  ahead.advance(clock.now() - ahead.now() + 20);
  await arrangeObject(company.id, { clock: ahead });
  const answer = await tryOut({ company, sink, clock });
  expect(answer.status).toBe(201);
  expect(answer.body.deliveries[0].tries).toHaveLength(1);
});

it("a hint that is followed a moment early is not lost to the next minute", async () => {
  const { clock, company, sink } = await givenHosts();
  const number = await givenHistory(company, [
    { objectId: "x", at: clock.now() + 20, url: URL_OF_SHOP },
  ]);
  await sink.deliver(company, number, { target: "endpoint" });
  expect(sink.received.length + sink.hints.length).toBe(1);
});

it("a test is answered with its attempt, however busy its host is kept", async () => {
  const given = await givenHosts();
  const held = Promise.withResolvers<Response>();
  given.sink.answer = ({ body }) => (body.type === "webhook.test" ? new Response() : held.promise);
  const first = await givenHistory(given.company, eventsDue(16, given.clock.now(), URL_OF_SHOP));
  const work = Array.from({ length: 16 }, (_, index) =>
    given.sink.deliver(given.company, first + index, { target: "endpoint" }),
  );
  await until(() => given.sink.received.length === 16);
  const answer = await tryOut(given);
  held.resolve(new Response());
  await Promise.all(work);
  expect(answer.body.deliveries[0].tries).toHaveLength(1);
});

it("a test that chaos delays or drops is not answered as if the receiver had failed", async () => {
  const given = await givenHosts();
  await setChaos(given.company, { seed: 1, drop: 1 });
  const dropped = await tryOut(given);
  await setChaos(given.company, { seed: 1, delay: 3_600 });
  const delayed = await tryOut(given);
  expect([dropped, delayed].map((answer) => answer.body.deliveries[0].status)).toEqual([
    "delivered",
    "delivered",
  ]);
});

it("a host that was switched on meanwhile is sent what was taken up before", async () => {
  const { clock, company, sink, failFor } = await givenHosts();
  hearHostsOff();
  await failFor(5 * DAY);
  sink.answering(204);
  sink.received.length = 0;
  const number = await givenHistory(company, [
    { objectId: "x", at: clock.now(), url: URL_OF_SHOP },
  ]);
  const raced = withD1(
    env,
    afterFirst(/from "webhook_hosts" where/, () =>
      call("/api/v1/webhooks/endpoint", { method: "PUT", company, body: { url: URL_OF_SHOP } }),
    ),
  );
  await sink.deliver(company, number, { target: "endpoint", env: raced });
  expect((await deliveriesOf(company)).at(-1)?.status).not.toBe("stopped");
});

it("bulk resend of every status sends no event twice over its pages", async () => {
  const company = await givenCompany();
  await givenHistory(
    company,
    Array.from({ length: 120 }, (_, index) => ({
      objectId: `object-${index % 60}`,
      at: 1_000 * index,
      url: URL_OF_SHOP,
      status: "exhausted",
    })),
  );
  const sent = (
    await resendAll(company, {
      from: "1970-01-01",
      to: "1970-01-02",
      status: ["exhausted", "pending", "delivered"],
    })
  ).flat();
  expect(sent).toHaveLength(new Set(sent).size);
});

it("a backlog of more than the sweep reads hides nobody else's lost hint", async () => {
  const clock = new TestClock();
  const longAgo = clock.now() - 400 * DAY;
  const [busy, other] = [await givenCompany({ clock }), await givenCompany({ clock })];
  await givenHistory(busy, eventsDue(5_001, longAgo, "https://dead.example.com/hook"));
  await givenHistory(other, eventsDue(1, longAgo + 1, URL_OF_SHOP));
  const heard: string[] = [];
  for (let minute = 0; minute < 3; minute++) {
    heard.push(...(await runCron(cronDeps(clock, new FakeBank()))));
    clock.advance(MINUTE);
  }
  await endDueBefore(longAgo + 1, "delivered");
  expect(heard).toContain(`dlv_${other.id}_1_endpoint`);
});

it("chaos with a seed alone is shown as it was answered", async () => {
  const company = await givenCompany();
  const { body } = await setChaos(company, { seed: 7 });
  expect((await call("/api/v1/sandbox/webhooks/chaos", { company })).body).toEqual(body);
});

it("chaos sends the event before to no URL that the policy refuses, nor that said 410", async () => {
  const { clock, company, sink } = await givenHosts();
  await setChaos(company, { reorder: 1 });
  const object = { objectId: "x", at: clock.now() };
  const first = await givenHistory(company, [
    { ...object, url: "https://10.0.0.1/hook", status: "stopped" },
    { ...object, url: URL_OF_SHOP },
  ]);
  await sink.deliver(company, first + 1, { target: "endpoint" });
  expect(sink.received.map((request) => request.url)).toEqual([URL_OF_SHOP]);
});

it("bulk resend of what was given up sends no tests again", async () => {
  const given = await givenHosts();
  given.sink.answering(500);
  await tryOut(given);
  const sent = await resendAll(given.company, { from: "2020-01-01", to: "2099-01-01" });
  expect(sent).toEqual([[]]);
});

it("a test that was made is answered although the queue is down", async () => {
  const given = await givenHosts();
  given.sink.answering(204);
  const sender = { ...given.sink.deps(), hintLater: async () => Promise.reject(new Error("down")) };
  const held = Promise.withResolvers<Response>();
  given.sink.answer = ({ body }) => (body.type === "webhook.test" ? new Response() : held.promise);
  const first = await givenHistory(given.company, eventsDue(17, given.clock.now(), URL_OF_SHOP));
  const follow = (number: number) =>
    given.sink.deliver(given.company, number, { target: "endpoint" });
  const work = Array.from({ length: 15 }, (_, index) => follow(first + index));
  await until(() => given.sink.received.length === 15);
  const slots = {
    ...sender.slots,
    take: async (...of: Parameters<typeof sender.slots.take>) => {
      const slot = await sender.slots.take(...of);
      work.push(follow(first + 15), follow(first + 16));
      await until(() => given.sink.received.length >= 15);
      return slot;
    },
  };
  const answer = await call("/api/v1/webhooks/test", {
    method: "POST",
    company: given.company,
    deps: { ...sendingTo(given.sink, given.clock), sender: () => ({ ...sender, slots }) },
  });
  held.resolve(new Response());
  await Promise.all(work);
  expect(answer.status).toBe(201);
});

it("a work that a lost lease overran posts nothing beside the new holder", async () => {
  const { clock, company, sink } = await givenHosts();
  const first = await givenHistory(company, [
    { objectId: "x", at: clock.now(), url: URL_OF_SHOP },
    { objectId: "x", at: clock.now(), url: URL_OF_SHOP },
    { objectId: "x", at: clock.now(), url: URL_OF_SHOP },
  ]);
  let inFlight = 0;
  let most = 0;
  const waiting: (() => void)[] = [];
  sink.answer = async () => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await new Promise<void>((resolve) => waiting.push(resolve));
    inFlight -= 1;
    return new Response();
  };
  const ref = { companyId: company.id, companySequence: first, target: "endpoint" as const };
  const slow = deliver(env, ref, sink.deps());
  await until(() => waiting.length === 1);
  clock.advance(30_000);
  const other = deliver(env, ref, sink.deps());
  await until(() => waiting.length === 2);
  const pump = setInterval(() => waiting.shift()?.(), 5);
  await Promise.all([slow, other]);
  clearInterval(pump);
  const told = sink.received.map((request) => request.body.sequence);
  expect(told).toEqual(told.toSorted((a, b) => a - b));
});
