import { expect, it } from "vitest";
import type { Env } from "../../../../src/config.ts";
import { setChargesStopped } from "../../../../src/db/operator/storage-figures.ts";
import { debitReason } from "../../../../src/domain/subscriptions/debit-codes.ts";
import { byHandChargeId } from "../../../../src/domain/subscriptions/cycle-charge.ts";
import { givenOpenCycle, makeByHand } from "../../../support/builders/charges/by-hand.ts";
import {
  chargesOf,
  decide,
  openShop,
  subscriptionOf,
  SUBSCRIPTIONS,
  transactionOf,
} from "../../../support/builders/charges/subscriptions.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { runInD1 } from "../../../support/builders/companies/archived-rows.ts";
import { live, type Shop } from "../../../support/builders/companies/clocked-shop.ts";
import { env, waitUntilDrained } from "../../../support/builders/companies/company.ts";
import { givenShopWith, LosingBank } from "../../../support/fakes/losing-bank.ts";
import { postOffice } from "../../../support/fakes/post-office.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const EMAIL = "maria@example.com";
const CUSTOMER = { name: "Maria", document: { number: "12345678909" }, email: EMAIL };

/** An open cycle of 2026-12-10 and its shop, which can be lived with a post office. */
async function givenCycle(body: object, world: Env = env, open: () => Promise<Shop> = openShop) {
  const shop = await open();
  const given = { customer: CUSTOMER, retry: "none", ...body };
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-06", given);
  const { company, deps } = shop;
  const until = (time: string) => live({ company, deps, env: world }, { set: `${time}:00-03:00` });
  return { shop, id, transactionId, until };
}

/** The links that the event of the failure has had; null where it had none. */
const toldLinks = async (shop: Shop) =>
  (await eventsOf(shop.company))
    .filter(({ type }) => type === "subscription.charge_failed")
    .map(({ body }) => body.data.charge.byHand?.id ?? null);

it("dunning begins after the due date, though the bank refuses the debit days before", async () => {
  const office = postOffice();
  const dunning = { link: "email", days: 1, then: "cancel" };
  const { shop, id, until } = await givenCycle({ dunning }, office.env);
  const reason = debitReason("AM02");
  const attempt = { day: "2026-12-10", kind: "due" as const, status: "failed" as const, reason };
  const debit = { status: "rejected" as const, attempts: [{ ...attempt, endToEndId: null }] };
  const { id: companyId } = shop.company;
  const step = { kind: "check_debit" as const, cycle: 1 };
  const result = { kind: "debit" as const, debit };
  await callsTo(companyId).reportSubscriptionStep({
    companyId,
    number: 1,
    step,
    lease: null,
    result,
  });
  await waitUntilDrained(shop.company);
  const mailed = () => office.sent.filter(({ to }) => to === EMAIL).length;
  await until("2026-12-10T19:00");
  expect(mailed()).toBe(0);
  await until("2026-12-11T19:00");
  expect(mailed()).toBe(1);
  expect((await subscriptionOf(shop, id)).status).toBe("past_due");
  await until("2026-12-12T12:00");
  expect((await subscriptionOf(shop, id)).status).toBe("cancelled");
});

it("no subscription is cancelled before its payer has had the link for the days of the policy", async () => {
  const dunning = { link: "event", days: 1, then: "cancel" };
  const { shop, id, transactionId, until } = await givenCycle({ dunning });
  await decide(shop, transactionId, "no_balance");
  const { id: companyId } = shop.company;
  await setChargesStopped(env, companyId, { object: true, database: false });
  await until("2026-12-12T12:00");
  expect((await subscriptionOf(shop, id)).status).toBe("past_due");
  await setChargesStopped(env, companyId, { object: false, database: false });
  await until("2026-12-12T14:00");
  const [{ byHand }] = await chargesOf(shop, id);
  expect(byHand).toMatchObject({ status: "WAITING_PAYMENT" });
  // Its merchant has heard of the failure without it.
  expect(await toldLinks(shop)).toEqual([null, byHand.id]);
  await until("2026-12-13T11:00");
  expect((await subscriptionOf(shop, id)).status).toBe("past_due");
  await until("2026-12-14T12:00");

  expect((await subscriptionOf(shop, id)).status).toBe("cancelled");
});

