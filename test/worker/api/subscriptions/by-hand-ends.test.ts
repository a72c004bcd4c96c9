import { expect, it } from "vitest";
import {
  byHandPath,
  givenLateCycle,
  givenOpenCycle,
  makeByHand,
  pay,
  unexpectedOf,
} from "../../../support/builders/charges/by-hand.ts";
import {
  AMOUNT,
  chargesOf,
  decide,
  givenApproved,
  givenFailing,
  liveUntil,
  openShop,
  subscriptionOf,
  SUBSCRIPTIONS,
  transactionOf,
} from "../../../support/builders/charges/subscriptions.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { live, type Shop } from "../../../support/builders/companies/clocked-shop.ts";
import { env, inAccount, waitUntilDrained } from "../../../support/builders/companies/company.ts";
import { changeSettings } from "../../../support/builders/withdraws/approvals.ts";
import { disconnect, givenShopWith, LosingBank } from "../../../support/fakes/losing-bank.ts";
import { postOffice } from "../../../support/fakes/post-office.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

it("a refused one delays no order of its debit", async () => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  bank.silent.add("scheduleDebit");
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-05");
  bank.refused.add("createCharge");
  expect((await shop.send(byHandPath(id, transactionId))).status).toBe(422);
  bank.silent.clear();
  await shop.live({ advance: "PT3H" });

  expect(bank.orders).toContain("scheduleDebit");
});

const PAYER = {
  name: "Maria da Silva",
  document: { number: "12345678909" },
  email: "maria@example.com",
};

/** A cycle that is unpaid after its only attempt, in the night before its link is mailed. */
async function givenUnpaid(bank: LosingBank, world: typeof env = env) {
  const { shop } = await givenShopWith(bank);
  const quietHours = { from: 20, to: 10 };
  const reminders = { email: false, daysBefore: [], daysAfter: [], quietHours };
  await changeSettings(shop.company, { reminders });
  const body = { retry: [7], customer: PAYER, dunning: { link: "email" } };
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-07", body);
  await decide(shop, transactionId, "over_limit");
  const { company, deps } = shop;
  const until = (time: string) => live({ company, deps, env: world }, { set: `${time}:00-03:00` });
  await until("2026-12-11T05:00");
  return { shop, id, transactionId, until };
}

it("a link that was refused is told to nobody; a later one is mailed", async () => {
  const office = postOffice();
  const bank = new LosingBank();
  bank.refused.add("createCharge");
  const { shop, id, transactionId, until } = await givenUnpaid(bank, office.env);
  const told = (await eventsOf(shop.company)).find(
    ({ type }) => type === "subscription.charge_failed",
  );
  expect(told?.body.data.charge).toMatchObject({ byHand: null });
  const mailed = () => office.sent.filter(({ to }) => to === PAYER.email);
  const byHand = await makeByHand(shop, id, transactionId);
  await until("2026-12-12T12:00");

  const { secureId } = await transactionOf(shop, byHand.id);
  expect(mailed()).toHaveLength(1);
  expect(mailed()[0]?.text).toContain(secureId);
});

it("a debit without an attempt is read until its day is over, though its cycle is paid by hand", async () => {
  const bank = new LosingBank();
  bank.hidesAttempts = true;
  const { shop } = await givenShopWith(bank);
  const { id, transactionId } = await givenLateCycle(shop);
  const byHand = await makeByHand(shop, id, transactionId);
  await shop.live({ set: "2026-12-09T23:00:00-03:00" });
  await pay(shop, byHand.id);
  await shop.live({ set: "2026-12-10T01:00:00-03:00" });
  await liveUntil(shop, "2026-12-12");

  expect(await unexpectedOf(shop)).toMatchObject([
    { reason: "SECOND_PAYMENT", transactionId, amount: AMOUNT, status: "kept" },
  ]);
  expect(await transactionOf(shop, byHand.id)).toMatchObject({ status: "PAID" });
  expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "paid" });
});

it("an order that never arrived holds up no cycle that is paid by hand", async () => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  for (const each of ["scheduleDebit", "findDebit", "cancelDebit"] as const) bank.silent.add(each);
  const { id, transactionId } = await givenLateCycle(shop);
  const byHand = await makeByHand(shop, id, transactionId);
  await shop.live({ set: "2026-12-09T23:00:00-03:00" });
  await pay(shop, byHand.id);
  await shop.live({ set: "2026-12-10T12:00:00-03:00" });
  bank.silent.clear();
  await liveUntil(shop, "2026-12-12");

  expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "paid", attempts: [] });
});

