import { expect, it } from "vitest";
import {
  chargesOf,
  decide,
  givenApproved,
  liveUntil,
  openShop,
  SUBSCRIPTIONS,
} from "../../../support/builders/charges/subscriptions.ts";

it("a failed charge names the days of its retries, and why not the others", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop);
  await liveUntil(shop, "2026-12-06");
  const [scheduled] = await chargesOf(shop, id);
  expect(scheduled).toMatchObject({ id: scheduled.transactionId, retryDays: [] });
  await decide(shop, scheduled.id, "over_limit");
  await liveUntil(shop, "2026-12-11");

  const [charge] = await chargesOf(shop, id);

  expect(charge.retryDays.map(({ date, rule }: any) => [date, rule])).toEqual([
    ["2026-12-11", "retry_same_day"],
    ["2026-12-12", "retry_business_day"],
    ["2026-12-13", "retry_business_day"],
    ["2026-12-14", "retry_days"],
    ["2026-12-15", "retry_days"],
    ["2026-12-16", "retry_days"],
    ["2026-12-17", "retry_days"],
  ]);
  for (const { date, allowed, source } of charge.retryDays) {
    const path = `${SUBSCRIPTIONS}/${id}/charges/${charge.id}/retry`;
    const isLast = date === "2026-12-14";
    if (allowed && !isLast) continue;
    const answer = await shop.send(path, { body: { date } });
    expect([date, answer.status]).toEqual([date, allowed ? 200 : 400]);
    if (!allowed) expect(answer.body.source).toBe(source);
  }
  expect((await chargesOf(shop, id))[0].retryDays).toEqual([]);
});

it("a debit is cancellable until 22:00 of the day before, and so says its charge", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop);
  await shop.live({ set: "2026-12-09T21:59:00-03:00" });
  const [{ id: charge, cancellable }] = await chargesOf(shop, id);
  expect(cancellable).toBe(true);

  await shop.live({ set: "2026-12-09T22:00:00-03:00" });

  expect((await chargesOf(shop, id))[0].cancellable).toBe(false);
  const late = await shop.send(`${SUBSCRIPTIONS}/${id}/charges/${charge}/cancel`);
  expect(late.status).toBe(409);
});

it("a mandate without retries refuses one by its rule, before and after its debit has failed", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop, { retry: "none" });
  await liveUntil(shop, "2026-12-06");
  const [{ id: charge }] = await chargesOf(shop, id);
  const retry = () =>
    shop.send(`${SUBSCRIPTIONS}/${id}/charges/${charge}/retry`, { body: { date: "2026-12-14" } });
  const before = await retry();
  await decide(shop, charge, "no_balance");
  await liveUntil(shop, "2026-12-12");

  const after = await retry();

  for (const { status, body } of [before, after]) {
    expect([status, body.code]).toEqual([400, "VALIDATION_FAILED"]);
    expect(body.detail).toContain("The payer approved no retries.");
    expect(body.source).toContain("IRNT");
  }
  expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "failed", retryDays: [] });
});
