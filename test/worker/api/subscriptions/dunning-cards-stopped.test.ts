import { expect, it } from "vitest";
import { runSubscription } from "../../../../src/api/subscriptions/tasks.ts";
import type { Env } from "../../../../src/config.ts";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { givenOpenCycle, pay, unexpectedOf } from "../../../support/builders/charges/by-hand.ts";
import {
  AMOUNT,
  chargesOf,
  decide,
  openShop,
  subscriptionOf,
  SUBSCRIPTIONS,
  transactionOf,
} from "../../../support/builders/charges/subscriptions.ts";
import { runInD1 } from "../../../support/builders/companies/archived-rows.ts";
import { env, waitUntilDrained } from "../../../support/builders/companies/company.ts";
import { givenSavedCard } from "../../../support/fakes/card-house.ts";
import { withDatabase } from "../../../support/probes/database/instrumented-database.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const PAYER = {
  name: "Maria da Silva",
  document: { number: "12345678909" },
  email: "maria@example.com",
};

/** A subscription whose first debit, of 2026-12-10, has failed: the saved card of its payer is charged next. */
async function givenDueCard(dunning: object = { link: "event" }) {
  const shop = await openShop();
  const { savedCardId, house } = await givenSavedCard(shop, PAYER);
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-08", {
    retry: "none",
    customer: PAYER,
    dunning: { savedCardId, ...dunning },
  });
  await decide(shop, transactionId, "no_balance");
  const until = (time: string) => shop.live({ set: `${time}:00-03:00` });
  await until("2026-12-09T12:00");
  shop.clock.advance(Date.parse("2026-12-11T01:00:00-03:00") - (await shop.now()));
  const { clock, company } = shop;
  const run = async (each: Env = env) => {
    const deps = { platformClock: clock, random: systemRandom, providers: shop.deps.providers };
    await runSubscription(each, deps, company.id, 1);
    await waitUntilDrained(company);
  };
  const chargeOf = async () => (await chargesOf(shop, id)).at(-1);
  const ofSubscription = (action: string) => shop.send(`${SUBSCRIPTIONS}/${id}/${action}`);
  const acts = {
    pause: () => ofSubscription("pause"),
    cancel: () => ofSubscription("cancel"),
    "cancel of the charge": () => ofSubscription(`charges/${transactionId}/cancel`),
    "late money of the debit": () => pay(shop, transactionId),
  };
  return { shop, house, id, transactionId, until, run, chargeOf, acts };
}

type DueCard = Awaited<ReturnType<typeof givenDueCard>>;
type Act = keyof DueCard["acts"];

/** An environment in which something happens once, before the saved card is read. */
function whileCardIsRead(happens: () => Promise<unknown>): Env {
  let isDone = false;
  return withDatabase({
    before: async (sql) => {
      if (isDone || !/from "saved_cards"/i.test(sql)) return;
      isDone = true;
      await happens();
    },
  });
}

/** What is owed to the merchant, available or not yet. Centavos. */
async function owedIn({ shop }: DueCard): Promise<number> {
  const { available = 0, awaiting = 0 } = await accountsOf(shop.company);
  return available + awaiting;
}
const cardsOf = ({ shop }: DueCard) =>
  runInD1<{ id: string; status: string }>(
    "SELECT id, status FROM transactions WHERE company_id = ? AND payment_method = 'CREDIT_CARD'",
    shop.company.id,
  );

it.each(["pause", "cancel", "cancel of the charge", "late money of the debit"] as const)(
  "no card is charged after a %s between its plan and its order",
  async (act: Act) => {
    const due = await givenDueCard();
    const { house, run, acts, until, id, shop } = due;
    const before = await cardsOf(due);
    const answers: number[] = [];
    await run(whileCardIsRead(async () => answers.push((await acts[act]()).status)));
    await run();
    await until("2026-12-12T12:00");

    expect(answers).toEqual([200]);
    expect(house.orders).toEqual([]);
    expect(await cardsOf(due)).toEqual(before);
    const charge = await due.chargeOf();
    const ended = {
      pause: ["paused", "open"],
      cancel: ["cancelled", "failed"],
      "cancel of the charge": ["active", "cancelled"],
      "late money of the debit": ["active", "paid"],
    }[act];
    expect([(await subscriptionOf(shop, id)).status, charge.status]).toEqual(ended);
    expect(await unexpectedOf(shop)).toEqual([]);
  },
);

