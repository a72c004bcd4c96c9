import { expect, it } from "vitest";
import { runSubscription } from "../../../../src/api/subscriptions/tasks.ts";
import type { Env } from "../../../../src/config.ts";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import {
  byHandPath,
  givenOpenCycle,
  pay,
  unexpectedOf,
} from "../../../support/builders/charges/by-hand.ts";
import {
  AMOUNT,
  chargesOf,
  decide,
  openShop,
  skipUntil,
  subscriptionOf,
  SUBSCRIPTIONS,
  transactionOf,
} from "../../../support/builders/charges/subscriptions.ts";
import type { Shop } from "../../../support/builders/companies/clocked-shop.ts";
import { env, waitUntilDrained } from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { givenSavedCard } from "../../../support/fakes/card-house.ts";
import { repeatThroughCrashes } from "../../../support/faults/crashes.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const PAYER = {
  name: "Maria da Silva",
  document: { number: "12345678909" },
  email: "maria@example.com",
};
const HOUR_MS = 3_600_000;
const NO_BALANCE = { code: "INSUFFICIENT_FUNDS", message: "No money.", retryable: true };
const NEVER = { ...NO_BALANCE, code: "CARD_DECLINED", retryable: false, attemptsLeft: 0 };

/** A shop with a subscription whose first debit, of 2026-12-10, fails, and the house of its payer's saved card. */
async function givenCard(dunning: object, body: object = {}) {
  const shop = await openShop();
  const { savedCardId, house } = await givenSavedCard(shop, PAYER);
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-08", {
    retry: "none",
    customer: PAYER,
    dunning: { savedCardId, ...dunning },
    ...body,
  });
  await decide(shop, transactionId, "no_balance");
  const chargeOf = async () => (await chargesOf(shop, id)).at(-1);
  const until = (time: string) => shop.live({ set: `${time}:00-03:00` });
  return { shop, house, savedCardId, id, transactionId, chargeOf, until };
}

const told = async ({ company }: Shop, type: string) =>
  (await eventsOf(company)).filter((event) => event.type === type);

it("a failed debit has the saved card charged, marked as the merchant's, and is recovered by it", async () => {
  const { shop, house, savedCardId, id, chargeOf, until } = await givenCard({ link: "event" });
  expect((await subscriptionOf(shop, id)).dunning).toEqual({
    link: "event",
    method: "PIX",
    savedCardId,
    days: 7,
    then: "none",
  });
  await until("2026-12-11T01:00");
  await until("2026-12-11T02:00");

  const charge = await chargeOf();
  expect(charge).toMatchObject({ status: "paid", recovered: true, cardSkipped: null });
  expect(charge.byHand).toMatchObject({ method: "CREDIT_CARD", url: null, status: "PAID" });
  expect(house.orders).toMatchObject([
    { amount: AMOUNT, card: { initiatedBy: "merchant", capture: true } },
  ]);
  expect(await transactionOf(shop, charge.byHand.id)).toMatchObject({
    paymentMethod: "CREDIT_CARD",
    subscriptionId: id,
    status: "PAID",
  });
  expect(await told(shop, "subscription.charge_failed")).toEqual([]);
  expect((await subscriptionOf(shop, id)).status).toBe("active");
  const report = await shop.send("/api/v1/reports/subscriptions", { method: "GET" });
  expect(report.body.items).toEqual([
    {
      month: "2026-12",
      failed: { count: 1, amount: AMOUNT },
      recovered: {
        retry: { count: 0, amount: 0 },
        card: { count: 1, amount: AMOUNT },
        hand: { count: 0, amount: 0 },
      },
    },
  ]);
});

it("a card that was declined for now is charged again when its brand allows it, and no link is offered", async () => {
  const { shop, house, chargeOf, until } = await givenCard({ link: "event" });
  const retryNotBefore = "2026-12-12T15:00:00.000Z";
  house.says.push({ ...NO_BALANCE, attemptsLeft: 3, retryNotBefore });
  await until("2026-12-11T01:00");
  const [failed] = await told(shop, "subscription.charge_failed");
  expect(failed?.body.data.charge).toMatchObject({ byHand: null });
  expect((await chargeOf()).byHand).toMatchObject({ method: "CREDIT_CARD", status: "REFUSED" });
  await until("2026-12-12T11:59");
  expect(house.orders).toHaveLength(1);
  await until("2026-12-12T13:00");

  expect(house.orders).toHaveLength(2);
  expect(new Set(house.orders.map(({ chargeId }) => chargeId)).size).toBe(2);
  expect(await chargeOf()).toMatchObject({ status: "paid", recovered: true });
  expect(await told(shop, "subscription.charge_failed")).toHaveLength(1);
});

