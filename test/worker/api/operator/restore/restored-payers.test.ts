import { expect, it } from "vitest";
import {
  chargesOf,
  givenApproved,
  givenSubscription,
  liveUntil,
  openShop,
  play,
  subscriptionOf,
  SUBSCRIPTIONS,
} from "../../../../support/builders/charges/subscriptions.ts";
import { callsTo } from "../../../../support/builders/companies/calls.ts";
import type { Shop } from "../../../../support/builders/companies/clocked-shop.ts";
import {
  takeCreatedCompanies,
  waitUntilDrained,
} from "../../../../support/builders/companies/company.ts";
import { usePauses } from "../../../../support/builders/companies/pauses.ts";
import { reconcile, restore, takeBackBefore } from "../../../../support/faults/restore.ts";

const PAYER = "Maria da Silva";

usePauses();

/** Whom the company's object and D1 have as a subscription's payer. */
async function payersOf(shop: Shop, id: string): Promise<(string | undefined)[]> {
  await waitUntilDrained(shop.company);
  const stored = await callsTo(shop.company.id).findSubscription(id);
  return [stored?.customer.name, (await subscriptionOf(shop, id)).customer.name];
}

it("payers who asked to be erased are erased again in an object of before they asked", async () => {
  const shop = await openShop();
  const ended = await givenSubscription(shop, { metadata: "Maria mora na rua de cima" });
  await play(shop, ended.id, "reject");
  const lasting = await givenApproved(shop);
  const other = { name: "João", document: { number: "52998224725" } };
  const kept = await givenSubscription(shop, { customer: other });
  await takeBackBefore(shop.company, () =>
    shop.send("/api/v1/payers/erase", { body: { document: "12345678909" } }),
  );
  expect((await payersOf(shop, ended.id))[0]).toBe(PAYER);

  await restore(shop.company);
  await reconcile(shop.company, true);

  expect(await payersOf(shop, ended.id)).toEqual(["", ""]);
  expect((await subscriptionOf(shop, ended.id)).metadata).toBeNull();
  expect(await payersOf(shop, kept.id)).toEqual(["João", "João"]);
  expect(await payersOf(shop, lasting.id)).toEqual([PAYER, PAYER]);
  await shop.send(`${SUBSCRIPTIONS}/${lasting.id}/cancel`);
  expect(await payersOf(shop, lasting.id)).toEqual(["", ""]);
  takeCreatedCompanies();
});

it("a payer whose data were kept for so long only is erased again, and his charges are not asked for", async () => {
  const shop = await openShop();
  const { id } = await givenApproved(shop);
  await liveUntil(shop, "2026-12-11");
  await play(shop, id, "payer-cancel");
  const [{ transactionId }] = await chargesOf(shop, id);
  const { id: companyId } = shop.company;
  await takeBackBefore(shop.company, () =>
    callsTo(companyId).erasePayers({ companyId, transactionIds: [transactionId] }),
  );

  await restore(shop.company);
  await reconcile(shop.company, true);

  expect(await payersOf(shop, id)).toEqual(["", ""]);
  const stored = await callsTo(companyId).findSubscription(id);
  expect(stored?.customer.erasesCharges).toBeUndefined();
  takeCreatedCompanies();
});
