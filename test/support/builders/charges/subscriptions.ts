import { expect } from "vitest";
import { Shop } from "../companies/clocked-shop.ts";
import { TestClock } from "../../fakes/clock.ts";

export const SUBSCRIPTIONS = "/api/v1/subscriptions";
/** Before the days of the stories, whatever the machine's day is: a Tuesday noon in São Paulo. */
export const BEGIN_MS = Date.parse("2026-12-01T15:00:00Z");
export const AMOUNT = 4_990;

/** What a subscription is created with. */
export const SUBSCRIPTION = {
  customer: { name: "Maria da Silva", document: { number: "12345678909" } },
  description: "Clube do livro",
  amount: AMOUNT,
  period: "MONTHLY",
  firstDueDate: "2026-12-10",
  journey: "QR",
  retry: [1, 3],
};

/** A shop whose clock stands at a fixed time. */
export function openShop(): Promise<Shop> {
  return Shop.open(new TestClock(BEGIN_MS));
}

/** A subscription as the API answers its creation. */
export async function givenSubscription(shop: Shop, body: object = {}): Promise<any> {
  const answer = await shop.send(SUBSCRIPTIONS, { body: { ...SUBSCRIPTION, ...body } });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.data;
}

/** The same, approved by its payer. */
export async function givenApproved(shop: Shop, body: object = {}): Promise<any> {
  const { id } = await givenSubscription(shop, body);
  return play(shop, id, "approve");
}

/** What the payer or the merchant does with a subscription. */
export async function play(
  shop: Shop,
  id: string,
  action: "approve" | "reject" | "payer-cancel",
): Promise<any> {
  const answer = await shop.send(`/api/v1/sandbox/subscriptions/${id}/${action}`);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

/** What becomes of the next attempt to debit a charge. */
export async function decide(shop: Shop, transactionId: string, outcome: string): Promise<void> {
  const path = `/api/v1/sandbox/transactions/${transactionId}/attempt`;
  const answer = await shop.send(path, { body: { outcome } });
  expect(answer.status, answer.text).toBe(200);
}

/** A subscription whose debit of 2026-12-10 fails. */
export async function givenFailing(shop: Shop, body: object, outcome = "no_balance") {
  await shop.live({ set: "2026-12-06T11:00:00-03:00" });
  const { id } = await givenApproved(shop, { retry: "none", ...body });
  await liveUntil(shop, "2026-12-06");
  const [{ transactionId }] = await chargesOf(shop, id);
  await decide(shop, transactionId, outcome);
  return { id: id as string, transactionId: transactionId as string };
}

export async function subscriptionOf(shop: Shop, id: string): Promise<any> {
  return (await shop.send(`${SUBSCRIPTIONS}/${id}`, { method: "GET" })).body.data;
}

/** The charges of a subscription, newest first. */
export async function chargesOf(shop: Shop, id: string): Promise<any[]> {
  const answer = await shop.send(`${SUBSCRIPTIONS}/${id}/charges`, { method: "GET" });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.items;
}

export async function transactionOf(shop: Shop, id: string): Promise<any> {
  return (await shop.send(`/api/v1/transactions/${id}`, { method: "GET" })).body.data;
}

/** Lives until a day in São Paulo, at noon. */
export function liveUntil(shop: Shop, day: string) {
  return shop.live({ set: `${day}T12:00:00-03:00` });
}

/**
 * Lets days pass until one in São Paulo, at noon, that a story is not about: what is due in them is done after them, once, as
 * after days without the cron.
 */
export async function skipUntil(shop: Shop, day: string): Promise<void> {
  shop.clock.advance(Date.parse(`${day}T12:00:00-03:00`) - (await shop.now()));
}
