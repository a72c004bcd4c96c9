import { expect, it } from "vitest";
import {
  chargesOf,
  decide,
  givenFailing,
  liveUntil,
  openShop,
  skipUntil,
  subscriptionOf,
  SUBSCRIPTIONS,
} from "../../../support/builders/charges/subscriptions.ts";
import type { Shop } from "../../../support/builders/companies/clocked-shop.ts";

const pay = (shop: Shop, id: string) => shop.send(`/api/v1/sandbox/transactions/${id}/pay`);

it("a late payment of an old cycle leaves a newer one past due", async () => {
  const shop = await openShop();
  const { id } = await givenFailing(shop, { dunning: { link: "event" } });
  await liveUntil(shop, "2026-12-19");
  await skipUntil(shop, "2027-01-04");
  await liveUntil(shop, "2027-01-06");
  const [{ transactionId }] = await chargesOf(shop, id);
  await decide(shop, transactionId, "no_balance");
  await liveUntil(shop, "2027-01-14");
  const [newer, older] = await chargesOf(shop, id);
  expect([newer.status, older.status]).toEqual(["failed", "failed"]);

  await pay(shop, older.byHand.id);
  await liveUntil(shop, "2027-01-15");
  expect((await chargesOf(shop, id)).map(({ status }) => status)).toEqual(["failed", "paid"]);
  expect((await subscriptionOf(shop, id)).status).toBe("past_due");
  await pay(shop, newer.byHand.id);
  await liveUntil(shop, "2027-01-16");
  expect((await subscriptionOf(shop, id)).status).toBe("active");
});

it("what a merchant cancels is past due no more, unless another cycle is", async () => {
  const shop = await openShop();
  const { id, transactionId } = await givenFailing(shop, { retry: [1, 3] }, "over_limit");
  await liveUntil(shop, "2026-12-12");
  expect((await subscriptionOf(shop, id)).status).toBe("past_due");
  await shop.send(`${SUBSCRIPTIONS}/${id}/charges/${transactionId}/cancel`);
  await liveUntil(shop, "2026-12-13");
  expect((await subscriptionOf(shop, id)).status).toBe("active");

  const other = await openShop();
  const { id: owed } = await givenFailing(other, { retry: [1, 3] }, "over_limit");
  await liveUntil(other, "2026-12-19");
  await skipUntil(other, "2027-01-04");
  await liveUntil(other, "2027-01-06");
  const [{ transactionId: newer }] = await chargesOf(other, owed);
  await decide(other, newer, "over_limit");
  await liveUntil(other, "2027-01-12");
  await other.send(`${SUBSCRIPTIONS}/${owed}/charges/${newer}/cancel`);
  await liveUntil(other, "2027-01-13");
  expect((await chargesOf(other, owed)).map(({ status }) => status)).toEqual([
    "cancelled",
    "failed",
  ]);
  expect((await subscriptionOf(other, owed)).status).toBe("past_due");
});

it("what is owed is past due again after a pause, also where a month was skipped or a retry is left", async () => {
  const shop = await openShop();
  const { id } = await givenFailing(shop, {});
  await liveUntil(shop, "2026-12-14");
  await shop.send(`${SUBSCRIPTIONS}/${id}/pause`);
  await skipUntil(shop, "2027-01-04");
  await liveUntil(shop, "2027-01-14");
  expect((await chargesOf(shop, id)).map(({ status }) => status)).toEqual(["skipped", "failed"]);
  await shop.send(`${SUBSCRIPTIONS}/${id}/resume`);
  expect((await subscriptionOf(shop, id)).status).toBe("past_due");

  const other = await openShop();
  const { id: open } = await givenFailing(other, { retry: [1, 3] }, "over_limit");
  await liveUntil(other, "2026-12-12");
  await other.send(`${SUBSCRIPTIONS}/${open}/pause`);
  await other.send(`${SUBSCRIPTIONS}/${open}/resume`);
  expect((await chargesOf(other, open))[0]).toMatchObject({ status: "open" });
  expect((await subscriptionOf(other, open)).status).toBe("past_due");
});
