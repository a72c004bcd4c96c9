import { expect, it } from "vitest";
import {
  chargesOf,
  givenApproved,
  givenFailing,
  liveUntil,
  openShop,
  play,
  skipUntil,
  subscriptionOf,
  SUBSCRIPTIONS,
  transactionOf,
} from "../../../support/builders/charges/subscriptions.ts";
import { runInD1 } from "../../../support/builders/companies/archived-rows.ts";
import { live, type Shop } from "../../../support/builders/companies/clocked-shop.ts";
import {
  chargesOf as chargesIn,
  givenDebit,
  givenLiveWorld,
  liveUntil as liveWorldUntil,
  send,
  subscriptionOf as subscriptionIn,
  txidOf,
} from "../../../support/builders/charges/live-subscriptions.ts";
import { disconnect, givenShopWith, LosingBank } from "../../../support/fakes/losing-bank.ts";
import { postOffice } from "../../../support/fakes/post-office.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const EMAIL = "maria@example.com";
const CUSTOMER = { name: "Maria", document: { number: "12345678909" }, email: EMAIL };

const countOf = async ({ company }: Shop, type: string) =>
  (await eventsOf(company)).filter((event) => event.type === type).length;

it("a debit that fails by a fault of ours alone is no payer's dunning", async () => {
  const { shop } = await givenShopWith(new LosingBank());
  const dunning = { link: "event", days: 1, then: "cancel" };
  await liveUntil(shop, "2026-12-04");
  const { id } = await givenApproved(shop, { retry: "none", dunning });
  const reconnect = disconnect(shop);
  await liveUntil(shop, "2026-12-05");
  await skipUntil(shop, "2026-12-09");
  await liveUntil(shop, "2026-12-09");
  reconnect();
  await liveUntil(shop, "2026-12-13");

  expect((await chargesOf(shop, id))[0]).toMatchObject({
    status: "failed",
    attempts: [{ action: "our_fault" }],
    byHand: null,
  });
  expect((await subscriptionOf(shop, id)).status).toBe("past_due");
});

it("what was paid by hand and not told of ends no subscription", async () => {
  const world = await givenLiveWorld();
  const dunning = { link: "event", days: 3, then: "cancel" };
  const { id, transactionId } = await givenDebit(world, { retry: "none", dunning });
  world.psp.debits.decide(txidOf(transactionId), "no_balance");
  await liveWorldUntil(world, "2026-12-11T12:00:00");
  await liveWorldUntil(world, "2026-12-11T12:30:00");
  const [{ byHand }] = await chargesIn(world, id);
  world.psp.pay(txidOf(byHand.id));
  await liveWorldUntil(world, "2026-12-16T12:00:00");

  expect((await subscriptionIn(world, id)).status).toBe("active");
  expect(await chargesIn(world, id)).toMatchObject([{ status: "paid", recovered: true }]);
});

