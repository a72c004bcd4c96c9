import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { listHeartbeats, recordRun } from "../../src/db/watch/heartbeats.ts";
import { handleScheduled, runTask } from "../../src/scheduled.ts";
import { runMinute } from "../../src/task-runner.ts";
import type { Env, TaskMessage } from "../../src/config.ts";
import type { Dependencies } from "../../src/http/context.ts";
import { TestClock } from "../support/fakes/clock.ts";
import {
  env,
  givenCompany,
  takeCreatedCompanies,
  clearBacklog,
} from "../support/builders/companies/company.ts";
import { patchAccount } from "../support/builders/providers/accounts.ts";
import { createBoleto, givenTwoHouses } from "../support/builders/providers/two-houses.ts";
import { givenSilentEfi } from "../support/builders/providers/silent-efi.ts";
import { providerRegistry } from "../../src/providers/registry.ts";
import { cronDeps, taskQueue } from "../support/fakes/cron.ts";
import { FakeBank } from "../support/fakes/fake-bank.ts";
import { withAccounts, withD1 } from "../support/faults/faulty-env.ts";
import { givenManyTransactions } from "../support/builders/charges/many-transactions.ts";
import { givenTransaction } from "../support/builders/charges/transaction.ts";
import { eventually } from "../support/probes/until.ts";
import { transactionsOf } from "../support/probes/charges/transaction-rows.ts";

/** The platform's limit of D1 calls per invocation; calls to objects count too. */
const CALLS_MAX = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** 18,000 charges take seconds on an idle machine and over a minute on a shared one. */
const MANY_TIMEOUT_MS = 300_000;

/** Excludes other tests' charges. */
const clean = () => env.DB.prepare("DELETE FROM transactions").run();
beforeEach(clean);
afterAll(clean);
afterEach(() => vi.restoreAllMocks());

/** An environment that counts each statement for D1 and each call to an object. */
function counted() {
  let calls = 0;
  const counting = withAccounts(
    withD1(env, (sql, run) => {
      calls += sql.split(";\n").length;
      return run();
    }),
    (_label, run) => {
      calls += 1;
      return run();
    },
  );
  const lap = () => {
    const lapped = calls;
    calls = 0;
    return lapped;
  };
  return { env: counting, lap };
}

/** Runs a minute's sweep; returns the number of calls of each invocation. */
async function sweepMinute(deps: Dependencies): Promise<number[]> {
  const { TASKS, take } = taskQueue();
  const { env: counting, lap } = counted();
  const around = { ...counting, TASKS };
  await handleScheduled(around, deps);
  const [own, received] = [lap(), sweepsOf(take())];
  // In one minute of ten the cron does the first step itself.
  const invocations = received.some(({ step }) => step === 1) ? [] : [own];
  for (let wakeUps = received; wakeUps.length > 0; wakeUps = sweepsOf(take())) {
    for (const wakeUp of wakeUps) {
      lap();
      await runTask(around, deps, wakeUp);
      invocations.push(lap());
    }
  }
  return invocations;
}

function sweepsOf(wakeUps: TaskMessage[]): TaskMessage[] {
  return wakeUps.filter(({ task }) => task === "sweep_transactions");
}

const stillDue = (clock: TestClock) =>
  env.DB.prepare("SELECT count(*) AS n FROM transactions WHERE next_sweep_at <= ?")
    .bind(clock.now())
    .first<number>("n");

/** Expired charges, written straight into D1: their company's rows are no valid history. */
async function givenExpired(many: number) {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const bank = new FakeBank();
  await givenManyTransactions(company, { many });
  clock.advance(DAY_MS);
  await env.DB.prepare(
    "UPDATE transactions SET next_sweep_at = seq, expires_at = 1, provider = 'PixApi'",
  ).run();
  takeCreatedCompanies();
  return { clock, company, bank, deps: cronDeps(clock, bank) };
}

it(
  "18,000 expired charges are processed in one minute by 36 chains of invocations with fewer than 1,000 calls",
  async () => {
    const { clock, bank, deps } = await givenExpired(18_000);
    bank.charge = { kind: "unknown" };

    const invocations = await sweepMinute(deps);

    expect(await stillDue(clock)).toBe(0);
    expect(bank.chargeLookups).toHaveLength(18_000);
    // Each chain has five steps of 100 charges and one that finds nothing: 8 s for each step.
    expect(invocations.length).toBeLessThanOrEqual(36 * 6);
    expect(Math.max(...invocations)).toBeLessThan(CALLS_MAX);
  },
  MANY_TIMEOUT_MS,
);

it("a charge is asked about once, although minutes overlap and each message comes twice", async () => {
  const { clock, bank, run, take } = await givenBacklog(1_200);
  await run({});
  const first = take();
  clock.advance(MINUTE_MS);
  await run({});
  const wakeUps = [...first, ...first, ...take()];
  for (let received = wakeUps; received.length > 0; received = take()) {
    await Promise.all(received.map((wakeUp) => run(wakeUp)));
  }
  expect(await stillDue(clock)).toBe(0);
  expect(bank.chargeLookups).toHaveLength(1_200);
  expect(new Set(bank.chargeLookups).size).toBe(1_200);
});

