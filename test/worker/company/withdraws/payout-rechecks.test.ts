import { createExecutionContext } from "cloudflare:test";
import { expect, it, onTestFinished } from "vitest";
import { processRecheck } from "../../../../src/api/withdraws/tasks.ts";
import type { PayoutLookup } from "../../../../src/providers/provider.ts";
import { handleQueue } from "../../../../src/queue.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  returnedReport,
  claimPayout,
  PAID,
  reportPayout,
  RETURNED,
  withdraw,
} from "../../../support/builders/withdraws/withdraw-commands.ts";
import {
  waitUntilDrained,
  env,
  givenCompany,
  inAccount,
  type TestCompany,
  clearBacklog,
} from "../../../support/builders/companies/company.ts";
import { contradictionsOf } from "../../../support/probes/contradictions/contradictions.ts";
import { countRows, type RowCost } from "../../../support/probes/database/cost.ts";
import { depsWithBank } from "../../../support/builders/operations/operations.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { accountsOf, nextAlarmOf } from "../../../support/probes/ledger/ledger.ts";
import { evict, replaceInObject } from "../../../support/faults/object.ts";
import { recordingNotifier } from "../../../support/fakes/recording-notifier.ts";
import { tamper } from "../../../support/faults/tamper.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A withdraw of 20.00 of 50.00 that a bank has paid, which knows it by its id. */
async function givenPaidOut(account = "first") {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000, clock });
  onTestFinished(() => clearBacklog(company.id));
  const bank = new FakeBank();
  await withdraw(company, { amount: 2_000 });
  const claimed = await claimPayout(company, 1, account);
  await reportPayout(company, PAID);
  const payoutId = claimed.kind === "send" ? claimed.order.payoutId : "";
  bank.payouts.set(payoutId, { kind: "paid", endToEndId: "E1" });
  const notifier = recordingNotifier();
  await replaceInObject(company, { notifier });
  await waitUntilDrained(company);
  return { clock, company, bank, wakeUps: notifier, payoutId };
}

type World = Awaited<ReturnType<typeof givenPaidOut>>;

/** Turns the clock, and follows the hints that come of it. */
async function advance({ clock, company, bank, wakeUps }: World, ms: number): Promise<void> {
  clock.advance(ms);
  await waitUntilDrained(company);
  const deps = depsWithBank(bank, clock);
  for (const id of wakeUps.recheckIds.splice(0)) await processRecheck(env, deps, company.id, id);
}

const rechecks = (company: TestCompany) =>
  inAccount(company.id, (_, { storage }) =>
    storage.sql.exec("SELECT kind, subject, checks FROM rechecks").toArray(),
  );

it("a payout that was returned after it was paid is found within the hour without a notification", async () => {
  const world = await givenPaidOut();
  world.bank.payouts.set(world.payoutId, { kind: "returned", endToEndId: "E1" });

  await advance(world, HOUR_MS - 1);
  expect(world.bank.payoutLookups).toEqual([]);
  await advance(world, 1);

  expect(await accountsOf(world.company)).toMatchObject({ available: 5_000, provider: -5_000 });
  expect(await rechecks(world.company)).toEqual([]);
  await advance(world, 8 * DAY_MS);
  expect(world.bank.payoutLookups).toHaveLength(1);
});

it("a partial return is found, and polling continues for the rest", async () => {
  const world = await givenPaidOut();
  await advance(world, HOUR_MS);
  world.bank.payouts.set(world.payoutId, { kind: "paid", endToEndId: "E1", returnedAmount: 700 });
  await advance(world, 2 * HOUR_MS);

  expect(await accountsOf(world.company)).toMatchObject({ available: 3_700, provider: -3_700 });
  world.bank.payouts.set(world.payoutId, { kind: "returned", endToEndId: "E1" });
  await advance(world, 4 * HOUR_MS);

  expect(await accountsOf(world.company)).toMatchObject({ available: 5_000, provider: -5_000 });
});

it("a payout that is returned on the 90th day is found that day", async () => {
  const world = await givenPaidOut();
  for (let day = 0; day < 89; day++) await advance(world, DAY_MS);
  world.bank.payouts.set(world.payoutId, { kind: "returned", endToEndId: "E1" });
  expect(await accountsOf(world.company)).toMatchObject({ available: 3_000 });

  await advance(world, DAY_MS);

  expect(await accountsOf(world.company)).toMatchObject({ available: 5_000, provider: -5_000 });
});