it("an end waits for the answer about what may be paid by hand", async () => {
  const world = await givenLiveWorld();
  const dunning = { link: "event", days: 3, then: "cancel" };
  const { id, transactionId } = await givenDebit(world, { retry: "none", dunning });
  world.psp.debits.decide(txidOf(transactionId), "no_balance");
  await liveWorldUntil(world, "2026-12-11T12:00:00");
  await liveWorldUntil(world, "2026-12-11T12:30:00");
  world.psp.faultAlways("unavailable", /^GET \/cob\//);
  await liveWorldUntil(world, "2026-12-16T12:00:00");
  expect((await subscriptionIn(world, id)).status).toBe("past_due");
  world.psp.clearFaults();
  await liveWorldUntil(world, "2026-12-17T12:00:00");

  expect((await subscriptionIn(world, id)).status).toBe("cancelled");
  expect(await chargesIn(world, id)).toMatchObject([{ status: "failed" }]);
});

it("an end that finds its payer's link ended waits for the days of another", async () => {
  const world = await givenLiveWorld();
  const dunning = { link: "event", days: 3, then: "cancel" };
  const { id, transactionId } = await givenDebit(world, { retry: "none", dunning });
  world.psp.debits.decide(txidOf(transactionId), "no_balance");
  await liveWorldUntil(world, "2026-12-11T12:00:00");
  await liveWorldUntil(world, "2026-12-11T12:30:00");
  const [{ byHand: first }] = await chargesIn(world, id);
  world.psp.removeCharge(txidOf(first.id));
  await liveWorldUntil(world, "2026-12-14T13:00:00");
  expect((await subscriptionIn(world, id)).status).toBe("past_due");
  await liveWorldUntil(world, "2026-12-15T14:00:00");

  const [{ byHand }] = await chargesIn(world, id);
  expect(byHand).toMatchObject({ status: "WAITING_PAYMENT" });
  expect(byHand.id).not.toBe(first.id);
  await liveWorldUntil(world, "2026-12-18T13:00:00");
  expect((await subscriptionIn(world, id)).status).toBe("past_due");
  await liveWorldUntil(world, "2026-12-18T15:00:00");
  expect((await subscriptionIn(world, id)).status).toBe("cancelled");
});

it("no payer is mailed a link that has ended at its PSP: he gets the next one", async () => {
  const world = await givenLiveWorld();
  const body = { retry: "none", dunning: { link: "email" }, customer: CUSTOMER };
  const { id, transactionId } = await givenDebit(world, body);
  const early = await send(world, `${SUBSCRIPTIONS}/${id}/charges/${transactionId}/by-hand`, {});
  const { id: first } = early.body.data.byHand;
  world.psp.removeCharge(txidOf(first));
  world.psp.debits.decide(txidOf(transactionId), "no_balance");
  world.psp.faultAlways("unavailable", /^GET \/cob\//);
  const mailed = () =>
    runInD1(
      "SELECT subject FROM emails WHERE company_id = ? AND kind = 'dunning'",
      world.company.id,
    );
  await liveWorldUntil(world, "2026-12-11T12:00:00");
  expect(await mailed()).toEqual([]);
  world.psp.clearFaults();
  await liveWorldUntil(world, "2026-12-11T14:00:00");
  expect(await mailed()).toEqual([]);
  await liveWorldUntil(world, "2026-12-12T16:00:00");

  const [{ byHand }] = await chargesIn(world, id);
  expect(byHand.id).not.toBe(first);
  expect(await mailed()).toEqual([{ subject: byHand.id }]);
});

it.each([
  ["its merchant", (shop: Shop, id: string) => shop.send(`${SUBSCRIPTIONS}/${id}/cancel`)],
  ["its payer", (shop: Shop, id: string) => play(shop, id, "payer-cancel")],
] as const)("a failure that was told stays one where %s cancels", async (_who, cancel) => {
  const shop = await openShop();
  const { id, transactionId } = await givenFailing(shop, { retry: [1, 3] }, "over_limit");
  await liveUntil(shop, "2026-12-12");
  expect(await countOf(shop, "subscription.charge_failed")).toBe(1);
  await cancel(shop, id);
  await liveUntil(shop, "2026-12-14");

  expect((await subscriptionOf(shop, id)).status).toBe("cancelled");
  expect(await chargesOf(shop, id)).toMatchObject([{ status: "failed" }]);
  expect(await transactionOf(shop, transactionId)).toMatchObject({ status: "FAILED" });
  expect(await countOf(shop, "subscription.charge_failed")).toBe(1);
});

it("a merchant who cancels a failed charge has it cancelled", async () => {
  const shop = await openShop();
  const { id, transactionId } = await givenFailing(shop, { retry: [1, 3] }, "over_limit");
  await liveUntil(shop, "2026-12-12");
  await shop.send(`${SUBSCRIPTIONS}/${id}/charges/${transactionId}/cancel`);
  await liveUntil(shop, "2026-12-13");

  expect(await chargesOf(shop, id)).toMatchObject([{ status: "cancelled" }]);
  expect(await transactionOf(shop, transactionId)).toMatchObject({ status: "CANCELLED" });
});

it.each([
  ["its merchant", (shop: Shop, id: string) => shop.send(`${SUBSCRIPTIONS}/${id}/cancel`)],
  ["its payer", (shop: Shop, id: string) => play(shop, id, "payer-cancel")],
] as const)("a debit that fails after %s cancels on its day is owed", async (_who, cancel) => {
  const shop = await openShop();
  const { id, transactionId } = await givenFailing(shop, {}, "closed");
  await shop.live({ set: "2026-12-10T02:00:00-03:00" });
  await cancel(shop, id);
  expect((await subscriptionOf(shop, id)).status).toBe("cancelled");
  await liveUntil(shop, "2026-12-12");

  expect(await chargesOf(shop, id)).toMatchObject([{ status: "failed" }]);
  expect(await transactionOf(shop, transactionId)).toMatchObject({ status: "FAILED" });
  expect(await countOf(shop, "subscription.charge_failed")).toBe(1);
});

it("the last debit that fails is owed, though its mandate is read as expired before it", async () => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  const { id, transactionId } = await givenFailing(shop, { endDate: "2026-12-10" });
  await shop.live({ set: "2026-12-10T20:00:00-03:00" });
  bank.silent.add("findDebit");
  await shop.live({ set: "2026-12-11T15:00:00-03:00" });
  expect((await subscriptionOf(shop, id)).status).toBe("completed");
  bank.silent.clear();
  await liveUntil(shop, "2026-12-13");

  expect(await chargesOf(shop, id)).toMatchObject([{ status: "failed" }]);
  expect(await countOf(shop, "subscription.charge_failed")).toBe(1);
  const byHand = await shop.send(`${SUBSCRIPTIONS}/${id}/charges/${transactionId}/by-hand`);
  expect(byHand.status, byHand.text).toBe(201);
});

it("dunning goes on to its end where the mandate's account is gone", async () => {
  const office = postOffice();
  const shop = await openShop();
  const { id } = await givenFailing(shop, {
    customer: CUSTOMER,
    dunning: { link: "event", days: 2, then: "pause" },
  });
  await liveUntil(shop, "2026-12-11");
  disconnect(shop);
  const dunning = { link: "email", days: 2, then: "pause" };
  await shop.send(`${SUBSCRIPTIONS}/${id}`, { body: { dunning }, method: "PATCH" });
  for (const day of ["2026-12-12", "2026-12-13"])
    await live(
      { company: shop.company, deps: shop.deps, env: office.env },
      { set: `${day}T12:00:00-03:00` },
    );

  expect(office.sent.filter(({ to }) => to === EMAIL)).toHaveLength(1);
  expect((await subscriptionOf(shop, id)).status).toBe("paused");
  expect(await chargesOf(shop, id)).toMatchObject([{ status: "failed" }]);
});