it("charges of a lost message are swept a minute later", async () => {
  const { clock, run, take } = await givenBacklog(1_200);
  await run({});
  const [, ...delivered] = take();
  for (let received = delivered; received.length > 0; received = take()) {
    for (const wakeUp of received) await run(wakeUp);
  }
  expect(await stillDue(clock)).toBeGreaterThan(0);
  clock.advance(MINUTE_MS);
  await run({});
  for (let received = take(); received.length > 0; received = take()) {
    for (const wakeUp of received) await run(wakeUp);
  }
  expect(await stillDue(clock)).toBe(0);
});

it("an invocation that ends all its charges stays below the limit", async () => {
  const { clock, company, deps } = await givenExpired(150);

  const invocations = await sweepMinute(deps);

  expect(await stillDue(clock)).toBe(0);
  expect(new Set((await transactionsOf(company)).map(({ status }) => status))).toEqual(
    new Set(["cancelled"]),
  );
  expect(invocations).toHaveLength(2);
  expect(Math.max(...invocations)).toBeLessThan(CALLS_MAX);
  await clearBacklog(company.id);
});

it("an invocation that resumes a create with each charge stays below the limit", async () => {
  const { clock, company, deps } = await givenExpired(100);
  await env.DB.prepare(
    `UPDATE transactions SET answered_at = NULL, status = 'creating', answered_status = NULL,
       expires_at = ?`,
  )
    .bind(clock.now() + DAY_MS)
    .run();

  const [calls] = await sweepMinute(deps);

  const statuses = (await transactionsOf(company)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set(["waiting_payment"]));
  expect(calls).toBeLessThan(CALLS_MAX);
  await clearBacklog(company.id);
});

it("an invocation that resumes a create in two steps with each charge stays below the limit", async () => {
  const { world, efi, silent } = await givenSilentEfi();
  await silent(100);

  const providers = (around: Env) => providerRegistry(around, world.clock);
  const invocations = await sweepMinute({ ...world.deps, providers });

  expect(efi.book.charges.filter(({ status }) => status === "waiting")).toHaveLength(100);
  const statuses = (await transactionsOf(world.company)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set(["waiting_payment"]));
  expect(Math.max(...invocations)).toBeLessThan(CALLS_MAX);
});

it("an invocation that moves creates to a second house stays below the limit", async () => {
  const world = await givenTwoHouses();
  const { company, clock, efi, pagarme } = world;
  await patchAccount(company, "pagarme", { state: "draining" }, world);
  efi.faultAlways("error_500");
  const boletos = Array.from({ length: 80 }, () => createBoleto(world));
  const refused = new Set((await Promise.all(boletos)).map(({ status }) => status));
  expect(refused).toEqual(new Set([503]));
  await patchAccount(company, "pagarme", { state: "active" }, world);
  clock.advance(MINUTE_MS + 1);

  const providers = (around: Env) => providerRegistry(around, clock);
  const invocations = await sweepMinute({ ...world.deps, providers });

  expect(pagarme.book.orders).toHaveLength(80);
  expect(Math.max(...invocations)).toBeLessThan(CALLS_MAX);
});

const lastRun = (task: string) =>
  env.DB.prepare("SELECT last_success_at FROM cron_heartbeats WHERE task = ?")
    .bind(task)
    .first("last_success_at");

it("the service is watched each minute, although the queue delivers nothing", async () => {
  const clock = new TestClock();
  await env.DB.prepare("DELETE FROM cron_heartbeats").run();
  for (let minute = 0; minute < 3; minute++) {
    clock.advance(MINUTE_MS);
    await handleScheduled({ ...env, TASKS: taskQueue().TASKS }, cronDeps(clock, new FakeBank()));
    expect(await lastRun("watch_service")).toBe(clock.now());
  }
});

it("each task but one has its own message, and the last, never the checks, has another in each of seventeen minutes", async () => {
  const { TASKS, take } = taskQueue();
  const clock = new TestClock();
  const sent: string[][] = [];

  for (let minute = 0; minute < 17; minute++) {
    await handleScheduled({ ...env, TASKS }, cronDeps(clock, new FakeBank()));
    const wakeUps = take().filter(({ step }) => step === 1);
    expect(wakeUps.every(({ at }) => at === clock.now())).toBe(true);
    sent.push(wakeUps.map(({ task }) => task));
    clock.advance(MINUTE_MS);
  }

  const all = new Set(sent.flat());
  expect(all.size).toBe(18);
  expect(sent.map((tasks) => new Set(tasks).size)).toEqual(sent.map(() => 17));
  const own = sent.map((tasks) => [...all].find((task) => !tasks.includes(task)));
  expect(new Set(own)).toEqual(new Set([...all].filter((task) => task !== "check_companies")));
});