it.each([
  ["the cycle is cancelled", (id: string, charge: string) => `${id}/charges/${charge}/cancel`],
  ["the subscription is cancelled", (id: string) => `${id}/cancel`],
  ["the subscription is paused", (id: string) => `${id}/pause`],
] as const)("its code ends at the provider once %s", async (_name, pathOf) => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-08");
  const byHand = await makeByHand(shop, id, transactionId);
  const acted = await shop.send(`${SUBSCRIPTIONS}/${pathOf(id, transactionId)}`);
  expect(acted.status, acted.text).toBe(200);
  await shop.live({ advance: "PT5M" });

  expect(bank.orders).toContain("cancelCharge");
  expect(await transactionOf(shop, byHand.id)).toMatchObject({ status: "CANCELLED" });
  const again = await shop.send(byHandPath(id, transactionId));
  expect([again.status, again.body.reason]).toEqual([409, "charge_closed"]);
});

it("the code of a cycle whose debit was never ordered ends with it, too", async () => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  const { id } = await givenApproved(shop);
  await liveUntil(shop, "2026-12-12");
  await shop.send(`${SUBSCRIPTIONS}/${id}/charges`, { body: { dueDate: "2027-01-10" } });
  const [{ transactionId }] = await chargesOf(shop, id);
  const byHand = await makeByHand(shop, id, transactionId);
  await shop.send(`${SUBSCRIPTIONS}/${id}/charges/${transactionId}/cancel`);
  await shop.live({ advance: "PT5M" });

  expect(await transactionOf(shop, byHand.id)).toMatchObject({ status: "CANCELLED" });
  expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "cancelled" });
});

it("no e-mail with the link is sent after the end, also while the provider does not confirm it", async () => {
  const office = postOffice();
  const bank = new LosingBank();
  const { shop, id, transactionId, until } = await givenUnpaid(bank, office.env);
  bank.silent.add("cancelCharge");
  const cancelled = await shop.send(`${SUBSCRIPTIONS}/${id}/charges/${transactionId}/cancel`);
  expect(cancelled.status, cancelled.text).toBe(200);
  await until("2026-12-11T12:00");

  expect(office.sent.filter(({ to }) => to === PAYER.email)).toEqual([]);
  expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "open" });
  bank.silent.clear();
  await until("2026-12-11T14:00");
  expect((await chargesOf(shop, id))[0]).toMatchObject({
    status: "cancelled",
    byHand: { status: "CANCELLED" },
  });
});

it("none is made whose payer is erased, or is to be", async () => {
  const shop = await openShop();
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-07", { retry: "none" });
  await decide(shop, transactionId, "no_balance");
  await makeByHand(shop, id, transactionId);
  await shop.send("/api/v1/payers/erase", { body: { document: PAYER.document.number } });
  await waitUntilDrained(shop.company);
  const erasing = await shop.send(byHandPath(id, transactionId));
  expect([erasing.status, erasing.body.reason]).toEqual([409, "subscription_status"]);
  await liveUntil(shop, "2026-12-12");
  await shop.send(`${SUBSCRIPTIONS}/${id}/cancel`);
  await waitUntilDrained(shop.company);
  expect((await subscriptionOf(shop, id)).customer.name).toBe("");
  const erased = await shop.send(byHandPath(id, transactionId));
  expect([erased.status, erased.body.reason]).toEqual([409, "subscription_status"]);
});

it("the payer of an ended subscription is erased with the charge that is paid by hand", async () => {
  const shop = await openShop();
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-07");
  const byHand = await makeByHand(shop, id, transactionId);
  await shop.send(`${SUBSCRIPTIONS}/${id}/cancel`);
  await shop.live({ advance: "PT5M" });
  const { id: companyId } = shop.company;
  await callsTo(companyId).erasePayers({ companyId, transactionIds: [byHand.id] });
  await waitUntilDrained(shop.company);

  expect((await subscriptionOf(shop, id)).customer.name).toBe("");
});

