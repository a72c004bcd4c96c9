import { expect, it } from "vitest";
import type { Env } from "../../../../src/config.ts";
import { setRules } from "../../../support/builders/charges/unexpected.ts";
import { givenOpenCycle, makeByHand, pay } from "../../../support/builders/charges/by-hand.ts";
import {
  chargesOf,
  decide,
  givenApproved,
  givenSubscription,
  liveUntil,
  openShop,
  skipUntil,
  subscriptionOf,
  SUBSCRIPTIONS,
  transactionOf,
} from "../../../support/builders/charges/subscriptions.ts";
import { live, type Shop } from "../../../support/builders/companies/clocked-shop.ts";
import { env, inAccount, waitUntilDrained } from "../../../support/builders/companies/company.ts";
import { givenShopWith, LosingBank } from "../../../support/fakes/losing-bank.ts";
import { postOffice } from "../../../support/fakes/post-office.ts";
import { repeatThroughCrashes } from "../../../support/faults/crashes.ts";
import { eventsOf } from "../../../support/probes/webhooks/webhook-rows.ts";

const PAYER = {
  name: "Maria da Silva",
  document: { number: "12345678909" },
  email: "maria@example.com",
};
const NO_RETRY = { retry: "none", customer: PAYER };

/** A subscription whose first cycle is unpaid after its only attempt, in the night after 2026-12-10. */
async function givenUnpaid(shop: Shop, body: object, outcome = "no_balance", world = env) {
  const { id, transactionId } = await givenOpenCycle(shop, "2026-12-08", { ...NO_RETRY, ...body });
  await decide(shop, transactionId, outcome);
  const { company, deps } = shop;
  await live({ company, deps, env: world }, { set: "2026-12-11T01:00:00-03:00" });
  return { id, transactionId };
}

async function eventDataOf(shop: Shop, type: string): Promise<any> {
  const event = (await eventsOf(shop.company)).find((each) => each.type === type);
  return event?.body.data;
}

/** Lives until a day at noon, where e-mails can be sent. */
function liveWith({ company, deps }: Shop, world: typeof env, day: string) {
  return live({ company, deps, env: world }, { set: `${day}T12:00:00-03:00` });
}

const contradictionsOf = (shop: Shop) =>
  inAccount(shop.company.id, (_account, { storage: { sql } }) =>
    sql.exec("SELECT kind, object, amount, status, said FROM contradictions").toArray(),
  );

it("the event of the failure has the link, which is made before", async () => {
  const shop = await openShop();
  const { id } = await givenUnpaid(shop, { dunning: { link: "event" } });
  const [charge] = await chargesOf(shop, id);
  expect(charge.byHand).toMatchObject({ status: "WAITING_PAYMENT" });
  const told = await eventDataOf(shop, "subscription.charge_failed");
  expect(told.charge).toMatchObject({ byHand: { id: charge.byHand.id }, recovered: false });
  expect((await subscriptionOf(shop, id)).dunning).toEqual({
    link: "event",
    method: "PIX",
    savedCardId: null,
    days: 7,
    then: "none",
  });

  await pay(shop, charge.byHand.id);
  await liveUntil(shop, "2026-12-12");
  expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "paid", recovered: true });
  expect((await subscriptionOf(shop, id)).status).toBe("active");
});

it("without a policy no link is made", async () => {
  const shop = await openShop();
  const { id } = await givenUnpaid(shop, {});
  await liveUntil(shop, "2026-12-20");

  expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "failed", byHand: null });
  expect((await subscriptionOf(shop, id)).dunning).toMatchObject({ link: "none", then: "none" });
});

it("a payer gets the link by e-mail, once", async () => {
  const office = postOffice();
  const shop = await openShop();
  const { id } = await givenUnpaid(
    shop,
    { dunning: { link: "email", days: 3 } },
    "no_balance",
    office.env,
  );
  const [{ byHand }] = await chargesOf(shop, id);
  for (const day of ["2026-12-11", "2026-12-12", "2026-12-15"])
    await liveWith(shop, office.env, day);

  const sent = office.sent.filter(({ to }) => to === PAYER.email);
  expect(sent).toHaveLength(1);
  const { secureId } = await transactionOf(shop, byHand.id);
  expect(sent[0]?.subject).toBe(
    "[TESTE · TEST] Loja: o débito de R$ 49,90 não foi pago · the debit was not paid",
  );
  expect(sent[0]?.text).toContain(`https://pay.example.com/checkout/${secureId}`);
  expect(sent[0]?.text).toContain("Clube do livro");
});

