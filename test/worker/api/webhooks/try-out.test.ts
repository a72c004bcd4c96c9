import { describe, expect, it, vi } from "vitest";
import type { CompanyMode } from "../../../../src/domain/shared/company.ts";
import { call } from "../../../support/builders/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { drained } from "../../../support/builders/commands.ts";
import { env, givenCompany } from "../../../support/builders/company.ts";
import { cronDeps, runCron } from "../../../support/fakes/cron.ts";
import { expectDocumented } from "../../../support/probes/documented.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { withBrokenDatabase } from "../../../support/probes/database.ts";
import { downRecords, rememberedHints, replaceInObject } from "../../../support/probes/object.ts";
import { expectProblem } from "../../../support/probes/problem.ts";
import { givenPaid } from "../../../support/builders/transaction.ts";
import { tryOut } from "../../../support/builders/try-out.ts";
import { attemptsOf, deliveriesOf, eventsOf } from "../../../support/probes/webhook-rows.ts";
import { REFUSED_TARGETS } from "../../../support/builders/webhook-targets.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";

const NAME = "POST /api/v1/webhooks/test";
const MINUTE = 60_000;
const ENDPOINT = "https://loja.example.com/webhooks";
const ELSEWHERE = "https://new.example.com/hook";

async function givenTester(mode: CompanyMode = "sandbox", webhookUrl = ENDPOINT) {
  const clock = new TestClock();
  const company = await givenCompany({ clock, mode, webhookUrl });
  return { clock, company, sink: new WebhookSink(clock) };
}

