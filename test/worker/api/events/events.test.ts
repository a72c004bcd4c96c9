import { describe, expect, it } from "vitest";
import { call, type Answer } from "../../../support/builders/requests/api.ts";
import { givenCompany, type TestCompany } from "../../../support/builders/companies/company.ts";
import { expectDocumented } from "../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../support/probes/http/problem.ts";
import { givenPaid, givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { refund, simulate } from "../../../support/builders/operations/refund.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { givenWithdrawEvents } from "../../../support/builders/withdraws/withdraw-events.ts";

const list = (company: TestCompany, query = ""): Promise<Answer> =>
  call(`/api/v1/events${query}`, { company });

const show = (company: TestCompany, id: string): Promise<Answer> =>
  call(`/api/v1/events/${id}`, { company });

/** Three events: paid, partly refunded, failed. */
async function givenEvents() {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 2_500);
  await refund(company, id, 500);
  const other = await givenTransaction(company);
  await simulate(company, other.id, "fail");
  return { company, id: id as string };
}

describe("GET /api/v1/events", () => {
  it("lists every event in the company's gap-free order with the body of its webhook", async () => {
    const { company, id } = await givenEvents();

    const answer = await list(company);

    expect(answer.status).toBe(200);
    await expectDocumented("GET /api/v1/events", answer);
    expect(answer.body).toMatchObject({ after: "3", hasMore: false });
    expect(answer.body.items.map((item: any) => [item.companySequence, item.type])).toEqual([
      [1, "transaction.paid"],
      [2, "transaction.partially_refunded"],
      [3, "transaction.failed"],
    ]);
    const rows = await eventsOf(company);
    expect(answer.body.items.map((item: any) => item.data)).toEqual(
      rows.map((row) => row.body.data),
    );
    expect(answer.body.items[0]).toMatchObject({
      id: `evt_${company.id}_1`,
      sequence: 1,
      data: { id, status: "PAID", previousStatus: "WAITING_PAYMENT" },
    });
  });

  it("continues after the reader's cursor and says when there is nothing new", async () => {
    const { company, id } = await givenEvents();
    const first = await list(company, "?limit=2");
    expect(first.body).toMatchObject({ after: "2", hasMore: true });
    const second = await list(company, `?limit=2&after=${first.body.after}`);
    expect(second.body.items.map((item: any) => item.companySequence)).toEqual([3]);
    const nothing = await list(company, `?after=${second.body.after}`);
    expect(nothing.body).toEqual({ items: [], after: "3", hasMore: false });

    await refund(company, id);
    const news = await list(company, `?after=${nothing.body.after}`);
    expect(news.body.items.map((item: any) => item.type)).toEqual(["transaction.refunded"]);
  });

  it("filters by one type on request and omits none of them between pages", async () => {
    const { company } = await givenEvents();
    await givenPaid(company, 1_000);
    const paid: number[] = [];
    let after = "0";
    for (let more = true; more;) {
      const { body } = await list(company, `?type=transaction.paid&limit=1&after=${after}`);
      paid.push(...body.items.map((item: any) => item.companySequence));
      ({ after, hasMore: more } = body);
    }
    expect(paid).toEqual([1, 4]);
  });

  it.each([
    ["?type=transaction.created", "type"],
    ["?limit=0", "limit"],
    ["?limit=101", "limit"],
    ["?after=x", "after"],
  ])("VALIDATION_FAILED: %s", async (query, field) => {
    const answer = await list(await givenCompany(), query);
    await expectProblem(answer, { status: 400, code: "VALIDATION_FAILED", fields: [field] });
  });
});

describe("GET /api/v1/events/{id}", () => {
  it("shows an event with each attempt to deliver it", async () => {
    const { clock, company, sink, createEvent, deliver } = await givenWithdrawEvents();
    sink.respondWith(503);
    await createEvent();
    await deliver();
    clock.advance(10_000);
    sink.respondWith(204);
    await deliver();
    const [, event] = await eventsOf(company);
    const id = `evt_${company.id}_${event!.companySequence}`;

    const answer = await show(company, id);

    await expectDocumented("GET /api/v1/events/{id}", answer);
    expect(answer.body).toMatchObject({
      id,
      type: "withdraw.processing",
      deliveries: [
        {
          id: `dlv_${company.id}_2_endpoint`,
          eventId: id,
          status: "delivered",
          attempts: 2,
          nextAttemptAt: null,
          tries: [
            { number: 1, httpStatus: 503, fault: null },
            { number: 2, httpStatus: 204, fault: null },
          ],
        },
      ],
    });
  });

  it("NOT_FOUND: rejects an unknown number and an invalid event id", async () => {
    const company = await givenCompany();
    for (const id of [`evt_${company.id}_1`, "evt_1", "x", `dlv_${company.id}_1_endpoint`]) {
      await expectProblem(await show(company, id), { status: 404, code: "NOT_FOUND" });
    }
  });

  it("FORBIDDEN: rejects another company's event", async () => {
    const { company: theirs } = await givenEvents();
    const ours = await givenCompany();
    const answer = await show(ours, `evt_${theirs.id}_1`);
    await expectProblem(answer, { status: 403, code: "FORBIDDEN" });
  });
});