it("the e-mail with a boleto has its line and its last day", async () => {
  const office = postOffice();
  const shop = await openShop();
  const dunning = { link: "email", method: "BOLETO", days: 4 };
  const { id } = await givenUnpaid(shop, { dunning }, "no_balance", office.env);
  for (const day of ["2026-12-11", "2026-12-12"]) await liveWith(shop, office.env, day);

  const [{ byHand }] = await chargesOf(shop, id);
  expect(byHand).toMatchObject({ method: "BOLETO", status: "WAITING_PAYMENT" });
  const sent = office.sent.find(({ to }) => to === PAYER.email);
  const line = `até 13/12/2026, pela linha digitável ${byHand.digitableLine} ou pelo link`;
  expect(sent?.text).toContain(`Para pagar o boleto ${line}`);
  const { secureId } = await transactionOf(shop, byHand.id);
  expect(sent?.text).toContain(`https://pay.example.com/checkout/${secureId}`);
  expect(sent?.text).not.toContain("Pix");
});

it.each([
  ["no_balance", "Não havia saldo na conta.", "The account had no balance."],
  ["over_limit", "Aumente o limite no app do banco", "Raise it in your bank's app"],
  ["closed", "peça à loja um novo link de aprovação", "ask the shop for a new link to approve"],
] as const)("the e-mail says why and what the payer can do: %s", async (outcome, pt, en) => {
  const office = postOffice();
  const shop = await openShop();
  await givenUnpaid(shop, { dunning: { link: "email" } }, outcome, office.env);
  await liveWith(shop, office.env, "2026-12-11");
  await liveWith(shop, office.env, "2026-12-12");

  const sent = office.sent.find(({ to }) => to === PAYER.email);
  expect(sent?.text).toContain(pt);
  expect(sent?.text).toContain(en);
});

it.each([100, 9_990])(
  "money that was not asked for, which is kept, holds up no dunning: %d",
  async (amount) => {
    const office = postOffice();
    const shop = await openShop();
    const dunning = { link: "email", days: 2, then: "pause" };
    const body = { ...NO_RETRY, dunning };
    const { id, transactionId } = await givenOpenCycle(shop, "2026-12-08", body);
    await setRules(shop.company, { WRONG_AMOUNT: "keep" });
    const byHand = await makeByHand(shop, id, transactionId);
    const path = `/api/v1/sandbox/transactions/${byHand.id}/pay`;
    const paid = await shop.send(path, { body: { amount } });
    expect(paid.status, paid.text).toBe(200);
    await decide(shop, transactionId, "no_balance");
    for (const day of ["2026-12-11", "2026-12-12", "2026-12-14"])
      await liveWith(shop, office.env, day);

    expect((await subscriptionOf(shop, id)).status).toBe("paused");
    expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "failed" });
    // Nobody is stopped who was not told.
    expect(office.sent.filter(({ to }) => to === PAYER.email)).toHaveLength(1);
  },
);

it("no e-mail is sent of what is paid meanwhile", async () => {
  const office = postOffice();
  const shop = await openShop();
  const { id } = await givenUnpaid(shop, { dunning: { link: "email" } }, "no_balance", office.env);
  await pay(shop, (await chargesOf(shop, id))[0].byHand.id);
  await liveWith(shop, office.env, "2026-12-12");

  expect(office.sent.filter(({ to }) => to === PAYER.email)).toEqual([]);
});

it.each([
  ["pause", "paused", "subscription.paused"],
  ["cancel", "cancelled", "subscription.cancelled"],
] as const)(
  "what is unpaid after its days has the subscription end: %s",
  async (then, to, type) => {
    const shop = await openShop();
    const { id, transactionId } = await givenUnpaid(shop, {
      dunning: { link: "event", days: 4, then },
    });
    await shop.live({ set: "2026-12-14T20:00:00-03:00" });
    expect((await subscriptionOf(shop, id)).status).toBe("past_due");
    expect((await chargesOf(shop, id))[0]).toMatchObject({ status: "open" });
    await liveUntil(shop, "2026-12-16");

    expect((await subscriptionOf(shop, id)).status).toBe(to);
    expect((await eventsOf(shop.company)).filter((event) => event.type === type)).toHaveLength(1);
    const [charge] = await chargesOf(shop, id);
    expect(charge).toMatchObject({ status: "failed", byHand: { status: "WAITING_PAYMENT" } });
    expect(await transactionOf(shop, transactionId)).toMatchObject({ status: "FAILED" });
    await pay(shop, charge.byHand.id);
    await liveUntil(shop, "2026-12-17");
    await skipUntil(shop, "2027-01-06");
    await liveUntil(shop, "2027-01-12");
    expect(await chargesOf(shop, id)).toMatchObject(
      then === "pause"
        ? [
            { cycle: 2, status: "skipped" },
            { status: "paid", recovered: true },
          ]
        : [{ status: "paid", recovered: true }],
    );
  },
);

it("what is paid in its days ends nothing", async () => {
  const shop = await openShop();
  const dunning = { link: "event", days: 4, then: "cancel" };
  const { id, transactionId } = await givenUnpaid(shop, { period: "WEEKLY", dunning });
  await shop.live({ set: "2026-12-14T20:00:00-03:00" });
  const dunned = (await chargesOf(shop, id)).find((each) => each.transactionId === transactionId);
  await pay(shop, dunned.byHand.id);
  await liveUntil(shop, "2026-12-18");

  expect((await subscriptionOf(shop, id)).status).toBe("active");
  expect((await chargesOf(shop, id)).map(({ status }) => status)).toEqual(["paid", "paid"]);
});

