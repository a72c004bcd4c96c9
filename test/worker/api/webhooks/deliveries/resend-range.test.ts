import { afterAll, describe, expect, it } from "vitest";
import { TestClock } from "../../../../support/fakes/clock.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { withDatabase } from "../../../../support/probes/database/instrumented-database.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { CONNECTION_LOST, injectFault, withD1 } from "../../../../support/faults/faulty-env.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { recordingQueue } from "../../../../support/fakes/recording-queue.ts";
import { resendAllPages, resendRange } from "../../../../support/builders/webhooks/resend-range.ts";
import {
  finishAllDue,
  givenHistory,
  type EventFixture,
} from "../../../../support/builders/webhooks/webhook-history.ts";
import { deliveriesOf } from "../../../../support/probes/webhooks/webhook-rows.ts";
import { WebhookSink } from "../../../../support/fakes/webhook-sink.ts";
import { givenWithdrawEvents } from "../../../../support/builders/withdraws/withdraw-events.ts";

afterAll(finishAllDue);

const NAME = "POST /api/v1/webhooks/deliveries/resend";
const URL_OF_SHOP = "https://loja.example.com/hook";
const DAY = 86_400_000;
const NOON = Date.parse("2026-03-10T12:00:00.000Z");
const WIDE = { from: "2020-01-01", to: "2030-12-31" };

const iso = (ms: number) => new Date(ms).toISOString();

/** A company with one exhausted delivery, of a separate object, at each of these times. */
async function givenExhausted(...times: number[]): Promise<TestCompany> {
  const company = await givenCompany();
  await givenHistory(
    company,
    times.map((at, index) => exhausted(`object-${index}`, at)),
  );
  return company;
}

function exhausted(objectId: string, at: number, status = "exhausted"): EventFixture {
  return { objectId, at, url: URL_OF_SHOP, status };
}

async function numbersOf(company: TestCompany, from: string, to: string): Promise<number[]> {
  return (await resendAllPages(company, { from, to })).flat();
}

/** Inserts events at one time, for these objects and delivery statuses. */
async function givenObjects(...statuses: [string, string][]) {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  await givenHistory(
    company,
    statuses.map(([objectId, status]) => exhausted(objectId, NOON, status)),
  );
  return { clock, company, sink: new WebhookSink(clock) };
}

describe("a range", () => {
  it("includes both its ends, to the millisecond", async () => {
    const company = await givenExhausted(NOON - 1, NOON, NOON + 1, NOON + 5, NOON + 6);
    expect(await numbersOf(company, iso(NOON), iso(NOON + 5))).toEqual([2, 3, 4]);
  });

  it("of one instant contains all events of that instant", async () => {
    const company = await givenExhausted(NOON - 1, NOON, NOON, NOON, NOON + 1);
    expect(await numbersOf(company, iso(NOON), iso(NOON))).toEqual([2, 3, 4]);
  });

  it("of days contains all their hours in São Paulo; a time may have an offset", async () => {
    const day = Date.parse("2026-03-10T00:00:00.000-03:00");
    const times = [day - 1, day, day + DAY - 1, day + DAY, day + 2 * DAY - 1, day + 2 * DAY];
    const offset = ["2026-03-10T03:00:00.000Z", "2026-03-11T04:59:59.999+02:00"] as const;
    expect(await numbersOf(await givenExhausted(...times), "2026-03-10", "2026-03-10")).toEqual([
      2, 3,
    ]);
    expect(await numbersOf(await givenExhausted(...times), "2026-03-10", "2026-03-11")).toEqual([
      2, 3, 4, 5,
    ]);
    expect(await numbersOf(await givenExhausted(...times), ...offset)).toEqual([2, 3]);
  });

  it.each([
    ["before all", NOON - 2 * DAY, NOON - 1, []],
    ["after all", NOON + 11, NOON + DAY, []],
    ["between two", NOON + 1, NOON + 4, []],
    ["around all", NOON - DAY, NOON + DAY, [1, 2, 3]],
    ["up to the first", NOON - DAY, NOON, [1]],
    ["from the last on", NOON + 10, NOON + DAY, [3]],
  ])("%s", async (_where, from, to, numbers) => {
    const company = await givenExhausted(NOON, NOON + 5, NOON + 10);
    expect(await numbersOf(company, iso(from), iso(to))).toEqual(numbers);
  });

  it("of a company without events is empty", async () => {
    const answer = await resendRange(await givenCompany(), WIDE);
    await expectDocumented(NAME, answer);
    expect(answer.body).toStrictEqual({ items: [], after: null, hasMore: false });
  });

  it.each([1, 2, 3, 7, 64, 65])(
    "is found among %i events from each start to each end",
    async (count) => {
      const times = Array.from({ length: count }, (_, index) => NOON + 10 * Math.floor(index / 2));
      const company = await givenExhausted(...times);
      for (const from of new Set([times[0]!, times[count >> 1]!, times[count - 1]!])) {
        const expected = times.flatMap((at, index) => (at >= from ? [index + 1] : []));
        const pages = await resendAllPages(company, {
          from: iso(from),
          to: iso(NOON + DAY),
          status: ["exhausted", "pending"],
        });
        expect(pages.flat()).toEqual(expected);
      }
    },
  );
});