it("a queue that loses each message delays a sweep by seventeen minutes at most", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const deps = cronDeps(clock, new FakeBank());
  await givenTransaction(company, {}, { deps });
  clock.advance(DAY_MS);

  for (let minute = 0; minute < 17; minute++) {
    await handleScheduled({ ...env, TASKS: taskQueue().TASKS }, deps);
    clock.advance(MINUTE_MS);
  }

  expect(await transactionsOf(company)).toMatchObject([{ status: "cancelled" }]);
});

const isDown = () => Promise.reject(new Error("the queue is down"));

it("sweeps run although the queue accepts no messages", async () => {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  const deps = cronDeps(clock, new FakeBank());
  await givenTransaction(company, {}, { deps });
  clock.advance(DAY_MS);
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const TASKS = { send: isDown, sendBatch: isDown } as unknown as Env["TASKS"];

  await handleScheduled({ ...env, TASKS }, deps);

  expect(await transactionsOf(company)).toMatchObject([{ status: "cancelled" }]);
  const events = errors.mock.calls.map(([line]) => (JSON.parse(String(line)) as Hearing).event);
  expect(events).toContain("task_enqueue_failed");
});

it("the watch runs although the queue does not answer", async () => {
  const clock = new TestClock();
  const answer = Promise.withResolvers<void>();
  const hangs = () => answer.promise;
  const TASKS = { send: hangs, sendBatch: hangs } as unknown as Env["TASKS"];
  const ofWatch = "FROM cron_heartbeats WHERE task = 'watch_service'";
  await env.DB.prepare(`DELETE ${ofWatch}`).run();

  const minute = handleScheduled({ ...env, TASKS }, cronDeps(clock, new FakeBank()));
  await eventually(async () => (await env.DB.prepare(`SELECT 1 ${ofWatch}`).first()) !== null);

  answer.resolve();
  await minute;
});

interface Hearing {
  event: string;
}

/** More work than one invocation may do. */
async function givenBacklog(many = 150) {
  const { clock, bank, deps } = await givenExpired(many);
  bank.charge = { kind: "unknown" };
  const { TASKS, take } = taskQueue();
  const run = (wakeUp: Partial<TaskMessage>) =>
    runTask({ ...env, TASKS }, deps, {
      task: "sweep_transactions",
      at: clock.now(),
      step: 1,
      state: null,
      ...wakeUp,
    });
  return { clock, bank, run, take, asked: () => bank.chargeLookups.length };
}

it("an incomplete step enqueues the next one", async () => {
  const { clock, run, take, asked } = await givenBacklog();

  await run({});

  expect(asked()).toBe(100);
  const [next, ...others] = take();
  expect(next).toMatchObject({ task: "sweep_transactions", at: clock.now(), step: 2 });
  expect(others).toEqual([]);
  await run(next!);
  expect(asked()).toBe(150);
  expect(take()).toEqual([]);
});

it("a task runs by the name that it had before, whose heartbeat is not listed", async () => {
  const { run, clock } = await givenBacklog(1);
  await env.DB.prepare("DELETE FROM cron_heartbeats").run();
  const before = { task: "tick_companies", startedAt: 1, endedAt: 1, error: null };
  await recordRun(env, before);

  await run({ task: "tick_companies" });

  const tasks = await listHeartbeats(env);
  expect(tasks.find(({ task }) => task === "run_companies")?.lastStartAt).toBe(clock.now());
  expect(tasks.map(({ task }) => task)).not.toContain("tick_companies");
});

it("the last step of a minute enqueues no other", async () => {
  const { run, take, asked } = await givenBacklog();

  await run({ step: 40 });

  expect(asked()).toBe(100);
  expect(take()).toEqual([]);
});

it("a step that is late in its minute enqueues no other", async () => {
  const { clock, run, take, asked } = await givenBacklog();

  await run({ at: clock.now() - 51_000 });

  expect(asked()).toBe(100);
  expect(take()).toEqual([]);
});

it("a message that is minutes late is ignored in favour of later minutes", async () => {
  const { clock, run, take, asked } = await givenBacklog();

  await run({ at: clock.now() - 3 * 60_000 - 1 });

  expect(asked()).toBe(0);
  expect(take()).toEqual([]);
});

it("the cron's own invocation runs the watch and each other task in turn, but never the checks beside it", async () => {
  const clock = new TestClock();
  const deps = cronDeps(clock, new FakeBank());
  const { TASKS, take } = taskQueue();
  const ran: string[] = [];
  const task = (name: string) => async () => void ran.push(name);
  const tasks = {
    one: task("one"),
    checks: task("checks"),
    two: task("two"),
    watch: task("watch"),
  };
  for (let minute = 0; minute < 4; minute++) {
    ran.length = 0;
    await runMinute(tasks, { ...env, TASKS }, deps, { watch: "watch", neverBeside: "checks" });
    const sent = take().map((message) => message.task);
    expect(sent).toHaveLength(2);
    expect(sent).toContain("checks");
    expect(ran).toEqual(["watch", minuteOf(clock) % 2 === 0 ? "one" : "two"]);
    clock.advance(MINUTE_MS);
  }
});

const minuteOf = (clock: TestClock) => Math.floor(clock.now() / MINUTE_MS);
