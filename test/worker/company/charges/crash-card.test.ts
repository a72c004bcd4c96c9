import { expect, it } from "vitest";
import { providerChargeId } from "../../../../src/domain/charges/transaction.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { waitUntilDrained } from "../../../support/builders/commands.ts";
import { env, givenCompany } from "../../../support/builders/company.ts";
import { cronDeps, runSweep } from "../../../support/fakes/cron.ts";
import {
  createCardCharge,
  FakeAcquirer,
  refreshCharge,
} from "../../../support/fakes/fake-acquirer.ts";
import {
  injectFault,
  withAccounts,
  withD1,
  type Fault,
} from "../../../support/faults/faulty-env.ts";
import { accountsOf } from "../../../support/builders/ledger.ts";
import { unavailableProjection, replaceInObject } from "../../../support/probes/object.ts";
import { eventsOf, transactionsOf } from "../../../support/probes/webhook-rows.ts";

const LEASE_MS = 30_000;
const SWEEP_MS = 60_000;
const LOST_MS = 10 * 60_000;
const LOOKUP_AFTER_MS = 30_000;

const CLAIM = /insert into "transactions"/;
const ANSWER = /update "transactions" set .*"answered_at"/;
const STATUS_REPORT = /^(settlePayment|transitionCharge)$/;

const PAID = { awaiting: 10_000, provider: -10_000 };

async function givenShop() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeAcquirer(clock);
  const deps = cronDeps(clock, bank);
  const create = (environment = env, wish = {}) =>
    createCardCharge(company, wish, { key: "tx_1", deps, env: environment });
  const sweep = () => runSweep(deps);
  const types = async () => (await eventsOf(company)).map(({ type }) => type);
  const status = async () => (await transactionsOf(company)).map((row) => row.status);
  return { clock, company, bank, create, sweep, types, status };
}

type Shop = Awaited<ReturnType<typeof givenShop>>;

async function crash({ create }: Shop, wrap: (struck: Fault) => typeof env, wish: object) {
  const struck = injectFault(wish as Parameters<typeof injectFault>[0]);
  expect((await create(wrap(struck))).status).toBe(500);
  expect(struck.injections()).toBe(1);
}

const atD1 = (struck: Fault) => withD1(env, struck.intercept);
const atObject = (struck: Fault) => withAccounts(env, struck.intercept);

const AFTER_THE_SALE: [string, (struck: Fault) => typeof env, object][] = [
  ["before the object was told", atObject, { on: STATUS_REPORT, when: "before" }],
  ["as the object's answer was lost", atObject, { on: STATUS_REPORT, when: "after" }],
  ["before D1 had the answer", atD1, { on: ANSWER, when: "before" }],
  ["as D1's answer was lost", atD1, { on: ANSWER, when: "after" }],
];

it.each(AFTER_THE_SALE)(
  "a crash %s after a card was charged leads to one charge, and its key returns it",
  async (_when, wrap, wish) => {
    const shop = await givenShop();
    await crash(shop, wrap, wish);

    shop.clock.advance(LEASE_MS);
    const retried = await shop.create();

    expect(retried.status).toBe(200);
    expect(retried.body.data).toMatchObject({ status: "PAID", card: { lastDigits: "4242" } });
    expect((await shop.create()).body).toEqual(retried.body);
    expect(shop.bank.orders).toHaveLength(1);
    expect(await accountsOf(shop.company)).toEqual(PAID);
    expect(await shop.types()).toEqual(["transaction.paid"]);
  },
);

it.each(AFTER_THE_SALE)(
  "a crash %s after a card was charged is found by the sweep, which has no card to send",
  async (_when, wrap, wish) => {
    const shop = await givenShop();
    await crash(shop, wrap, wish);

    shop.clock.advance(SWEEP_MS);
    await shop.sweep();

    expect(shop.bank.orders).toHaveLength(1);
    expect(await accountsOf(shop.company)).toEqual(PAID);
    expect(await shop.types()).toEqual(["transaction.paid"]);
    expect(await shop.status()).toEqual(["paid"]);
    shop.clock.advance(LEASE_MS);
    expect((await shop.create()).body.data.status).toBe("PAID");
    expect(shop.bank.orders).toHaveLength(1);
  },
);

