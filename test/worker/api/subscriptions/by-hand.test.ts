import { expect, it } from "vitest";
import type { Env } from "../../../../src/config.ts";
import {
  byHandPath,
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
  liveUntil,
  openShop,
  subscriptionOf,
  SUBSCRIPTIONS,
  transactionOf,
} from "../../../support/builders/charges/subscriptions.ts";
import { env, waitUntilDrained } from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { givenShopWith, LosingBank } from "../../../support/fakes/losing-bank.ts";
import { withoutCall } from "../../../support/fakes/older-object.ts";
import { repeatThroughCrashes } from "../../../support/faults/crashes.ts";

it("a cycle has one charge for a payment by hand, however often it is asked for", async () => {
  const shop = await openShop();
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-06");
  const first = await shop.send(byHandPath(id, transactionId));
  expect(first.status, first.text).toBe(201);
  const { byHand } = first.body.data;
  expect(byHand).toEqual({
    id: expect.not.stringContaining(transactionId),
    method: "PIX",
    url: null,
    digitableLine: null,
    status: "WAITING_PAYMENT",
  });
  const again = await shop.send(byHandPath(id, transactionId.toUpperCase()));
  expect(again.status).toBe(201);
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect(again.body.data.byHand).toEqual(byHand);

  const charge = await transactionOf(shop, byHand.id);
  expect(charge).toMatchObject({
    amount: AMOUNT,
    status: "WAITING_PAYMENT",
    subscriptionId: id,
    secureUrl: byHand.url,
    pix: { qrcode: expect.stringContaining("br.gov.bcb.pix") },
  });
  // It is payable for as long as dunning may take.
  expect(Date.parse(charge.expiresAt)).toBeGreaterThan(Date.parse("2027-02-08T00:00:00Z"));
  expect(charge.pix.kind).toBeUndefined();
  expect((await chargesOf(shop, id))[0]).toMatchObject({ transactionId, byHand });
});

it("paid before the evening of the day before, it ends the debit", async () => {
  const shop = await openShop();
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-08", { period: "WEEKLY" });
  const byHand = await makeByHand(shop, id, transactionId);
  await pay(shop, byHand.id);
  await liveUntil(shop, "2026-12-11");

  expect((await chargesOf(shop, id))[0]).toMatchObject({
    status: "paid",
    attempts: [{ status: "cancelled" }],
    byHand: { status: "PAID" },
    recovered: false,
  });
  expect(await transactionOf(shop, transactionId)).toMatchObject({ status: "CANCELLED" });
  expect(await transactionOf(shop, byHand.id)).toMatchObject({ status: "PAID" });
  expect((await makeByHand(shop, id, transactionId)).id).toBe(byHand.id);
  expect(await unexpectedOf(shop)).toEqual([]);
  await liveUntil(shop, "2026-12-18");
  expect((await chargesOf(shop, id))[0]).toMatchObject({ cycle: 2, status: "paid", byHand: null });
});

it("a debit that is not ordered yet is never ordered", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop, { period: "WEEKLY" });
  const body = { dueDate: "2026-12-10" };
  const opened = await shop.send(`${SUBSCRIPTIONS}/${id}/charges`, {
    body,
  });
  expect(opened.status, opened.text).toBe(201);
  await liveUntil(shop, "2026-12-12");
  await shop.send(`${SUBSCRIPTIONS}/${id}/charges`, { body: { dueDate: "2026-12-24" } });
  const [{ transactionId }] = await chargesOf(shop, id);
  const byHand = await makeByHand(shop, id, transactionId);
  await pay(shop, byHand.id);
  await liveUntil(shop, "2026-12-25");

  expect((await chargesOf(shop, id))[0]).toMatchObject({ cycle: 3, status: "paid", attempts: [] });
  expect((await shop.send(`/api/v1/transactions/${transactionId}`, { method: "GET" })).status).toBe(
    404,
  );
});