it("a card that is refused for ever gives way to the boleto, whose payment is counted as by hand", async () => {
  const { shop, house, chargeOf, until } = await givenCard({
    link: "event",
    method: "BOLETO",
    days: 4,
    then: "pause",
  });
  house.says.push(NEVER);
  await until("2026-12-10T23:30");

  const { byHand } = await chargeOf();
  expect(byHand).toMatchObject({ method: "BOLETO", status: "WAITING_PAYMENT" });
  const slip = await transactionOf(shop, byHand.id);
  expect(slip.boleto).toMatchObject({ dueDate: "2026-12-13", digitableLine: byHand.digitableLine });
  const [failed] = await told(shop, "subscription.charge_failed");
  expect(failed?.body.data.charge.byHand).toEqual({
    id: byHand.id,
    method: "BOLETO",
    url: byHand.url,
    digitableLine: byHand.digitableLine,
  });
  await until("2026-12-13T12:00");
  await pay(shop, byHand.id);
  await until("2026-12-13T13:00");
  expect(await chargeOf()).toMatchObject({ status: "paid", recovered: true });
  expect(house.orders).toHaveLength(1);
  const report = await shop.send("/api/v1/reports/subscriptions", { method: "GET" });
  expect(report.body.items[0].recovered).toMatchObject({
    card: { count: 0, amount: 0 },
    hand: { count: 1, amount: AMOUNT },
  });
});

it("a card is tried within the days only, then the link is, and what stays unpaid ends the subscription", async () => {
  const { shop, house, id, chargeOf, until } = await givenCard({
    link: "event",
    days: 2,
    then: "cancel",
  });
  house.says.push(NO_BALANCE, NO_BALANCE, NO_BALANCE, NO_BALANCE);
  await until("2026-12-14T12:00");
  expect(house.orders).toHaveLength(3);
  expect((await chargeOf()).byHand).toMatchObject({ method: "PIX", status: "WAITING_PAYMENT" });
  await until("2026-12-16T12:00");

  expect((await subscriptionOf(shop, id)).status).toBe("cancelled");
  expect(house.orders).toHaveLength(3);
  expect((await chargeOf()).status).toBe("failed");
});

it("a card without a link is tried within its days, and then what is unpaid pauses the subscription", async () => {
  const { shop, house, id, chargeOf, until } = await givenCard({ days: 3, then: "pause" });
  house.says.push(NEVER);
  await until("2026-12-13T20:00");
  expect((await subscriptionOf(shop, id)).status).toBe("past_due");
  await until("2026-12-14T12:00");

  expect((await subscriptionOf(shop, id)).status).toBe("paused");
  expect(house.orders).toHaveLength(1);
  expect(await chargeOf()).toMatchObject({ status: "failed" });
});

it("a bank that refuses the debit days before has no card charged before its day", async () => {
  const { house, until } = await givenCard({ link: "event" });
  await until("2026-12-09T23:00");
  expect(house.orders).toEqual([]);
});

it("a silent acquirer is waited for: nothing is charged beside what may have arrived", async () => {
  const { shop, house, id, transactionId, chargeOf, until } = await givenCard({
    link: "event",
    days: 2,
    then: "cancel",
  });
  house.says.push("unheard");
  house.isSilent = true;
  await until("2026-12-11T01:00");
  await skipUntil(shop, "2026-12-15");
  await until("2026-12-15T12:10");
  expect(house.orders).toHaveLength(1);
  expect(await chargeOf()).toMatchObject({
    status: "open",
    byHand: { method: "CREDIT_CARD", status: "WAITING_PAYMENT" },
  });
  expect((await subscriptionOf(shop, id)).status).toBe("past_due");
  const [failed] = await told(shop, "subscription.charge_failed");
  expect(failed?.body.data.charge).toMatchObject({ byHand: null });
  const asked = await shop.send(byHandPath(id, transactionId));
  expect([asked.status, asked.body.code]).toEqual([409, "INVALID_STATE"]);

  house.isSilent = false;
  await until("2026-12-15T14:00");
  expect(await chargeOf()).toMatchObject({ status: "paid", recovered: true });
  expect((await subscriptionOf(shop, id)).status).toBe("active");
  expect(house.orders).toHaveLength(1);
});

it("an order that never arrived gives way to the link, once its house says so", async () => {
  const { house, chargeOf, until } = await givenCard({ link: "event" });
  house.says.push("lost");
  await until("2026-12-11T02:00");
  expect(house.orders).toHaveLength(1);
  expect((await chargeOf()).byHand).toMatchObject({ method: "PIX", status: "WAITING_PAYMENT" });
});

it("money of the debit that comes after the card's is a second payment", async () => {
  const { shop, transactionId, chargeOf, until } = await givenCard({ link: "event" });
  await until("2026-12-11T02:00");
  expect((await chargeOf()).byHand).toMatchObject({ method: "CREDIT_CARD", status: "PAID" });
  const late = await pay(shop, transactionId);
  expect(late.status, late.text).toBeLessThan(300);
  await until("2026-12-11T03:00");

  expect(await unexpectedOf(shop)).toMatchObject([
    { transactionId, amount: AMOUNT, reason: "SECOND_PAYMENT" },
  ]);
  expect((await chargeOf()).status).toBe("paid");
});