describe("a test", () => {
  it.each<CompanyMode>(["sandbox", "live"])(
    "of a %s company goes to its own URL, signed like any event, and is answered with its attempt",
    async (mode) => {
      const given = await givenTester(mode);
      const { company, sink, clock } = given;
      sink.answer = () => new Response("got it", { status: 202 });

      const answer = await tryOut(given);

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

  it("goes to the URL that is named, which need not be the company's, nor be there at all", async () => {
    for (const webhookUrl of [ENDPOINT, ""]) {
      const given = await givenTester("sandbox", webhookUrl);
      const answer = await tryOut(given, { url: ELSEWHERE });
      expect(answer.status).toBe(201);
      expect(given.sink.received.map((request) => request.url)).toEqual([ELSEWHERE]);
      const { company } = given;
      const shown = await call("/api/v1/webhooks/endpoint", { company });
      expect(shown.body).toStrictEqual({ url: webhookUrl });
    }
  });

  it.each([
    ["answers 500", () => new Response(null, { status: 500 }), { httpStatus: 500 }],
    ["redirects", () => Response.redirect(ELSEWHERE, 302), { httpStatus: 302 }],
    [
      "is not there",
      () => Promise.reject(new Error("refused")),
      { httpStatus: null, fault: "connection" },
    ],
    [
      "says Retry-After",
      () => new Response(null, { status: 503, headers: { "Retry-After": "1" } }),
      { httpStatus: 503 },
    ],
  ])("of a receiver that %s is tried once and never again", async (_how, answer, attempt) => {
    const given = await givenTester();
    const { company, sink, clock } = given;
    sink.answer = answer;

    const { status, body } = await tryOut(given);

    expect(status).toBe(201);
    expect(body.deliveries).toMatchObject([
      { status: "exhausted", attempts: 1, nextAttemptAt: null, tries: [attempt] },
    ]);
    expect(sink.hints).toEqual([]);
    clock.advance(MINUTE);
    expect(await runCron(cronDeps(clock, new FakeBank()))).not.toContain(
      `dlv_${company.id}_1_endpoint`,
    );
    await sink.deliver(company, 1, { target: "endpoint" });
    expect(sink.received).toHaveLength(1);
  });

  it("that is told to go away for good is stopped", async () => {
    const given = await givenTester();
    given.sink.answering(410);
    expect((await tryOut(given)).body.deliveries).toMatchObject([{ status: "stopped" }]);
  });

  it("is an event among the others, in the gap-free order, each a sequence of its own", async () => {
    const given = await givenTester();
    const { company } = given;
    await givenPaid(company, 2_500);
    await tryOut(given);
    await givenPaid(company, 2_500);
    await tryOut(given, { url: ELSEWHERE });

    const all = await call("/api/v1/events", { company });
    const told = all.body.items.map((item: any) => [
      item.companySequence,
      item.type,
      item.sequence,
    ]);
    expect(told).toEqual([
      [1, "transaction.paid", 1],
      [2, "webhook.test", 1],
      [3, "transaction.paid", 1],
      [4, "webhook.test", 1],
    ]);
    const tests = await call("/api/v1/events?type=webhook.test", { company });
    await expectDocumented("GET /api/v1/events", tests);
    expect(tests.body.items.map((item: any) => item.data.url)).toEqual([ENDPOINT, ELSEWHERE]);
  });

  it("many at once are many events without a gap, each sent once", async () => {
    const given = await givenTester();
    const answers = await Promise.all(Array.from({ length: 10 }, () => tryOut(given)));
    const numbers = answers.map((answer) => answer.body.companySequence);
    expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(new Set(given.sink.received.map((request) => request.id)).size).toBe(10);
    expect(given.sink.received).toHaveLength(10);
  });
});

describe("a test is refused and announces nothing", () => {
  it("INVALID_STATE: the company has no URL and none is named", async () => {
    const given = await givenTester("sandbox", "");
    await expectProblem(await tryOut(given), { status: 409, code: "INVALID_STATE" });
    await expectProblem(await tryOut(given, {}), { status: 409, code: "INVALID_STATE" });
    expect(await eventsOf(given.company)).toEqual([]);
  });

  it.each(REFUSED_TARGETS)("VALIDATION_FAILED: $family", async ({ targets }) => {
    const given = await givenTester();
    const deployed = { ...env, ALLOW_HTTP_LOOPBACK_WEBHOOKS: "false" };
    for (const [name, url] of targets) {
      const answer = await tryOut(given, { url }, { env: deployed });
      expect(answer.status, `${name}: ${url}`).toBe(400);
      await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["url"] });
    }
    expect(await eventsOf(given.company)).toEqual([]);
    expect(given.sink.received).toEqual([]);
  });

  it.each([[""], [7], [["https://a.example.com"]], ["x".repeat(2_049)]])(
    "VALIDATION_FAILED: the url %j",
    async (url) => {
      const given = await givenTester();
      await expectProblem(await tryOut(given, { url }), {
        status: 400,
        code: "VALIDATION_FAILED",
        fields: ["url"],
      });
      expect(await eventsOf(given.company)).toEqual([]);
    },
  );

  it("FORBIDDEN: an application that may only read", async () => {
    const given = await givenTester();
    const reader = await givenCompany({ scopes: ["webhooks:read"], webhookUrl: ENDPOINT });
    const answer = await tryOut({ ...given, company: reader });
    await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
  });
});

describe("a test while D1 is down", () => {
  const UNAVAILABLE = { status: 503, code: "STORAGE_UNAVAILABLE", retryAfter: true };

  it("answers 503; the event is there later, is hinted by nobody, and is sent by the sweep once", async () => {
    const given = await givenTester();
    const { company, sink, clock } = given;
    const hints = rememberedHints();
    const repair = await replaceInObject(company, { records: downRecords().records, hints });
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);

    await expectProblem(await tryOut(given), UNAVAILABLE);
    expect(sink.received).toEqual([]);
    expect(await eventsOf(company)).toEqual([]);
    logged.mockRestore();
    await repair();

    await drained(company);
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
    expect(hints.deliveryIds).toEqual([]);
    expect(sink.types()).toEqual(["webhook.test"]);
    expect(await deliveriesOf(company)).toMatchObject([{ status: "delivered", attempts: 1 }]);
  });

  it("when the delivery is to be looked up: 503, and the sweep sends it once", async () => {
    const given = await givenTester();
    const { company, sink, clock } = given;
    const logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const broken = withBrokenDatabase("D1_ERROR: D1 is down", (sql) => /from "events"/.test(sql));
    await expectProblem(await tryOut(given, undefined, { env: broken }), UNAVAILABLE);
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
