import { expect, it } from "vitest";
import { projectionWriter } from "../../../../src/db/projection/projection-writer.ts";
import type { SubscriptionEntry } from "../../../../src/domain/events/outbox-entry.ts";
import { callsTo } from "../../../support/builders/companies/calls.ts";
import { waitUntilDrained } from "../../../support/builders/companies/company.ts";
import {
  chargesOf,
  givenApproved,
  liveUntil,
  openShop,
  play,
} from "../../../support/builders/charges/subscriptions.ts";
import { withDatabase } from "../../../support/probes/database/instrumented-database.ts";

/** An erased subscription of a shop, and a cycle of it. */
async function givenErased() {
  const shop = await openShop();
  const { id } = await givenApproved(shop);
  await liveUntil(shop, "2026-12-06");
  await play(shop, id, "payer-cancel");
  const erased = await shop.send("/api/v1/payers/erase", { body: { document: "12345678909" } });
  expect(erased.status, erased.text).toBe(200);
  await waitUntilDrained(shop.company);
  const account = callsTo(shop.company.id);
  const [{ transactionId }] = await chargesOf(shop, id);
  const subscription = await account.findSubscription(id);
  const cycle = await account.findCycleOfCharge(transactionId);
  if (subscription === null || cycle === null) throw new Error("the subscription is not there");
  return { shop, subscription, cycle };
}

type Erased = Awaited<ReturnType<typeof givenErased>>;

/** The statements that a batch of entries takes texts of events with, and puts charges in line for their erasure. */
async function erasuresOf({ shop }: Erased, entries: SubscriptionEntry[]) {
  const made = { events: 0, charges: 0 };
  const env = withDatabase({
    called: (statements) => {
      made.events += statements.filter((sql) => /^update "events"/i.test(sql)).length;
      made.charges += statements.filter((sql) => /^insert into "payer_erasures"/i.test(sql)).length;
    },
  });
  await projectionWriter(env).write(shop.company.id, entries, await shop.now());
  return made;
}

it("an erasure takes the texts of events once, however many cycles change with it", async () => {
  const erased = await givenErased();
  const { subscription, cycle } = erased;
  const own = { kind: "subscription", subscription, cycle: null, event: null } as const;
  const ofCycle = { ...own, cycle };

  expect(await erasuresOf(erased, [own, ofCycle, ofCycle, ofCycle])).toEqual({
    events: 1,
    charges: 1,
  });
  expect(await erasuresOf(erased, [ofCycle, ofCycle])).toEqual({ events: 0, charges: 1 });
});

it("subscriptions with their payers have no erasure", async () => {
  const erased = await givenErased();
  const { subscription, cycle } = erased;
  const document = { ...subscription.customer.document, number: "12345678909" };
  const named = { ...subscription, customer: { ...subscription.customer, document } };
  const entry = { kind: "subscription", subscription: named, cycle, event: null } as const;
  expect(await erasuresOf(erased, [entry])).toEqual({ events: 0, charges: 0 });
});
