import { expect, it } from "vitest";
import { providerChargeId } from "../../../../src/domain/charges/transaction.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { drained } from "../../../support/builders/commands.ts";
import { env, givenCompany } from "../../../support/builders/company.ts";
import { cronDeps, runSweep } from "../../../support/fakes/cron.ts";
import { createCardCharge, FakeAcquirer, readBack } from "../../../support/fakes/fake-acquirer.ts";
import { fault, withAccounts, withD1, type Fault } from "../../../support/faults/faulty-env.ts";
import { accountsOf } from "../../../support/builders/ledger.ts";
import { downRecords, replaceInObject } from "../../../support/probes/object.ts";
import { eventsOf, transactionsOf } from "../../../support/probes/webhook-rows.ts";

const LEASE_MS = 30_000;
const SWEEP_MS = 60_000;
const LOST_MS = 10 * 60_000;
const ASK_AFTER_MS = 30_000;

const CLAIM = /insert into "transactions"/;
const ANSWER = /update "transactions" set .*"answered_at"/;
const TOLD = /^(settlePayment|moveCharge)$/;

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
  const struck = fault(wish as Parameters<typeof fault>[0]);
  expect((await create(wrap(struck))).status).toBe(500);
  expect(struck.strikes()).toBe(1);
}

const atD1 = (struck: Fault) => withD1(env, struck.around);
const atObject = (struck: Fault) => withAccounts(env, struck.around);

const AFTER_THE_SALE: [string, (struck: Fault) => typeof env, object][] = [
  ["before the object was told", atObject, { on: TOLD, when: "before" }],
  ["as the object's answer was lost", atObject, { on: TOLD, when: "after" }],
  ["before D1 had the answer", atD1, { on: ANSWER, when: "before" }],
  ["as D1's answer was lost", atD1, { on: ANSWER, when: "after" }],
];

