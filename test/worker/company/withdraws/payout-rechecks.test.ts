import { createExecutionContext } from "cloudflare:test";
import { expect, it, onTestFinished } from "vitest";
import { processRecheck } from "../../../../src/api/withdraws/recheck.ts";
import type { PayoutLookup } from "../../../../src/providers/provider.ts";
import { handleQueue } from "../../../../src/queue.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  backTo,
  claim,
  drained,
  PAID,
  report,
  RETURNED,
  withdraw,
} from "../../../support/builders/commands.ts";
import {
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../support/builders/company.ts";
import { contradictionsOf } from "../../../support/builders/contradictions.ts";
import { countRows, type Cost } from "../../../support/probes/cost.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { accountsOf, nextAlarmOf } from "../../../support/builders/ledger.ts";
import {
  evict,
  leaveAtRest,
  rememberedHints,
  replaceInObject,
} from "../../../support/probes/object.ts";
import { tamper } from "../../../support/faults/tamper.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A withdraw of 20.00 of 50.00 that a bank has paid, which knows it by its id. */
async function givenPaidOut(account = "first") {
  const clock = new TestClock();
  const company = await givenCompany({ balance: 5_000, clock });
  onTestFinished(() => leaveAtRest(company.id));
  const bank = new FakeBank();
  await withdraw(company, { amount: 2_000 });
  const claimed = await claim(company, 1, account);
  await report(company, PAID);
  const payoutId = claimed.kind === "send" ? claimed.order.payoutId : "";
  bank.payouts.set(payoutId, { kind: "paid", endToEndId: "E1" });
  const hints = rememberedHints();
  await replaceInObject(company, { hints });
  await drained(company);
  return { clock, company, bank, hints, payoutId };
}

type World = Awaited<ReturnType<typeof givenPaidOut>>;

/** Turns the clock, and follows the hints that come of it. */
async function turn({ clock, company, bank, hints }: World, ms: number): Promise<void> {
  clock.advance(ms);
  await drained(company);
  const deps = { clock, providers: () => bank.registry() };
  for (const id of hints.recheckIds.splice(0)) await processRecheck(env, deps, company.id, id);
}

const rechecks = (company: TestCompany) =>
  inAccount(company.id, (_, { storage }) =>
    storage.sql.exec("SELECT kind, subject, checks FROM rechecks").toArray(),
  );

it("a payout that came back after it was paid is found within the hour, though nobody was told", async () => {
  const world = await givenPaidOut();
  world.bank.payouts.set(world.payoutId, { kind: "returned", endToEndId: "E1" });

  await turn(world, HOUR_MS - 1);
  expect(world.bank.asked).toEqual([]);
  await turn(world, 1);

  expect(await accountsOf(world.company)).toMatchObject({ available: 5_000, provider: -5_000 });
  expect(await rechecks(world.company)).toEqual([]);
  await turn(world, 8 * DAY_MS);
  expect(world.bank.asked).toHaveLength(1);
});

it("a part that came back later is found, and the rest is still asked about", async () => {
  const world = await givenPaidOut();
  await turn(world, HOUR_MS);
  world.bank.payouts.set(world.payoutId, { kind: "paid", endToEndId: "E1", returnedAmount: 700 });
  await turn(world, 2 * HOUR_MS);

  expect(await accountsOf(world.company)).toMatchObject({ available: 3_700, provider: -3_700 });
  world.bank.payouts.set(world.payoutId, { kind: "returned", endToEndId: "E1" });
  await turn(world, 4 * HOUR_MS);

  expect(await accountsOf(world.company)).toMatchObject({ available: 5_000, provider: -5_000 });
});

it("a payout that comes back on the 90th day is found that day", async () => {
  const world = await givenPaidOut();
  for (let day = 0; day < 89; day++) await turn(world, DAY_MS);
  world.bank.payouts.set(world.payoutId, { kind: "returned", endToEndId: "E1" });
  expect(await accountsOf(world.company)).toMatchObject({ available: 3_000 });

  await turn(world, DAY_MS);

  expect(await accountsOf(world.company)).toMatchObject({ available: 5_000, provider: -5_000 });
});

it.each<PayoutLookup>([{ kind: "unknown" }, { kind: "not_found" }, { kind: "processing" }])(
  "a bank that says $kind of what it has paid is asked again, and nothing is booked",
  async (answer) => {
    const world = await givenPaidOut();
    world.bank.onAsk = async () => answer;

    await turn(world, HOUR_MS);
    await turn(world, 2 * HOUR_MS);

    expect(world.bank.asked).toHaveLength(2);
    expect(await accountsOf(world.company)).toMatchObject({ available: 3_000, provider: -3_000 });
  },
);

it("a bank that says now that it refused it is a contradiction, which is opened once", async () => {
  const world = await givenPaidOut();
  world.bank.payouts.set(world.payoutId, { kind: "failed", reason: "no such key" });

  await turn(world, HOUR_MS);
  await turn(world, 2 * HOUR_MS);

  const found = await inAccount(world.company.id, (_, { storage }) =>
    storage.sql.exec("SELECT finding, held FROM contradictions").toArray(),
  );
  expect(found).toEqual([{ finding: "payout_status:withdraw:1:Failed", held: 0 }]);
});

it("an answer that was on its way while a newer one was booked is late, and contradicts nothing", async () => {
  const world = await givenPaidOut();
  world.bank.onAsk = async () => {
    world.clock.advance(1);
    await report(world.company, backTo(700));
    return { kind: "paid", endToEndId: "E1", returnedAmount: 300 };
  };
  await turn(world, HOUR_MS);
  expect(await contradictionsOf(world.company)).toEqual([]);
  world.bank.onAsk = async () => ({ kind: "paid", endToEndId: "E1", returnedAmount: 300 });

  await turn(world, 2 * HOUR_MS);

  expect(await contradictionsOf(world.company)).toMatchObject([
    { finding: "payout_status:withdraw:1:returned:300", held: 400 },
  ]);
  expect(await accountsOf(world.company)).toMatchObject({ available: 3_700 });
});

it("one that came back by a callback is asked about no more", async () => {
  const world = await givenPaidOut();
  await report(world.company, backTo(700));
  expect(await rechecks(world.company)).toHaveLength(1);

  await report(world.company, RETURNED);

  expect(await rechecks(world.company)).toEqual([]);
});

it("a payout of the sandbox, whose bank sends nothing back by itself, is not asked about", async () => {
  const world = await givenPaidOut("sandbox");

  expect(await rechecks(world.company)).toEqual([]);
  expect(await nextAlarmOf(world.company)).toBeNull();
});

it("one that is hinted twice, or after the object was evicted, is asked about and booked once", async () => {
  const world = await givenPaidOut();
  const { clock, company, bank } = world;
  bank.payouts.set(world.payoutId, { kind: "paid", endToEndId: "E1", returnedAmount: 700 });
  clock.advance(HOUR_MS);
  await drained(company);
  await evict(company, { clock });
  const deps = { clock, providers: () => bank.registry() };

  await Promise.all([
    processRecheck(env, deps, company.id, 1),
    processRecheck(env, deps, company.id, 1),
  ]);
  await processRecheck(env, deps, company.id, 1);

  expect(bank.asked.length).toBeLessThanOrEqual(2);
  expect(await accountsOf(company)).toMatchObject({ available: 3_700, provider: -3_700 });
});

it("the consumer of payouts follows a recheck's hint", async () => {
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

it("90 days of a paid payout are 20 asks of its bank and about a hundred rows of its object", async () => {
  const world = await givenPaidOut();
  const cost = await inAccount(world.company.id, (_, { storage }) => countRows(storage.sql));
  for (let hour = 0; hour < 91 * 24; hour += 12) await turn(world, 12 * HOUR_MS);

  const spent: Cost = cost.lap();
  cost.stop();
  expect(world.bank.asked.length).toBeLessThanOrEqual(20);
  expect(spent.written).toBeLessThanOrEqual(100);
  expect(await rechecks(world.company)).toEqual([]);
  expect(await nextAlarmOf(world.company)).toBeNull();
});
