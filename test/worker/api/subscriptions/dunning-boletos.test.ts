import { expect, it } from "vitest";
import { byHandPath, givenOpenCycle, pay } from "../../../support/builders/charges/by-hand.ts";
import {
  chargesOf,
  decide,
  openShop,
  subscriptionOf,
} from "../../../support/builders/charges/subscriptions.ts";
import { runInD1 } from "../../../support/builders/companies/archived-rows.ts";

/** A subscription whose first debit, of 2026-12-10, fails, and which is dunned by a boleto of some days. */
async function givenBoleto(days: number, body: object = {}) {
  const shop = await openShop();
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-08", {
    retry: "none",
    dunning: { link: "event", method: "BOLETO", days, then: "cancel" },
    ...body,
  });
  await decide(shop, transactionId, "no_balance");
  const until = (time: string) => shop.live({ set: `${time}:00-03:00` });
  await until("2026-12-11T12:00");
  const chargeOf = async () =>
    (await chargesOf(shop, id)).find((each) => each.transactionId === transactionId);
  const slips = () =>
    runInD1<{ id: string }>(
      "SELECT id FROM transactions WHERE company_id = ? AND payment_method = 'BOLETO'",
      shop.company.id,
    );
  return { shop, id, transactionId, until, chargeOf, slips };
}

it("a boleto that was paid on its last day, and told of after the dunning's, ends no subscription", async () => {
  // Due on Sunday the 13th, so that it is paid until the Monday; the days are over on that evening.
  const { shop, id, until, chargeOf } = await givenBoleto(4);
  const { byHand } = await chargeOf();
  await until("2026-12-15T10:00");
  await pay(shop, byHand.id);
  await until("2026-12-18T12:00");

  expect((await subscriptionOf(shop, id)).status).toBe("active");
  expect(await chargeOf()).toMatchObject({ status: "paid", recovered: true });
});

it("a boleto that stays unpaid ends the subscription once the bank must have told, and is made once", async () => {
  // Due on Saturday the 12th: paid until the Monday. Its charge ends on the Tuesday.
  const { shop, id, until, chargeOf, slips } = await givenBoleto(3);
  await until("2026-12-16T20:00");
  expect((await subscriptionOf(shop, id)).status).toBe("past_due");
  await until("2026-12-17T01:00");

  expect((await subscriptionOf(shop, id)).status).toBe("cancelled");
  expect((await chargeOf()).status).toBe("failed");
  expect(await slips()).toHaveLength(1);
});

it("the next cycle is debited while a boleto is waited for", async () => {
  const { shop, id, until, chargeOf } = await givenBoleto(4, { period: "WEEKLY" });
  await until("2026-12-15T10:00");
  const [next] = await chargesOf(shop, id);
  expect(next).toMatchObject({ cycle: 2, dueDate: "2026-12-17", status: "open" });
  expect(next.attempts).toMatchObject([{ at: "2026-12-17", status: "scheduled" }]);
  await pay(shop, (await chargeOf()).byHand.id);
  await until("2026-12-18T12:00");

  expect((await subscriptionOf(shop, id)).status).toBe("active");
  expect((await chargesOf(shop, id)).slice(0, 2)).toMatchObject([
    { cycle: 2, status: "paid" },
    { cycle: 1, status: "paid" },
  ]);
});

it("a cycle whose dunning ends nothing waits for no boleto", async () => {
  const dunning = { link: "event", method: "BOLETO", days: 4, then: "none" };
  const { shop, id, transactionId, chargeOf } = await givenBoleto(4, { dunning });
  expect(await chargeOf()).toMatchObject({ status: "failed", byHand: { method: "BOLETO" } });
  const again = await shop.send(byHandPath(id, transactionId));
  expect(again.body.data.byHand.id).toBe((await chargeOf()).byHand.id);
});
