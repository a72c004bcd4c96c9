import { afterAll, beforeEach, expect, it } from "vitest";
import { sweepTransactions } from "../../src/api/transactions/sweep.ts";
import type { Env } from "../../src/env.ts";
import { TestClock } from "../support/clock.ts";
import { settle } from "../support/commands.ts";
import { env, givenCompany, type TestCompany } from "../support/company.ts";
import { meteredD1 } from "../support/cost.ts";
import { cronDeps } from "../support/cron.ts";
import { FakeBank } from "../support/fake-bank.ts";
import { CRASH, fault, withD1 } from "../support/faulty-env.ts";
import { givenManyTransactions } from "../support/many-transactions.ts";
import { createTransaction, givenTransaction } from "../support/transaction.ts";
import { transactionsOf } from "../support/webhook-rows.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What other tests left is none of a test's affair, and no cursor is beyond its clock. */
async function clean(): Promise<void> {
  await env.DB.batch([
    env.DB.prepare("DELETE FROM cursors"),
    env.DB.prepare("DELETE FROM transactions"),
  ]);
}

beforeEach(clean);
afterAll(clean);

const cursor = (look: string) =>
  env.DB.prepare("SELECT value FROM cursors WHERE name = ?").bind(look).first<number>("value");

async function givenSwept() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  const deps = cronDeps(clock, bank);
  const sweep = (environment: Env = env) => sweepTransactions(environment, deps);
  const sweptAt = async (environment: Env = env) => {
    await sweep(environment);
    return (await transactionsOf(company)).map(({ nextSweepAt }) => nextSweepAt);
  };
  await sweep();
  return { clock, company, bank, deps, sweep, sweptAt };
}

/** A create whose bank gives no answer, by an isolate whose clock may be another. */
async function givenUnanswered(
  company: TestCompany,
  bank: FakeBank,
  clock: TestClock,
  request: Record<string, unknown> = {},
) {
  const accept = bank.onCreate;
  bank.onCreate = async () => ({ kind: "unknown" });
  const deps = cronDeps(clock, bank);
  const answer = await createTransaction(company, request, { key: "k", deps });
  expect(answer.status).toBe(503);
  bank.onCreate = accept;
}

const statusesOf = async (company: TestCompany) =>
  (await transactionsOf(company)).map(({ status }) => status);

it("an ordinary charge is on no list, from its claim to its payment", async () => {
  const { clock, company, deps, bank, sweptAt } = await givenSwept();
  const { id } = await givenTransaction(company, {}, { deps });
  expect((await transactionsOf(company))[0]?.nextSweepAt).toBeNull();
  clock.advance(MINUTE_MS);
  expect(await sweptAt()).toEqual([null]);
  await settle(company, { id, amount: 2_500 });
  clock.advance(DAY_MS);
  expect(await sweptAt()).toEqual([null]);
  expect(bank.askedCharges).toEqual([]);
});

it("a create that nobody finished is resumed when it is a minute old, and no sooner", async () => {
  const { clock, company, bank, sweep } = await givenSwept();
  await givenUnanswered(company, bank, clock);
  clock.advance(MINUTE_MS - 1);
  await sweep();
  expect(await statusesOf(company)).toEqual(["creating"]);
  clock.advance(1);
  await sweep();
  expect(await transactionsOf(company)).toMatchObject([
    { status: "waiting_payment", nextSweepAt: null },
  ]);
});

it("a claim that came after the look that should have seen it is seen by the next", async () => {
  const { clock, company, bank, sweep } = await givenSwept();
  const behind = new TestClock();
  clock.advance(2 * MINUTE_MS + 30 * SECOND_MS);
  await sweep();
  await givenUnanswered(company, bank, behind);
  clock.advance(MINUTE_MS);
  await sweep();
  expect(await statusesOf(company)).toEqual(["waiting_payment"]);
});

it.each([1, 30])(
  "one of %s days that came later than that is resumed by the look a day later",
  async (expiresInDays) => {
    const { clock, company, bank, sweep } = await givenSwept();
    const behind = new TestClock();
    clock.advance(HOUR_MS);
    await sweep();
    await givenUnanswered(company, bank, behind, { pix: { expiresInDays } });
    clock.advance(MINUTE_MS);
    await sweep();
    expect(await statusesOf(company)).toEqual(["creating"]);
    clock.advance(DAY_MS - HOUR_MS);
    await sweep();
    expect(await statusesOf(company)).not.toContain("creating");
  },
);