it("a card whose subscription is resumed is charged then", async () => {
  const due = await givenDueCard();
  const { house, run, acts, until, shop, id } = due;
  await run(whileCardIsRead(acts.pause));
  await until("2026-12-12T12:00");
  await shop.send(`${SUBSCRIPTIONS}/${id}/resume`);
  await until("2026-12-12T13:00");

  expect(house.orders).toHaveLength(1);
  expect(await due.chargeOf()).toMatchObject({ status: "paid", recovered: true });
});

it.each([
  ["pause", "decided"],
  ["cancel", "decided"],
  ["cancel of the charge", "decided"],
  ["pause", "unheard"],
  ["cancel", "unheard"],
  ["cancel of the charge", "unheard"],
] as const)(
  "the money of a card is booked and told where a %s comes while it is charged: %s",
  async (act, answer) => {
    const due = await givenDueCard();
    const { shop, house, id, run, acts, until } = due;
    const begun = await owedIn(due);
    let isStopped = false;
    house.before = async () => {
      if (isStopped) return;
      isStopped = true;
      const stopped = await acts[act]();
      expect(stopped.status, stopped.text).toBe(200);
    };
    if (answer === "unheard") house.says.push("unheard");
    await run();
    await run();
    await until("2026-12-13T12:00");

    expect(house.orders).toHaveLength(1);
    const charge = await due.chargeOf();
    expect(charge).toMatchObject({
      status: "paid",
      recovered: true,
      byHand: { method: "CREDIT_CARD", status: "PAID" },
    });
    expect(await transactionOf(shop, charge.byHand.id)).toMatchObject({ status: "PAID" });
    const events = await eventsOf(shop.company);
    const paid = events.filter(
      ({ type, objectId }) => type === "transaction.paid" && objectId.endsWith(charge.byHand.id),
    );
    expect(paid).toHaveLength(1);
    expect((await owedIn(due)) - begun).toBe(AMOUNT);
    const status = { pause: "paused", cancel: "cancelled", "cancel of the charge": "active" }[act];
    expect((await subscriptionOf(shop, id)).status).toBe(status);
    expect(await unexpectedOf(shop)).toEqual([]);
  },
);

it("money of the debit that comes while the card is charged leaves the card's as the second payment", async () => {
  const due = await givenDueCard();
  const { shop, house, run, acts, until, transactionId } = due;
  const begun = await owedIn(due);
  let isPaid = false;
  house.before = async () => {
    if (isPaid) return;
    isPaid = true;
    await acts["late money of the debit"]();
  };
  await run();
  await until("2026-12-12T12:00");

  expect(house.orders).toHaveLength(1);
  expect(await due.chargeOf()).toMatchObject({ status: "paid" });
  expect(await transactionOf(shop, transactionId)).toMatchObject({ status: "PAID" });
  expect(await unexpectedOf(shop)).toMatchObject([{ amount: AMOUNT, reason: "SECOND_PAYMENT" }]);
  expect((await owedIn(due)) - begun).toBe(AMOUNT);
});

it("an order that a dead Worker may have sent is not sent again once its cycle is stopped", async () => {
  const due = await givenDueCard();
  const { house, run, acts, until } = due;
  house.says.push("lost");
  let isDead = false;
  const dying = withDatabase({
    before: (sql) => {
      // The answer is stored by no one.
      if (house.orders.length === 1 && /^update "transactions"/i.test(sql)) isDead = true;
      if (isDead) throw new Error("the Worker is dead");
    },
  });
  await run(dying);
  expect(isDead).toBe(true);
  due.shop.clock.advance(2 * 60_000);
  await run(whileCardIsRead(acts.cancel));
  await until("2026-12-12T12:00");

  expect(house.orders).toHaveLength(1);
  expect(await due.chargeOf()).toMatchObject({ status: "failed" });
  expect((await cardsOf(due)).map(({ status }) => status)).toContain("failed");
});
