import { expect, it } from "vitest";
import {
  AMOUNT,
  chargesOf,
  decide,
  givenApproved,
  liveUntil,
  openShop,
  SUBSCRIPTIONS,
} from "../../../../support/builders/charges/subscriptions.ts";
import type { Shop } from "../../../../support/builders/companies/clocked-shop.ts";
import { runInD1 } from "../../../../support/builders/companies/archived-rows.ts";
import { env, inAccount } from "../../../../support/builders/companies/company.ts";

const PATH = "/api/v1/reports/subscriptions";

const attempt = (day: string, kind: string, status: string) => ({ day, kind, status });
const get = (shop: Shop, path: string) => shop.send(path, { method: "GET" });

it("what failed and was recovered is summed by month, by what recovered it", async () => {
  const shop = await openShop();
  const [retried, byHand, unpaid, early] = [
    await givenApproved(shop),
    await givenApproved(shop, { retry: "none" }),
    await givenApproved(shop, { retry: "none" }),
    await givenApproved(shop, { retry: "none" }),
  ];
  await liveUntil(shop, "2026-12-06");
  const chargeOf = async ({ id }: { id: string }) =>
    (await chargesOf(shop, id))[0].transactionId as string;
  for (const each of [retried, byHand, unpaid, early])
    await decide(shop, await chargeOf(each), "no_balance");
  const payByHand = async (each: { id: string }) => {
    const path = `${SUBSCRIPTIONS}/${each.id}/charges/${await chargeOf(each)}/by-hand`;
    const { body } = await shop.send(path);
    await shop.send(`/api/v1/sandbox/transactions/${body.data.byHand.id}/pay`);
  };
  // Paid before its debit fails: nothing is recovered.
  await shop.live({ set: "2026-12-09T23:00:00-03:00" });
  await payByHand(early);
  await liveUntil(shop, "2026-12-12");
  await payByHand(byHand);
  await liveUntil(shop, "2026-12-13");

  const report = await get(shop, PATH);
  expect(report.status, report.text).toBe(200);
  expect(report.body.items).toEqual([
    {
      month: "2026-12",
      failed: { count: 3, amount: 3 * AMOUNT },
      recovered: {
        retry: { count: 1, amount: AMOUNT },
        card: { count: 0, amount: 0 },
        hand: { count: 1, amount: AMOUNT },
      },
    },
  ]);
  expect((await get(shop, `${PATH}?from=2026-11-01&to=2026-11-30`)).body.items).toEqual([]);
  const tested = await get(shop, `${PATH}/backtest?retry=1,3`);
  expect(tested.body.data).toMatchObject({
    // As the report counts them.
    failed: 3,
    insufficient: true,
    days: [
      { daysAfter: 1, tried: 1, paid: 1, recovered: null },
      { daysAfter: 3, tried: 0, paid: 0, recovered: null },
    ],
    weekdays: [{ weekday: 5, tried: 1, paid: 1 }],
  });
});

it("a debit that is refused before its day counts from then on, and no other day is tested for it", async () => {
  const shop = await openShop();
  const noRetry = { retry: "none" };
  const [early, limited] = [await givenApproved(shop, noRetry), await givenApproved(shop, noRetry)];
  await liveUntil(shop, "2026-12-06");
  const [{ transactionId }] = await chargesOf(shop, limited.id);
  await decide(shop, transactionId, "over_limit");
  const [refused] = await chargesOf(shop, early.id);
  await decide(shop, refused.transactionId, "no_balance");
  await liveUntil(shop, "2026-12-11");
  const path = `${SUBSCRIPTIONS}/${early.id}/charges/${refused.transactionId}/by-hand`;
  const { body } = await shop.send(path);
  await shop.send(`/api/v1/sandbox/transactions/${body.data.byHand.id}/pay`);
  await liveUntil(shop, "2026-12-12");
  const backtested = async () =>
    (await get(shop, `${PATH}/backtest?retry=1,3`)).body.data.failed as number;
  expect(await backtested()).toBe(1);
  // As it stands had the bank refused it on the 5th, and its payer paid it on the 7th.
  const asRefused = `UPDATE subscription_cycles SET attempts = json_set(attempts, '$[0].failedOn', '2026-12-05',
      '$[0].reason.action', 'offer_link'), recovery = json_set(recovery, '$.paid.at', ?1)
    WHERE transaction_id = ?2`;
  const paidAt = Date.parse("2026-12-07T12:00:00-03:00");
  await runInD1(asRefused, paidAt, refused.transactionId);
  await inAccount(shop.company.id, (_account, { storage: { sql } }) => {
    sql.exec(asRefused, paidAt, refused.transactionId);
  });

  expect((await get(shop, PATH)).body.items).toMatchObject([
    { failed: { count: 2 }, recovered: { hand: { count: 1 } } },
  ]);
  expect(await backtested()).toBe(0);
  expect((await chargesOf(shop, early.id))[0]).toMatchObject({ status: "paid", recovered: true });
});

it("a policy is tested on the company's own retries", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop);
  await liveUntil(shop, "2026-12-06");
  const insert = (number: number, isPaid: boolean) =>
    env.DB.prepare(
      `INSERT INTO subscription_cycles (company_id, number, subscription_id, cycle, due_date, amount, status,
         transaction_id, debit, attempts, created_at, updated_at, version)
       VALUES (?, ?, ?, ?, '2026-11-10', 100, ?, ?, '{}', ?, 0, 0, 1)`,
    ).bind(
      shop.company.id,
      number,
      id,
      number,
      isPaid ? "paid" : "failed",
      `other-${number}`,
      JSON.stringify([
        attempt("2026-11-10", "due", "failed"),
        attempt("2026-11-11", "retry", isPaid ? "paid" : "failed"),
      ]),
    );
  const made = Array.from({ length: 40 }, (_, index) => insert(1_000 + index, index % 4 === 0));
  await env.DB.batch(made);
  const { body } = await get(shop, `${PATH}/backtest?retry=1`);
  await env.DB.prepare("DELETE FROM subscription_cycles WHERE company_id = ? AND number >= 1000")
    .bind(shop.company.id)
    .run();

  expect(body.data).toMatchObject({
    failed: 40,
    insufficient: false,
    days: [{ daysAfter: 1, tried: 40, paid: 10, recovered: 10 }],
    weekdays: [{ weekday: 3, tried: 40, paid: 10 }],
  });
  for (const retry of ["", "0", "3,1", "1,2,3,4", "8", "x"])
    expect((await get(shop, `${PATH}/backtest?retry=${retry}`)).status, retry).toBe(400);
  expect((await get(shop, `${PATH}/backtest`)).status).toBe(400);
});