it.each([
  ["paid", 0],
  ["over_limit", 1],
] as const)(
  "the e-mail with the link waits for a retry that is ordered meanwhile: %s",
  async (outcome, mails) => {
    const office = postOffice();
    const body = { retry: [7], dunning: { link: "email" } };
    const { shop, id, transactionId, until } = await givenCycle(body, office.env);
    await decide(shop, transactionId, "over_limit");
    await until("2026-12-11T03:00");
    const path = `${SUBSCRIPTIONS}/${id}/charges/${transactionId}/retry`;
    const retried = await shop.send(path, { body: { date: "2026-12-14" } });
    expect(retried.status, retried.text).toBeLessThan(300);
    await decide(shop, transactionId, outcome);
    const mailed = () => office.sent.filter(({ to }) => to === EMAIL).length;
    await until("2026-12-12T12:00");
    expect(mailed()).toBe(0);
    for (const day of ["2026-12-14", "2026-12-15", "2026-12-16"]) await until(`${day}T12:00`);

    expect(mailed()).toBe(mails);
    expect(await toldLinks(shop)).toHaveLength(1);
  },
);

const EMAILED = { dunning: { link: "email", days: 3, then: "cancel" } };

it("a link that was refused is made anew a day later; the days of the policy count from then", async () => {
  const office = postOffice();
  const bank = new LosingBank();
  const open = async () => (await givenShopWith(bank)).shop;
  const { shop, id, transactionId, until } = await givenCycle(EMAILED, office.env, open);
  await decide(shop, transactionId, "no_balance");
  bank.refused.add("createCharge");
  await until("2026-12-11T12:00");
  expect((await chargesOf(shop, id))[0].byHand).toMatchObject({ status: "FAILED" });
  const mailed = () => office.sent.filter(({ to }) => to === EMAIL).length;
  expect(mailed()).toBe(0);
  await until("2026-12-12T12:00");

  const [{ byHand }] = await chargesOf(shop, id);
  expect(byHand).toMatchObject({ status: "WAITING_PAYMENT" });
  expect(bank.orders.filter((order) => order === "createCharge")).toHaveLength(2);
  expect(mailed()).toBe(1);
  await until("2026-12-14T12:00");
  expect((await subscriptionOf(shop, id)).status).toBe("past_due");
  await until("2026-12-15T12:00");
  expect((await subscriptionOf(shop, id)).status).toBe("cancelled");
});

it("a link that its merchant has cancelled is told to nobody: another is made", async () => {
  const office = postOffice();
  const { shop, id, transactionId, until } = await givenCycle(EMAILED, office.env);
  const early = await makeByHand(shop, id, transactionId);
  await shop.send(`/api/v1/transactions/${early.id}/cancel`);
  await decide(shop, transactionId, "no_balance");
  await until("2026-12-11T12:00");

  const [{ byHand }] = await chargesOf(shop, id);
  expect(byHand).toMatchObject({ status: "WAITING_PAYMENT" });
  expect(byHand.id).not.toBe(early.id);
  expect(await toldLinks(shop)).toEqual([byHand.id]);
  expect(office.sent.filter(({ to }) => to === EMAIL)).toHaveLength(1);
});

it("a payer whose mailed link was cancelled gets the next one by e-mail, too", async () => {
  const office = postOffice();
  const { shop, id, transactionId, until } = await givenCycle(EMAILED, office.env);
  await decide(shop, transactionId, "no_balance");
  await until("2026-12-11T12:00");
  const [{ byHand: first }] = await chargesOf(shop, id);
  await shop.send(`/api/v1/transactions/${first.id}/cancel`);
  await until("2026-12-12T12:00");

  const [{ byHand }] = await chargesOf(shop, id);
  expect(byHand).toMatchObject({ status: "WAITING_PAYMENT" });
  const { secureId } = await transactionOf(shop, byHand.id);
  const sent = office.sent.filter(({ to }) => to === EMAIL);
  expect(sent).toHaveLength(2);
  expect(sent[1]?.text).toContain(secureId);
});

