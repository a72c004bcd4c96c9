import { expect, it } from "vitest";
import { attemptsOf, deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { givenWithdrawEvents } from "../../../support/builders/withdraws/withdraw-events.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

it.each([200, 201, 202, 204, 299])("%i is success", async (status) => {
  const { company, sink, createEvent, deliver } = await givenWithdrawEvents();
  sink.respondWith(status);
  await createEvent();

  await deliver();
  await deliver();

  expect(sink.received).toHaveLength(1);
  expect((await deliveriesOf(company)).at(-1)).toMatchObject({
    status: "delivered",
    attempts: 1,
    dueAt: null,
  });
  expect((await attemptsOf(company)).at(-1)).toMatchObject({ httpStatus: status, fault: null });
  expect(sink.wakeUps).toEqual([]);
});

it.each([301, 302, 303, 304, 307, 308, 400, 401, 404, 429, 500, 503])(
  "%i is a failure that is retried",
  async (status) => {
    const { clock, company, sink, createEvent, deliver } = await givenWithdrawEvents();
    sink.respondWith(status, { Location: "https://elsewhere.example.com/" });
    await createEvent();

    await deliver();

    expect(sink.received).toHaveLength(1);
    expect((await deliveriesOf(company)).at(-1)).toMatchObject({
      status: "pending",
      attempts: 1,
      dueAt: clock.now() + 5 * SECOND,
    });
  },
);

it("a redirect is not followed", async () => {
  const { sink, createEvent, deliver } = await givenWithdrawEvents();
  sink.respondWith(302, { Location: "https://elsewhere.example.com/" });
  await createEvent();

  await deliver();

  expect(sink.received[0]?.init.redirect).toBe("manual");
});

it("410 stops the delivery, which is not retried", async () => {
  const { clock, company, sink, createEvent, deliver } = await givenWithdrawEvents();
  sink.respondWith(410);
  await createEvent();

  await deliver();
  clock.advance(HOUR);
  await deliver();

  expect(sink.received).toHaveLength(1);
  expect((await deliveriesOf(company)).at(-1)).toMatchObject({ status: "stopped", dueAt: null });
});

it("a failed connection is recorded and retried", async () => {
  const { clock, company, sink, createEvent, deliver } = await givenWithdrawEvents();
  sink.respond = () => Promise.reject(new TypeError("connection refused"));
  await createEvent();

  await deliver();

  expect((await attemptsOf(company)).at(-1)).toMatchObject({
    httpStatus: null,
    fault: "connection",
  });
  expect((await deliveriesOf(company)).at(-1)?.dueAt).toBe(clock.now() + 5 * SECOND);
});

it.each([
  ["seconds", "120", 2 * MINUTE],
  ["less than the schedule's wait", "1", 5 * SECOND],
  ["more than 12 hours", String(48 * 3_600), 12 * HOUR],
  ["nonsense", "soon", 5 * SECOND],
  ["a date that has passed", "Wed, 21 Oct 2015 07:28:00 GMT", 5 * SECOND],
])("Retry-After of %s", async (_what, header, expectedMs) => {
  const { clock, company, sink, createEvent, deliver } = await givenWithdrawEvents();
  sink.respondWith(503, { "Retry-After": header });
  await createEvent();

  await deliver();

  expect((await deliveriesOf(company)).at(-1)?.dueAt).toBe(clock.now() + expectedMs);
});

it("Retry-After as a date delays the retry", async () => {
  const { clock, company, sink, createEvent, deliver } = await givenWithdrawEvents();
  const until = Math.ceil(clock.now() / SECOND) * SECOND + HOUR;
  sink.respondWith(503, { "Retry-After": new Date(until).toUTCString() });
  await createEvent();

  await deliver();

  expect((await deliveriesOf(company)).at(-1)?.dueAt).toBe(until);
});
