import { describe, expect, it } from "vitest";
import { call, type Answer } from "../../../../support/builders/requests/api.ts";
import type { Env } from "../../../../../src/config.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { withDatabase } from "../../../../support/probes/database/instrumented-database.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import {
  finishAllDue,
  givenHistory,
} from "../../../../support/builders/webhooks/webhook-history.ts";
import {
  ENDPOINT,
  givenWithdrawEvents,
} from "../../../../support/builders/withdraws/withdraw-events.ts";

const list = (company: TestCompany, query = ""): Promise<Answer> =>
  call(`/api/v1/webhooks/deliveries${query}`, { company });

/** Disables the queue's consumer: the test delivers by itself. */
const NO_QUEUE = {
  ...env,
  WEBHOOKS: { sendBatch: async () => undefined } as unknown as Env["WEBHOOKS"],
};

const resend = (company: TestCompany, id: string, options = {}): Promise<Answer> =>
  call(`/api/v1/webhooks/deliveries/${id}/resend`, {
    method: "POST",
    company,
    env: NO_QUEUE,
    ...options,
  });

/** Two deliveries of one withdraw, with the given responses. */
async function givenDelivered(status: number) {
  const given = await givenWithdrawEvents();
  given.sink.respondWith(status);
  await given.createEvent();
  await given.createEvent();
  await given.deliver();
  const numbers = (await list(given.company)).body.items.map((item: any) =>
    Number(item.id.split("_")[2]),
  );
  return { ...given, newest: numbers[0] as number, oldest: numbers[1] as number };
}

describe("GET /api/v1/webhooks/deliveries", () => {
  it("lists deliveries newest first, page by page, each once", async () => {
    const { company } = await givenDelivered(204);
    const whole = await list(company);
    await expectDocumented("GET /api/v1/webhooks/deliveries", whole);
    expect(whole.body.hasMore).toBe(false);
    const seen: string[] = [];
    let after = "";
    for (let more = true; more;) {
      const { body } = await list(company, `?limit=1${after}`);
      seen.push(...body.items.map((item: any) => item.id));
      more = body.hasMore;
      after = `&after=${body.after}`;
    }
    expect(seen).toEqual(whole.body.items.map((item: any) => item.id));
  });

  it("lists those of one status", async () => {
    const { company } = await givenDelivered(500);
    const statuses = async (status: string) =>
      (await list(company, `?status=${status}`)).body.items.map((item: any) => item.status);
    expect(await statuses("superseded")).toEqual(["superseded"]);
    expect(await statuses("pending")).toContain("pending");
    expect(await statuses("exhausted")).toEqual([]);
  });

  it("VALIDATION_FAILED: rejects an unknown status", async () => {
    const answer = await list(await givenCompany(), "?status=lost");
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: ["status"] });
  });
});

describe("POST /api/v1/webhooks/deliveries/{id}/resend", () => {
  it("sends a delivered webhook again under the same webhook-id", async () => {
    const { company, sink, clock, newest } = await givenDelivered(204);
    const before = sink.received.at(-1)!;

    const id = `dlv_${company.id}_${newest}_endpoint`;
    const answer = await resend(company, id, { deps: { platformClock: clock } });
    await expectDocumented("POST /api/v1/webhooks/deliveries/{id}/resend", answer);
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({ id, status: "pending" });
    await sink.deliver(company, newest, { target: "endpoint" });

    expect(sink.received.at(-1)).toMatchObject({ id: before.id, rawBody: before.rawBody });
    const [again] = (await list(company)).body.items;
    expect(again).toMatchObject({ id, status: "delivered", attempts: 2 });
  });

  it("sends the newest event of the object instead of an older one", async () => {
    const { company, sink, clock, newest, oldest } = await givenDelivered(204);

    const answer = await resend(company, `dlv_${company.id}_${oldest}_endpoint`, {
      deps: { platformClock: clock },
    });

    expect(answer.body).toMatchObject({ id: `dlv_${company.id}_${newest}_endpoint` });
    const sent = sink.received.length;
    await sink.deliver(company, oldest, { target: "endpoint" });
    expect(sink.received.slice(sent).map((request) => request.body.type)).toEqual([
      "withdraw.paid",
    ]);
  });

  it("NOT_FOUND: rejects an unknown delivery and an invalid delivery id", async () => {
    const company = await givenCompany();
    for (const id of [`dlv_${company.id}_9_endpoint`, `evt_${company.id}_1`, "x"]) {
      await expectProblem(await resend(company, id), { status: 404, code: "NOT_FOUND" });
    }
  });

  it("FORBIDDEN: rejects another company's delivery", async () => {
    const { company: theirs, newest } = await givenDelivered(204);
    const answer = await resend(await givenCompany(), `dlv_${theirs.id}_${newest}_endpoint`);
    await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
  });
});

/** The D1 rows read by a resend of a company's first webhook, among this many. */
async function rowsReadBy(later: number): Promise<number> {
  const company = await givenCompany();
  const delivered = { at: 1_000, url: ENDPOINT, status: "delivered" };
  await givenHistory(company, [
    { ...delivered, objectId: "old" },
    ...Array.from({ length: later }, (_, index) => ({ ...delivered, objectId: `o-${index}` })),
  ]);
  let rows = 0;
  const counted = withDatabase({ after: (_sql, read) => (rows += read) });
  const environment = { ...counted, WEBHOOKS: NO_QUEUE.WEBHOOKS };
  const answer = await resend(company, `dlv_${company.id}_1_endpoint`, { env: environment });
  expect(answer.status).toBe(202);
  await finishAllDue();
  return rows;
}

it("a resend of an old webhook reads no later events", async () => {
  expect(await rowsReadBy(500)).toBe(await rowsReadBy(5));
});