it.each([
  ["refused", { declines: true }, {}, "transaction.refused"],
  ["authorized", { refuses: false }, { capture: false }, "transaction.authorized"],
])(
  "a card that was %s before a crash keeps that status once, without money",
  async (status, mood, wish, type) => {
    const shop = await givenShop();
    Object.assign(shop.bank, mood);
    const lost = injectFault({ on: STATUS_REPORT, when: "before" });
    expect((await shop.create(atObject(lost), wish)).status).toBe(500);

    shop.clock.advance(SWEEP_MS);
    await shop.sweep();

    expect(await shop.status()).toEqual([status]);
    expect(shop.bank.orders).toHaveLength(1);
    expect(await shop.types()).toEqual([type]);
    expect(await accountsOf(shop.company)).toEqual({});
  },
);

/** A create whose process died before anything was sent. */
async function givenClaimed() {
  const shop = await givenShop();
  await crash(shop, atD1, { on: CLAIM, when: "after" });
  expect(shop.bank.orders).toEqual([]);
  return shop;
}

it("a card charge that was never sent is only looked up, and fails once after 10 minutes", async () => {
  const shop = await givenClaimed();

  shop.clock.advance(SWEEP_MS);
  await shop.sweep();
  expect(shop.bank.chargeLookups).not.toEqual([]);
  expect(await shop.status()).toEqual(["creating"]);
  shop.clock.advance(LOST_MS);
  await shop.sweep();
  await shop.sweep();

  expect(await shop.status()).toEqual(["failed"]);
  expect(await shop.types()).toEqual(["transaction.failed"]);
  expect(shop.bank.orders).toEqual([]);
  const replay = await shop.create();
  expect(replay.body.data.status).toBe("FAILED");
  expect(shop.bank.orders).toEqual([]);
});

it.each([
  ["before", async () => undefined],
  ["after", (shop: Shop) => shop.sweep()],
])(
  "a retry %s the sweep's scan looks up an unsent card charge and sends it once",
  async (_when, look) => {
    const shop = await givenClaimed();
    shop.clock.advance(SWEEP_MS);
    await look(shop);

    const retried = await shop.create();

    expect(retried.body.data.status).toBe("PAID");
    expect(shop.bank.chargeLookups).not.toEqual([]);
    expect(shop.bank.orders).toHaveLength(1);
    expect(await accountsOf(shop.company)).toEqual(PAID);
  },
);

it.each([
  ["it approved", "PAID", { awaiting: 10_000, provider: -10_000 }],
  ["it never knew of", "FAILED", {}],
])(
  "a card charge without a response is polled until its end: one that %s",
  async (_what, status, accounts) => {
    const shop = await givenShop();
    const approves = status === "PAID";
    shop.bank.onCreate = async (order) => {
      if (approves) shop.bank.authorize(order);
      return { kind: "unknown" };
    };

    const first = await shop.create();
    expect(first.status).toBe(200);
    expect(first.body.data.status).toBe("WAITING_PAYMENT");
    const replay = await shop.create();
    expect(replay.body).toEqual(first.body);
    shop.clock.advance(approves ? LOOKUP_AFTER_MS : LOST_MS);
    await shop.sweep();

    expect(await shop.status()).toEqual([status.toLowerCase()]);
    expect(await shop.types()).toEqual([`transaction.${status.toLowerCase()}`]);
    expect(await accountsOf(shop.company)).toEqual(accounts);
    expect(shop.bank.createdCharges).toHaveLength(1);
    expect((await shop.create()).body).toEqual(first.body);
  },
);

it("a card charge that its acquirer reversed without a response has failed", async () => {
  const shop = await givenShop();
  shop.bank.onCreate = async (order) => {
    shop.bank.authorize(order);
    shop.bank.voidSale(order.chargeId, "cancelled");
    return { kind: "unknown" };
  };
  const first = await shop.create(env, { capture: false });
  expect(first.body.data.status).toBe("WAITING_PAYMENT");

  shop.clock.advance(LOOKUP_AFTER_MS);
  await shop.sweep();

  expect(await shop.status()).toEqual(["failed"]);
  expect(await shop.types()).toEqual(["transaction.failed"]);
});

