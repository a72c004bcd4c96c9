import { expect } from "vitest";
import type { Shop } from "../companies/clocked-shop.ts";
import { chargesOf, givenApproved, liveUntil, SUBSCRIPTIONS } from "./subscriptions.ts";

const UNEXPECTED = "/api/v1/payments/unexpected";

export const byHandPath = (id: string, transactionId: string) =>
  `${SUBSCRIPTIONS}/${id}/charges/${transactionId}/by-hand`;

/** An approved subscription and its open cycle, on a day of December. */
export async function givenOpenCycle(shop: Shop, day: string, body: object = {}) {
  const { id } = await givenApproved(shop, body);
  await liveUntil(shop, day);
  const [{ transactionId }] = await chargesOf(shop, id);
  return { id, transactionId: transactionId as string };
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
