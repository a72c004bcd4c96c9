import { expect, it } from "vitest";
import { givenCompany } from "../../../../support/builders/companies/company.ts";
import {
  givenClockedShop,
  live,
  type ClockedShop,
} from "../../../../support/builders/companies/clocked-shop.ts";
import { CARD_REQUEST } from "../../../../support/builders/requests/full-request.ts";
import {
  createTransaction,
  givenTransaction,
  pay,
} from "../../../../support/builders/charges/transaction.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";

const PATH = "/api/v1/sandbox/clock";
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const move = ({ company, deps }: ClockedShop, body: object) => call(PATH, { company, deps, body });

const kinds = (ran: { kind: string }[]) => ran.map(({ kind }) => kind);

const statusOf = async ({ company, deps }: ClockedShop, id: string) =>
  (await call(`/api/v1/transactions/${id}`, { company, deps })).body.data.status;

it("a PIX expires at its time, its webhook says when, and the header the company's time", async () => {
  const shop = await givenClockedShop();
  const { clock, company, sink, deps } = shop;
  const { id, pix } = await givenTransaction(
    company,
    { pix: { expiresInSeconds: 3_600 } },
    { deps },
  );
  const plain = await call(PATH, { company, deps });
  expect(plain.body.data).toEqual({
    now: new Date(clock.now()).toISOString(),
    moved: false,
    until: null,
  });
  expect(plain.headers.has("Centavo-Clock")).toBe(false);

  const { ran, now } = await live(shop, { advance: "P1D" });

  expect(now).toBe(clock.now() + DAY_MS);
  expect(ran).toContainEqual({ at: pix.expirationDate, kind: "charge_expiry", id });
  expect(await statusOf(shop, id)).toBe("CANCELLED");
  const event = sink.received.find(({ body }) => body.type === "transaction.cancelled");
  expect(event?.body.timestamp).toBe(pix.expirationDate);
  expect(event?.headers["webhook-timestamp"]).toBe(String(Math.floor(clock.now() / 1_000)));
  const shown = await call(PATH, { company, deps });
  expect(shown.body.data).toMatchObject({ moved: true, until: null });
  expect(shown.headers.get("Centavo-Clock")).toBe(new Date(now).toISOString());
});

it("a card's money is released on its day, and not before", async () => {
  const shop = await givenClockedShop();
  const { company, deps } = shop;
  const { id } = await givenTransaction(company, { ...CARD_REQUEST, installments: 1 }, { deps });
  const balance = async () =>
    (await call("/api/v1/balance?currency=BRL", { company, deps })).body.data;
  const before = await balance();
  expect(before.awaitingCents).toBeGreaterThan(0);

  await live(shop, { advance: "P29D" });
  expect((await balance()).awaitingCents).toBe(before.awaitingCents);
  const { ran } = await live(shop, { advance: "P2D" });

  expect(ran).toContainEqual(expect.objectContaining({ kind: "release", id }));
  expect(await balance()).toMatchObject({ awaitingCents: 0, availableCents: before.awaitingCents });
});

it("the webhooks of a silent receiver are retried on schedule, and end", async () => {
  const shop = await givenClockedShop();
  const { company, sink, deps } = shop;
  sink.respondWith(500);
  const { id } = await givenTransaction(company, {}, { deps });
  await pay(company, id, undefined, { deps });
  await live(shop, { advance: "PT1S" });
  const tried = sink.received.length;

  const { ran } = await live(shop, { advance: "P5D" });

  expect(kinds(ran).filter((kind) => kind === "delivery").length).toBeGreaterThan(5);
  expect(sink.received.length).toBeGreaterThan(tried + 5);
  const times = ran.map(({ at }) => Date.parse(at));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

it("never goes back, and no other company sees it", async () => {
  const shop = await givenClockedShop();
  const { clock, deps } = shop;
  const other = await givenCompany({ clock });
  const { now } = await live(shop, { advance: "P1M" });

  await expectProblem(await move(shop, { set: new Date(now - 1_001).toISOString() }), {
    status: 409,
    code: "INVALID_STATE",
  });
  expect((await live(shop, { set: new Date(now).toISOString() })).ran).toEqual([]);
  expect((await call(PATH, { company: other, deps })).body.data.now).toBe(
    new Date(clock.now()).toISOString(),
  );
});

it("goes on though time has passed since its answer, and a repeated call moves nothing twice", async () => {
  const shop = await givenClockedShop();
  const { clock, company, deps } = shop;
  const from = (await call(PATH, { company, deps })).body.data.now;
  const there = await live(shop, { advance: "P3D", from });
  expect(there.now).toBe(Date.parse(from) + 3 * DAY_MS);

  clock.advance(5_000);
  const again = await live(shop, { advance: "P3D", from });
  expect(again).toEqual({ ran: [], now: there.now + 5_000 });
  clock.advance(5_000);
  const set = await live(shop, { set: new Date(again.now).toISOString() });
  expect(set).toEqual({ ran: [], now: there.now + 10_000 });

  const { body } = await move(shop, { set: new Date(set.now).toISOString(), from });
  expect(body.errors).toEqual({ from: ["is only allowed with advance"] });
});

it("takes the time that it answered again, although time has passed since", async () => {
  const company = await givenCompany();
  const first = await call(PATH, { company, body: { advance: "P1D" } });
  const { now } = first.body.data;
  expect(Date.parse((await call(PATH, { company })).body.data.now)).toBeGreaterThanOrEqual(
    Date.parse(now),
  );
  for (const _ of [1, 2]) {
    const again = await call(PATH, { company, body: { set: now } });
    expect([again.status, again.body.data.hasMore]).toEqual([200, false]);
  }
});

it("refuses a live company and what is no duration", async () => {
  const shop = await givenClockedShop();
  const real = await givenCompany({ mode: "live" });
  expect((await call(PATH, { company: real, body: { advance: "P1D" } })).status).toBe(403);
  for (const body of [
    {},
    { advance: "3 days" },
    { advance: "P" },
    { advance: "P1D", set: "2030-01-01" },
    { advance: "P11Y" },
  ]) {
    expect((await move(shop, body)).status).toBe(400);
  }
});

it("two at once: one moves it, the other is told to come again", async () => {
  const shop = await givenClockedShop();
  await createTransaction(shop.company, {}, { deps: shop.deps });
  const answers = await Promise.all([
    move(shop, { advance: "P2D" }),
    move(shop, { advance: "P2D" }),
  ]);
  const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
  expect([
    [200, 200],
    [200, 409],
  ]).toContainEqual(statuses);
});
