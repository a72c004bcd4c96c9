import { expect, it } from "vitest";
import {
  chargesOf,
  givenApproved,
  givenFailing,
  liveUntil,
  openShop,
  skipUntil,
  SUBSCRIPTIONS,
  transactionOf,
} from "../../../support/builders/charges/subscriptions.ts";
import { inAccount } from "../../../support/builders/companies/company.ts";
import {
  disconnect,
  forgetOrder,
  givenShopWith,
  LosingBank,
} from "../../../support/fakes/losing-bank.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

it("a mandate of no more use is debited no more: later cycles are skipped", async () => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  const { id } = await givenFailing(shop, {}, "closed");
  await liveUntil(shop, "2026-12-14");
  const body = { dueDate: "2027-01-10" };
  const opened = await shop.send(`${SUBSCRIPTIONS}/${id}/charges`, { body });
  expect([opened.status, opened.body.code]).toEqual([409, "INVALID_STATE"]);
  await skipUntil(shop, "2027-01-04");
  await liveUntil(shop, "2027-01-14");

  expect(bank.orders.filter((order) => order === "scheduleDebit")).toHaveLength(1);
  expect(await chargesOf(shop, id)).toMatchObject([
    { cycle: 2, status: "skipped", attempts: [] },
    { cycle: 1, status: "failed" },
  ]);
  const told = (await eventsOf(shop.company)).map(({ type }) => type);
  expect(told.filter((type) => type === "subscription.charge_failed")).toHaveLength(1);
});

it.each(["active", "paused"])(
  "a cycle that passed before a restore has the debit that it had: %s",
  async (status) => {
    const bank = new LosingBank();
    const { shop } = await givenShopWith(bank);
    const { id } = await givenApproved(shop);
    await liveUntil(shop, "2026-12-06");
    const [{ transactionId }] = await chargesOf(shop, id);
    const back = Date.parse("2026-12-12T12:00:00-03:00");
    await inAccount(shop.company.id, (_account, { storage: { sql } }) => {
      sql.exec("DELETE FROM subscription_cycles");
      sql.exec("UPDATE subscriptions SET next_cycle = 1, next_check_at = ?", back);
      sql.exec("UPDATE subscriptions SET status = ?", status);
      sql.exec("UPDATE company SET cycle_floor = 7");
    });
    await liveUntil(shop, "2026-12-14");

    const charges = await chargesOf(shop, id);
    expect(charges).toMatchObject([
      { cycle: 1, transactionId, status: "paid", attempts: [{ status: "paid" }] },
    ]);
    expect(bank.orders.filter((order) => order === "scheduleDebit")).toHaveLength(1);
  },
);

it("a cycle in a pause is skipped also where the mandate's account is gone", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop);
  await shop.send(`${SUBSCRIPTIONS}/${id}/pause`);
  await liveUntil(shop, "2026-12-08");
  disconnect(shop);
  await liveUntil(shop, "2026-12-09");

  expect(await chargesOf(shop, id)).toMatchObject([{ cycle: 1, status: "skipped" }]);
});

it.each([
  ["/charges/:charge/cancel", "cancelled"],
  ["/cancel", "cancelled"],
  ["/pause", "skipped"],
])("after a restore to before its debit was ordered, %s ends that debit", async (path, status) => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  const { id } = await givenApproved(shop);
  await liveUntil(shop, "2026-12-06");
  const [{ transactionId }] = await chargesOf(shop, id);
  await forgetOrder(shop);
  await shop.send(`${SUBSCRIPTIONS}/${id}${path.replace(":charge", transactionId)}`);
  await liveUntil(shop, "2026-12-07");

  expect(bank.orders).toContain("cancelDebit");
  expect(await chargesOf(shop, id)).toMatchObject([
    { transactionId, status, attempts: [{ status: "cancelled" }] },
  ]);
});

it("a cycle that was never ordered ends also where the mandate's account is gone", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop);
  const opened = await shop.send(`${SUBSCRIPTIONS}/${id}/charges`, {
    body: { dueDate: "2026-12-10" },
  });
  expect(opened.status, opened.text).toBe(201);
  await forgetOrder(shop);
  disconnect(shop);
  await shop.send(`${SUBSCRIPTIONS}/${id}/charges/${opened.body.data.transactionId}/cancel`);
  await liveUntil(shop, "2026-12-02");

  expect(await chargesOf(shop, id)).toMatchObject([{ cycle: 1, status: "cancelled" }]);
});

it("a cycle of whose order nobody knows ends in time also where the mandate's account is gone", async () => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  const { id } = await givenApproved(shop);
  bank.silent.add("scheduleDebit").add("findDebit");
  await liveUntil(shop, "2026-12-05");
  const [{ transactionId }] = await chargesOf(shop, id);
  disconnect(shop);
  await shop.send(`${SUBSCRIPTIONS}/${id}/charges/${transactionId}/cancel`);
  await skipUntil(shop, "2026-12-17");
  await liveUntil(shop, "2026-12-17");
  expect(await chargesOf(shop, id)).toMatchObject([{ cycle: 1, status: "open" }]);
  await liveUntil(shop, "2026-12-18");

  expect(await chargesOf(shop, id)).toMatchObject([{ cycle: 1, status: "cancelled" }]);
});

it("a cycle whose order was refused, and its mandate then of no more use, is skipped with its charge", async () => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  const { id } = await givenApproved(shop);
  bank.refused.add("scheduleDebit");
  await liveUntil(shop, "2026-12-05");
  const [{ transactionId, status }] = await chargesOf(shop, id);
  expect([status, bank.orders.at(-1)]).toEqual(["open", "scheduleDebit"]);
  expect((await transactionOf(shop, transactionId)).status).toBe("WAITING_PAYMENT");
  await inAccount(shop.company.id, (_account, { storage: { sql } }) => {
    sql.exec(
      "UPDATE subscriptions SET mandate = json_set(mandate, '$.needsApproval', json('true'))",
    );
  });
  await liveUntil(shop, "2026-12-10");

  expect(await chargesOf(shop, id)).toMatchObject([{ cycle: 1, status: "skipped", attempts: [] }]);
  expect((await transactionOf(shop, transactionId)).status).toBe("CANCELLED");
});
