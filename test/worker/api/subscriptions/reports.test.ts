import { beforeEach, expect, it } from "vitest";
import { withDatabase } from "../../../support/probes/database/instrumented-database.ts";
import { call } from "../../../support/builders/requests/api.ts";
import {
  AMOUNT,
  chargesOf,
  decide,
  givenApproved,
  givenFailing,
  givenSubscription,
  liveUntil,
  openShop,
  play,
  skipUntil,
  subscriptionOf,
} from "../../../support/builders/charges/subscriptions.ts";
import {
  givenLiveWorld,
  mandateOf,
  send,
  subscribe,
} from "../../../support/builders/charges/live-subscriptions.ts";
import { restoreLocalOperators } from "../../../support/builders/companies/operator.ts";
import { deliverCallbacks } from "../../../support/builders/providers/psp.ts";
import type { Shop } from "../../../support/builders/companies/clocked-shop.ts";
import { env as testEnv, waitUntilDrained } from "../../../support/builders/companies/company.ts";

beforeEach(restoreLocalOperators);

const REPORTS = "/api/v1/reports/subscriptions";
const ASKED = {
  journey: "REQUEST",
  payerAccount: { ispb: "18236120", branch: "1", account: "12345" },
};

async function report(shop: Shop, path: string): Promise<any> {
  await waitUntilDrained(shop.company);
  const answer = await shop.send(`${REPORTS}/${path}`, { method: "GET" });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

it("what will be debited: by day, each week's cycle, on the business day, without what has ended", async () => {
  const shop = await openShop();
  await givenApproved(shop);
  await givenApproved(shop, { period: "WEEKLY", firstDueDate: "2026-12-12", amount: 1_000 });
  await givenApproved(shop, {
    period: "WEEKLY",
    firstDueDate: "2026-12-11",
    endDate: "2026-12-11",
  });
  await givenSubscription(shop);
  const { id: paused } = await givenApproved(shop);
  await shop.send(`/api/v1/subscriptions/${paused}/pause`);

  const first = await report(shop, "upcoming");

  expect(first).toEqual({
    from: "2026-12-01",
    to: "2026-12-30",
    items: [
      { day: "2026-12-10", count: 1, amount: AMOUNT },
      { day: "2026-12-11", count: 1, amount: AMOUNT },
      { day: "2026-12-14", count: 1, amount: 1_000 },
      { day: "2026-12-21", count: 1, amount: 1_000 },
      { day: "2026-12-28", count: 1, amount: 1_000 },
    ],
    totals: { count: 5, amount: 2 * AMOUNT + 3_000 },
  });
  await skipUntil(shop, "2026-12-04");
  await liveUntil(shop, "2026-12-09");
  const opened = await report(shop, "upcoming?days=7");
  expect(opened.items).toEqual(first.items.slice(0, 3));
});

it("a debit that has failed counts on the day of its retry, and on none where no retry is ordered", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop, { retry: [4] });
  await liveUntil(shop, "2026-12-06");
  const [{ id: charge }] = await chargesOf(shop, id);
  await decide(shop, charge, "no_balance");
  await liveUntil(shop, "2026-12-11");
  expect((await report(shop, "upcoming?days=7")).items).toEqual([
    { day: "2026-12-14", count: 1, amount: AMOUNT },
  ]);
  await decide(shop, charge, "closed");
  await shop.live({ set: "2026-12-14T09:00:00-03:00" });
  expect((await report(shop, "upcoming?days=7")).items).toEqual([]);
});

it("nothing more is announced of a mandate of no more use, nor of a cycle that was opened early", async () => {
  const shop = await openShop();
  const { id } = await givenFailing(shop, {}, "closed");
  const body = { dueDate: "2027-01-10" };
  await liveUntil(shop, "2026-12-09");
  const opened = await shop.send(`/api/v1/subscriptions/${id}/charges`, { body });
  expect(opened.status, opened.text).toBe(201);
  expect((await report(shop, "upcoming?days=90")).items).toHaveLength(3);
  expect((await subscriptionOf(shop, id)).nextCharges).toHaveLength(3);
  await liveUntil(shop, "2026-12-12");

  expect((await report(shop, "upcoming?days=90")).items).toEqual([]);
  expect((await subscriptionOf(shop, id)).nextCharges).toEqual([]);
});

it("each payer's bank: codes read, approved, refused, expired; paid in time, later, and why not", async () => {
  const shop = await openShop();
  await givenSubscription(shop);
  const refused = await givenSubscription(shop, ASKED);
  await play(shop, refused.id, "reject");
  const late = await givenApproved(shop, ASKED);
  await givenApproved(shop, ASKED);
  await givenSubscription(shop, ASKED);
  const { id: read } = await givenApproved(shop);
  await shop.send(`/api/v1/subscriptions/${read}/cancel`);
  await skipUntil(shop, "2026-12-04");
  await liveUntil(shop, "2026-12-06");
  const [{ id: charge }] = await chargesOf(shop, late.id);
  await decide(shop, charge, "no_balance");
  await liveUntil(shop, "2026-12-14");

  const { items } = await report(shop, "banks");

  const asked = items.find(({ ispb }: any) => ispb === "18236120");
  expect(asked.name).toBe("Nubank");
  expect(asked.debits).toEqual({
    due: 2,
    paidInTime: 1,
    paidLater: 1,
    failed: 1,
    failures: [{ code: "NO_BALANCE", count: 1 }],
  });
  const counts = ["made", "codesRead", "approved", "rejected", "expired", "active"];
  expect(
    Object.fromEntries(
      items.map(({ ispb, mandates }: any) => [ispb, counts.map((name) => mandates[name])]),
    ),
  ).toEqual({
    "18236120": [4, 0, 2, 1, 1, 2],
    // Nobody has told whose bank could not read this code.
    null: [1, 0, 0, 0, 1, 0],
    // The sandbox's payer of a code has a bank that does not exist.
    "99999999": [1, 1, 1, 0, 0, 0],
  });
  const before = await report(shop, "banks?from=2026-11-01&to=2026-11-30");
  expect(before.items).toEqual([]);
});