it.each<PayoutLookup>([{ kind: "unknown" }, { kind: "not_found" }, { kind: "processing" }])(
  "a bank that reports $kind for a paid payout is polled again, and nothing is booked",
  async (answer) => {
    const world = await givenPaidOut();
    world.bank.onFindPayout = async () => answer;

    await advance(world, HOUR_MS);
    await advance(world, 2 * HOUR_MS);

    expect(world.bank.payoutLookups).toHaveLength(2);
    expect(await accountsOf(world.company)).toMatchObject({ available: 3_000, provider: -3_000 });
  },
);

it("a bank that later reports a rejection opens one contradiction", async () => {
  const world = await givenPaidOut();
  world.bank.payouts.set(world.payoutId, { kind: "failed", reason: "no such key" });

  await advance(world, HOUR_MS);
  await advance(world, 2 * HOUR_MS);

  const found = await inAccount(world.company.id, (_, { storage }) =>
    storage.sql.exec("SELECT finding, held FROM contradictions").toArray(),
  );
  expect(found).toEqual([{ finding: "payout_status:withdraw:1:Failed", held: 0 }]);
});

it("an outdated response contradicts nothing", async () => {
  const world = await givenPaidOut();
  world.bank.onFindPayout = async () => {
    world.clock.advance(1);
    await reportPayout(world.company, returnedReport(700));
    return { kind: "paid", endToEndId: "E1", returnedAmount: 300 };
  };
  await advance(world, HOUR_MS);
  expect(await contradictionsOf(world.company)).toEqual([]);
  world.bank.onFindPayout = async () => ({ kind: "paid", endToEndId: "E1", returnedAmount: 300 });

  await advance(world, 2 * HOUR_MS);

  expect(await contradictionsOf(world.company)).toMatchObject([
    { finding: "payout_status:withdraw:1:returned:300", held: 400 },
  ]);
  expect(await accountsOf(world.company)).toMatchObject({ available: 3_700 });
});

it("a payout whose return came by callback is no longer polled", async () => {
  const world = await givenPaidOut();
  await reportPayout(world.company, returnedReport(700));
  expect(await rechecks(world.company)).toHaveLength(1);

  await reportPayout(world.company, RETURNED);

  expect(await rechecks(world.company)).toEqual([]);
});

it("a sandbox payout is not polled, since its bank returns nothing by itself", async () => {
  const world = await givenPaidOut("sandbox");

  expect(await rechecks(world.company)).toEqual([]);
  expect(await nextAlarmOf(world.company)).toBeNull();
});

it("a payout with repeated messages or an evicted object is looked up and booked once", async () => {
  const world = await givenPaidOut();
  const { clock, company, bank } = world;
  bank.payouts.set(world.payoutId, { kind: "paid", endToEndId: "E1", returnedAmount: 700 });
  clock.advance(HOUR_MS);
  await waitUntilDrained(company);
  await evict(company, { clock });
  const deps = depsWithBank(bank, clock);

  await Promise.all([
    processRecheck(env, deps, company.id, 1),
    processRecheck(env, deps, company.id, 1),
  ]);
  await processRecheck(env, deps, company.id, 1);

  expect(bank.payoutLookups.length).toBeLessThanOrEqual(2);
  expect(await accountsOf(company)).toMatchObject({ available: 3_700, provider: -3_700 });
});

it("the payout consumer processes a recheck message", async () => {
  const world = await givenPaidOut();
  await tamper(world.company, "UPDATE rechecks SET next_check_at = 0, subject = '99'");
  const acked: string[] = [];
  const batch = {
    queue: "payouts",
    messages: [
      {
        body: { companyId: world.company.id, recheckId: 1 },
        ack: () => acked.push("ack"),
        retry: () => acked.push("retry"),
      },
    ],
  } as unknown as MessageBatch;

  await handleQueue(batch, env, createExecutionContext());

  // There is no such withdraw: nothing is left to ask.
  expect(acked).toEqual(["ack"]);
  expect(await rechecks(world.company)).toEqual([]);
});

it("90 days of a paid payout take 20 bank lookups and about a hundred object rows", async () => {
  const world = await givenPaidOut();
  const cost = await inAccount(world.company.id, (_, { storage }) => countRows(storage.sql));
  for (let hour = 0; hour < 91 * 24; hour += 12) await advance(world, 12 * HOUR_MS);

  const spent: RowCost = cost.lap();
  cost.stop();
  expect(world.bank.payoutLookups.length).toBeLessThanOrEqual(20);
  expect(spent.written).toBeLessThanOrEqual(100);
  expect(await rechecks(world.company)).toEqual([]);
  expect(await nextAlarmOf(world.company)).toBeNull();
});
