import { describe, expect, it, vi } from "vitest";
import type { CompanyMode } from "../../../../../src/domain/shared/company.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
} from "../../../../support/builders/companies/company.ts";
import { cronDeps, runCron } from "../../../../support/fakes/cron.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { withBrokenDatabase } from "../../../../support/faults/broken-database.ts";
import { unavailableProjection, replaceInObject } from "../../../../support/faults/object.ts";
import { recordingNotifier } from "../../../../support/fakes/recording-notifier.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { givenPaid } from "../../../../support/builders/charges/transaction.ts";
import { sendTestEvent } from "../../../../support/builders/webhooks/test-events.ts";
import {
  attemptsOf,
  deliveriesOf,
  eventsOf,
} from "../../../../support/probes/webhooks/webhook-rows.ts";
import { REFUSED_TARGETS } from "../../../../support/builders/webhooks/webhook-targets.ts";
import { WebhookSink } from "../../../../support/fakes/webhook-sink.ts";

const NAME = "POST /api/v1/webhooks/test";
const MINUTE = 60_000;
const ENDPOINT = "https://loja.example.com/webhooks";
const OTHER_URL = "https://new.example.com/hook";

async function givenTestTarget(mode: CompanyMode = "sandbox", webhookUrl = ENDPOINT) {
  const clock = new TestClock();
  const company = await givenCompany({ clock, mode, webhookUrl });
  return { clock, company, sink: new WebhookSink(clock) };
}

describe("a test", () => {
  it.each<CompanyMode>(["sandbox", "live"])(
    "of a %s company goes to its own URL, signed like any event, and returns its attempt",
    async (mode) => {
      const given = await givenTestTarget(mode);
      const { company, sink, clock } = given;
      sink.respond = () => new Response("got it", { status: 202 });

      const answer = await sendTestEvent(given);

      expect(answer.status).toBe(201);
      await expectDocumented(NAME, answer);
      const id = `evt_${company.id}_1`;
      const timestamp = new Date(clock.now()).toISOString();
      const data = {
        id: 1,
        companyId: company.id,
        url: ENDPOINT,
        previousStatus: null,
      };
      expect(answer.body).toMatchObject({ id, companySequence: 1, sequence: 1, timestamp, data });
      expect(answer.body.deliveries).toMatchObject([
        {
          id: `dlv_${company.id}_1_endpoint`,
          status: "delivered",
          tries: [{ number: 1, httpStatus: 202, fault: null, answer: "got it" }],
        },
      ]);
      expect(sink.received).toHaveLength(1);
      expect(sink.received[0]).toMatchObject({ url: ENDPOINT, id });
      expect(sink.received[0]!.headers["webhook-signature"]).toMatch(/^v1,/);
      expect(sink.received[0]!.body).toStrictEqual({
        type: "webhook.test",
        timestamp,
        sequence: 1,
        data,
      });
    },
  );

  it("goes to the given URL, which may differ from the company's URL or be unreachable", async () => {
    for (const webhookUrl of [ENDPOINT, ""]) {
      const given = await givenTestTarget("sandbox", webhookUrl);
      const answer = await sendTestEvent(given, { url: OTHER_URL });
      expect(answer.status).toBe(201);
      expect(given.sink.received.map((request) => request.url)).toEqual([OTHER_URL]);
      const { company } = given;
      const shown = await call("/api/v1/webhooks/endpoint", { company });
      expect(shown.body).toStrictEqual({ url: webhookUrl });
    }
  });

  it.each([
    ["responds with 500", () => new Response(null, { status: 500 }), { httpStatus: 500 }],
    ["redirects", () => Response.redirect(OTHER_URL, 302), { httpStatus: 302 }],
    [
      "is unreachable",
      () => Promise.reject(new Error("refused")),
      { httpStatus: null, fault: "connection" },
    ],
    [
      "sends Retry-After",
      () => new Response(null, { status: 503, headers: { "Retry-After": "1" } }),
      { httpStatus: 503 },
    ],
  ])("of a receiver that %s is sent once and never retried", async (_how, answer, attempt) => {
    const given = await givenTestTarget();
    const { company, sink, clock } = given;
    sink.respond = answer;

    const { status, body } = await sendTestEvent(given);

    expect(status).toBe(201);
    expect(body.deliveries).toMatchObject([
      { status: "exhausted", attempts: 1, nextAttemptAt: null, tries: [attempt] },
    ]);
    expect(sink.wakeUps).toEqual([]);
    clock.advance(MINUTE);
    expect(await runCron(cronDeps(clock, new FakeBank()))).not.toContain(
      `dlv_${company.id}_1_endpoint`,
    );
    await sink.deliver(company, 1, { target: "endpoint" });
    expect(sink.received).toHaveLength(1);
  });

  it("that gets 410 is stopped", async () => {
    const given = await givenTestTarget();
    given.sink.respondWith(410);
    expect((await sendTestEvent(given)).body.deliveries).toMatchObject([{ status: "stopped" }]);
  });

  it("is an event in the gap-free order with its own sequence", async () => {
    const given = await givenTestTarget();
    const { company } = given;
    await givenPaid(company, 2_500);
    await sendTestEvent(given);
    await givenPaid(company, 2_500);
    await sendTestEvent(given, { url: OTHER_URL });

    const all = await call("/api/v1/events", { company });
    const shown = all.body.items.map((item: any) => [
      item.companySequence,
      item.type,
      item.sequence,
    ]);
    expect(shown).toEqual([
      [1, "transaction.paid", 1],
      [2, "webhook.test", 1],
      [3, "transaction.paid", 1],
      [4, "webhook.test", 1],
    ]);
    const tests = await call("/api/v1/events?type=webhook.test", { company });
    await expectDocumented("GET /api/v1/events", tests);
    expect(tests.body.items.map((item: any) => item.data.url)).toEqual([ENDPOINT, OTHER_URL]);
  });

  it("concurrent tests are gap-free events that are sent once each", async () => {
    const given = await givenTestTarget();
    const answers = await Promise.all(Array.from({ length: 10 }, () => sendTestEvent(given)));
    const numbers = answers.map((answer) => answer.body.companySequence);
    expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(new Set(given.sink.received.map((request) => request.id)).size).toBe(10);
    expect(given.sink.received).toHaveLength(10);
  });
});

