import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { handleQueue } from "../../src/queue.ts";
import { TestClock } from "../support/fakes/clock.ts";
import {
  configureObject,
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../support/builders/companies/company.ts";
import { cronDeps, runCron } from "../support/fakes/cron.ts";
import { FakeBank } from "../support/fakes/fake-bank.ts";
import { CRASH, injectFault, withD1 } from "../support/faults/faulty-env.ts";
import { permitRequest } from "../support/builders/webhooks/named-permits.ts";
import { eventually } from "../support/probes/until.ts";
import {
  finishAllDue,
  dueEvents,
  givenHistory,
} from "../support/builders/webhooks/webhook-history.ts";
import { attemptsOf, deliveriesOf } from "../support/probes/webhooks/webhook-rows.ts";
import { WebhookSink } from "../support/fakes/webhook-sink.ts";

afterAll(finishAllDue);

const MINUTE = 60_000;
const SLOTS = 16;
const HOST = "loja.example.com";
const URL_OF_SHOP = `https://${HOST}/hook`;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** Companies with one delivery each, due now: the consumer lives by the real clock. */
async function givenDue(count: number): Promise<TestCompany[]> {
  const companies: TestCompany[] = [];
  for (let index = 0; index < count; index++) {
    const company = await givenCompany();
    await givenHistory(company, dueEvents(1, Date.now() - 1, `${URL_OF_SHOP}/${company.id}`));
    companies.push(company);
  }
  return companies;
}

/** One batch with a hint for each company's delivery; its work goes on in the background. */
async function consume(companies: TestCompany[], environment = env) {
  const background: Promise<unknown>[] = [];
  const batch = createMessageBatch(
    "webhooks",
    companies.map(({ id }) => ({
      id: `of ${id}`,
      timestamp: new Date(),
      attempts: 1,
      body: { deliveryId: `dlv_${id}_1_endpoint` },
    })),
  );
  await handleQueue(batch, environment, { waitUntil: (work) => void background.push(work) });
  const result = await getQueueResult(batch, createExecutionContext());
  return {
    acked: result.explicitAcks,
    retried: result.retryMessages.map((message) => message.msgId),
    work: Promise.all(background),
  };
}

async function statusOf(company: TestCompany): Promise<string | undefined> {
  return (await deliveriesOf(company))[0]?.status;
}

function expectEvents(spy: { mock: { calls: unknown[][] } }, events: string[]): void {
  expect(spy.mock.calls.map(([line]) => JSON.parse(line as string).event)).toEqual(events);
}

it("a receiver that never responds does not delay its batch or later messages", async () => {
  const [slow, fast, later] = (await givenDue(3)) as [TestCompany, TestCompany, TestCompany];
  const answer = Promise.withResolvers<Response>();
  const post = vi.fn((url: string) =>
    url.endsWith(`/${slow.id}`) ? answer.promise : Promise.resolve(new Response()),
  );
  vi.stubGlobal("fetch", post);

  const first = await consume([slow, fast]);
  expect(first.acked).toEqual([`of ${slow.id}`, `of ${fast.id}`]);
  const second = await consume([later]);
  await second.work;
  await eventually(async () => (await statusOf(fast)) === "delivered");
  expect(await statusOf(later)).toBe("delivered");
  expect(await statusOf(slow)).toBe("pending");

  answer.resolve(new Response());
  await first.work;
  expect(await statusOf(slow)).toBe("delivered");
  expect(post).toHaveBeenCalledTimes(3);
});

it("the message is retried and no permit is held when D1 is down during the read", async () => {
  const [unlucky, lucky] = (await givenDue(2)) as [TestCompany, TestCompany];
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const post = vi.fn(async () => new Response());
  vi.stubGlobal("fetch", post);
  const down = injectFault({ on: /select .* from "deliveries" inner join/s, when: "before" });

  const result = await consume([unlucky], withD1(env, down.intercept));
  const other = await consume([lucky]);
  await Promise.all([result.work, other.work]);

  expect(down.injections()).toBe(1);
  expect(result).toMatchObject({ acked: [], retried: [`of ${unlucky.id}`] });
  expectEvents(errors, ["queue_message_failed"]);
  expect(other.acked).toEqual([`of ${lucky.id}`]);
  expect(post).toHaveBeenCalledOnce();
  const slots = await inAccount(unlucky.id, (account) =>
    Promise.all(
      Array.from({ length: SLOTS }, (_, n) =>
        account.acquireDeliveryLease(permitRequest(HOST, `slot-${n}`, `x${n}`)),
      ),
    ),
  );
  expect(new Set(slots.map(({ kind }) => kind))).toEqual(new Set(["granted"]));

  const again = await consume([lucky]);
  expect(again.acked).toHaveLength(1);
});

it("work that fails after its acknowledgement is logged and the sweep finds it", async () => {
  const [company] = (await givenDue(1)) as [TestCompany];
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.stubGlobal("fetch", async () => new Response());
  const down = injectFault({ on: /update "deliveries" set/, when: "before", error: CRASH });

  const result = await consume([company], withD1(env, down.intercept));
  await result.work;

  expect(down.injections()).toBe(1);
  expect(result).toMatchObject({ acked: [`of ${company.id}`], retried: [] });
  expectEvents(errors, ["delivery_failed"]);
  expect(JSON.parse(errors.mock.calls[0]![0] as string)).toMatchObject({
    deliveryId: `dlv_${company.id}_1_endpoint`,
  });
  expect(await attemptsOf(company)).toEqual([]);

  const clock = new TestClock();
  clock.advance(MINUTE);
  await configureObject(company.id, { clock });
  const wakeUps = await runCron(cronDeps(clock, new FakeBank()));
  expect(wakeUps).toContain(`dlv_${company.id}_1_endpoint`);
  const sink = new WebhookSink(clock);
  await sink.deliver(company, 1, { target: "endpoint" });
  expect(sink.received).toHaveLength(1);
  expect(await statusOf(company)).toBe("delivered");
});

it("nothing is lost when the queue is down while a retry is enqueued", async () => {
  const [company] = (await givenDue(1)) as [TestCompany];
  const warnings = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  vi.stubGlobal("fetch", async () => new Response(null, { status: 500 }));
  const WEBHOOKS = { send: async () => Promise.reject(new Error("the queue is down")) };

  const result = await consume([company], { ...env, WEBHOOKS } as unknown as typeof env);
  await result.work;

  expect(result.acked).toHaveLength(1);
  expectEvents(warnings, ["enqueue_failed"]);
  expect(await deliveriesOf(company)).toMatchObject([{ status: "pending", attempts: 1 }]);
  const clock = new TestClock();
  clock.advance(MINUTE);
  await configureObject(company.id, { clock });
  expect(await runCron(cronDeps(clock, new FakeBank()))).toContain(`dlv_${company.id}_1_endpoint`);
  const sink = new WebhookSink(clock);
  await sink.deliver(company, 1, { target: "endpoint" });
  expect(await deliveriesOf(company)).toMatchObject([{ status: "delivered", attempts: 2 }]);
});