it("who paid with a code and did not approve has read it, and is counted by his bank", async () => {
  const world = await givenLiveWorld();
  const paying = { journey: "QR_AND_PAY", firstPayment: { amount: 1_000 } };
  for (const _ of [1, 2]) await subscribe(world, paying);
  const [first, second] = [...world.psp.book.cobs.keys()];
  // The bank that paid is in the payment's own id.
  const ispb = world.psp.pay(first!).slice(1, 9);
  await deliverCallbacks(world);
  await waitUntilDrained(world.company);
  const banks = async () => (await send(world, `${REPORTS}/banks`)).body.items;
  const counted = { made: 1, codesRead: 1, approved: 0, paidUnapproved: 1 };
  expect(await banks()).toMatchObject([
    { ispb: null, mandates: { made: 1, codesRead: 0, paidUnapproved: 0 } },
    { ispb, mandates: counted },
  ]);

  world.psp.pay(second!);
  world.psp.mandates.approve(mandateOf(world), { ispb });
  await deliverCallbacks(world);
  await waitUntilDrained(world.company);
  expect(await banks()).toMatchObject([
    { ispb, mandates: { made: 2, codesRead: 2, approved: 1, paidUnapproved: 1 } },
  ]);
});

it("a report of more than 90 days, or of no day, is refused", async () => {
  const shop = await openShop();
  for (const path of [
    "banks?from=2026-01-01&to=2026-06-01",
    "upcoming?days=91",
    "upcoming?days=0",
  ]) {
    const answer = await shop.send(`${REPORTS}/${path}`, { method: "GET" });
    expect([path, answer.status]).toEqual([path, 400]);
  }
});

it("the rows that are read grow with the window, not with what was before it or has ended", async () => {
  const shop = await openShop();
  await givenApproved(shop);
  await liveUntil(shop, "2026-12-11");
  const counted = async (path: string) => {
    let rowsRead = 0;
    const env = withDatabase({
      after: (sql, rows) => {
        if (/subscription/.test(sql)) rowsRead += rows;
      },
    });
    const { company, deps } = shop;
    const answer = await call(`${REPORTS}/${path}`, { company, deps, env });
    expect(answer.status, answer.text).toBe(200);
    expect(rowsRead).toBeGreaterThan(0);
    return rowsRead;
  };
  const paths = ["upcoming", "banks?from=2026-12-01&to=2026-12-31"];
  const countedAll = () => Promise.all(paths.map(counted));
  // The first reads of a company also learn its credentials.
  await countedAll();
  const before = await countedAll();
  await giveHistory(shop, 300);

  const after = await countedAll();

  await dropHistory();
  // The row after the last of an index's range is read too.
  for (const [index, rowsRead] of after.entries())
    expect(rowsRead, paths[index]).toBeLessThanOrEqual((before[index] ?? 0) + 1);
});

/** SQL: ids of five years ago. */
const OLD_IDS = "printf('0170a6c0-5e00-8d2c-9f31-";

/** Ended subscriptions with a cycle each, of five years ago. */
async function giveHistory({ company }: Shop, count: number): Promise<void> {
  const rows = `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < ${count})`;
  const own = `FROM n, (SELECT * FROM subscriptions WHERE company_id = ${company.id} LIMIT 1) AS s`;
  await testEnv.DB.batch([
    testEnv.DB
      .prepare(`INSERT INTO subscriptions (company_id, number, id, external_ref, status, description,
      customer, terms, amount, account, mandate, next_cycle, approval_expires_at, created_at, updated_at, version)
      ${rows} SELECT s.company_id, 1000 + n, ${OLD_IDS}a%011x', n), '', 'cancelled', 'x', s.customer, s.terms, s.amount,
      s.account, s.mandate, 9, 0, 0, 0, 1 ${own}`),
    testEnv.DB
      .prepare(`INSERT INTO subscription_cycles (company_id, number, subscription_id, cycle, due_date,
      amount, status, transaction_id, debit, attempts, created_at, updated_at, version)
      ${rows} SELECT s.company_id, 1000 + n, ${OLD_IDS}a%011x', n), 1, '2020-03-05', 1, 'paid', ${OLD_IDS}b%011x', n), '{}', '[]', 0, 0, 1
      ${own}`),
  ]);
}

async function dropHistory(): Promise<void> {
  await testEnv.DB.batch([
    testEnv.DB.prepare("DELETE FROM subscriptions WHERE number > 1000"),
    testEnv.DB.prepare("DELETE FROM subscription_cycles WHERE number > 1000"),
    testEnv.DB.prepare("DELETE FROM subscription_payers WHERE number > 1000"),
  ]);
}
