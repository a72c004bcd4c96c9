import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../src/config.ts";
import { call, type Answer } from "../../../support/builders/api.ts";
import { env, type TestCompany } from "../../../support/builders/company.ts";
import { expectDocumented } from "../../../support/probes/documented.ts";
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
import { sendingTo, tryOut } from "../../../support/builders/try-out.ts";
import { deliveriesOf } from "../../../support/probes/webhook-rows.ts";
import { endAllDue } from "../../../support/builders/webhook-history.ts";

afterAll(endAllDue);

const ENDPOINT = "/api/v1/webhooks/endpoint";
const QUIET = {
  ...env,
  WEBHOOKS: { sendBatch: async () => undefined } as unknown as Env["WEBHOOKS"],
};

const put = (company: TestCompany, url: string): Promise<Answer> =>
  call(ENDPOINT, { method: "PUT", company, body: { url } });

/** The company's own host is off, and so is a second one. */
async function givenOff() {
  const given = await givenHosts();
  const second = "https://second.example.com/hook";
  await given.failFor(5 * DAY);
  await given.failFor(5 * DAY, second);
  given.sink.answering(204);
  given.sink.received.length = 0;
  return { ...given, second };
}

beforeEach(() => void hearHostsOff());
afterEach(() => vi.restoreAllMocks());

it("the endpoint shows which hosts fail, since when and how, and which are off", async () => {
  const given = await givenHosts();
  const { clock, show, send, failFor } = given;
  const begun = clock.now();
  await failFor(5 * DAY);
  given.sink.answer = () => Promise.reject(new Error("reset"));
  await send("https://another.example.com/hook");

  const answer = await show();

  await expectDocumented(`GET ${ENDPOINT}`, answer);
  const now = new Date(clock.now()).toISOString();
  expect(answer.body).toStrictEqual({
    url: URL_OF_SHOP,
    failingHosts: [
      {
        host: "another.example.com",
        failingSince: now,
        lastFailureAt: now,
        lastFailure: "connection",
        offSince: null,
      },
      {
        host: HOST,
        failingSince: new Date(begun).toISOString(),
        lastFailureAt: now,
        lastFailure: "500",
        offSince: now,
      },
    ],
  });
});

describe("setting the endpoint", () => {
  it("switches its host on, and no other", async () => {
    const { company, sink, send } = await givenOff();

    const answer = await put(company, `https://${HOST}/a-new-path`);

    await expectDocumented(`PUT ${ENDPOINT}`, answer);
    expect(answer.body.failingHosts.map((each: any) => each.host)).toEqual(["second.example.com"]);
    expect(await statusOf(company, await send())).toBe("delivered");
    expect(sink.received).toHaveLength(1);
  });

  it("begins with a clean slate: it takes five days of failures again", async () => {
    const { clock, company, failFor, send } = await givenOff();
    await put(company, URL_OF_SHOP);
    await failFor(5 * DAY - 1);
    expect(await offHostsOf(company)).not.toContain(HOST);
    clock.advance(1);
    await send();
    expect(await offHostsOf(company)).toContain(HOST);
  });

  it("to none, to another host or to a refused URL leaves it off", async () => {
    const { company } = await givenOff();
    expect((await put(company, "")).status).toBe(200);
    expect((await put(company, "https://elsewhere.example.com/")).status).toBe(200);
    expect((await put(company, `http://${HOST}/`)).status).toBe(400);
    expect(await offHostsOf(company)).toEqual([HOST, "second.example.com"]);
  });

  it("of another company switches nothing on", async () => {
    const { company, clock } = await givenOff();
    const other = await givenHosts(clock);
    await put(other.company, URL_OF_SHOP);
    expect(await offHostsOf(company)).toContain(HOST);
  });
});

describe("a test", () => {
  it("is sent to a host that is off, and one that arrives switches it on", async () => {
    const given = await givenOff();
    const { company, sink, send, second } = given;

    expect((await tryOut(given)).body.deliveries).toMatchObject([{ status: "delivered" }]);

    expect(await offHostsOf(company)).toEqual(["second.example.com"]);
    expect(await statusOf(company, await send())).toBe("delivered");
    expect((await tryOut(given, { url: second })).status).toBe(201);
    expect(await offHostsOf(company)).toEqual([]);
    expect(sink.types()).toEqual(["webhook.test", "balance.released", "webhook.test"]);
  });

  it.each([500, 301, 410])("that is answered %i leaves it off", async (status) => {
    const given = await givenOff();
    const { company, clock, sink, send } = given;
    sink.answering(status);
    clock.advance(3 * DAY);
    const [{ offSince }] = (await given.show()).body.failingHosts;

    await tryOut(given);

    expect(sink.received).toHaveLength(1);
    const [shown] = (await given.show()).body.failingHosts;
    expect(shown).toMatchObject({ host: HOST, offSince, lastFailure: "500" });
    expect(await statusOf(company, await send())).toBe("stopped");
    expect(sink.received).toHaveLength(1);
  });
});

it("what was stopped while the host was off is sent by one call once it is on", async () => {
  const given = await givenOff();
  const { company, sink, clock, send } = given;
  clock.advance(HOUR);
  const from = new Date(clock.now()).toISOString();
  const stopped: number[] = [];
  for (let index = 0; index < 5; index++) {
    stopped.push(await send());
    clock.advance(1_000);
  }
  expect(sink.received).toEqual([]);
  await tryOut(given);
  sink.received.length = 0;

  const answer = await call("/api/v1/webhooks/deliveries/resend", {
    company,
    body: { from, to: new Date(clock.now()).toISOString() },
    env: QUIET,
    deps: sendingTo(sink, clock),
  });
  expect(answer.status).toBe(202);
  expect(answer.body.items.map((item: any) => item.id)).toEqual(
    stopped.map((number) => `dlv_${company.id}_${number}_endpoint`),
  );
  for (const number of stopped) await sink.deliver(company, number, { target: "endpoint" });

  expect(sink.received.map((request) => request.id)).toEqual(
    stopped.map((number) => `evt_${company.id}_${number}`),
  );
  const rows = await deliveriesOf(company);
  expect(
    rows.filter((each) => stopped.includes(each.companySequence)).map((each) => each.status),
  ).toEqual(stopped.map(() => "delivered"));
});