describe("a rejected test announces nothing", () => {
  it("INVALID_STATE: the company has no URL and the request gives none", async () => {
    const given = await givenTestTarget("sandbox", "");
    await expectProblem(await sendTestEvent(given), { status: 409, code: "INVALID_STATE" });
    await expectProblem(await sendTestEvent(given, {}), { status: 409, code: "INVALID_STATE" });
    expect(await eventsOf(given.company)).toEqual([]);
  });

  it.each(REFUSED_TARGETS)("VALIDATION_FAILED: $family", async ({ targets }) => {
    const given = await givenTestTarget();
    const deployed = { ...env, ALLOW_HTTP_LOOPBACK_WEBHOOKS: "false" };
    for (const [name, url] of targets) {
      const answer = await sendTestEvent(given, { url }, { env: deployed });
      expect(answer.status, `${name}: ${url}`).toBe(400);
      await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["url"] });
    }
    expect(await eventsOf(given.company)).toEqual([]);
    expect(given.sink.received).toEqual([]);
  });

  it.each([[""], [7], [["https://a.example.com"]], ["x".repeat(2_049)]])(
    "VALIDATION_FAILED: the url %j",
    async (url) => {
      const given = await givenTestTarget();
      await expectProblem(await sendTestEvent(given, { url }), {
        status: 400,
        code: "VALIDATION_FAILED",
        fields: ["url"],
      });
      expect(await eventsOf(given.company)).toEqual([]);
    },
  );

  it("FORBIDDEN: an application that may only read", async () => {
    const given = await givenTestTarget();
    const reader = await givenCompany({ scopes: ["webhooks:read"], webhookUrl: ENDPOINT });
    const answer = await sendTestEvent({ ...given, company: reader });
    await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
  });
});

describe("a test while D1 is down", () => {
  const UNAVAILABLE = { status: 503, code: "STORAGE_UNAVAILABLE", retryAfter: true };

  it("returns 503; the event is stored later and the sweep sends it once", async () => {
    const given = await givenTestTarget();
    const { company, sink, clock } = given;
    const notifier = recordingNotifier();
    const repair = await replaceInObject(company, {
      projection: unavailableProjection().projection,
      notifier,
    });
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);

    await expectProblem(await sendTestEvent(given), UNAVAILABLE);
    expect(sink.received).toEqual([]);
    expect(await eventsOf(company)).toEqual([]);
    logged.mockRestore();
    await repair();

    await waitUntilDrained(company);
    expect(await eventsOf(company)).toMatchObject([{ type: "webhook.test", sequence: 1 }]);
    const swept: string[] = [];
    for (let minute = 0; minute < 3; minute++) {
      clock.advance(MINUTE);
      const all = await runCron(cronDeps(clock, new FakeBank()));
      const due = all.filter((id) => id.startsWith(`dlv_${company.id}_`));
      swept.push(...due);
      for (const _hint of due) await sink.deliver(company, 1, { target: "endpoint" });
    }

    expect(swept).toEqual([`dlv_${company.id}_1_endpoint`]);
    expect(notifier.deliveryIds).toEqual([]);
    expect(sink.types()).toEqual(["webhook.test"]);
    expect(await deliveriesOf(company)).toMatchObject([{ status: "delivered", attempts: 1 }]);
  });

  it("returns 503 when the delivery lookup fails, and the sweep sends it once", async () => {
    const given = await givenTestTarget();
    const { company, sink, clock } = given;
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const broken = withBrokenDatabase("D1_ERROR: D1 is down", (sql) => /from "events"/.test(sql));
    await expectProblem(await sendTestEvent(given, undefined, { env: broken }), UNAVAILABLE);
    logged.mockRestore();
    expect(sink.received).toEqual([]);

    clock.advance(MINUTE);
    expect(await runCron(cronDeps(clock, new FakeBank()))).toContain(
      `dlv_${company.id}_1_endpoint`,
    );
    await sink.deliver(company, 1, { target: "endpoint" });
    await sink.deliver(company, 1, { target: "endpoint" });
    expect(sink.received).toHaveLength(1);
    expect(await attemptsOf(company)).toHaveLength(1);
  });
});

it("a test repeated under its key sends one event, and the key is of one URL", async () => {
  const given = await givenTestTarget();
  const { company } = given;
  const send = (body: Record<string, unknown> = {}) =>
    sendTestEvent(given, body, { headers: { "Idempotency-Key": "try-1" } });
  const first = await send();
  expect(first.status).toBe(201);
  expect((await send()).body).toEqual(first.body);
  expect(await eventsOf(company)).toHaveLength(1);
  await expectProblem(await send({ url: OTHER_URL }), {
    status: 409,
    code: "IDEMPOTENCY_KEY_REUSED",
  });
});
