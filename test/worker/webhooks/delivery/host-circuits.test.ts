import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { env } from "../../../support/builders/companies/company.ts";
import {
  DAY,
  givenHosts,
  HOST,
  HOUR,
  SHOP_URL,
} from "../../../support/builders/webhooks/failing-host.ts";
import {
  captureOpenedCircuits,
  openCircuitsOf,
  statusOf,
} from "../../../support/probes/webhooks/circuits.ts";
import { CONNECTION_LOST, CRASH, injectFault, withD1 } from "../../../support/faults/faulty-env.ts";
import { finishAllDue, givenHistory } from "../../../support/builders/webhooks/webhook-history.ts";
import { attemptsOf, deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";

afterAll(finishAllDue);

const RECORDS_THE_ATTEMPT = /update "deliveries" set/;

afterEach(() => vi.restoreAllMocks());

describe("the circuit of a host opens", () => {
  it("at the failure five days after the first one, and is logged once", async () => {
    const { clock, company, failFor, send } = await givenHosts();
    const heard = captureOpenedCircuits();

    await failFor(5 * DAY - 1);
    expect(await openCircuitsOf(company)).toEqual([]);
    expect(heard()).toEqual([]);
    clock.advance(1);
    await send();

    expect(await openCircuitsOf(company)).toEqual([HOST]);
    clock.advance(HOUR);
    await send();
    expect(heard()).toEqual([HOST]);
  });

  it("after failures of several objects together", async () => {
    const { clock, company, sink, failFor, send } = await givenHosts();
    captureOpenedCircuits();
    await failFor(3 * DAY);
    const first = await send();
    for (let hours = 0; hours < 48; hours += 12) {
      clock.advance(12 * HOUR);
      await sink.deliver(company, first, { target: "endpoint" });
    }
    expect(await openCircuitsOf(company)).toEqual([HOST]);
  });

  it("after any kind of failure: redirects, errors, resets and timeouts", async () => {
    const { clock, company, sink, send } = await givenHosts();
    captureOpenedCircuits();
    const answers: (() => Promise<Response>)[] = [
      async () => new Response(null, { status: 301 }),
      async () => new Response(null, { status: 404 }),
      async () => Promise.reject(new Error("reset")),
      async () => new Response(null, { status: 410 }),
    ];
    for (let step = 0; step <= 10; step++) {
      sink.respond = answers[step % answers.length]!;
      await send();
      if (step < 10) clock.advance(12 * HOUR);
    }
    expect(await openCircuitsOf(company)).toEqual([HOST]);
  });
});

describe("the circuit of a host stays closed", () => {
  it("after one success in between for any object, which restarts the five days", async () => {
    const { clock, company, sink, failFor, send, show } = await givenHosts();
    await failFor(5 * DAY - HOUR);
    sink.respondWith(204);
    await send();
    expect((await show()).body).toStrictEqual({ url: SHOP_URL });
    const begun = clock.now();
    await failFor(5 * DAY - 1);

    expect(await openCircuitsOf(company)).toEqual([]);
    const [host] = (await show()).body.failingHosts;
    expect(host).toMatchObject({ host: HOST, lastFailure: "500", offSince: null });
    expect(Date.parse(host.failingSince)).toBe(begun);
    expect(Date.parse(host.lastFailureAt)).toBe(clock.now());
  });

  it("after a day without attempts", async () => {
    const { clock, company, failFor, send } = await givenHosts();
    await failFor(5 * DAY - HOUR);
    clock.advance(DAY + 1);
    await failFor(5 * DAY - 1);
    expect(await openCircuitsOf(company)).toEqual([]);

    captureOpenedCircuits();
    clock.advance(1);
    await send();
    expect(await openCircuitsOf(company)).toEqual([HOST]);
  });

  it("but opens after a shorter silence", async () => {
    const { clock, company, failFor, send } = await givenHosts();
    captureOpenedCircuits();
    await failFor(4 * DAY);
    clock.advance(DAY);
    await send();
    expect(await openCircuitsOf(company)).toEqual([HOST]);
  });

  it("after failures of another company, another host or another port", async () => {
    const ours = await givenHosts();
    captureOpenedCircuits();
    const theirs = await givenHosts(ours.clock);
    await ours.failFor(5 * DAY, "http://localhost:8081/hook");
    theirs.sink.respondWith(500);
    await theirs.send("http://localhost:8081/hook");
    await ours.send("http://localhost:8082/hook");
    await ours.send("http://127.0.0.1:8081/hook");

    expect(await openCircuitsOf(ours.company)).toEqual(["localhost:8081"]);
    expect(await openCircuitsOf(theirs.company)).toEqual([]);
  });

  it("after attempts that were never sent", async () => {
    const { clock, company, sink, send } = await givenHosts();
    for (let step = 0; step <= 10; step++) {
      await send("https://10.0.0.1/hook");
      clock.advance(12 * HOUR);
    }
    expect(sink.received).toEqual([]);
    expect((await deliveriesOf(company)).every((each) => each.status === "stopped")).toBe(true);
    expect(await openCircuitsOf(company)).toEqual([]);
  });
});

it("a host name with and without the default port is the same host", async () => {
  const { company, sink, failFor, send } = await givenHosts();
  captureOpenedCircuits();
  await failFor(5 * DAY);
  const sent = sink.received.length;
  const number = await send(`https://${HOST.toUpperCase()}:443/other`);
  expect(sink.received).toHaveLength(sent);
  expect(await statusOf(company, number)).toBe("stopped");
});

it("due deliveries to a host with an open circuit end stopped with a reason; other hosts continue", async () => {
  const { clock, company, sink, failFor, send } = await givenHosts();
  captureOpenedCircuits();
  await failFor(5 * DAY);
  const sent = sink.received.length;
  sink.respondWith(204);

  const off = await send();
  const on = await send("https://other.example.com/hook");

  expect(sink.received).toHaveLength(sent + 1);
  expect(await statusOf(company, on)).toBe("delivered");
  expect(await statusOf(company, off)).toBe("stopped");
  expect((await attemptsOf(company)).filter((each) => each.companySequence === off)).toMatchObject([
    { httpStatus: null, fault: "host_off" },
  ]);
  // Deliveries that wait for a retry are not sent either.
  sink.wakeUps.length = 0;
  clock.advance(13 * HOUR);
  await sink.deliverAll(company);
  expect(sink.received).toHaveLength(sent + 1);
  expect((await deliveriesOf(company)).map((each) => each.status)).not.toContain("pending");
  expect(sink.wakeUps).toEqual([]);
});

it("all events of an object are stopped, and events with another target are sent", async () => {
  const { clock, company, sink, failFor } = await givenHosts();
  captureOpenedCircuits();
  await failFor(5 * DAY);
  sink.respondWith(204);
  sink.received.length = 0;
  const object = { objectId: "moved", at: clock.now() };
  const first = await givenHistory(company, [
    { ...object, url: SHOP_URL },
    { ...object, url: "https://new.example.com/hook" },
  ]);

  await sink.deliver(company, first + 1, { target: "endpoint" });

  expect(sink.received.map((request) => [request.url, request.body.sequence])).toEqual([
    ["https://new.example.com/hook", 2],
  ]);
  expect(await statusOf(company, first)).toBe("stopped");
  expect(await statusOf(company, first + 1)).toBe("delivered");
});

describe("an attempt whose recording response was lost", () => {
  it.each([
    ["fails", 500, "pending"],
    ["arrives", 204, "delivered"],
  ])("counts once when it %s", async (_how, status, expected) => {
    const { clock, company, sink, send, show } = await givenHosts();
    sink.respondWith(500);
    await send();
    clock.advance(HOUR);
    sink.respondWith(status);
    const lost = injectFault({ on: RECORDS_THE_ATTEMPT, when: "after", error: CONNECTION_LOST });

    const number = await send(SHOP_URL, withD1(env, lost.intercept));

    expect(lost.injections()).toBe(1);
    const [, delivery] = await deliveriesOf(company);
    expect(delivery).toMatchObject({ companySequence: number, status: expected, attempts: 1 });
    expect(
      (await attemptsOf(company)).filter((each) => each.companySequence === number),
    ).toMatchObject([{ number: 1, httpStatus: status }]);
    const hosts = (await show()).body.failingHosts;
    if (status === 204) expect(hosts).toBeUndefined();
    else expect(Date.parse(hosts[0].failingSince)).toBe(clock.now() - HOUR);
  });

  it("opens the circuit of its host once", async () => {
    const { clock, company, failFor, send, show } = await givenHosts();
    const heard = captureOpenedCircuits();
    await failFor(5 * DAY - 1);
    clock.advance(1);
    const lost = injectFault({ on: RECORDS_THE_ATTEMPT, when: "after", error: CONNECTION_LOST });
    await send(SHOP_URL, withD1(env, lost.intercept));

    expect(lost.injections()).toBe(1);
    expect(heard()).toEqual([HOST]);
    expect(await openCircuitsOf(company)).toEqual([HOST]);
    expect(Date.parse((await show()).body.failingHosts[0].offSince)).toBe(clock.now());
  });

  it("and was never written starts no failure streak", async () => {
    const { company, sink, send, show } = await givenHosts();
    sink.respondWith(500);
    const crash = injectFault({ on: RECORDS_THE_ATTEMPT, when: "before", error: CRASH });
    await expect(send(SHOP_URL, withD1(env, crash.intercept))).rejects.toThrow();
    expect((await show()).body).toStrictEqual({ url: SHOP_URL });
    expect(await attemptsOf(company)).toEqual([]);
  });
});