it("the next link is made a day after its merchant has cancelled one, not a day after that was made", async () => {
  const office = postOffice();
  const { shop, id, transactionId, until } = await givenCycle(EMAILED, office.env);
  await decide(shop, transactionId, "no_balance");
  await until("2026-12-13T12:00");
  const [{ byHand: first }] = await chargesOf(shop, id);
  await shop.send(`/api/v1/transactions/${first.id}/cancel`);
  await until("2026-12-14T11:00");
  const [{ byHand: cancelled }] = await chargesOf(shop, id);
  expect(cancelled.id).toBe(first.id);
  await until("2026-12-14T13:00");

  const [{ byHand }] = await chargesOf(shop, id);
  expect(byHand).toMatchObject({ status: "WAITING_PAYMENT" });
});

it("no event has a link that its merchant has cancelled", async () => {
  const { shop, id, transactionId, until } = await givenCycle({});
  const early = await makeByHand(shop, id, transactionId);
  await shop.send(`/api/v1/transactions/${early.id}/cancel`);
  await decide(shop, transactionId, "no_balance");
  await until("2026-12-11T12:00");

  expect(await toldLinks(shop)).toEqual([null]);
});

it("each charge of a payer who asked to be erased before is erased with his subscription", async () => {
  const bank = new LosingBank();
  const open = async () => (await givenShopWith(bank)).shop;
  const body = { dunning: { link: "event" } };
  const { shop, id, transactionId, until } = await givenCycle(body, env, open);
  await decide(shop, transactionId, "no_balance");
  await shop.send("/api/v1/payers/erase", { body: { document: CUSTOMER.document.number } });
  bank.refused.add("createCharge");
  await until("2026-12-12T12:00");
  const ids = [1, 2].map((trial) =>
    byHandChargeId({ subscriptionId: id, cycle: 1, dueDate: "2026-12-10" }, trial),
  );
  expect((await chargesOf(shop, id))[0].byHand.id).toBe(ids[1]);
  // As if D1 had heard of the request later than the charges were made.
  await runInD1("DELETE FROM payer_erasures WHERE company_id = ?", shop.company.id);
  await shop.send(`${SUBSCRIPTIONS}/${id}/cancel`);
  await waitUntilDrained(shop.company);

  const lined = await runInD1(
    `SELECT t.id FROM payer_erasures AS e JOIN transactions AS t ON t.company_id = e.company_id AND t.seq = e.seq
     WHERE e.company_id = ? ORDER BY t.id`,
    shop.company.id,
  );
  expect(lined.map((row: any) => row.id)).toEqual([transactionId, ...ids].toSorted());
});

it("a link that is made while the debit is tried again is told once that has failed, too", async () => {
  const body = { retry: [7], dunning: { link: "event" } };
  const { shop, id, transactionId, until } = await givenCycle(body);
  await decide(shop, transactionId, "over_limit");
  const { id: companyId } = shop.company;
  await setChargesStopped(env, companyId, { object: true, database: false });
  await until("2026-12-12T03:00");
  const path = `${SUBSCRIPTIONS}/${id}/charges/${transactionId}/retry`;
  const retried = await shop.send(path, { body: { date: "2026-12-14" } });
  expect(retried.status, retried.text).toBeLessThan(300);
  await setChargesStopped(env, companyId, { object: false, database: false });
  await until("2026-12-12T12:00");
  const [{ byHand }] = await chargesOf(shop, id);
  expect(byHand).toMatchObject({ status: "WAITING_PAYMENT" });
  expect(await toldLinks(shop)).toEqual([null]);
  await decide(shop, transactionId, "over_limit");
  await until("2026-12-16T12:00");

  expect(await toldLinks(shop)).toEqual([null, byHand.id]);
});