describe("the resent deliveries", () => {
  const STATUSES = ["pending", "delivered", "superseded", "stopped", "exhausted"];
  const givenEach = async () => {
    const company = await givenCompany();
    await givenHistory(
      company,
      STATUSES.map((status, index) => exhausted(`object-${index}`, NOON, status)),
    );
    return company;
  };

  it("are the exhausted ones by default", async () => {
    const company = await givenEach();
    expect(await resendAllPages(company, WIDE)).toEqual([[4, 5]]);
    const states = (await deliveriesOf(company)).map((each) => each.status);
    expect(states).toEqual(["pending", "delivered", "superseded", "pending", "pending"]);
  });

  it.each(STATUSES.map((status, index) => [status, index + 1] as const))(
    "are those with status %s on request",
    async (status, number) => {
      const company = await givenEach();
      const queue = recordingQueue();
      const answer = await resendRange(company, { ...WIDE, status: [status] }, { env: queue.env });
      await expectDocumented(NAME, answer);
      const id = `dlv_${company.id}_${number}_endpoint`;
      expect(answer.body.items).toMatchObject([{ id, status: "pending" }]);
      expect(queue.notified).toEqual([id]);
    },
  );

  it("keep their webhook-id and body", async () => {
    const { clock, company, sink, createEvent, deliver } = await givenWithdrawEvents();
    sink.respondWith(410);
    await createEvent();
    await deliver();
    const [before] = sink.received.splice(0);
    sink.respondWith(204);

    const answer = await resendRange(company, WIDE, { clock });
    expect(answer.body.items).toMatchObject([{ id: `dlv_${company.id}_2_endpoint`, attempts: 1 }]);
    await deliver();

    expect(sink.received).toMatchObject([{ id: before!.id, rawBody: before!.rawBody }]);
    expect((await deliveriesOf(company)).at(-1)).toMatchObject({
      status: "delivered",
      attempts: 2,
    });
  });

  it("belong to the calling company only", async () => {
    const [ours, theirs] = [await givenExhausted(NOON), await givenExhausted(NOON)];
    const before = await deliveriesOf(theirs);
    await resendAllPages(ours, WIDE);
    expect(await deliveriesOf(theirs)).toEqual(before);
  });

  it("are sent once more when D1's response is lost", async () => {
    const company = await givenExhausted(NOON);
    const lost = injectFault({ on: /update "deliveries"/, when: "after", error: CONNECTION_LOST });
    const queue = recordingQueue(withD1(env, lost.intercept));
    const answer = await resendRange(company, WIDE, { env: queue.env });
    expect(lost.injections()).toBe(1);
    expect(answer.status).toBe(202);
    expect(queue.notified).toEqual([`dlv_${company.id}_1_endpoint`]);
  });
});

describe("of one object", () => {
  it("sends only the newest event, never an old state", async () => {
    const { clock, company, sink } = await givenObjects(
      ["a", "exhausted"],
      ["b", "stopped"],
      ["a", "stopped"],
      ["a", "exhausted"],
      ["b", "exhausted"],
    );
    expect(await resendAllPages(company, WIDE, { clock })).toEqual([[4, 5]]);
    await sink.deliverAll(company);
    expect(sink.received.map(({ body }) => [body.data.id, body.sequence])).toEqual([
      ["a", 3],
      ["b", 2],
    ]);
  });

  it("sends nothing when the newest event was delivered", async () => {
    const { clock, company, sink } = await givenObjects(["a", "exhausted"], ["a", "delivered"]);
    expect(await resendAllPages(company, WIDE, { clock })).toEqual([[]]);
    await sink.deliverAll(company);
    expect(sink.received).toEqual([]);
  });

  it("selects the newest event for each target separately", async () => {
    const clock = new TestClock();
    const company = await givenCompany({ clock });
    const other = "https://pedidos.example.com/hook";
    await givenHistory(company, [
      { ...exhausted("a", NOON), target: "postback", url: other },
      exhausted("a", NOON),
    ]);
    const answer = await resendRange(company, WIDE, { clock });
    expect(answer.body.items.map((item: any) => item.url)).toEqual([other, URL_OF_SHOP]);
  });
});

