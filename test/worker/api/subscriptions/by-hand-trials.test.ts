import { expect, it } from "vitest";
import { byHandPath, givenOpenCycle } from "../../../support/builders/charges/by-hand.ts";
import { chargesOf, SUBSCRIPTIONS } from "../../../support/builders/charges/subscriptions.ts";
import type { Shop } from "../../../support/builders/companies/clocked-shop.ts";
import { env } from "../../../support/builders/companies/company.ts";
import { call } from "../../../support/builders/requests/api.ts";
import { givenShopWith, LosingBank } from "../../../support/fakes/losing-bank.ts";
import { withDatabase } from "../../../support/probes/database/instrumented-database.ts";

/** Asks so often for a cycle's link, which the provider refuses. The ids of the charges that were made for it. */
async function refusedLinks(shop: Shop, bank: LosingBank, cycle: Cycle, times: number) {
  const ids = new Set<string>();
  for (let asked = 0; asked < times; asked++) {
    bank.refused.add("createCharge");
    const refused = await shop.send(byHandPath(cycle.id, cycle.transactionId));
    expect([refused.status, refused.body.code]).toEqual([422, "CHARGE_REFUSED"]);
    ids.add((await chargesOf(shop, cycle.id))[0].byHand.id);
  }
  bank.refused.clear();
  return ids;
}

interface Cycle {
  id: string;
  transactionId: string;
}

/** An environment, and how often its database and its objects were called. */
function counted() {
  const calls = { database: 0, objects: 0 };
  const { DB } = withDatabase({ called: () => void (calls.database += 1) });
  const COMPANY_ACCOUNT = new Proxy(env.COMPANY_ACCOUNT, {
    get: (target, name) => {
      if (name === "getByName") calls.objects += 1;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { calls, world: { ...env, DB, COMPANY_ACCOUNT } };
}

it("a link that is refused again and again is made anew at growing waits", async () => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  const cycle = await givenOpenCycle(shop, "2026-12-06");
  expect((await refusedLinks(shop, bank, cycle, 10)).size).toBe(8);
  const early = await shop.send(byHandPath(cycle.id, cycle.transactionId));
  expect([early.status, early.body.code]).toEqual([422, "CHARGE_REFUSED"]);
  await shop.live({ advance: "PT61M" });
  expect((await refusedLinks(shop, bank, cycle, 2)).size).toBe(1);
  await shop.live({ advance: "PT61M" });
  expect((await shop.send(byHandPath(cycle.id, cycle.transactionId))).status).toBe(422);
  await shop.live({ advance: "PT60M" });

  const made = await shop.send(byHandPath(cycle.id, cycle.transactionId));
  expect([made.status, made.body.data.byHand.status]).toEqual([201, "WAITING_PAYMENT"]);
});

it("a cycle is closed by as many calls, however many links were refused", async () => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  const cycles = [
    await givenOpenCycle(shop, "2026-12-06"),
    await givenOpenCycle(shop, "2026-12-06"),
  ];
  for (const [at, cycle] of cycles.entries())
    await refusedLinks(shop, bank, cycle, at === 0 ? 1 : 6);
  const { company, deps } = shop;
  const costs = [];
  for (const { id, transactionId } of cycles) {
    const { calls, world } = counted();
    const path = `${SUBSCRIPTIONS}/${id}/charges/${transactionId}/cancel`;
    const ended = await call(path, { company, deps, env: world, method: "POST", body: {} });
    expect(ended.status, ended.text).toBe(200);
    expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "cancelled" });
    costs.push(calls);
  }

  expect(costs[0]?.objects).toBeGreaterThan(3);
  expect(costs[1]?.objects).toBeLessThanOrEqual(costs[0]?.objects ?? 0);
  expect(costs[1]?.database).toBeLessThanOrEqual(costs[0]?.database ?? 0);
});
