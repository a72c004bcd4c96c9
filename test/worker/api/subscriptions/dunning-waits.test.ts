import { expect, it } from "vitest";
import type { Env } from "../../../../src/config.ts";
import { setChargesStopped } from "../../../../src/db/operator/storage-figures.ts";
import { debitReason } from "../../../../src/domain/subscriptions/debit-codes.ts";
import { givenOpenCycle } from "../../../support/builders/charges/by-hand.ts";
import {
  chargesOf,
  decide,
  openShop,
  subscriptionOf,
  SUBSCRIPTIONS,
} from "../../../support/builders/charges/subscriptions.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { live } from "../../../support/builders/companies/clocked-shop.ts";
import { env, waitUntilDrained } from "../../../support/builders/companies/company.ts";
import { postOffice } from "../../../support/fakes/post-office.ts";

const EMAIL = "maria@example.com";
const CUSTOMER = { name: "Maria", document: { number: "12345678909" }, email: EMAIL };

/** An open cycle of 2026-12-10 and its shop, which can be lived with a post office. */
async function givenCycle(body: object, world: Env = env) {
  const shop = await openShop();
  const given = { customer: CUSTOMER, retry: "none", ...body };
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-06", given);
  const { company, deps } = shop;
  const until = (time: string) => live({ company, deps, env: world }, { set: `${time}:00-03:00` });
  return { shop, id: id as string, transactionId, until };
}

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
  expect((await chargesOf(shop, id))[0].byHand).toMatchObject({ status: "WAITING_PAYMENT" });
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
  },
);