it("a claim of a clock that is ahead is seen when the cron's comes there", async () => {
  const { clock, company, bank, sweep } = await givenSwept();
  const ahead = new TestClock();
  ahead.advance(30 * SECOND_MS);
  await givenUnanswered(company, bank, ahead);
  for (let minute = 0; minute < 2; minute++) {
    clock.advance(MINUTE_MS);
    await sweep();
  }
  expect(await statusesOf(company)).toEqual(["waiting_payment"]);
});

it.each([
  ["a PIX of three days", { pix: { expiresInDays: 3 } }],
  [
    "a boleto",
    {
      paymentMethod: "BOLETO",
      customer: { name: "Maria", document: { type: "CPF", number: "52998224725" } },
    },
  ],
])(
  "%s that is open after a day is listed for its expiry, and ends then",
  async (_what, request) => {
    const { clock, company, deps, sweep, sweptAt } = await givenSwept();
    await givenTransaction(company, request, { deps });
    clock.advance(DAY_MS - 1);
    expect(await sweptAt()).toEqual([null]);
    clock.advance(1);
    const [expiresAt] = await sweptAt();
    expect(expiresAt).toBeGreaterThan(clock.now());
    clock.advance(expiresAt! - clock.now() - 1);
    await sweep();
    expect(await statusesOf(company)).toEqual(["waiting_payment"]);
    clock.advance(1);
    await sweep();
    await sweep();
    expect(await statusesOf(company)).toEqual(["cancelled"]);
  },
);

it("what came in a pause of days is caught up, in one run", async () => {
  const { clock, company, deps, bank, sweep } = await givenSwept();
  for (let hour = 0; hour < 30; hour++) {
    await givenTransaction(company, {}, { deps });
    clock.advance(HOUR_MS);
  }
  await givenUnanswered(company, bank, clock);
  clock.advance(3 * DAY_MS);
  await sweep();
  expect(await statusesOf(company)).toEqual([
    ...Array.from({ length: 30 }, () => "cancelled"),
    "waiting_payment",
  ]);
  expect(await cursor("unanswered")).toBe(clock.now() - MINUTE_MS);
  expect(await cursor("open")).toBe(clock.now() - DAY_MS);
  clock.advance(DAY_MS);
  await sweep();
  expect(await statusesOf(company)).toEqual(Array.from({ length: 31 }, () => "cancelled"));
});

it("a create that is finished when the look at open charges has passed is listed at once", async () => {
  const { clock, company, bank, deps, sweptAt } = await givenSwept();
  const made = clock.now();
  await givenUnanswered(company, bank, clock);
  const [stuck] = await transactionsOf(company);
  await env.DB.prepare(`UPDATE transactions SET expires_at = ? WHERE id = ?`)
    .bind(made + 3 * DAY_MS, stuck?.id)
    .run();
  clock.advance(DAY_MS);
  const retried = await createTransaction(company, {}, { key: "k", deps });
  expect(retried.status).toBe(200);
  expect(await sweptAt()).toEqual([made + 3 * DAY_MS]);
});

it("a look that fails is taken again, and keeps what is listed from nobody", async () => {
  const { clock, company, bank, sweep } = await givenSwept();
  await givenUnanswered(company, bank, clock);
  clock.advance(MINUTE_MS);
  const broken = fault({ on: /update "transactions".*"cursors"/s, when: "before", error: CRASH });
  await sweep(withD1(env, broken.around));
  expect(broken.strikes()).toBe(1);
  expect(await statusesOf(company)).toEqual(["creating"]);
  await sweep();
  expect(await statusesOf(company)).toEqual(["waiting_payment"]);
});

it("a cursor that is ahead of the clock stays where it is", async () => {
  const { clock, company, deps, sweep } = await givenSwept();
  await givenTransaction(company, {}, { deps });
  const later = clock.now() + HOUR_MS;
  await env.DB.prepare("UPDATE cursors SET value = ?").bind(later).run();
  clock.advance(MINUTE_MS);
  const { env: metered, lap } = meteredD1();
  await sweep(metered);
  expect(lap().written).toBe(0);
  expect(await cursor("open")).toBe(later);
});

it.each([1_000, 100_000])(
  "a minute's sweep of %i settled charges reads a few rows",
  async (many) => {
    const { clock, company, sweep } = await givenSwept();
    await givenManyTransactions(company, { many, settled: true });
    clock.advance(MINUTE_MS);
    await sweep();
    clock.advance(MINUTE_MS);
    const { env: metered, lap } = meteredD1();
    await sweep(metered);
    const { read, written } = lap();
    expect(read).toBeLessThanOrEqual(30);
    expect(written).toBe(2);
  },
);