it("the policy is changed, and one that nobody can be told of is refused", async () => {
  const shop = await openShop();
  const customer = { name: "Ana", document: { number: "12345678909" } };
  const asked = { retry: "none", dunning: { link: "email" }, customer };
  const refused = await shop.send(SUBSCRIPTIONS, {
    body: {
      description: "Clube",
      amount: 100,
      period: "MONTHLY",
      firstDueDate: "2026-12-10",
      journey: "QR",
      ...asked,
    },
  });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, ["dunning"]]);
  const { id } = await givenSubscription(shop, { customer });
  const change = (body: object) => shop.send(`${SUBSCRIPTIONS}/${id}`, { body, method: "PATCH" });
  const noEmail = await change({ dunning: { link: "email" } });
  expect([noEmail.status, Object.keys(noEmail.body.errors)]).toEqual([400, ["dunning"]]);
  const policy = { link: "event", days: 10, then: "cancel" };
  expect((await change({ dunning: policy })).body.data.dunning).toMatchObject(policy);
  expect((await change({ dunning: {} })).body.data.dunning).toMatchObject({ link: "none" });
  const audit = await shop.send("/api/v1/audit?action=subscription.change&order=newest", {
    method: "GET",
  });
  expect(audit.body.items[0]).toMatchObject({
    before: { dunning: policy },
    after: { dunning: null },
  });
  expect((await change({})).status).toBe(400);
  expect((await change({ dunning: { days: 31 } })).status).toBe(400);
});

it("a closed account needs a new approval, and its cycle is dunned too", async () => {
  const shop = await openShop();
  const { id } = await givenUnpaid(shop, { retry: [1], dunning: { link: "event" } }, "closed");

  expect(await subscriptionOf(shop, id)).toMatchObject({
    status: "past_due",
    mandate: { needsApproval: true },
  });
  expect(await eventDataOf(shop, "subscription.charge_failed")).toMatchObject({
    mandate: { needsApproval: true },
    charge: { attempts: [{ action: "new_approval" }], byHand: { id: expect.any(String) } },
  });
  expect(await contradictionsOf(shop)).toEqual([]);
});

it("a limit of the payer's is tried again no more, and the link is offered", async () => {
  const shop = await openShop();
  const { id } = await givenUnpaid(
    shop,
    { retry: [1, 3], dunning: { link: "event" } },
    "over_limit",
  );
  await liveUntil(shop, "2026-12-16");

  const [charge] = await chargesOf(shop, id);
  expect(charge.attempts).toHaveLength(1);
  expect(charge.byHand).toMatchObject({ status: "WAITING_PAYMENT" });
});

it("a fault of ours is a contradiction that people see, once", async () => {
  const bank = new LosingBank();
  const { shop } = await givenShopWith(bank);
  await liveUntil(shop, "2026-12-04");
  const { id } = await givenApproved(shop, NO_RETRY);
  const { providers } = shop.deps;
  shop.deps.providers = (each: Env) => ({ ...providers(each), ofAccount: async () => null });
  await liveUntil(shop, "2026-12-05");
  await skipUntil(shop, "2026-12-09");
  await liveUntil(shop, "2026-12-09");
  shop.deps.providers = providers;
  await liveUntil(shop, "2026-12-12");

  const [charge] = await chargesOf(shop, id);
  expect(charge).toMatchObject({ status: "failed", attempts: [{ action: "our_fault" }] });
  expect(await contradictionsOf(shop)).toMatchObject([
    { kind: "debit_refused", object: charge.transactionId, status: "open" },
  ]);
});

it.each(["before", "after"] as const)(
  "a Worker that dies %s any call offers one link, and mails it once",
  async (when) => {
    const { clock, shop, run } = await givenShopWith(new LosingBank());
    const { id } = await givenApproved(shop, { ...NO_RETRY, dunning: { link: "email" } });
    await liveUntil(shop, "2026-12-06");
    const [{ transactionId }] = await chargesOf(shop, id);
    await decide(shop, transactionId, "no_balance");
    clock.advance(Date.parse("2026-12-11T04:00:00Z") - (await shop.now()));
    const crashes = await repeatThroughCrashes(when, run, async () => {
      clock.advance(2 * 60_000);
    });
    await run();
    await waitUntilDrained(shop.company);

    expect(crashes.length).toBeGreaterThan(3);
    const [charge] = await chargesOf(shop, id);
    expect(charge.byHand).toMatchObject({ status: "WAITING_PAYMENT" });
    const { results } = await env.DB.prepare("SELECT id FROM emails WHERE company_id = ?")
      .bind(shop.company.id)
      .all<{ id: string }>();
    expect(results).toEqual([{ id: `dunning:${charge.byHand.id}` }]);
    const failed = (await eventsOf(shop.company)).filter(
      ({ type }) => type === "subscription.charge_failed",
    );
    expect(failed).toHaveLength(1);
  },
);
