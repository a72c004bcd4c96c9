import { expect } from "vitest";
import type { Shop } from "../companies/clocked-shop.ts";
import { chargesOf, givenApproved, liveUntil, SUBSCRIPTIONS } from "./subscriptions.ts";

const UNEXPECTED = "/api/v1/payments/unexpected";

export const byHandPath = (id: string, transactionId: string) =>
  `${SUBSCRIPTIONS}/${id}/charges/${transactionId}/by-hand`;

/** The last day on which the debit of 2026-12-10 may be ordered. */
const LAST_ORDER_DAY = "2026-12-08";

/** An approved subscription and its open cycle, on a day of December: no day passes that its debit does not need. */
export async function givenOpenCycle(shop: Shop, day: string, body: object = {}) {
  const begins = `${day < LAST_ORDER_DAY ? day : LAST_ORDER_DAY}T11:00:00-03:00`;
  // Another one of the shop may have lived longer.
  if ((await shop.now()) < Date.parse(begins)) await shop.live({ set: begins });
  const { id } = await givenApproved(shop, body);
  await liveUntil(shop, day);
  const [{ transactionId }] = await chargesOf(shop, id);
  return { id: id as string, transactionId: transactionId as string };
}

/**
 * The same, whose debit of 2026-12-10 is ordered in the last hours in which it may be: what is asked each hour until its day
 * is asked for a day, not for five.
 */
export async function givenLateCycle(shop: Shop) {
  await shop.live({ set: `${LAST_ORDER_DAY}T22:00:00-03:00` });
  const { id } = await givenApproved(shop);
  await shop.live({ advance: "PT1M" });
  const [{ transactionId }] = await chargesOf(shop, id);
  return { id: id as string, transactionId: transactionId as string };
}

/** The charge by which the payer pays a cycle by hand. */
export async function makeByHand(shop: Shop, id: string, transactionId: string): Promise<any> {
  const answer = await shop.send(byHandPath(id, transactionId));
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data.byHand;
}

export const pay = (shop: Shop, id: string) => shop.send(`/api/v1/sandbox/transactions/${id}/pay`);
export const unexpectedOf = async (shop: Shop) =>
  (await shop.send(UNEXPECTED, { method: "GET" })).body.items;
