import { describe, expect, it } from "vitest";
import { CREATE, Shop, WITHDRAW } from "../../../../support/builders/companies/clocked-shop.ts";
import {
  BOLETO_REQUEST,
  CARD_REQUEST,
} from "../../../../support/builders/requests/full-request.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";

/** Before all days of the tables, whatever the machine's day is. */
const BEGIN_MS = Date.parse("2026-12-01T15:00:00Z");
const HOUR = 3_600;

async function shopAt(time: string): Promise<Shop> {
  const shop = await Shop.open(new TestClock(BEGIN_MS));
  await shop.live({ set: time });
  return shop;
}

const pay = (shop: Shop, id: string) => shop.send(`/api/v1/sandbox/transactions/${id}/pay`);

async function charge(shop: Shop, body: object): Promise<any> {
  const answer = await shop.send(CREATE, { body });
  expect(answer.status).toBe(200);
  return answer.body.data;
}

it.each([
  ["2027-01-31T12:00:00-03:00", "P1M", "2027-02-28T15:00:00.000Z"],
  ["2028-01-31T12:00:00-03:00", "P1M", "2028-02-29T15:00:00.000Z"],
  ["2028-02-29T23:59:59-03:00", "P1Y", "2029-03-01T02:59:59.000Z"],
  ["2027-12-31T23:59:59-03:00", "PT1S", "2028-01-01T03:00:00.000Z"],
  ["2027-12-31T23:00:00-03:00", "P2M", "2028-03-01T02:00:00.000Z"],
  ["2028-02-28T21:30:00-03:00", "P1D", "2028-03-01T00:30:00.000Z"],
])("from %s on, %s is %s", async (from, advance, to) => {
  const shop = await shopAt(from);
  await shop.live({ advance });
  expect(new Date(await shop.now()).toISOString()).toBe(to);
});

describe("a boleto of 100 reais with a fine of 2 % and 1 % a month", () => {
  it.each([
    // Carnival of 2027 is on 8 and 9 February.
    ["2027-02-06", "2027-02-10", 10_000],
    ["2027-02-06", "2027-02-11", 10_217],
    ["2027-02-08", "2027-02-10", 10_000],
    // Good Friday, and the Monday after it.
    ["2027-03-26", "2027-03-29", 10_000],
    ["2027-03-26", "2027-03-30", 10_213],
    // New Year on a Saturday.
    ["2027-12-31", "2027-12-31", 10_000],
    ["2027-12-31", "2028-01-01", 10_203],
    ["2028-01-01", "2028-01-03", 10_000],
    // 29 February is Carnival's Tuesday.
    ["2028-02-29", "2028-03-01", 10_000],
    ["2028-02-29", "2028-03-02", 10_207],
  ])("that is due on %s, on %s costs %i", async (dueDate, day, paid) => {
    const shop = await shopAt(`${dueDate}T00:00:00-03:00`);
    const { id } = await charge(shop, {
      ...BOLETO_REQUEST,
      amount: 10_000,
      boleto: { dueDate, fine: { type: "PERCENTAGE", value: 200 }, interest: { value: 100 } },
    });
    await shop.live({ set: `${day}T23:59:59-03:00` });
    const answer = await pay(shop, id);
    expect(answer.body.data).toMatchObject({ status: "PAID", paidAmount: paid });
    expect(answer.body.data.paidAt).toBe(new Date(await shop.now()).toISOString());
  });
});

it.each([
  ["a day over 29 February", "2028-02-28T12:00:00-03:00", 24 * HOUR, "2028-02-29T15:00:00.000Z"],
  ["an hour over New Year", "2027-12-31T23:30:00-03:00", HOUR, "2028-01-01T03:30:00.000Z"],
  [
    "a year from 29 February",
    "2028-02-29T12:00:00-03:00",
    365 * 24 * HOUR,
    "2029-02-28T15:00:00.000Z",
  ],
])("a PIX that waits %s expires at its second", async (_, from, expiresInSeconds, at) => {
  const shop = await shopAt(from);
  const { id, pix } = await charge(shop, {
    amount: 1_000,
    paymentMethod: "PIX",
    pix: { expiresInSeconds },
  });
  expect(pix.expirationDate).toBe(at);
  expect(await shop.wait((expiresInSeconds - 1) * 1_000)).not.toContainEqual(
    expect.objectContaining({ kind: "charge_expiry" }),
  );
  expect(await shop.wait(2_000)).toContainEqual({ at, kind: "charge_expiry", id });
  const cancelled = (await eventsOf(shop.company)).find(({ body }) => body.data.id === id);
  expect(cancelled?.body).toMatchObject({ type: "transaction.cancelled", timestamp: at });
});

it("three instalments from 30 January 2028 on are released each 30 days, over 29 February", async () => {
  const shop = await shopAt("2028-01-30T10:00:00-03:00");
  const { id } = await charge(shop, { ...CARD_REQUEST, amount: 9_000, installments: 3 });
  const released = (await shop.live({ advance: "P4M" })).filter(({ kind }) => kind === "release");
  expect(released).toEqual(
    ["2028-02-29", "2028-03-30", "2028-04-29"].map((day) => ({
      at: `${day}T13:00:00.000Z`,
      kind: "release",
      id,
    })),
  );
});

it("the limit of a day holds to its last second, and not in the new year", async () => {
  const shop = await shopAt("2027-12-31T12:00:00-03:00");
  const { id } = await charge(shop, { amount: 50_000, paymentMethod: "PIX" });
  await pay(shop, id);
  const limit = { withdrawDailyLimit: 2_000, duplicateWithdrawGuard: false };
  await shop.send("/api/v1/company/settings", { method: "PUT", body: limit });
  const withdraw = () => shop.send(WITHDRAW, { body: { amount: 2_000 } });
  expect((await withdraw()).status).toBe(201);
  await shop.live({ set: "2027-12-31T23:59:59-03:00" });
  expect((await withdraw()).status).toBe(422);
  await shop.live({ advance: "PT1S" });
  expect((await withdraw()).status).toBe(201);
});

it("what is shown without a day is of the company's own, to the last second of a month", async () => {
  const shop = await shopAt("2028-02-29T23:59:59-03:00");
  const monthOf = async () => {
    const answer = await shop.send("/api/v1/statement/entries", { method: "GET" });
    return answer.body.data?.month ?? answer.body.summary?.month ?? answer.body.month;
  };
  expect(await monthOf()).toBe("2028-02");
  await shop.live({ advance: "PT1S" });
  expect(await monthOf()).toBe("2028-03");
});