it("paid on the day itself, the debit is a second payment", async () => {
  const shop = await openShop();
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-08");
  const byHand = await makeByHand(shop, id, transactionId);
  await shop.live({ set: "2026-12-10T01:00:00-03:00" });
  await pay(shop, byHand.id);
  await liveUntil(shop, "2026-12-12");

  expect((await chargesOf(shop, id))[0]).toMatchObject({
    status: "paid",
    attempts: [{ status: "paid" }],
    byHand: { status: "PAID" },
    recovered: false,
  });
  expect(await unexpectedOf(shop)).toMatchObject([
    { reason: "SECOND_PAYMENT", transactionId, amount: AMOUNT, status: "kept" },
  ]);
  expect(await transactionOf(shop, transactionId)).toMatchObject({ status: "CANCELLED" });
});

it("a debit that fails after the payment by hand makes it no recovered one", async () => {
  const shop = await openShop();
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-08");
  const byHand = await makeByHand(shop, id, transactionId);
  await decide(shop, transactionId, "no_balance");
  await shop.live({ set: "2026-12-09T23:00:00-03:00" });
  await pay(shop, byHand.id);
  await liveUntil(shop, "2026-12-12");

  expect((await chargesOf(shop, id))[0]).toMatchObject({
    status: "paid",
    attempts: [{ status: "failed" }],
    recovered: false,
  });
  expect(await unexpectedOf(shop)).toEqual([]);
});

it("nobody can pay by hand what is debited: its code ends with the debit", async () => {
  const shop = await openShop();
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-08");
  const byHand = await makeByHand(shop, id, transactionId);
  await liveUntil(shop, "2026-12-12");

  expect((await chargesOf(shop, id))[0]).toMatchObject({
    status: "paid",
    byHand: { status: "CANCELLED" },
  });
  expect(await transactionOf(shop, byHand.id)).toMatchObject({ status: "CANCELLED" });
});

it("a payment by hand that comes after the debit's money is the second one", async () => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-08");
  const byHand = await makeByHand(shop, id, transactionId);
  // The payer is faster than the end of his code.
  bank.before.set("cancelCharge", () => pay(shop, byHand.id));
  await liveUntil(shop, "2026-12-12");

  expect(await transactionOf(shop, transactionId)).toMatchObject({ status: "PAID" });
  expect(await transactionOf(shop, byHand.id)).toMatchObject({ status: "CANCELLED" });
  expect(await unexpectedOf(shop)).toMatchObject([
    { reason: "SECOND_PAYMENT", transactionId: byHand.id, amount: AMOUNT },
  ]);
  expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "paid" });
});

it("paid while its debit is being ordered, it ends that debit: no second one is ordered", async () => {
  const bank = new LosingBank(["scheduleDebit"]);
  const { shop } = await givenShopWith(bank);
  const { id } = await givenApproved(shop);
  let byHand: any;
  bank.before.set("scheduleDebit", async () => {
    await waitUntilDrained(shop.company);
    const [{ transactionId }] = await chargesOf(shop, id);
    byHand = await makeByHand(shop, id, transactionId);
    await pay(shop, byHand.id);
  });
  await liveUntil(shop, "2026-12-12");

  expect(bank.orders).toEqual(["createMandate", "createCharge", "scheduleDebit", "cancelDebit"]);
  expect((await chargesOf(shop, id))[0]).toMatchObject({
    status: "paid",
    attempts: [{ status: "cancelled" }],
    byHand: { id: byHand.id, status: "PAID" },
  });
  expect(await unexpectedOf(shop)).toEqual([]);
});

it.each([
  ["got no answer", ["cancelDebit"], 0],
  ["is refused once", [], 1],
] as const)("the end of its debit that %s is asked for again", async (_name, lost, refusals) => {
  const bank = new LosingBank([...lost]);
  const { shop } = await givenShopWith(bank);
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-08");
  const byHand = await makeByHand(shop, id, transactionId);
  if (refusals > 0) bank.refused.add("cancelDebit");
  await pay(shop, byHand.id);
  await liveUntil(shop, "2026-12-12");

  expect(bank.orders.filter((order) => order === "cancelDebit")).toHaveLength(2);
  expect((await chargesOf(shop, id))[0]).toMatchObject({
    status: "paid",
    attempts: [{ status: "cancelled" }],
  });
  expect(await unexpectedOf(shop)).toEqual([]);
});

