import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { env } from "../../../support/builders/company.ts";
import {
  DAY,
  givenHosts,
  hearHostsOff,
  HOST,
  HOUR,
  offHostsOf,
  statusOf,
  URL_OF_SHOP,
} from "../../../support/fakes/failing-host.ts";
import { CONNECTION_LOST, CRASH, fault, withD1 } from "../../../support/faults/faulty-env.ts";
import { endAllDue, givenHistory } from "../../../support/builders/webhook-history.ts";
import { attemptsOf, deliveriesOf } from "../../../support/probes/webhook-rows.ts";

afterAll(endAllDue);

const RECORDS_THE_ATTEMPT = /update "deliveries" set/;

afterEach(() => vi.restoreAllMocks());

describe("a host is switched off", () => {
  it("by the failure five days after the first, and not a moment before; the log says so once", async () => {
    const { clock, company, failFor, send } = await givenHosts();
    const heard = hearHostsOff();

    await failFor(5 * DAY - 1);
    expect(await offHostsOf(company)).toEqual([]);
    expect(heard()).toEqual([]);
    clock.advance(1);
    await send();

    expect(await offHostsOf(company)).toEqual([HOST]);
    clock.advance(HOUR);
    await send();
    expect(heard()).toEqual([HOST]);
  });

  it("by failures of several objects together", async () => {
    const { clock, company, sink, failFor, send } = await givenHosts();
    hearHostsOff();
    await failFor(3 * DAY);
    const first = await send();
    for (let hours = 0; hours < 48; hours += 12) {
      clock.advance(12 * HOUR);
      await sink.deliver(company, first, { target: "endpoint" });
    }
    expect(await offHostsOf(company)).toEqual([HOST]);
  });

  it("by whatever is no success: redirects, refusals, resets and time-outs too", async () => {
    const { clock, company, sink, send } = await givenHosts();
    hearHostsOff();
    const answers: (() => Promise<Response>)[] = [
      async () => new Response(null, { status: 301 }),
      async () => new Response(null, { status: 404 }),
      async () => Promise.reject(new Error("reset")),
      async () => new Response(null, { status: 410 }),
    ];
    for (let step = 0; step <= 10; step++) {
      sink.answer = answers[step % answers.length]!;
      await send();
      if (step < 10) clock.advance(12 * HOUR);
    }
    expect(await offHostsOf(company)).toEqual([HOST]);
  });
});

describe("a host is left on", () => {
  it("by one success in between, of any object: the five days begin again", async () => {
    const { clock, company, sink, failFor, send, show } = await givenHosts();
    await failFor(5 * DAY - HOUR);
    sink.answering(204);
    await send();
    expect((await show()).body).toStrictEqual({ url: URL_OF_SHOP });
    const begun = clock.now();
    await failFor(5 * DAY - 1);

    expect(await offHostsOf(company)).toEqual([]);
    const [host] = (await show()).body.failingHosts;
    expect(host).toMatchObject({ host: HOST, lastFailure: "500", offSince: null });
    expect(Date.parse(host.failingSince)).toBe(begun);
    expect(Date.parse(host.lastFailureAt)).toBe(clock.now());
  });

  it("by a day without any attempt: who was not tried did not fail", async () => {
    const { clock, company, failFor, send } = await givenHosts();
    await failFor(5 * DAY - HOUR);
    clock.advance(DAY + 1);
    await failFor(5 * DAY - 1);
    expect(await offHostsOf(company)).toEqual([]);

    hearHostsOff();
    clock.advance(1);
    await send();
    expect(await offHostsOf(company)).toEqual([HOST]);
  });

  it("but not by a silence of a day less", async () => {
    const { clock, company, failFor, send } = await givenHosts();
    hearHostsOff();
    await failFor(4 * DAY);
    clock.advance(DAY);
    await send();
    expect(await offHostsOf(company)).toEqual([HOST]);
  });

  it("by another company's failures, or another host's, another port of its name included", async () => {
    const ours = await givenHosts();
    hearHostsOff();
    const theirs = await givenHosts(ours.clock);
    await ours.failFor(5 * DAY, "http://localhost:8081/hook");
    theirs.sink.answering(500);
    await theirs.send("http://localhost:8081/hook");
    await ours.send("http://localhost:8082/hook");
    await ours.send("http://127.0.0.1:8081/hook");

    expect(await offHostsOf(ours.company)).toEqual(["localhost:8081"]);
    expect(await offHostsOf(theirs.company)).toEqual([]);
  });

  it("by attempts that never left", async () => {
    const { clock, company, sink, send } = await givenHosts();
    for (let step = 0; step <= 10; step++) {
      await send("https://10.0.0.1/hook");
      clock.advance(12 * HOUR);
    }
    expect(sink.received).toEqual([]);
    expect((await deliveriesOf(company)).every((each) => each.status === "stopped")).toBe(true);
    expect(await offHostsOf(company)).toEqual([]);
  });
});

