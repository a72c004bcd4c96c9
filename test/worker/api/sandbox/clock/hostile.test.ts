import { expect, it } from "vitest";
import { runClocks } from "../../../../../src/api/sandbox/clock/tasks.ts";
import {
  findMovedClock,
  leaseClock,
  movedCompanies,
  passClock,
  releaseClock,
} from "../../../../../src/db/company-clocks.ts";
import { dueOfAll } from "../../../../../src/db/sharding/fan-out.ts";
import { CredentialsCache } from "../../../../../src/http/auth/credentials-cache.ts";
import { CLOCK, Shop } from "../../../../support/builders/companies/clocked-shop.ts";
import { givenTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import { givenCompany } from "../../../../support/builders/companies/company.ts";
import { env } from "../../../../support/builders/companies/env.ts";
import { givenMember } from "../../../../support/builders/console/members.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { CARD_REQUEST } from "../../../../support/builders/requests/full-request.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { attemptsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

const DAY_MS = 86_400_000;

const move = ({ company, deps }: Shop, body: object) => call(CLOCK, { company, deps, body });

it.each([
  { advance: "P9999Y" },
  { advance: "P9999Y99999M999999W999999D" },
  { advance: "P999999W" },
  { advance: "PT9999999999S" },
  { advance: "P1D", from: "9999-12-31T23:59:59Z" },
  { set: "9999-12-31T23:59:59Z" },
])("%o is refused, and moves nothing", async (body) => {
  const shop = await Shop.open();
  const before = await shop.now();
  await expectProblem(await move(shop, body), {
    status: 400,
    code: "VALIDATION_FAILED",
    fields: ["set" in body ? "set" : "advance"],
  });
  expect(await shop.now()).toBe(before);
  expect(await findMovedClock(env, shop.company.id)).toBeNull();
});

it.each([
  ["2027-02-29T12:00:00Z", 400],
  ["2027-06-30T23:59:60Z", 400],
  ["2027-06-30T24:00:01Z", 400],
  [1_800_000_000_000, 400],
  ["2016-12-31T23:59:59Z", 409],
])("set to %s is refused with %i", async (set, status) => {
  const shop = await Shop.open();
  expect((await move(shop, { set })).status).toBe(status);
  expect(await findMovedClock(env, shop.company.id)).toBeNull();
});

it("all that is due at one millisecond is listed, however much it is", async () => {
  const shop = await Shop.open();
  const [pix, cards]: [string[], string[]] = [[], []];
  for (let made = 0; made < 30; made++) {
    const { id } = await givenTransaction(shop.company, { pix: { expiresInSeconds: 3_600 } }, shop);
    pix.push(id);
    const card = { ...CARD_REQUEST, installments: 1 };
    cards.push((await givenTransaction(shop.company, card, shop)).id);
  }

  const ran = await shop.live({ advance: "P31D" });

  const idsOf = (kind: string) => ran.filter((item) => item.kind === kind).map(({ id }) => id);
  expect(idsOf("charge_expiry").toSorted()).toEqual(pix.toSorted());
  expect(idsOf("release").toSorted()).toEqual(cards.toSorted());
  const times = ran.map(({ at }) => Date.parse(at));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

it("moves nothing of other companies, be it sandbox or live", async () => {
  const clock = new TestClock();
  const [shop, neighbour] = [await Shop.open(clock), await Shop.open(clock)];
  const open = await givenTransaction(
    neighbour.company,
    { pix: { expiresInSeconds: 60 } },
    neighbour,
  );
  const card = { ...CARD_REQUEST, installments: 1 };
  await givenTransaction(neighbour.company, card, neighbour);
  neighbour.sink.respondWith(500);
  const rows = async () =>
    (
      await env.DB.batch(
        ["companies", "transactions", "deliveries", "callbacks"].map((table) =>
          env.DB.prepare(
            `SELECT * FROM ${table} WHERE ${table === "companies" ? "id" : "company_id"} = ?`,
          ).bind(neighbour.company.id),
        ),
      )
    ).map(({ results }) => results);
  const before = await rows();

  await shop.live({ advance: "P2Y" });
  await runClocks(env, shop.deps);

  expect(await rows()).toEqual(before);
  expect(neighbour.sink.received).toEqual([]);
  const shown = await call(`/api/v1/transactions/${open.id}`, neighbour);
  expect(shown.body.data.status).toBe("WAITING_PAYMENT");
  expect(shown.headers.has("Centavo-Clock")).toBe(false);
});

it("the clock of a live company is never taken", async () => {
  const { id } = await givenCompany({ mode: "live" });
  const taken = { until: Date.now() + DAY_MS, nowMs: Date.now(), leaseUntil: Date.now() + 1 };
  expect(await leaseClock(env, id, taken)).toBe(false);
  expect(await findMovedClock(env, id)).toBeNull();
});

it("a call is told when to come again while another has the clock", async () => {
  const shop = await Shop.open();
  const nowMs = shop.clock.now();
  await leaseClock(env, shop.company.id, { until: null, nowMs, leaseUntil: nowMs + 60_000 });
  const refused = await move(shop, { advance: "P1D" });
  await expectProblem(refused, { status: 409, code: "INVALID_STATE" });
  expect([refused.body.reason, refused.headers.get("Retry-After")]).toEqual(["clock_runs", "5"]);
  expect(await shop.now()).toBe(nowMs);
});

it("a run that has lost its lease neither frees nor ends the one that took it", async () => {
  const { company, clock } = await Shop.open();
  const nowMs = clock.now();
  const [first, second] = [nowMs + 1_000, nowMs + 9_000];
  const [near, far] = [nowMs + DAY_MS, nowMs + 9 * DAY_MS];
  await leaseClock(env, company.id, { until: near, nowMs, leaseUntil: first });
  const taken = await leaseClock(env, company.id, {
    until: far,
    nowMs: first,
    leaseUntil: second,
  });
  expect(taken).toEqual({ runsUntil: far });

  await releaseClock(env, company.id, {
    leaseUntil: first,
    nowMs: first,
    reached: near,
    isDone: true,
  });

  expect((await findMovedClock(env, company.id))?.runsUntil).toBe(far);
  const third = { until: null, nowMs: first + 1, leaseUntil: second + 1 };
  expect(await leaseClock(env, company.id, third)).toBe(false);
});

it("a cron run that goes on tells it to those who had read the time before", async () => {
  const shop = await Shop.open();
  const { company, clock, deps } = shop;
  await shop.live({ advance: "P1D" });
  const cached = await shop.now();
  await leaseClock(env, company.id, {
    until: cached + DAY_MS,
    nowMs: clock.now(),
    // Its turn is the next, however many clocks other tests have moved.
    leaseUntil: 0,
  });

  await runClocks(env, { ...deps, credentialsCache: new CredentialsCache() });

  const asked = { company, deps, body: { amount: 5_000 }, headers: { "Idempotency-Key": "wd_1" } };
  const { headers } = await call("/api/Withdraw/request", asked);
  expect(headers.get("Centavo-Clock")).toBe(new Date(cached + DAY_MS).toISOString());
});

it("waits for a receiver that another sender has called, and keeps to the schedule", async () => {
  const shop = await Shop.open();
  const { company, sink, deps, clock } = shop;
  const { id } = await givenTransaction(company, {}, shop);
  await pay(company, id, undefined, { deps });
  const called = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Response>();
  sink.respond = () => {
    sink.respondWith(500);
    called.resolve();
    return answer.promise;
  };
  const other = sink.deliver(company, 1, { target: "endpoint" });
  await called.promise;

  const deniedTwice = Promise.withResolvers<void>();
  const acquire = sink.leases.acquire.bind(sink.leases);
  let denials = 0;
  sink.leases.acquire = (request, nowMs) => {
    const result = acquire(request, nowMs);
    if (result.kind === "denied" && ++denials === 2) deniedTwice.resolve();
    return result;
  };
  const moved = shop.live({ advance: "P5D" });
  await Promise.race([deniedTwice.promise, moved]);
  answer.resolve(new Response(null, { status: 500 }));
  await Promise.all([other, moved]);

  const begun = clock.now();
  const [first, second, ...later] = (await attemptsOf(company)).map(
    ({ startedAt }) => startedAt - begun,
  );
  expect([first, second! < 60_000, later.length > 5]).toEqual([0, true, true]);
  expect(later.every((at) => at < 4 * DAY_MS)).toBe(true);
});

it("every moved clock has its turn, however many there are", async () => {
  const clock = new TestClock();
  const shops = [await Shop.open(clock), await Shop.open(clock), await Shop.open(clock)];
  for (const shop of shops) await shop.live({ advance: "P1D" });
  const { fanOut } = dueOfAll(env, { platformClock: clock });
  const moved = await movedCompanies(fanOut, 10_000);
  clock.advance(DAY_MS);
  // Other tests' clocks are held until times of their own, which may lie beyond this one's.
  await env.DB.prepare("UPDATE company_clocks SET lease_until = min(lease_until, ?)")
    .bind(clock.now() - 1)
    .run();

  const looked: number[] = [];
  for (const _ of moved) {
    const [next] = await movedCompanies(fanOut, 1);
    const { companyId } = next!.row;
    looked.push(companyId);
    await passClock(env, companyId, clock.now());
  }

  expect(new Set(looked)).toEqual(new Set(moved.map(({ row }) => row.companyId)));
  expect(looked).toEqual(expect.arrayContaining(shops.map(({ company }) => company.id)));
});

it("keys end by the real time, wherever the company's clock is", async () => {
  const shop = await Shop.open();
  await shop.live({ advance: "P1Y" });
  const { company, deps, clock } = shop;
  const path = `/api/v1/applications/${company.clientId}/keys`;
  const tomorrow = new Date(clock.now() + DAY_MS).toISOString();
  const issued = await shop.send(path, { body: { overlapHours: 0, expiresAt: tomorrow } });
  expect(issued.status).toBe(201);
  expect(issued.body.data.expiresAt).toBe(tomorrow);

  const credentials = { ...company.credentials, "X-API-Key": issued.body.data.key };
  expect((await call(CLOCK, { company: { credentials }, deps })).status).toBe(200);
  expect((await call(CLOCK, { company, deps })).status).toBe(401);
});

it("an application ends by the real time, wherever the company's clock is", async () => {
  const shop = await Shop.open();
  await shop.live({ advance: "P1Y" });
  const expiresAt = new Date(shop.clock.now() + DAY_MS).toISOString();
  const body = { name: "Por um dia", scopes: ["transactions:read"], expiresAt };
  const made = await shop.send("/api/v1/applications", { body });
  expect([made.status, made.body.data?.expiresAt]).toEqual([201, expiresAt]);
});

it("a right is as young as the company's time says: a cool-down can be lived", async () => {
  const shop = await Shop.open();
  await shop.live({ advance: "P1Y" });
  const { id: userId } = await givenMember(shop.company, "viewer");
  const body = { role: "finance" };
  const changed = await shop.send(`/api/v1/people/${userId}`, { method: "PATCH", body });
  expect(changed.status).toBe(200);
  const { results } = await env.DB.prepare("SELECT given_at FROM memberships WHERE user_id = ?")
    .bind(userId)
    .all();
  expect(results).toEqual([{ given_at: await shop.now() }]);
});