it("one that is made while its debit is paid ends, however long its provider does not answer", async () => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-08");
  bank.before.set("createCharge", async () => {
    bank.silent.add("cancelCharge");
    await pay(shop, transactionId);
    // Closed before the charge was claimed.
    const close = "UPDATE subscription_cycles SET status = 'paid'";
    await inAccount(shop.company.id, (_account, { storage: { sql } }) => {
      sql.exec(close);
    });
    await waitUntilDrained(shop.company);
    await env.DB.prepare(`${close} WHERE company_id = ?`).bind(shop.company.id).run();
  });
  const made = await shop.send(byHandPath(id, transactionId));
  expect([made.status, made.body.reason]).toEqual([409, "charge_closed"]);
  const orders = () => bank.orders.filter((order) => order === "cancelCharge").length;
  await shop.live({ advance: "PT10M" });
  const unanswered = orders();
  expect(unanswered).toBeGreaterThan(0);
  bank.silent.clear();
  await shop.live({ advance: "PT2H" });

  expect(orders()).toBe(unanswered + 1);
  const all = await shop.send("/api/v1/transactions?limit=50", { method: "GET" });
  expect(all.body.items.map(({ status }: any) => status).toSorted()).toEqual(["CANCELLED", "PAID"]);
});

it.each([
  ["paid by its debit", "paid", (shop: Shop, _id: string, charge: string) => pay(shop, charge)],
  [
    "cancelled",
    "cancelled",
    (shop: Shop, id: string, charge: string) =>
      inAccount(shop.company.id, (_account, { storage: { sql } }) => {
        sql.exec(
          `UPDATE subscription_cycles SET debit = json_set(debit, '$.ending', 'requested')
           WHERE subscription_id = ? AND transaction_id = ?`,
          id,
          charge,
        );
      }),
  ],
] as const)(
  "a cycle that was %s while its charges were closed ends its code first",
  async (_name, status, happens) => {
    const shop = await openShop();
    const { id, transactionId } = await givenOpenCycle(shop, "2026-12-08");
    const byHand = await makeByHand(shop, id, transactionId);
    await happens(shop, id, transactionId);
    const { id: companyId } = shop.company;
    const step = { kind: "close_cycle" as const, cycle: 1 };
    const result = { kind: "closed" as const, isByHandOver: false };
    await callsTo(companyId).reportSubscriptionStep({
      companyId,
      number: 1,
      step,
      lease: null,
      result,
    });
    await waitUntilDrained(shop.company);
    expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "open" });
    await liveUntil(shop, "2026-12-12");

    expect((await chargesOf(shop, id))[0]).toMatchObject({ status });
    expect(await transactionOf(shop, byHand.id)).toMatchObject({ status: "CANCELLED" });
  },
);

const nothing = () => undefined;

/** The second cycle may have been ordered: what answers it is not known. */
const forgetAnswer = ({ company }: Shop) =>
  inAccount(company.id, (_account, { storage: { sql } }) => {
    sql.exec(
      `UPDATE subscription_cycles SET debit = json_set(debit, '$.orderedAt', created_at)
       WHERE cycle = 2`,
    );
  });

/** What happens to the order of a debit that its mandate does not bring any more, and what undoes it. */
const USELESS_ORDERS = [
  ["of which none was sent", async () => nothing],
  ["of which one got no answer", (shop: Shop) => forgetAnswer(shop).then(() => nothing)],
  [
    "of which one got no answer before its account was removed",
    (shop: Shop) => forgetAnswer(shop).then(() => disconnect(shop)),
  ],
] as const;

it.each(USELESS_ORDERS)(
  "its code outlives the use of its mandate: a cycle of orders %s fails at the end of its due date, unless it is paid",
  async (_name, happens) => {
    const { shop } = await givenShopWith(new LosingBank());
    const { id } = await givenFailing(shop, {}, "closed");
    await liveUntil(shop, "2026-12-09");
    const opened = await shop.send(`${SUBSCRIPTIONS}/${id}/charges`, {
      body: { dueDate: "2027-01-10" },
    });
    expect(opened.status, opened.text).toBe(201);
    await liveUntil(shop, "2026-12-12");
    const [{ transactionId }] = await chargesOf(shop, id);
    const byHand = await makeByHand(shop, id, transactionId);
    const undo = await happens(shop);
    await liveUntil(shop, "2027-01-11");
    expect(await chargesOf(shop, id)).toMatchObject([{ status: "open" }, { status: "failed" }]);
    const failures = async () =>
      (await eventsOf(shop.company)).filter(({ type }) => type === "subscription.charge_failed");
    expect(await failures()).toHaveLength(1);
    await liveUntil(shop, "2027-01-12");
    expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "failed", attempts: [] });
    expect((await failures()).map(({ body }: any) => body.data.charge.byHand?.id)).toEqual([
      undefined,
      byHand.id,
    ]);
    undo();
    await pay(shop, byHand.id);
    await liveUntil(shop, "2027-01-13");

    expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "paid" });
    expect(await unexpectedOf(shop)).toEqual([]);
  },
);