it("a direct card charge that is only authorized is polled until it is paid", async () => {
  const shop = await givenShop();
  const take = shop.bank.captureSale.bind(shop.bank);
  shop.bank.captureSale = () => false;
  expect((await shop.create()).body.data.status).toBe("AUTHORIZED");
  const [transaction] = await transactionsOf(shop.company);
  shop.bank.captureSale = take;
  shop.bank.captureSale(providerChargeId(transaction!.id), 10_000);

  shop.clock.advance(LOOKUP_AFTER_MS);
  await shop.sweep();

  expect(await shop.status()).toEqual(["paid"]);
  expect(await accountsOf(shop.company)).toEqual(PAID);
});

it("a card charge keeps its status as long as its acquirer does not respond to lookups", async () => {
  const shop = await givenClaimed();
  const find = shop.bank.findCharge.bind(shop.bank);
  shop.bank.findCharge = async () => ({ kind: "unknown" });
  shop.clock.advance(2 * LOST_MS);
  await shop.sweep();
  expect(await shop.status()).toEqual(["creating"]);
  expect(await shop.types()).toEqual([]);

  shop.bank.findCharge = find;
  shop.clock.advance(LOST_MS);
  await shop.sweep();

  expect(await shop.status()).toEqual(["failed"]);
});

it("the ten minutes start at the last request that sent the charge", async () => {
  const shop = await givenClaimed();
  shop.clock.advance(LOST_MS - 1);
  shop.bank.onCreate = async () => ({ kind: "unknown" });
  expect((await shop.create()).body.data.status).toBe("WAITING_PAYMENT");
  shop.clock.advance(LOOKUP_AFTER_MS);
  await shop.sweep();
  expect(await shop.status()).toEqual(["creating"]);

  shop.clock.advance(LOST_MS);
  await shop.sweep();

  expect(await shop.status()).toEqual(["failed"]);
});

it("a late payment of a card charge that was marked failed is credited", async () => {
  const shop = await givenShop();
  let order: Parameters<FakeAcquirer["authorize"]>[0] | undefined;
  shop.bank.onCreate = async (sent) => {
    order = sent;
    return { kind: "unknown" };
  };
  await shop.create();
  shop.clock.advance(LOST_MS);
  // While the cron asks, and just before its word reaches the object.
  const find = shop.bank.findCharge.bind(shop.bank);
  shop.bank.findCharge = async (chargeId) => {
    const answer = await find(chargeId);
    shop.bank.authorize(order!);
    return answer;
  };
  await shop.sweep();
  expect(await shop.status()).toEqual(["failed"]);

  await refreshCharge(shop.company, shop.bank, shop.clock);

  expect(await accountsOf(shop.company)).toEqual(PAID);
  expect(await shop.types()).toEqual(["transaction.failed", "transaction.paid"]);
});

it("two concurrent creates under one key charge one card and get the same response", async () => {
  const shop = await givenShop();

  const [left, right] = await Promise.all([shop.create(), shop.create()]);

  expect([left.status, right.status]).toEqual([200, 200]);
  expect(left.body).toEqual(right.body);
  expect(shop.bank.orders).toHaveLength(1);
  expect(await accountsOf(shop.company)).toEqual(PAID);
});

it("a retry during the first create sends nothing and gets its response", async () => {
  const shop = await givenShop();
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  shop.bank.onCreate = async (order) => {
    asked.resolve();
    await gate.promise;
    return shop.bank.authorize(order);
  };

  const first = shop.create();
  await asked.promise;
  const second = shop.create();
  gate.resolve();

  expect((await second).body).toEqual((await first).body);
  expect(shop.bank.orders).toHaveLength(1);
});

it("the create response is the same while D1 lacks the result", async () => {
  const shop = await givenShop();
  const mend = await replaceInObject(shop.company, unavailableProjection());

  const first = await shop.create();
  expect(first.body.data).toMatchObject({ status: "PAID", paidAmount: 10_000 });
  expect((await shop.create()).body).toEqual(first.body);
  await mend();
  await waitUntilDrained(shop.company);

  expect((await shop.create()).body).toEqual(first.body);
});

it("a create result that arrives after the sweep failed the charge does not revert that", async () => {
  const shop = await givenShop();
  shop.bank.onCreate = async () => {
    shop.clock.advance(LOST_MS);
    await shop.sweep();
    return { kind: "unknown" };
  };

  const answer = await shop.create();

  expect(answer.body.data.status).toBe("FAILED");
  expect(await shop.status()).toEqual(["failed"]);
  expect((await shop.create()).body).toEqual(answer.body);
});
