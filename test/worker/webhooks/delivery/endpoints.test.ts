import { describe, expect, it } from "vitest";
import { projectionWriter } from "../../../../src/db/projection/projection-writer.ts";
import { call } from "../../../support/builders/requests/api.ts";
import {
  configureObject,
  env,
  givenCompany,
  waitUntilDrained,
} from "../../../support/builders/companies/company.ts";
import { givenTransaction } from "../../../support/builders/charges/transaction.ts";
import { endToEndId, settle } from "../../../support/builders/charges/charge-commands.ts";
import {
  ENDPOINTS,
  givenEndpoint,
  signersOf,
} from "../../../support/builders/webhooks/endpoints.ts";
import { sendTestEvent } from "../../../support/builders/webhooks/test-events.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";
import { CONNECTION_LOST, withD1, type Interceptor } from "../../../support/faults/faulty-env.ts";
import { attemptsOf, deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const SHOP = "https://loja.example.com/webhooks";
const ERP = "https://erp.example.com/webhooks";
const POSTBACK = "https://loja.example.com/postback";
const HOUR = 3_600_000;

async function given(webhookUrl = SHOP) {
  const clock = new TestClock();
  const company = await givenCompany({ clock, webhookUrl });
  const sink = new WebhookSink(clock);
  let payments = 0;
  /** Pays a charge, whose event is then in D1. */
  const pay = async (postbackUrl?: string) => {
    const charge = await givenTransaction(company, {
      amount: 5_000,
      ...(postbackUrl === undefined ? {} : { postbackUrl }),
    });
    payments += 1;
    await settle(company, charge, { paymentId: endToEndId(payments) });
    await waitUntilDrained(company);
  };
  const targets = async () => (await deliveriesOf(company)).map(({ target }) => target).toSorted();
  const statuses = async () =>
    Object.fromEntries((await deliveriesOf(company)).map(({ target, status }) => [target, status]));
  const remove = (id: string) => call(`${ENDPOINTS}/${id}`, { method: "DELETE", company });
  return { clock, company, sink, pay, targets, statuses, remove };
}

/** Runs once around the batch that writes the event; `loses` its answer. */
const atEventWrite = (
  act: { before?: () => Promise<unknown>; after?: () => Promise<unknown> },
  loses = false,
): Interceptor => {
  let done = false;
  return async (sql, run) => {
    if (done || !/insert into "events"/.test(sql)) return run();
    done = true;
    await act.before?.();
    const answer = await run();
    await act.after?.();
    if (loses) throw new Error(CONNECTION_LOST);
    return answer;
  };
};

const rotate = async (
  { company, clock }: Pick<Awaited<ReturnType<typeof given>>, "company" | "clock">,
  overlapHours: number,
): Promise<string> => {
  const answer = await call(`${ENDPOINTS}/endpoint_2/rotate-secret`, {
    method: "POST",
    company,
    deps: { platformClock: clock },
    body: { overlapHours },
  });
  expect(answer.status).toBe(201);
  return answer.body.data.secret;
};

describe("an event", () => {
  it("goes once to each endpoint that takes its type, signed with that endpoint's secret", async () => {
    const { company, sink, pay } = await given();
    const erp = await givenEndpoint(company, { url: ERP, events: ["transaction.paid"] });
    const bank = await givenEndpoint(company, { url: `${ERP}/bank`, events: ["withdraw.paid"] });
    await pay();
    await sink.deliverAll(company);
    const secrets = [company.webhookSecret, erp.secret, bank.secret];
    const got = sink.received.map((each) => [each.url, signersOf(each, secrets)]);
    expect(Object.fromEntries(got)).toEqual({
      [ERP]: [erp.secret],
      [SHOP]: [company.webhookSecret],
    });
    expect(got).toHaveLength(2);
    expect(new Set(sink.received.map(({ id }) => id)).size).toBe(1);
  });

  it("that the first endpoint does not take goes to the others and to its postback only", async () => {
    const { company, pay, targets } = await given();
    await givenEndpoint(company, { url: ERP });
    const body = { events: ["withdraw.paid"] };
    await call(`${ENDPOINTS}/endpoint`, { method: "PATCH", company, body });
    await pay(POSTBACK);
    expect(await targets()).toEqual(["endpoint_2", "postback"]);
  });

  it("goes to a postback at an endpoint's URL too, since another secret signs it", async () => {
    const { company, sink, pay, targets } = await given("");
    const { secret } = await givenEndpoint(company, { url: ERP });
    await pay(ERP);
    await sink.deliverAll(company);
    expect(await targets()).toEqual(["endpoint_2", "postback"]);
    const signers = sink.received.flatMap((each) =>
      signersOf(each, [company.webhookSecret, secret]),
    );
    expect(signers.toSorted()).toEqual([company.webhookSecret, secret].toSorted());
  });
});

describe("an endpoint that changes while an event is written", () => {
  it("added: a repeated write of the event neither doubles nor loses a delivery", async () => {
    const { company, sink, pay, targets } = await given();
    const add = () => givenEndpoint(company, { url: ERP });
    const raced = withD1(env, atEventWrite({ after: add }, true));
    await configureObject(company.id, { projection: projectionWriter(raced) });
    await pay();
    expect(await targets()).toEqual(["endpoint"]);
    await sink.deliverAll(company);
    expect(sink.received).toHaveLength(1);
    await pay();
    expect(await targets()).toEqual(["endpoint", "endpoint", "endpoint_2"]);
  });

  it("deleted: its delivery ends stopped with the reason, and nothing is sent", async () => {
    const { company, sink, pay, statuses, remove } = await given();
    const { id } = await givenEndpoint(company, { url: ERP });
    const raced = withD1(env, atEventWrite({ before: () => remove(id) }));
    await configureObject(company.id, { projection: projectionWriter(raced) });
    await pay();
    await sink.deliverAll(company);
    expect(sink.received.map(({ url }) => url)).toEqual([SHOP]);
    expect(await statuses()).toEqual({ endpoint: "delivered", endpoint_2: "stopped" });
    const faults = (await attemptsOf(company)).map(({ target, fault }) => [target, fault]);
    expect(faults).toContainEqual(["endpoint_2", "endpoint_deleted"]);
  });
});

describe("a deleted endpoint", () => {
  it.each(["endpoint", "endpoint_2"])("%s: gets no retry of what failed before", async (id) => {
    const { clock, company, sink, pay, statuses, remove } = await given();
    await givenEndpoint(company, { url: ERP });
    await pay();
    sink.respondWith(500);
    await sink.deliverAll(company);
    const sent = sink.received.length;
    await remove(id);
    clock.advance(HOUR);
    sink.respondWith(204);
    await sink.deliverAll(company);
    expect(sink.received).toHaveLength(sent + 1);
    const other = id === "endpoint" ? "endpoint_2" : "endpoint";
    expect(await statuses()).toEqual({ [id]: "stopped", [other]: "delivered" });
  });

  it.each(["endpoint", "endpoint_2"])("%s: gets nothing that waits for its turn", async (id) => {
    const { clock, company, sink, pay, remove } = await given();
    await givenEndpoint(company, { url: ERP });
    await pay();
    let removed = false;
    const raced = withD1(env, async (sql, run) => {
      const answer = await run();
      if (!removed && /from "events" left join "deliveries"/.test(sql)) {
        removed = true;
        await remove(id);
        clock.advance(2_000);
      }
      return answer;
    });
    const target = id as "endpoint" | "endpoint_2";
    await sink.deliver(company, 1, { target, env: raced });
    expect([removed, sink.received.length]).toEqual([true, 0]);
    await sink.deliver(company, 1, { target });
    expect((await deliveriesOf(company)).find((each) => each.target === id)?.status).toBe(
      "stopped",
    );
  });

  it("the first one goes on once it has a URL again", async () => {
    const { company, sink, pay, remove, statuses } = await given();
    await pay();
    await remove("endpoint");
    const body = { url: `${SHOP}/2` };
    await call("/api/v1/webhooks/endpoint", { method: "PUT", company, body });
    await sink.deliverAll(company);
    expect(await statuses()).toEqual({ endpoint: "delivered" });
  });

  it("its URL taken away by PUT stops nothing that waits, as before", async () => {
    const { company, sink, pay, statuses } = await given();
    await pay();
    await call("/api/v1/webhooks/endpoint", { method: "PUT", company, body: { url: "" } });
    await sink.deliverAll(company);
    expect(await statuses()).toEqual({ endpoint: "delivered" });
  });
});

describe("an endpoint's secret", () => {
  it("rotated while a delivery is in flight: each attempt is signed with a secret valid at its time", async () => {
    const { clock, company, sink, pay } = await given("");
    const { secret: old } = await givenEndpoint(company, { url: ERP });
    await pay();
    const made: string[] = [];
    sink.respond = async () => {
      made.push(await rotate({ company, clock }, 1));
      return new Response(null, { status: 500 });
    };
    await sink.deliverAll(company);
    sink.respondWith(500);
    clock.advance(60_000);
    await sink.deliverAll(company);
    clock.advance(2 * HOUR);
    sink.respondWith(204);
    await sink.deliverAll(company);
    const secrets = [old, ...made, company.webhookSecret];
    expect(sink.received.map((each) => signersOf(each, secrets))).toEqual([
      [old],
      [old, made[0]],
      [made[0]],
    ]);
  });

  it("after a leak signs nothing from the next attempt on", async () => {
    const { clock, company, sink, pay } = await given("");
    const { secret: old } = await givenEndpoint(company, { url: ERP });
    await pay();
    const current = await rotate({ company, clock }, 0);
    await sink.deliverAll(company);
    expect(signersOf(sink.received[0]!, [old, current])).toEqual([current]);
  });

  it("is told from another endpoint's by the debugger", async () => {
    const { company, sink, pay } = await given();
    const { secret } = await givenEndpoint(company, { url: ERP });
    await pay();
    await sink.deliver(company, 1, { target: "endpoint_2" });
    const { headers, rawBody } = sink.received[0]!;
    const verify = (known: string) =>
      call("/api/v1/webhooks/verify", {
        company,
        body: { headers, body: rawBody, secret: known },
      });
    expect((await verify(secret)).body).toMatchObject({ verified: true });
    const wrong = (await verify(company.webhookSecret)).body;
    expect(wrong).toMatchObject({ verified: false, cause: "wrong_secret" });
    expect(wrong.detail).toMatch(/that of endpoint, and .* that of endpoint_2/);
  });
});

it("one endpoint's failures hold up no other's", async () => {
  const { company, sink, pay, statuses } = await given();
  await givenEndpoint(company, { url: ERP });
  sink.respond = ({ url }) => new Response(null, { status: url === ERP ? 500 : 204 });
  await pay();
  await sink.deliverAll(company);
  expect(await statuses()).toEqual({ endpoint: "delivered", endpoint_2: "pending" });
  const { items } = (await call(ENDPOINTS, { company })).body;
  expect(items.map((each: any) => each.failingHost?.lastFailure ?? null)).toEqual([null, "500"]);
});

it("a test goes to the endpoint that it names, whatever that takes, and only once", async () => {
  const { company, sink, clock } = await given();
  const { id, secret } = await givenEndpoint(company, { url: ERP, events: ["withdraw.paid"] });
  for (const body of [{ endpointId: id }, { url: ERP }]) {
    const answer = await sendTestEvent({ company, sink, clock }, body);
    expect(answer.body.deliveries).toMatchObject([{ target: id, url: ERP, status: "delivered" }]);
  }
  expect(sink.received.map((each) => signersOf(each, [secret]))).toEqual([[secret], [secret]]);
  const unknown = await sendTestEvent({ company, sink, clock }, { endpointId: "endpoint_9" });
  const both = await sendTestEvent({ company, sink, clock }, { endpointId: id, url: ERP });
  expect([unknown.status, both.status]).toEqual([404, 400]);
});
