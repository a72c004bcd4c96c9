import { expect, it } from "vitest";
import { call } from "../../../../support/builders/requests/api.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { givenCompany } from "../../../../support/builders/companies/company.ts";
import { setScopes } from "../../../../support/builders/companies/credentials.ts";
import {
  updateSettings,
  refund,
  resolveDispute,
  simulate,
} from "../../../../support/builders/operations/refund.ts";
import { anyTime, anyUuid } from "../../../../support/probes/http/matchers.ts";
import {
  expectCompleteLedger,
  timelineOf,
  describeItem,
} from "../../../../support/probes/charges/timeline.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import {
  givenPaid,
  givenTransaction,
  pay,
} from "../../../../support/builders/charges/transaction.ts";
import { WebhookSink } from "../../../../support/fakes/webhook-sink.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";
import { ENDPOINT } from "../../../../support/builders/withdraws/withdraw-events.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY_MS = 86_400_000;

it("a full lifecycle appears with its causes, postings, events and attempts", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock, balance: 9_000, webhookUrl: ENDPOINT });
  await updateSettings(company, { releaseDays: { PIX: 1 }, fees: { PIX: { fixed: 100 } } });
  const sink = new WebhookSink(clock);
  await sink.deliverAll(company);
  const later = <Answer>(answer: Promise<Answer>) => {
    clock.advance(SECOND);
    return answer;
  };
  const deps = { platformClock: clock };
  clock.advance(MINUTE);

  const created = await givenTransaction(company, { amount: 2_500 }, { deps });
  const { id } = created;
  clock.advance(SECOND);
  const paid = (await pay(company, id, undefined, { deps })).body.data;
  sink.respond = () => new Response("x".repeat(5_000), { status: 503 });
  await later(sink.deliverAll(company));
  sink.respondWith(204);
  clock.advance(5 * SECOND);
  await sink.deliverAll(company);
  await later(refund(company, id, 400, { deps }));
  await later(simulate(company, id, "dispute"));
  await later(resolveDispute(company, id, "won"));
  clock.advance(DAY_MS);
  await givenPaid(company, 700);
  await later(refund(company, id, undefined, { deps }));
  const items = await timelineOf(company, id);

  expect(items.map(describeItem)).toEqual([
    "created PIX 2500 BRL",
    "answered WAITING_PAYMENT",
    "payment 2500",
    "WAITING_PAYMENT to PAID by payment",
    "booked charge_paid by payment",
    "event 1 transaction.paid",
    "attempt 1 at endpoint: 503",
    "attempt 2 at endpoint: 204",
    "refund 400 PENDING",
    "booked refund_requested by refund",
    "refund 400 DONE",
    "booked refund_done by refund",
    "event 2 transaction.partially_refunded",
    "DISPUTE 2100 OPEN",
    "booked dispute_opened by dispute",
    "event 3 transaction.disputed",
    "DISPUTE 2100 WON",
    "booked dispute_won by dispute",
    "booked credit_released by release",
    "refund 2100 PENDING",
    "booked refund_requested by refund",
    "refund 2100 DONE",
    "PAID to REFUNDED by refund",
    "booked refund_done by refund",
    "event 4 transaction.refunded",
  ]);
  await expectCompleteLedger(company, id, items);
  const times = items.map((item) => Date.parse(item.at));
  expect(times).toEqual(times.toSorted((left, right) => left - right));

  const of = (kind: string) => items.filter((item) => item.kind === kind);
  expect(of("created")).toStrictEqual([
    {
      kind: "created",
      at: created.createdAt,
      amount: 2_500,
      currency: "BRL",
      paymentMethod: "PIX",
      expiresAt: created.pix.expirationDate,
    },
  ]);
  expect(of("payment")).toStrictEqual([
    {
      kind: "payment",
      at: anyTime,
      paymentId: paid.endToEndId,
      amount: 2_500,
      paidAt: paid.paidAt,
      expected: true,
    },
  ]);
  const byPayment = { kind: "payment", id: paid.endToEndId, amount: 2_500 };
  expect(of("move")[0]).toStrictEqual({
    kind: "move",
    at: anyTime,
    from: "WAITING_PAYMENT",
    to: "PAID",
    cause: byPayment,
  });
  expect(of("movement")[0]).toMatchObject({
    cause: byPayment,
    postings: [
      { account: "provider", amount: -2_500 },
      { account: "fees", amount: 100 },
      { account: "awaiting", amount: 2_400 },
    ],
  });
  const [requested, done, secondRequested] = of("operation");
  expect(requested).toStrictEqual({
    kind: "operation",
    at: anyTime,
    operation: "refund",
    id: anyUuid,
    amount: 400,
    status: "PENDING",
    reason: null,
  });
  expect(done.id).toBe(requested.id);
  expect(secondRequested.id).not.toBe(requested.id);
  expect(of("move")[1].cause).toEqual({ kind: "refund", id: secondRequested.id, amount: 2_100 });
  expect(of("movement").map((item) => item.cause.id)).toEqual([
    paid.endToEndId,
    requested.id,
    requested.id,
    of("dispute")[0].id,
    of("dispute")[0].id,
    null,
    secondRequested.id,
    secondRequested.id,
  ]);
  expect(
    of("event").map(({ id: eventId, type, companySequence }) => [eventId, type, companySequence]),
  ).toEqual(
    (await eventsOf(company))
      .filter((event) => event.objectId === id)
      .map((event) => [
        `evt_${company.id}_${event.companySequence}`,
        event.type,
        event.companySequence,
      ]),
  );
  expect(of("attempt")[0]).toStrictEqual({
    kind: "attempt",
    at: anyTime,
    eventId: of("event")[0].id,
    deliveryId: `dlv_${company.id}_2_endpoint`,
    target: "endpoint",
    number: 1,
    durationMs: expect.any(Number),
    httpStatus: 503,
    fault: null,
    answer: "x".repeat(200),
  });
});