it("a host and its name with the scheme's own port are one", async () => {
  const { company, sink, failFor, send } = await givenHosts();
  hearHostsOff();
  await failFor(5 * DAY);
  const sent = sink.received.length;
  const number = await send(`https://${HOST.toUpperCase()}:443/other`);
  expect(sink.received).toHaveLength(sent);
  expect(await statusOf(company, number)).toBe("stopped");
});

it("what is due to a host that is off ends stopped, unsent, and says why; other hosts go on", async () => {
  const { clock, company, sink, failFor, send } = await givenHosts();
  hearHostsOff();
  await failFor(5 * DAY);
  const sent = sink.received.length;
  sink.answering(204);

  const off = await send();
  const on = await send("https://other.example.com/hook");

  expect(sink.received).toHaveLength(sent + 1);
  expect(await statusOf(company, on)).toBe("delivered");
  expect(await statusOf(company, off)).toBe("stopped");
  expect((await attemptsOf(company)).filter((each) => each.companySequence === off)).toMatchObject([
    { httpStatus: null, fault: "host_off" },
  ]);
  // Whatever waited for its retry is not sent either.
  sink.hints.length = 0;
  clock.advance(13 * HOUR);
  await sink.deliverAll(company);
  expect(sink.received).toHaveLength(sent + 1);
  expect((await deliveriesOf(company)).map((each) => each.status)).not.toContain("pending");
  expect(sink.hints).toEqual([]);
});

it("all events of an object are stopped, and one that went elsewhere is sent there", async () => {
  const { clock, company, sink, failFor } = await givenHosts();
  hearHostsOff();
  await failFor(5 * DAY);
  sink.answering(204);
  sink.received.length = 0;
  const object = { objectId: "moved", at: clock.now() };
  const first = await givenHistory(company, [
    { ...object, url: URL_OF_SHOP },
    { ...object, url: "https://new.example.com/hook" },
  ]);

  await sink.deliver(company, first + 1, { target: "endpoint" });

  expect(sink.received.map((request) => [request.url, request.body.sequence])).toEqual([
    ["https://new.example.com/hook", 2],
  ]);
  expect(await statusOf(company, first)).toBe("stopped");
  expect(await statusOf(company, first + 1)).toBe("delivered");
});

describe("an attempt whose record's answer was lost on the way", () => {
  it.each([
    ["fails", 500, "pending"],
    ["arrives", 204, "delivered"],
  ])("counts once where it %s", async (_how, status, expected) => {
    const { clock, company, sink, send, show } = await givenHosts();
    sink.answering(500);
    await send();
    clock.advance(HOUR);
    sink.answering(status);
    const lost = fault({ on: RECORDS_THE_ATTEMPT, when: "after", error: CONNECTION_LOST });

    const number = await send(URL_OF_SHOP, withD1(env, lost.around));

    expect(lost.strikes()).toBe(1);
    const [, delivery] = await deliveriesOf(company);
    expect(delivery).toMatchObject({ companySequence: number, status: expected, attempts: 1 });
    expect(
      (await attemptsOf(company)).filter((each) => each.companySequence === number),
    ).toMatchObject([{ number: 1, httpStatus: status }]);
    const hosts = (await show()).body.failingHosts;
    if (status === 204) expect(hosts).toBeUndefined();
    else expect(Date.parse(hosts[0].failingSince)).toBe(clock.now() - HOUR);
  });

  it("is said to have switched its host off once", async () => {
    const { clock, company, failFor, send, show } = await givenHosts();
    const heard = hearHostsOff();
    await failFor(5 * DAY - 1);
    clock.advance(1);
    const lost = fault({ on: RECORDS_THE_ATTEMPT, when: "after", error: CONNECTION_LOST });
    await send(URL_OF_SHOP, withD1(env, lost.around));

    expect(lost.strikes()).toBe(1);
    expect(heard()).toEqual([HOST]);
    expect(await offHostsOf(company)).toEqual([HOST]);
    expect(Date.parse((await show()).body.failingHosts[0].offSince)).toBe(clock.now());
  });

  it("and that was never written begins no streak", async () => {
    const { company, sink, send, show } = await givenHosts();
    sink.answering(500);
    const crash = fault({ on: RECORDS_THE_ATTEMPT, when: "before", error: CRASH });
    await expect(send(URL_OF_SHOP, withD1(env, crash.around))).rejects.toThrow();
    expect((await show()).body).toStrictEqual({ url: URL_OF_SHOP });
    expect(await attemptsOf(company)).toEqual([]);
  });
});
