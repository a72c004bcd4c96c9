import { expect, it } from "vitest";
import { call } from "../../support/builders/requests/api.ts";
import { endCharge, settle } from "../../support/builders/charges/charge-commands.ts";
import { TestClock } from "../../support/fakes/clock.ts";
import { givenCompany } from "../../support/builders/companies/company.ts";
import { expectToMatchSchema, openApi } from "../../support/probes/http/documented.ts";
import { givenTransaction, pay } from "../../support/builders/charges/transaction.ts";
import { deliveriesOf } from "../../support/probes/webhooks/webhook-rows.ts";
import { WebhookSink } from "../../support/fakes/webhook-sink.ts";
import { givenWithdrawEvents } from "../../support/builders/withdraws/withdraw-events.ts";

const POSTBACK = "https://loja.example.com/postback";
const ENDPOINT = "https://loja.example.com/endpoint";
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

it("a transaction's webhook contains the fields of its create response and the previous status", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenCompany({ clock });
  const wish = { amount: 2_500, postbackUrl: POSTBACK, metadata: '{"order":7}', externalRef: "r7" };
  const created = await givenTransaction(company, wish);
  clock.advance(1_000);
  const paid = await pay(company, created.id);

  await sink.deliverAll(company);

  expect(sink.received).toHaveLength(1);
  const [{ body, url, init, headers }] = sink.received as [(typeof sink.received)[number]];
  expect(url).toBe(POSTBACK);
  expect(init.method).toBe("POST");
  expect(headers["Content-Type"]).toBe("application/json");
  expect(Object.keys(body)).toEqual(["type", "timestamp", "sequence", "data"]);
  expect(body).toMatchObject({ type: "transaction.paid", sequence: 1 });
  expect(body.timestamp).toMatch(ISO_TIME);
  expect(body.timestamp).toBe(new Date(clock.now()).toISOString());
  expect(body.data).toEqual({ ...paid.body.data, previousStatus: "WAITING_PAYMENT" });
  expect(body.data).toMatchObject({ id: created.id, metadata: '{"order":7}', pix: created.pix });
});

it("a withdraw's webhook contains its record with its metadata", async () => {
  const { company, sink, createEvent, deliver } = await givenWithdrawEvents();
  await createEvent();
  await createEvent();
  await deliver();

  expect(sink.types()).toEqual(["withdraw.processing", "withdraw.paid"]);
  const record = await call("/api/Withdraw/1", { company });
  const [processing, paid] = sink.received;
  expect(paid?.body).toEqual({
    type: "withdraw.paid",
    timestamp: record.body.updatedAt,
    sequence: 2,
    data: { ...record.body, previousStatus: "Processing" },
  });
  expect(paid?.body.data).toMatchObject({ metadata: '{"order":7}', value: 10, fee: 0 });
  expect(processing?.body.data).toMatchObject({
    enTransaction: "Processing",
    previousStatus: "Awaiting",
    endToEndId: null,
  });
});

it("an event contains the state at its time, not a later one", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenCompany({ clock });
  const transaction = await givenTransaction(company, { postbackUrl: POSTBACK });
  await endCharge(company, transaction, "cancelled");
  await settle(company, transaction);

  await sink.deliverAll(company);

  expect(sink.received.map(({ body }) => [body.sequence, body.data.status])).toEqual([
    [1, "CANCELLED"],
    [2, "PAID"],
  ]);
  expect(sink.received[0]?.body.data).not.toHaveProperty("paidAt");
  expect(sink.received[1]?.body.data).not.toHaveProperty("cancelReason");
});

it("a transaction is announced to its postbackUrl and to the company's own URL", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenCompany({ clock, webhookUrl: ENDPOINT });
  const { id } = await givenTransaction(company, { postbackUrl: POSTBACK });
  await pay(company, id);

  await sink.deliverAll(company);

  expect(sink.received.map((request) => request.url).sort()).toEqual([ENDPOINT, POSTBACK]);
  expect(new Set(sink.received.map((request) => request.id)).size).toBe(1);
  expect(new Set(sink.received.map((request) => request.rawBody)).size).toBe(1);
});

it("an event has one delivery when both URLs are the same", async () => {
  const clock = new TestClock();
  const sink = new WebhookSink(clock);
  const company = await givenCompany({ clock, webhookUrl: POSTBACK });
  const { id } = await givenTransaction(company, { postbackUrl: POSTBACK });
  await pay(company, id);

  await sink.deliverAll(company);

  expect(sink.received.map((request) => request.url)).toEqual([POSTBACK]);
  expect(await deliveriesOf(company)).toHaveLength(1);
});

it("an event without any URL has no delivery", async () => {
  const company = await givenCompany();
  const { id } = await givenTransaction(company, { postbackUrl: "" });
  await pay(company, id);

  expect(await deliveriesOf(company)).toEqual([]);
});

it("every webhook matches the API document", async () => {
  const { requestBody, parameters } = (await openApi()).webhooks.event.post;
  const { sink, createEvent, deliver } = await givenWithdrawEvents();
  await createEvent();
  await deliver();
  const [{ body, headers }] = sink.received as [(typeof sink.received)[number]];
  await expectToMatchSchema("webhook", requestBody.content["application/json"].schema, body);
  expect(parameters.map(({ name }: { name: string }) => name)).toEqual(
    Object.keys(headers).filter((name) => name.startsWith("webhook-")),
  );
});