it("an unpaid transaction shows only its creation and the provider's result", async () => {
  const company = await givenCompany({ balance: 1_000 });
  const { id } = await givenTransaction(company, { amount: 300 });

  expect((await timelineOf(company, id)).map(describeItem)).toEqual([
    "created PIX 300 BRL",
    "answered WAITING_PAYMENT",
  ]);
});

it("shows attempts to an application with the webhook scope, all else to any reader", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl: ENDPOINT });
  const { id } = await givenPaid(company, 300);
  await new WebhookSink(clock).deliverAll(company);
  const whole = await timelineOf(company, id);
  expect(whole.map(describeItem)).toContain("attempt 1 at endpoint: 204");

  await setScopes(company, ["transactions:read"]);

  expect(await timelineOf(company, id)).toEqual(whole.filter(({ kind }) => kind !== "attempt"));
});

it("the id may be in upper case, as on every route", async () => {
  const company = await givenCompany();
  const { id } = await givenPaid(company, 300);
  expect(await timelineOf(company, id.toUpperCase())).toEqual(await timelineOf(company, id));
});

it("FORBIDDEN, NOT_FOUND: rejects another company's transaction and an unknown one", async () => {
  const [company, other] = [await givenCompany(), await givenCompany()];
  const foreign = await givenPaid(other, 300);
  const { id } = await givenTransaction(company);
  const unknown = `${id.slice(0, 24)}ffffff${id.slice(-6)}`;

  for (const [requested, status, code] of [
    [foreign.id, 403, "FORBIDDEN"],
    [unknown, 404, "NOT_FOUND"],
    ["x", 404, "NOT_FOUND"],
  ] as const) {
    const answer = await call(`/api/v1/transactions/${requested}/timeline`, { company });
    await expectProblem(answer, { status, code });
    await expectDocumented("GET /api/v1/transactions/{id}/timeline", answer);
  }
});