it("a retry of the merchant's waits for what became of the card", async () => {
  const { shop, house, id, transactionId, chargeOf, until } = await givenCard(
    { link: "event" },
    { retry: [1] },
  );
  await until("2026-12-11T00:10");
  await decide(shop, transactionId, "no_balance");
  house.says.push("unheard");
  house.isSilent = true;
  await until("2026-12-11T23:00");
  expect((await chargeOf()).byHand).toMatchObject({
    method: "CREDIT_CARD",
    status: "WAITING_PAYMENT",
  });
  const path = `${SUBSCRIPTIONS}/${id}/charges/${transactionId}/retry`;
  const retry = await shop.send(path, { body: { date: "2026-12-14" } });
  expect([retry.status, retry.body.detail]).toEqual([409, "A saved card is being charged for it."]);
});

it("a boleto that no account makes any more gives way to a PIX", async () => {
  const { shop, house, chargeOf, until } = await givenCard({ link: "event", method: "BOLETO" });
  house.says.push(NEVER);
  const { providers } = shop.deps;
  shop.deps.providers = (each: Env) => {
    const inner = providers(each);
    const routesFor: typeof inner.routesFor = (company, method, amount) =>
      method === "BOLETO" ? [] : inner.routesFor(company, method, amount);
    return { ...inner, routesFor };
  };
  await until("2026-12-11T02:00");
  expect((await chargeOf()).byHand).toMatchObject({
    method: "PIX",
    digitableLine: null,
    status: "WAITING_PAYMENT",
  });
});

it("a card that was deleted is skipped for the link, and that is told", async () => {
  const { shop, house, savedCardId, chargeOf, until } = await givenCard({ link: "event" });
  const path = `/api/v1/cards/${savedCardId}`;
  const { company, deps } = shop;
  expect((await call(path, { method: "DELETE", company, deps })).status).toBe(200);
  await until("2026-12-11T02:00");

  expect(house.orders).toEqual([]);
  expect(await chargeOf()).toMatchObject({
    cardSkipped: "deleted",
    byHand: { method: "PIX", status: "WAITING_PAYMENT" },
  });
  const [failed] = await told(shop, "subscription.charge_failed");
  expect(failed?.body.data.charge).toMatchObject({
    cardSkipped: "deleted",
    byHand: { method: "PIX" },
  });
});

it("a card whose account is gone is skipped for the link", async () => {
  const { house, chargeOf, until } = await givenCard({ link: "event" });
  house.isGone = true;
  await until("2026-12-11T02:00");
  expect(house.orders).toEqual([]);
  expect(await chargeOf()).toMatchObject({ cardSkipped: "no_account", byHand: { method: "PIX" } });
});

it("a card that its brand forbids is not sent, and waits or gives way", async () => {
  const { shop, house, savedCardId, chargeOf, until } = await givenCard({ link: "event" });
  await until("2026-12-09T12:00");
  const { company, deps } = shop;
  // 15 declines of the same amount: visa allows 16 attempts in 30 days.
  for (let times = 0; times < 16; times++) {
    house.says.push(NO_BALANCE);
    const body = {
      amount: AMOUNT,
      paymentMethod: "CREDIT_CARD",
      customer: PAYER,
      card: { savedCardId, initiatedBy: "merchant" },
    };
    const sent = await call("/api/v1/transactions/create", { company, deps, body });
    expect(sent.body.data?.status, sent.text).toBe("REFUSED");
    shop.clock.advance(HOUR_MS);
  }
  const sent = house.orders.length;
  await until("2026-12-11T12:00");
  expect(house.orders).toHaveLength(sent);
  expect(await chargeOf()).toMatchObject({ cardSkipped: "brand_rules", byHand: { method: "PIX" } });
});

it("a paused subscription has no card charged", async () => {
  const { shop, house, id, until } = await givenCard({ link: "event" });
  house.says.push(NO_BALANCE);
  await until("2026-12-11T01:00");
  expect(house.orders).toHaveLength(1);
  await shop.send(`${SUBSCRIPTIONS}/${id}/pause`);
  await until("2026-12-13T12:00");
  expect(house.orders).toHaveLength(1);
});

it.each(["before", "after"] as const)(
  "a Worker that dies %s any call charges the card once",
  async (when) => {
    const { shop, house, chargeOf, until } = await givenCard({ link: "event" });
    await until("2026-12-10T12:00");
    shop.clock.advance(14 * HOUR_MS);
    const { clock, deps, company } = shop;
    const worker = { platformClock: clock, random: systemRandom, providers: deps.providers };
    const run = (each: Env = env) => runSubscription(each, worker, company.id, 1);
    const crashes = await repeatThroughCrashes(when, run, async () => {
      clock.advance(2 * 60_000);
    });
    await run();
    await waitUntilDrained(company);

    expect(crashes.length).toBeGreaterThan(3);
    expect(house.orders).toHaveLength(1);
    expect(await chargeOf()).toMatchObject({ status: "paid", byHand: { method: "CREDIT_CARD" } });
  },
);
