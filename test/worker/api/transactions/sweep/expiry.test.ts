import { systemDependencies } from "../../../../../src/dependencies.ts";
import { expect, it } from "vitest";
import { endToEndId } from "../../../../support/builders/charges/charge-commands.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { env, givenCompany } from "../../../../support/builders/companies/company.ts";
import { cronDeps, runCron } from "../../../../support/fakes/cron.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { injectFault, withAccounts } from "../../../../support/faults/faulty-env.ts";
import { accountsOf } from "../../../../support/probes/ledger/ledger.ts";
import { unavailableProjection, replaceInObject } from "../../../../support/faults/object.ts";
import { givenTransaction, pay } from "../../../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../../../support/probes/webhooks/webhook-rows.ts";
import { transactionsOf } from "../../../../support/probes/charges/transaction-rows.ts";

/** A PIX charge lives a day unless the request says otherwise. */
const DAY_MS = 86_400_000;
/** The wait before a charge without a result is swept again. */
const NEXT_SCAN_MS = 5 * 60_000;

async function givenExpired() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  const deps = cronDeps(clock, bank);
  const transaction = await givenTransaction(company, { amount: 2_500 }, { deps });
  const chargeId = transaction.id.replaceAll("-", "");
  const cron = () => runCron(deps);
  /** The lookups of this charge; the sweep also polls other tests' charges. */
  const asked = () => bank.chargeLookups.filter((id) => id === chargeId).length;
  /** Past the expiry, to the millisecond. */
  const expire = () => clock.advance(DAY_MS);
  return { clock, company, bank, asked, cron, expire };
}

it("a charge is not polled before its expiry", async () => {
  const { clock, company, asked, cron } = await givenExpired();

  clock.advance(DAY_MS - 1);
  await cron();

  expect(asked()).toBe(0);
  expect(await transactionsOf(company)).toMatchObject([{ status: "waiting_payment" }]);
});

it("a charge that is open at the bank after its expiry is cancelled with its event", async () => {
  const { company, asked, cron, expire } = await givenExpired();

  expire();
  await cron();
  await cron();

  expect(asked()).toBe(1);
  expect(await transactionsOf(company)).toMatchObject([{ status: "cancelled", nextSweepAt: null }]);
  const events = await eventsOf(company);
  expect(events).toHaveLength(1);
  expect(events[0]?.body).toMatchObject({
    type: "transaction.cancelled",
    sequence: 1,
    data: {
      status: "CANCELLED",
      cancelReason: "EXPIRED",
      previousStatus: "WAITING_PAYMENT",
    },
  });
});

it("a charge that was paid before its scan is paid, not cancelled", async () => {
  const { clock, company, bank, cron, expire } = await givenExpired();
  bank.setPayments({ paymentId: endToEndId(1), method: "PIX", amount: 2_500, paidAt: clock.now() });

  expire();
  await cron();
  await cron();

  expect(await transactionsOf(company)).toMatchObject([{ status: "paid", nextSweepAt: null }]);
  expect(await accountsOf(company)).toEqual({ available: 2_500, provider: -2_500 });
  expect((await eventsOf(company)).map((event) => event.type)).toEqual(["transaction.paid"]);
});

it.each(["unknown", "not_found"] as const)(
  "a charge that the bank reports as %s stays open and is scanned again later",
  async (kind) => {
    const { clock, company, bank, asked, cron, expire } = await givenExpired();
    bank.charge = { kind };

    expire();
    await cron();
    await cron();

    expect(asked()).toBe(1);
    expect(await transactionsOf(company)).toMatchObject([
      { status: "waiting_payment", nextSweepAt: clock.now() + NEXT_SCAN_MS },
    ]);
    expect(await eventsOf(company)).toEqual([]);
    bank.charge = { kind: "known", status: "open", payments: [], disputes: [], refunds: [] };
    clock.advance(NEXT_SCAN_MS);
    await cron();
    expect(await transactionsOf(company)).toMatchObject([{ status: "cancelled" }]);
  },
);

it("a charge that the bank calls failed is failed", async () => {
  const { company, bank, cron, expire } = await givenExpired();
  bank.charge = { kind: "known", status: "failed", payments: [], disputes: [], refunds: [] };

  expire();
  await cron();

  expect(await transactionsOf(company)).toMatchObject([{ status: "failed" }]);
});

it("a bank error for one charge does not block the next charge", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  const deps = cronDeps(clock, bank);
  const first = await givenTransaction(company, {}, { deps });
  clock.advance(1);
  await givenTransaction(company, {}, { deps });
  const find = bank.findCharge.bind(bank);
  bank.findCharge = async (chargeId) => {
    if (chargeId === first.id.replaceAll("-", "")) throw new Error("connection reset");
    return find(chargeId);
  };

  clock.advance(DAY_MS);
  await runCron(deps);

  expect(await transactionsOf(company)).toMatchObject([
    { status: "waiting_payment", nextSweepAt: clock.now() + NEXT_SCAN_MS },
    { status: "cancelled" },
  ]);
});

it("a charge of a company without a bank stays open and does not delay others", async () => {
  const { clock, company, bank, expire } = await givenExpired();
  const registry = { ...bank.registry(), ofAccount: async () => null };

  expire();
  await runCron({ ...cronDeps(clock, bank), providers: () => registry });

  expect(await transactionsOf(company)).toMatchObject([
    { status: "waiting_payment", nextSweepAt: clock.now() + NEXT_SCAN_MS },
  ]);
});

it("the cron of one minute continues until nothing is due, beyond its first batch", async () => {
  const { company, bank, cron, clock, expire } = await givenExpired();
  const deps = cronDeps(clock, bank);
  for (let made = 0; made < 44; made++) await givenTransaction(company, {}, { deps });

  expire();
  await cron();

  const statuses = (await transactionsOf(company)).map((row) => row.status);
  expect(statuses).toHaveLength(45);
  expect(new Set(statuses)).toEqual(new Set(["cancelled"]));
});

it("a company with a stuck outbox does not delay other companies' charges", async () => {
  const stuck = await givenExpired();
  const deps = cronDeps(stuck.clock, stuck.bank);
  for (let made = 0; made < 24; made++) await givenTransaction(stuck.company, {}, { deps });
  const restore = await replaceInObject(stuck.company, unavailableProjection());
  stuck.clock.advance(1);
  const other = await givenCompany({ clock: stuck.clock });
  await givenTransaction(other, {}, { deps });

  stuck.expire();
  await stuck.cron();

  expect(await transactionsOf(other)).toMatchObject([{ status: "cancelled" }]);
  expect(stuck.asked()).toBe(1);
  await restore();
});

it("the sweep finds a sandbox payment whose request was cut off", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const { id } = await givenTransaction(company, {}, { deps: { platformClock: clock } });
  const cut = injectFault({ on: /^settlePayment$/, when: "before" });
  const answer = await pay(company, id, undefined, {
    deps: { platformClock: clock },
    env: withAccounts(env, cut.intercept),
  });
  expect(answer.status).toBeGreaterThanOrEqual(500);

  clock.advance(60_000);
  await runCron({ ...systemDependencies, platformClock: clock });

  const rows = await transactionsOf(company);
  expect(rows.find((row) => row.id === id)).toMatchObject({ status: "paid" });
});