describe("pages", () => {
  const COUNT = 620;

  it("cover each matching delivery once, whatever was skipped", async () => {
    const company = await givenCompany();
    const isExhausted = (index: number) => index < 130 || index % 100 === 0 || index === COUNT - 1;
    await givenHistory(
      company,
      Array.from({ length: COUNT }, (_, index) =>
        exhausted(`object-${index}`, NOON + index, isExhausted(index) ? "exhausted" : "delivered"),
      ),
    );
    const pages = await resendAllPages(company, WIDE);
    const expected = Array.from({ length: COUNT }, (_, index) => index).filter(isExhausted);
    expect(pages.flat()).toEqual(expected.map((index) => index + 1));
    expect(Math.max(...pages.map((page) => page.length))).toBeLessThanOrEqual(50);
    expect(pages.length).toBeGreaterThan(2);
    expect(await resendAllPages(company, WIDE)).toEqual(pages.slice(0, 2).map(() => []));
  });

  it("keep the two targets of one event together", async () => {
    const company = await givenCompany();
    await givenHistory(
      company,
      Array.from({ length: 60 }, (_, index) => exhausted(`object-${index}`, NOON + index)),
    );
    await env.DB.prepare(
      `INSERT INTO deliveries SELECT company_id, company_sequence, 'postback', url, status, attempts,
         next_attempt_at, updated_at, attempts_log FROM deliveries WHERE company_id = ?`,
    )
      .bind(company.id)
      .run();
    const pages = await resendAllPages(company, WIDE);
    const twice = Array.from({ length: 60 }, (_, index) => [index + 1, index + 1]).flat();
    expect(pages.flat()).toEqual(twice);
    for (const page of pages) expect(page.length % 2).toBe(0);
  });

  it("do not repeat the newest delivery of an object for an older one on an earlier page", async () => {
    const company = await givenCompany();
    await givenHistory(
      company,
      Array.from({ length: 120 }, (_, index) => exhausted(`object-${index % 60}`, NOON + index)),
    );
    const sent = (await resendAllPages(company, WIDE)).flat();
    expect(sent.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 60 }, (_, index) => index + 61),
    );
  });
});

describe("the number of rows that D1 reads", () => {
  it.each([
    ["no delivery of the range is exhausted", "delivered"],
    ["every delivery of the range is exhausted", "exhausted"],
  ])("is bounded among 5,000 events when %s", async (_which, status) => {
    const company = await givenCompany();
    await givenHistory(
      company,
      Array.from({ length: 5_000 }, (_, index) => exhausted(`o${index}`, NOON + index, status)),
    );
    const perCall: number[] = [];
    for (const from of [NOON, NOON + 2_500, NOON + 4_990]) {
      let rowsRead = 0;
      const counted = withDatabase({ after: (_sql, rows) => (rowsRead += rows) });
      const body = { from: iso(from), to: WIDE.to };
      const answer = await resendRange(company, body, { env: recordingQueue(counted).env });
      expect(answer.status).toBe(202);
      perCall.push(rowsRead);
    }
    expect(Math.max(...perCall)).toBeLessThanOrEqual(1_000);
    expect(perCall.at(-1)).toBeLessThanOrEqual(250);
  });
});

describe("VALIDATION_FAILED", () => {
  it.each([
    ["nothing", {}, ["from", "to"]],
    ["no end", { from: "2026-01-01" }, ["to"]],
    ["an end before the beginning", { from: iso(NOON), to: iso(NOON - 1) }, ["to"]],
    ["days in reverse order", { from: "2026-03-11", to: "2026-03-10" }, ["to"]],
    ["values that are not times", { from: "yesterday", to: 7 }, ["from", "to"]],
    ["a time without its offset", { ...WIDE, from: "2026-03-10T12:00:00" }, ["from"]],
    ["a day that does not exist", { ...WIDE, from: "2026-02-30" }, ["from"]],
    ["an unknown status", { ...WIDE, status: ["exhausted", "lost"] }, ["status.1"]],
    ["no status", { ...WIDE, status: [] }, ["status"]],
    ["a status not in a list", { ...WIDE, status: "exhausted" }, ["status"]],
    ["an unknown `after`", { ...WIDE, after: "x" }, ["after"]],
    ["a numeric `after`", { ...WIDE, after: 5 }, ["after"]],
  ])("%s; nothing is sent", async (_what, body, fields) => {
    const company = await givenExhausted(NOON);
    const answer = await resendRange(company, body);
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields });
    expect(await deliveriesOf(company)).toMatchObject([{ status: "exhausted" }]);
  });
});