it.each(["before", "after"] as const)(
  "a Worker that dies %s any call leaves one charge to pay by hand",
  async (when) => {
    const { shop } = await givenShopWith(new LosingBank());
    const { id, transactionId } = await givenOpenCycle(shop, "2026-12-06");
    const path = byHandPath(id, transactionId);
    const ask = async (each: Env) => {
      const { company, deps } = shop;
      const answer = await call(path, { company, deps, env: each, method: "POST" });
      if (answer.status !== 201) throw new Error(answer.text);
    };
    const crashes = await repeatThroughCrashes(when, ask, async () => {
      await shop.wait(2 * 60_000);
    });

    expect(crashes.length).toBeGreaterThan(3);
    const { byHand } = (await chargesOf(shop, id))[0];
    expect(byHand).toMatchObject({ status: "WAITING_PAYMENT" });
    const { results } = await env.DB.prepare("SELECT id FROM transactions WHERE company_id = ?")
      .bind(shop.company.id)
      .all<{ id: string }>();
    expect(new Set(results.map((row) => row.id))).toEqual(new Set([transactionId, byHand.id]));
  },
);

it("a cycle that has failed is paid by hand, which recovers it", async () => {
  const shop = await openShop();
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-06", { retry: "none" });
  await decide(shop, transactionId, "no_balance");
  await liveUntil(shop, "2026-12-12");
  expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "failed", recovered: false });
  const byHand = await makeByHand(shop, id, transactionId);
  await pay(shop, byHand.id);
  await liveUntil(shop, "2026-12-13");

  expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "paid", recovered: true });
  expect(await subscriptionOf(shop, id)).toMatchObject({ status: "active" });
  expect(await transactionOf(shop, transactionId)).toMatchObject({ status: "FAILED" });
});

it("a retry that is paid recovers its cycle", async () => {
  const shop = await openShop();
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-06");
  await decide(shop, transactionId, "no_balance");
  await liveUntil(shop, "2026-12-12");

  expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "paid", recovered: true });
});

it("none is made for a cycle that is paid, or is paid by a code itself", async () => {
  const shop = await openShop();
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-12");
  const paid = await shop.send(byHandPath(id, transactionId));
  expect([paid.status, paid.body.reason]).toEqual([409, "charge_closed"]);
  expect((await chargesOf(shop, id))[0]).toMatchObject({ byHand: null });

  const { id: other } = await givenApproved(shop, {
    journey: "QR_ON_DUE",
    firstDueDate: "2026-12-20",
  });
  const [{ transactionId: invited }] = await chargesOf(shop, other);
  const refused = await shop.send(byHandPath(other, invited));
  expect([refused.status, refused.body.reason]).toEqual([409, "charge_closed"]);
  const foreign = await shop.send(byHandPath(other, transactionId));
  expect(foreign.status).toBe(404);
});

it("a cycle is paid by hand and closed also at an object of the release before", async () => {
  const shop = await openShop();
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-06");
  const older = withoutCall("findEndedCharges");
  const { company, deps } = shop;
  const send = (path: string) =>
    call(path, { company, deps, env: older, method: "POST", body: {} });
  const made = await send(byHandPath(id, transactionId));
  expect(made.status, made.text).toBe(201);
  const ended = await send(`${SUBSCRIPTIONS}/${id}/charges/${transactionId}/cancel`);
  expect(ended.status, ended.text).toBe(200);

  expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "cancelled" });
  const { byHand } = made.body.data;
  expect(await transactionOf(shop, byHand.id)).toMatchObject({ status: "CANCELLED" });
});
