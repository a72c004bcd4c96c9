import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../../src/config.ts";
import { call, type Answer } from "../../../../support/builders/requests/api.ts";
import { env, type TestCompany } from "../../../../support/builders/companies/company.ts";
import { expectDocumented } from "../../../../support/probes/http/documented.ts";
import {
  DAY,
  givenHosts,
  HOST,
  HOUR,
  SHOP_URL,
} from "../../../../support/builders/webhooks/failing-host.ts";
import {
  captureOpenedCircuits,
  openCircuitsOf,
  statusOf,
} from "../../../../support/probes/webhooks/circuits.ts";
import { depsWithSink, sendTestEvent } from "../../../../support/builders/webhooks/test-events.ts";
import { deliveriesOf } from "../../../../support/probes/webhooks/webhook-rows.ts";
import { finishAllDue } from "../../../../support/builders/webhooks/webhook-history.ts";

afterAll(finishAllDue);

const ENDPOINT = "/api/v1/webhooks/endpoint";
const NO_QUEUE = {
  ...env,
  WEBHOOKS: { sendBatch: async () => undefined } as unknown as Env["WEBHOOKS"],
};

const put = (company: TestCompany, url: string): Promise<Answer> =>
  call(ENDPOINT, { method: "PUT", company, body: { url } });

/** Opens the circuits of the company's own host and of a second one. */
async function givenOpenCircuit() {
  const given = await givenHosts();
  const second = "https://second.example.com/hook";
  await given.failFor(5 * DAY);
  await given.failFor(5 * DAY, second);
  given.sink.respondWith(204);
  given.sink.received.length = 0;
  return { ...given, second };
}

beforeEach(() => void captureOpenedCircuits());
afterEach(() => vi.restoreAllMocks());

it("the endpoint shows failing hosts, their first failure, the reason and open circuits", async () => {
  const given = await givenHosts();
  const { clock, show, send, failFor } = given;
  const startedAt = clock.now();
  await failFor(5 * DAY);
  given.sink.respond = () => Promise.reject(new Error("reset"));
  await send("https://another.example.com/hook");

  const answer = await show();

  await expectDocumented(`GET ${ENDPOINT}`, answer);
  const now = new Date(clock.now()).toISOString();
  expect(answer.body).toStrictEqual({
    url: SHOP_URL,
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
        failingSince: new Date(startedAt).toISOString(),
        lastFailureAt: now,
        lastFailure: "500",
        offSince: now,
      },
    ],
  });
});

describe("setting the endpoint", () => {
  it("closes the circuit of its host only", async () => {
    const { company, sink, send } = await givenOpenCircuit();

    const answer = await put(company, `https://${HOST}/a-new-path`);

    await expectDocumented(`PUT ${ENDPOINT}`, answer);
    expect(answer.body.failingHosts.map((each: any) => each.host)).toEqual(["second.example.com"]);
    expect(await statusOf(company, await send())).toBe("delivered");
    expect(sink.received).toHaveLength(1);
  });

  it("resets the failure streak: five days of failures are needed again", async () => {
    const { clock, company, failFor, send } = await givenOpenCircuit();
    await put(company, SHOP_URL);
    await failFor(5 * DAY - 1);
    expect(await openCircuitsOf(company)).not.toContain(HOST);
    clock.advance(1);
    await send();
    expect(await openCircuitsOf(company)).toContain(HOST);
  });

  it("to none, to another host or to a rejected URL leaves the circuit open", async () => {
    const { company } = await givenOpenCircuit();
    expect((await put(company, "")).status).toBe(200);
    expect((await put(company, "https://elsewhere.example.com/")).status).toBe(200);
    expect((await put(company, `http://${HOST}/`)).status).toBe(400);
    expect(await openCircuitsOf(company)).toEqual([HOST, "second.example.com"]);
  });

  it("of another company closes no circuit", async () => {
    const { company, clock } = await givenOpenCircuit();
    const other = await givenHosts(clock);
    await put(other.company, SHOP_URL);
    expect(await openCircuitsOf(company)).toContain(HOST);
  });
});

describe("a test", () => {
  it("is sent despite an open circuit, and a success closes the circuit", async () => {
    const given = await givenOpenCircuit();
    const { company, sink, send, second } = given;

    expect((await sendTestEvent(given)).body.deliveries).toMatchObject([{ status: "delivered" }]);

    expect(await openCircuitsOf(company)).toEqual(["second.example.com"]);
    expect(await statusOf(company, await send())).toBe("delivered");
    expect((await sendTestEvent(given, { url: second })).status).toBe(201);
    expect(await openCircuitsOf(company)).toEqual([]);
    expect(sink.types()).toEqual(["webhook.test", "balance.released", "webhook.test"]);
  });

  it.each([500, 301, 410])("that gets status %i leaves the circuit open", async (status) => {
    const given = await givenOpenCircuit();
    const { company, clock, sink, send } = given;
    sink.respondWith(status);
    clock.advance(3 * DAY);
    const [{ offSince }] = (await given.show()).body.failingHosts;

    await sendTestEvent(given);

    expect(sink.received).toHaveLength(1);
    const [shown] = (await given.show()).body.failingHosts;
    expect(shown).toMatchObject({ host: HOST, offSince, lastFailure: "500" });
    expect(await statusOf(company, await send())).toBe("stopped");
    expect(sink.received).toHaveLength(1);
  });
});

it("one call resends the webhooks that were stopped by an open circuit", async () => {
  const given = await givenOpenCircuit();
  const { company, sink, clock, send } = given;
  clock.advance(HOUR);
  const from = new Date(clock.now()).toISOString();
  const stopped: number[] = [];
  for (let index = 0; index < 5; index++) {
    stopped.push(await send());
    clock.advance(1_000);
  }
  expect(sink.received).toEqual([]);
  await sendTestEvent(given);
  sink.received.length = 0;

  const answer = await call("/api/v1/webhooks/deliveries/resend", {
    company,
    body: { from, to: new Date(clock.now()).toISOString() },
    env: NO_QUEUE,
    deps: depsWithSink(sink, clock),
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
