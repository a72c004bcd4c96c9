import { noteLostRefs } from "../../../../../src/db/provider-refs.ts";
import { afterAll, beforeEach, expect, it } from "vitest";
import { SINGLE_STEP } from "../../../../../src/domain/shared/cron-step.ts";
import { sweepTransactions } from "../../../../../src/api/transactions/sweep/tasks.ts";
import { companyIdOfTransactionId, hyphenateUuid } from "../../../../../src/domain/shared/ids.ts";
import type { Env } from "../../../../../src/config.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import { settle } from "../../../../support/builders/charges/charge-commands.ts";
import {
  env,
  givenCompany,
  waitUntilDrained,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { meteredD1 } from "../../../../support/probes/database/cost.ts";
import { cronDeps, runSweep } from "../../../../support/fakes/cron.ts";
import { CARD_REQUEST } from "../../../../support/builders/requests/full-request.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { CRASH, injectFault, withD1 } from "../../../../support/faults/faulty-env.ts";
import { givenManyTransactions } from "../../../../support/builders/charges/many-transactions.ts";
import {
  createTransaction,
  givenTransaction,
} from "../../../../support/builders/charges/transaction.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { eventually } from "../../../../support/probes/until.ts";
import { transactionsOf } from "../../../../support/probes/charges/transaction-rows.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Excludes other tests' charges. */
async function clean(): Promise<void> {
  await env.DB.prepare("DELETE FROM transactions").run();
}

beforeEach(clean);
afterAll(clean);

async function givenSwept() {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  const deps = cronDeps(clock, bank);
  const sweep = (environment: Env = env) => runSweep(deps, environment);
  const sweptAt = async (environment: Env = env) => {
    await sweep(environment);
    return (await transactionsOf(company)).map(({ nextSweepAt }) => nextSweepAt);
  };
  await sweep();
  return { clock, company, bank, deps, sweep, sweptAt };
}

/** A create without a bank response, in an isolate whose clock may differ. */
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

it.each([{}, CARD_REQUEST])(
  "a create whose account was disconnected ends a day later, at no other account: %#",
  async (request) => {
    const { clock, company, bank, deps } = await givenSwept();
    bank.onCreate = async () => ({ kind: "unknown" });
    await createTransaction(company, request, { key: "k", deps });
    const providers = () => ({ ...bank.registry(), ofAccount: async () => null });
    const gone = { ...deps, providers };
    const create = () => createTransaction(company, request, { key: "k", deps: gone });
    clock.advance(DAY_MS - MINUTE_MS);
    await runSweep(gone, env);
    const isAnswered = "card" in request;
    const early = await create();
    if (!isAnswered) await expectProblem(early, { status: 422, code: "PROVIDER_NOT_CONFIGURED" });
    expect(await statusesOf(company)).toEqual(["creating"]);

    clock.advance(10 * MINUTE_MS);
    await runSweep(gone, env);
    await waitUntilDrained(company);

    expect(await statusesOf(company)).toEqual(["failed"]);
    expect(bank.createdCharges).toHaveLength(1);
    const { status, body } = await create();
    expect([status, body.code]).toEqual(isAnswered ? [200, undefined] : [422, "CHARGE_REFUSED"]);
  },
);

/** D1 says that an account was disconnected. */
const disconnect = ({ id }: TestCompany, account: string, nowMs: number) =>
  env.DB.prepare(
    `INSERT INTO psp_accounts (company_id, account, provider, settings, sealed, callback_token_hash, methods, priority,
       conditions, state, listed_until, list_at, list_window, created_at, updated_at, left_at)
     VALUES (?1, ?2, 'PixApi', '{}', '', '', '[]', 1, '{}', 'disconnected', 0, 0, 0, 0, ?3, ?3)`,
  )
    .bind(id, account, nowMs)
    .run();

it.each([
  ["was disconnected", disconnect],
  [
    "a restore has made forgotten",
    ({ id }: TestCompany, _: string, nowMs: number) => noteLostRefs(env, id, nowMs),
  ],
] as const)("an old create waits a day for an account that %s just now", async (_, lose) => {
  const { clock, company, bank, deps } = await givenSwept();
  bank.onCreate = async () => ({ kind: "unknown" });
  await createTransaction(company, {}, { key: "k", deps });
  clock.advance(3 * DAY_MS);
  await lose(company, bank.account, clock.now());
  const gone = { ...deps, providers: () => ({ ...bank.registry(), ofAccount: async () => null }) };
  await runSweep(gone, env);
  expect(await statusesOf(company)).toEqual(["creating"]);

  clock.advance(DAY_MS);
  await runSweep(gone, env);
  await waitUntilDrained(company);
  expect(await statusesOf(company)).toEqual(["failed"]);
});

it("a charge that is paid in time is never polled", async () => {
  const { clock, company, deps, bank, sweptAt } = await givenSwept();
  const { id } = await givenTransaction(company, {}, { deps });
  await settle(company, { id, amount: 2_500 });
  for (const ms of [MINUTE_MS, DAY_MS]) {
    clock.advance(ms);
    expect(await sweptAt()).toEqual([null]);
  }
  expect(bank.chargeLookups).toEqual([]);
});

it("an unfinished create is resumed when it is a minute old, not sooner", async () => {
  const { clock, company, bank, sweep } = await givenSwept();
  await givenUnanswered(company, bank, clock);
  clock.advance(MINUTE_MS - 1);
  await sweep();
  expect(await statusesOf(company)).toEqual(["creating"]);
  clock.advance(1);
  await sweep();
  const [row] = await transactionsOf(company);
  expect(row?.status).toBe("waiting_payment");
  // The next sweep is at its expiry, a day after its creation.
  expect(row?.nextSweepAt).toBe(clock.now() - MINUTE_MS + DAY_MS);
});

it.each([
  ["behind", -HOUR_MS],
  ["ahead", 30 * SECOND_MS],
])("a create of an isolate whose clock is %s is resumed too", async (_which, skewMs) => {
  const { clock, company, bank, sweep } = await givenSwept();
  const other = new TestClock();
  other.advance(skewMs);
  await givenUnanswered(company, bank, other);
  for (let minute = 0; minute < 2; minute++) {
    clock.advance(MINUTE_MS);
    await sweep();
  }
  expect(await statusesOf(company)).toEqual(["waiting_payment"]);
});

it.each([
  ["a PIX of a day", {}],
  ["a PIX of three days", { pix: { expiresInDays: 3 } }],
  [
    "a boleto",
    {
      paymentMethod: "BOLETO",
      customer: { name: "Maria", document: { type: "CPF", number: "52998224725" } },
    },
  ],
])("%s that is open after a minute waits for its expiry, and ends then", async (_what, request) => {
  const { clock, company, deps, bank, sweep, sweptAt } = await givenSwept();
  await givenTransaction(company, request, { deps });
  clock.advance(MINUTE_MS);
  const [expiresAt] = await sweptAt();
  expect(expiresAt).toBeGreaterThan(clock.now());
  expect(bank.chargeLookups).toEqual([]);
  clock.advance(expiresAt! - clock.now() - 1);
  await sweep();
  expect(await statusesOf(company)).toEqual(["waiting_payment"]);
  clock.advance(1);
  await sweep();
  await sweep();
  expect(await statusesOf(company)).toEqual(["cancelled"]);
  expect(bank.chargeLookups).toHaveLength(1);
});

it("one run catches up after a pause of days", async () => {
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
  clock.advance(DAY_MS);
  await sweep();
  expect(await statusesOf(company)).toEqual(Array.from({ length: 31 }, () => "cancelled"));
});

it("a create that a retry finishes a day later waits for its expiry", async () => {
  const { clock, company, bank, deps, sweptAt } = await givenSwept();
  const made = clock.now();
  await givenUnanswered(company, bank, clock);
  const [stuck] = await transactionsOf(company);
  await env.DB.prepare("UPDATE transactions SET expires_at = ? WHERE id = ?")
    .bind(made + 3 * DAY_MS, stuck?.id)
    .run();
  clock.advance(DAY_MS);
  const retried = await createTransaction(company, {}, { key: "k", deps });
  expect(retried.status).toBe(200);
  expect(await sweptAt()).toEqual([made + 3 * DAY_MS]);
});

it("due charges are swept even when they cannot be postponed", async () => {
  const { clock, company, bank, sweep } = await givenSwept();
  await givenUnanswered(company, bank, clock);
  clock.advance(MINUTE_MS);
  const broken = injectFault({
    on: /^update "transactions" set "next_sweep_at" = expires_at/,
    when: "before",
    error: CRASH,
  });
  await sweep(withD1(env, broken.intercept));
  expect(broken.injections()).toBe(1);
  expect(await statusesOf(company)).toEqual(["waiting_payment"]);
});

it("one run postpones more open charges than one statement can", async () => {
  const { clock, company, sweep, bank } = await givenSwept();
  await givenManyTransactions(company, { many: 2_500 });
  await env.DB.prepare("UPDATE transactions SET next_sweep_at = created_at").run();
  clock.advance(MINUTE_MS);
  await sweep();
  const left = await env.DB.prepare(
    "SELECT count(*) AS n FROM transactions WHERE next_sweep_at < expires_at",
  ).first("n");
  expect(left).toBe(0);
  expect(bank.chargeLookups).toEqual([]);
});

it.each([
  [1_000, true],
  [100_000, true],
  [1_000, false],
  [100_000, false],
])("a minute's sweep of %i charges, settled: %s, reads a few rows", async (many, settled) => {
  const { clock, company, sweep } = await givenSwept();
  await givenManyTransactions(company, { many, settled });
  if (!settled) await env.DB.prepare("UPDATE transactions SET next_sweep_at = expires_at").run();
  clock.advance(MINUTE_MS);
  const { env: metered, lap } = meteredD1();
  await sweep(metered);
  const { read, written } = lap();
  expect(read).toBeLessThanOrEqual(5);
  expect(written).toBe(0);
});

it("a company with an unresponsive bank does not delay other companies' charges", async () => {
  const { clock, company: silent, bank, deps } = await givenSwept();
  const other = await givenCompany({ clock });
  await givenManyTransactions(silent, { many: 50 });
  await givenTransaction(other, {}, { deps });
  clock.advance(DAY_MS);
  await env.DB.prepare(
    "UPDATE transactions SET next_sweep_at = ?2 - seq, expires_at = ?2, provider = 'PixApi' WHERE company_id = ?1",
  )
    .bind(silent.id, clock.now() - DAY_MS)
    .run();
  const gate = Promise.withResolvers<{ kind: "unknown" }>();
  const find = bank.findCharge.bind(bank);
  bank.findCharge = (id) =>
    companyIdOfTransactionId(hyphenateUuid(id)) === silent.id ? gate.promise : find(id);

  const swept = sweepTransactions(env, deps, SINGLE_STEP, undefined, 1);
  await eventually(async () => {
    // A drain that failed on a slow machine waits by a clock that stands still.
    await waitUntilDrained(other);
    return (await statusesOf(other))[0] === "cancelled";
  });
  gate.resolve({ kind: "unknown" });
  await swept;

  const due = (await transactionsOf(silent)).filter(
    ({ nextSweepAt }) => nextSweepAt !== null && nextSweepAt <= clock.now(),
  );
  // One batch was claimed; the others wait for the next minute.
  expect(due).toHaveLength(30);
  bank.findCharge = find;
  await sweepTransactions(env, deps);
  const left = await transactionsOf(silent);
  expect(left.filter(({ nextSweepAt }) => (nextSweepAt ?? Infinity) <= clock.now())).toEqual([]);
});