it.each(AFTER_THE_SALE)(
  "a card charged and then crashed %s is charged once, and its key answers that",
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
  "a card charged and then crashed %s is found by the sweep, which has no card to send",
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
  ["refused", { refuses: true }, {}, "transaction.refused"],
  ["authorized", { refuses: false }, { capture: false }, "transaction.authorized"],
])(
  "a card that was %s before a crash is so, once, without money",
  async (status, mood, wish, type) => {
    const shop = await givenShop();
    Object.assign(shop.bank, mood);
    const lost = fault({ on: TOLD, when: "before" });
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

it("a card that was never sent is only asked about, and after 10 minutes it has failed, once", async () => {
  const shop = await givenClaimed();

  shop.clock.advance(SWEEP_MS);
  await shop.sweep();
  expect(shop.bank.askedCharges).not.toEqual([]);
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
  "a retry %s the sweep has looked asks about a card that was never sent, and sends it once",
  async (_when, look) => {
    const shop = await givenClaimed();
    shop.clock.advance(SWEEP_MS);
    await look(shop);

    const retried = await shop.create();

    expect(retried.body.data.status).toBe("PAID");
    expect(shop.bank.askedCharges).not.toEqual([]);
    expect(shop.bank.orders).toHaveLength(1);
    expect(await accountsOf(shop.company)).toEqual(PAID);
  },
);

it.each([
  ["it approved", "PAID", { awaiting: 10_000, provider: -10_000 }],
  ["it never knew of", "FAILED", {}],
])(
  "a card whose acquirer said nothing is asked about until the end: one that %s",
  async (_what, status, accounts) => {
    const shop = await givenShop();
    const approves = status === "PAID";
    shop.bank.onCreate = async (order) => {
      if (approves) shop.bank.decide(order);
      return { kind: "unknown" };
    };

    const first = await shop.create();
    expect(first.status).toBe(200);
    expect(first.body.data.status).toBe("WAITING_PAYMENT");
    const replay = await shop.create();
    expect(replay.body).toEqual(first.body);
    shop.clock.advance(approves ? ASK_AFTER_MS : LOST_MS);
    await shop.sweep();

    expect(await shop.status()).toEqual([status.toLowerCase()]);
    expect(await shop.types()).toEqual([`transaction.${status.toLowerCase()}`]);
    expect(await accountsOf(shop.company)).toEqual(accounts);
    expect(shop.bank.registered).toHaveLength(1);
    expect((await shop.create()).body).toEqual(first.body);
  },
);

it("a card that its acquirer took back by itself, having said nothing, has failed", async () => {
  const shop = await givenShop();
  shop.bank.onCreate = async (order) => {
    shop.bank.decide(order);
    shop.bank.letGo(order.chargeId, "cancelled");
    return { kind: "unknown" };
  };
  const first = await shop.create(env, { capture: false });
  expect(first.body.data.status).toBe("WAITING_PAYMENT");

  shop.clock.advance(ASK_AFTER_MS);
  await shop.sweep();

  expect(await shop.status()).toEqual(["failed"]);
  expect(await shop.types()).toEqual(["transaction.failed"]);
});

it("a card that was to be charged at once and is only authorized is asked about until it is paid", async () => {
  const shop = await givenShop();
  const take = shop.bank.take.bind(shop.bank);
  shop.bank.take = () => false;
  expect((await shop.create()).body.data.status).toBe("AUTHORIZED");
  const [transaction] = await transactionsOf(shop.company);
  shop.bank.take = take;
  shop.bank.take(providerChargeId(transaction!.id), 10_000);

  shop.clock.advance(ASK_AFTER_MS);
  await shop.sweep();

  expect(await shop.status()).toEqual(["paid"]);
  expect(await accountsOf(shop.company)).toEqual(PAID);
});

it("an acquirer that does not answer questions either leaves a card as it is, for as long as that takes", async () => {
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

it("the ten minutes count from the request that sent it last", async () => {
  const shop = await givenClaimed();
  shop.clock.advance(LOST_MS - 1);
  shop.bank.onCreate = async () => ({ kind: "unknown" });
  expect((await shop.create()).body.data.status).toBe("WAITING_PAYMENT");
  shop.clock.advance(ASK_AFTER_MS);
  await shop.sweep();
  expect(await shop.status()).toEqual(["creating"]);

  shop.clock.advance(LOST_MS);
  await shop.sweep();

  expect(await shop.status()).toEqual(["failed"]);
});

it("money that an acquirer takes after all, of a card given up for lost, is credited", async () => {
  const shop = await givenShop();
  let order: Parameters<FakeAcquirer["decide"]>[0] | undefined;
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
    shop.bank.decide(order!);
    return answer;
  };
  await shop.sweep();
  expect(await shop.status()).toEqual(["failed"]);

  await readBack(shop.company, shop.bank, shop.clock);

  expect(await accountsOf(shop.company)).toEqual(PAID);
  expect(await shop.types()).toEqual(["transaction.failed", "transaction.paid"]);
});

it("two creates at once under one key charge one card, and are answered the same", async () => {
  const shop = await givenShop();

  const [left, right] = await Promise.all([shop.create(), shop.create()]);

  expect([left.status, right.status]).toEqual([200, 200]);
  expect(left.body).toEqual(right.body);
  expect(shop.bank.orders).toHaveLength(1);
  expect(await accountsOf(shop.company)).toEqual(PAID);
});

it("a retry while the first create still waits for its acquirer sends nothing, and has its answer", async () => {
  const shop = await givenShop();
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  shop.bank.onCreate = async (order) => {
    asked.resolve();
    await gate.promise;
    return shop.bank.decide(order);
  };

  const first = shop.create();
  await asked.promise;
  const second = shop.create();
  gate.resolve();

  expect((await second).body).toEqual((await first).body);
  expect(shop.bank.orders).toHaveLength(1);
});

it("the answer of a create is the same while D1 has not been told what was decided", async () => {
  const shop = await givenShop();
  const mend = await replaceInObject(shop.company, downRecords());

  const first = await shop.create();
  expect(first.body.data).toMatchObject({ status: "PAID", paidAmount: 10_000 });
  expect((await shop.create()).body).toEqual(first.body);
  await mend();
  await drained(shop.company);

  expect((await shop.create()).body).toEqual(first.body);
});

it("a create whose answer arrives after a sweep has given the card up for lost does not undo that", async () => {
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
