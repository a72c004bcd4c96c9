import { expect, it } from "vitest";
import { runSubscription } from "../../../../src/api/subscriptions/tasks.ts";
import type { StepResult } from "../../../../src/company/subscriptions/command-types.ts";
import { debitReason } from "../../../../src/domain/subscriptions/debit-codes.ts";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import {
  chargesOf,
  decide,
  givenApproved,
  givenSubscription,
  liveUntil,
  play,
  subscriptionOf,
  SUBSCRIPTIONS,
  transactionOf,
} from "../../../support/builders/charges/subscriptions.ts";
import { env, inAccount } from "../../../support/builders/companies/company.ts";
import { forgetOrder, givenShopWith, LosingBank } from "../../../support/fakes/losing-bank.ts";
import { repeatThroughCrashes } from "../../../support/faults/crashes.ts";

const MINUTE = 60_000;

it("what was ordered and got no answer is looked up, and ordered once", async () => {
  const bank = new LosingBank(["createMandate", "scheduleDebit", "retryDebit"]);
  const { shop } = await givenShopWith(bank);
  const { id, pix } = await givenSubscription(shop);
  expect(pix.qrcode).toBeNull();
  await shop.live({ advance: "PT5M" });
  expect((await subscriptionOf(shop, id)).pix.qrcode).toContain("br.gov.bcb.pix");
  await play(shop, id, "approve");
  await liveUntil(shop, "2026-12-06");
  const [{ transactionId }] = await chargesOf(shop, id);
  await decide(shop, transactionId, "no_balance");
  await liveUntil(shop, "2026-12-12");

  expect(bank.orders).toEqual(["createMandate", "scheduleDebit", "retryDebit"]);
  expect(await chargesOf(shop, id)).toMatchObject([
    { status: "paid", attempts: [{ status: "failed" }, { kind: "retry", status: "paid" }] },
  ]);
});

it.each(["before", "after"] as const)(
  "a Worker that dies %s any call leaves one charge and one debit in the end",
  async (when) => {
    const bank = new LosingBank();
    const { clock, shop, run } = await givenShopWith(bank);
    const { id } = await givenApproved(shop);
    clock.advance(Date.parse("2026-12-05T12:00:00-03:00") - clock.now());

    const crashes = await repeatThroughCrashes(when, run, async () => {
      clock.advance(2 * MINUTE);
    });
    await run();

    expect(crashes.length).toBeGreaterThan(3);
    expect(await chargesOf(shop, id)).toMatchObject([
      { cycle: 1, status: "open", attempts: [{ kind: "due", status: "scheduled" }] },
    ]);
    const { transactionId } = (await chargesOf(shop, id))[0];
    const counted = (sql: string) =>
      env.DB.prepare(sql).bind(shop.company.id).first<{ n: number; id: string }>();
    expect(
      await counted("SELECT count(*) AS n, max(id) AS id FROM transactions WHERE company_id = ?"),
    ).toEqual({ n: 1, id: transactionId });
  },
);

it("two Workers that come at once order a debit once", async () => {
  const bank = new LosingBank();
  const { clock, shop, run } = await givenShopWith(bank);
  const { id } = await givenApproved(shop);
  clock.advance(Date.parse("2026-12-05T12:00:00-03:00") - clock.now());

  await Promise.all([run(), run(), run()]);

  expect(bank.orders).toEqual(["createMandate", "scheduleDebit"]);
  expect(await chargesOf(shop, id)).toHaveLength(1);
});

it("a debit that is ordered too late is not sent, and its cycle fails by our own fault", async () => {
  const bank = new LosingBank();
  const { clock, shop, run } = await givenShopWith(bank);
  const { id } = await givenApproved(shop);
  clock.advance(Date.parse("2026-12-05T12:00:00-03:00") - clock.now());
  // The bank does not answer at all until the window is over.
  const { providers } = shop.deps;
  shop.deps.providers = () => ({ ...providers(env), ofAccount: async () => null });
  const silent = { platformClock: clock, random: systemRandom, providers: shop.deps.providers };
  for (let tries = 0; tries < 4; tries++) {
    await runSubscription(env, silent, shop.company.id, 1);
    clock.advance(2 * MINUTE);
  }
  clock.advance(Date.parse("2026-12-09T12:00:00-03:00") - clock.now());
  shop.deps.providers = providers;
  await run();

  expect(bank.orders).toEqual(["createMandate"]);
  const [charge] = await chargesOf(shop, id);
  expect(charge).toMatchObject({
    status: "failed",
    attempts: [{ status: "failed", code: "OUTSIDE_WINDOW", action: "our_fault" }],
  });
  expect((await subscriptionOf(shop, id)).status).toBe("past_due");
});

it("a debit that was refused to its end and is found all the same has no link beside it", async () => {
  const { clock, shop, run } = await givenShopWith(new LosingBank());
  const { id } = await givenApproved(shop, { dunning: { link: "event" } });
  clock.advance(Date.parse("2026-12-05T12:00:00-03:00") - clock.now());
  await run();
  await forgetOrder(shop);
  const attempt = { day: "2026-12-10", kind: "due", status: "scheduled", reason: null } as const;
  const results: StepResult[] = [
    { kind: "debit_refused", reason: debitReason("FCD2") },
    { kind: "debit", debit: { status: "active", attempts: [{ ...attempt, endToEndId: null }] } },
  ];
  for (const result of results)
    await inAccount(shop.company.id, (account) =>
      account.reportSubscriptionStep({
        companyId: shop.company.id,
        number: 1,
        step: { kind: "order_debit", cycle: 1 },
        lease: null,
        result,
      }),
    );
  await run();

  expect(await chargesOf(shop, id)).toMatchObject([
    { status: "open", byHand: null, attempts: [{ status: "scheduled" }] },
  ]);
});

it("a refusal at the first try ends no cycle: the debit is sent again the next day", async () => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  const { id } = await givenApproved(shop);
  bank.refused.add("scheduleDebit");
  await liveUntil(shop, "2026-12-07");

  expect(bank.orders.filter((order) => order === "scheduleDebit")).toHaveLength(2);
  expect(await chargesOf(shop, id)).toMatchObject([
    { status: "open", attempts: [{ kind: "due", status: "scheduled" }] },
  ]);
});

it("the code for both is read with the charge, and ends with the subscription", async () => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  const { id } = await givenSubscription(shop, { journey: "QR_ON_DUE" });
  await liveUntil(shop, "2026-12-02");
  const [{ transactionId }] = await chargesOf(shop, id);
  expect(new Set(bank.read)).toEqual(new Set([transactionId.replaceAll("-", "")]));
  expect(await transactionOf(shop, transactionId)).toMatchObject({ status: "WAITING_PAYMENT" });

  await shop.send(`${SUBSCRIPTIONS}/${id}/cancel`);
  await shop.live({ advance: "PT5M" });

  expect(bank.orders).toContain("cancelCharge");
  expect(await transactionOf(shop, transactionId)).toMatchObject({ status: "CANCELLED" });
  expect(await chargesOf(shop, id)).toMatchObject([{ status: "cancelled" }]);
});

it("a pause stops retries, and so does the merchant who cancels the failed charge", async () => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  const { id } = await givenApproved(shop);
  await liveUntil(shop, "2026-12-06");
  const [{ transactionId }] = await chargesOf(shop, id);
  await decide(shop, transactionId, "over_limit");
  const past = await shop.send(`/api/v1/transactions/${transactionId}/cancel`);
  expect([past.status, past.body.reason]).toEqual([409, "charge_closed"]);
  await liveUntil(shop, "2026-12-10");
  const path = `${SUBSCRIPTIONS}/${id}/charges/${transactionId}`;
  expect((await shop.send(`${SUBSCRIPTIONS}/${id}/pause`)).status).toBe(200);
  const inPause = await shop.send(`${path}/retry`, { body: { date: "2026-12-14" } });
  expect([inPause.status, inPause.body.code]).toEqual([409, "INVALID_STATE"]);
  const cancelled = await shop.send(`${path}/cancel`);
  expect(cancelled.status, cancelled.text).toBe(200);
  await liveUntil(shop, "2026-12-20");

  expect(bank.orders).not.toContain("retryDebit");
  expect(await chargesOf(shop, id)).toMatchObject([{ status: "cancelled" }]);
});

it("money that comes after a cycle has failed makes it paid", async () => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  const { id } = await givenApproved(shop, { retry: "none" });
  await liveUntil(shop, "2026-12-06");
  const [{ transactionId }] = await chargesOf(shop, id);
  await decide(shop, transactionId, "no_balance");
  await liveUntil(shop, "2026-12-12");
  expect(await chargesOf(shop, id)).toMatchObject([{ status: "failed" }]);
  await shop.send(`/api/v1/sandbox/transactions/${transactionId}/pay`);
  await shop.live({ advance: "PT5M" });

  expect(await chargesOf(shop, id)).toMatchObject([{ status: "paid" }]);
  expect(await subscriptionOf(shop, id)).toMatchObject({ status: "active" });
});

it("a cycle that is opened again after a restore has the charge and the debit that it had", async () => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  const { id } = await givenApproved(shop);
  await liveUntil(shop, "2026-12-06");
  const [{ transactionId }] = await chargesOf(shop, id);
  await inAccount(shop.company.id, (_account, { storage: { sql } }) => {
    sql.exec("DELETE FROM subscription_cycles");
    sql.exec("UPDATE subscriptions SET next_cycle = 1, next_check_at = 1");
    sql.exec("UPDATE company SET cycle_floor = 7");
  });
  await liveUntil(shop, "2026-12-12");

  const charges = await chargesOf(shop, id);
  expect(charges).toMatchObject([{ cycle: 1, transactionId, status: "paid" }]);
  expect(charges[0].attempts).toHaveLength(1);
});
