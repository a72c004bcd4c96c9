import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { checkCompanies } from "../../../src/api/operator/audit/check-schedule.ts";
import { MENDS_ALONE, MENDS_TOGETHER } from "../../../src/api/operator/audit/mend.ts";
import { checkCompany } from "../../../src/api/operator/audit/tasks.ts";
import { reconcileAccounts } from "../../../src/api/bank-reconciliation/tasks.ts";
import type { TaskMessage } from "../../../src/config.ts";
import type { Dependencies } from "../../../src/http/context.ts";
import type { Provider } from "../../../src/providers/provider.ts";
import { runMessage, type Tasks } from "../../../src/task-runner.ts";
import { TestClock } from "../../support/fakes/clock.ts";
import {
  env,
  givenCompany,
  takeCreatedCompanies,
} from "../../support/builders/companies/company.ts";
import { givenPaid } from "../../support/builders/charges/transaction.ts";
import { cronDeps, taskQueue } from "../../support/fakes/cron.ts";
import { FakeBank } from "../../support/fakes/fake-bank.ts";
import { withAccounts, withD1, type Interceptor } from "../../support/faults/faulty-env.ts";

/** Companies whose scan and messages are counted; a few hundred where each check is a call to D1. */
const MANY = 10_000;
const SOME = 400;
/** Accounts that are read, each with three calls to D1. */
const ACCOUNTS = 100;
/** The first of them: other companies of the file have smaller numbers. */
const FIRST = 1_001;
const MINUTE_MS = 60_000;
/** The platform's limits: calls to D1 of an invocation, and messages of one call to a queue. */
const CALLS_MAX = 1_000;
const SEND_BATCH_MAX = 100;

/** For a loaded machine. */
const PATIENCE = { timeout: 30_000 };

interface Invocation {
  task: string;
  calls: number;
}

/** A cron with some tasks, whose messages are delivered as a test says. */
function givenCron(tasks: Tasks, clock: TestClock, deps: Dependencies) {
  const { TASKS, take } = taskQueue();
  let calls = 0;
  const batches: number[] = [];
  const counting = withD1(env, (sql, run) => {
    calls += sql.split(";\n").length;
    return run();
  });
  const sendBatch = TASKS.sendBatch.bind(TASKS);
  TASKS.sendBatch = (messages) => {
    const sent = [...messages];
    batches.push(sent.length);
    return sendBatch(sent as never);
  };
  const around = { ...counting, TASKS };
  const invocations: Invocation[] = [];
  const deliver = async (message: TaskMessage) => {
    calls = 0;
    await runMessage(tasks, around, deps, message);
    invocations.push({ task: message.task, calls });
  };
  const begin = async () => {
    for (const task of Object.keys(tasks)) {
      await deliver({ task, at: clock.now(), step: 1, state: null });
    }
  };
  /** One minute; `alter` loses, doubles or keeps back messages. */
  const minute = async (alter: (messages: TaskMessage[]) => TaskMessage[] = (all) => all) => {
    await begin();
    for (let sent = take(); sent.length > 0; sent = take()) {
      for (const message of alter(sent)) await deliver(message);
    }
    clock.advance(MINUTE_MS);
  };
  return { minute, begin, take, deliver, invocations, batches };
}

/** Checks that only count; the company is up to date afterwards, as after a real one. */
function givenChecks() {
  const clock = new TestClock();
  const checked: number[] = [];
  const check = async (_env: unknown, companyId: number) => {
    checked.push(companyId);
    return true;
  };
  /** What a real check stores, for all that were checked, in one statement. */
  const store = () =>
    env.DB.prepare(
      `INSERT OR REPLACE INTO self_checks
         (company_id, checked_at, movement, company_sequence, missing_events, suspects, violations)
       SELECT value, ?2, 1, coalesce((SELECT max(company_sequence) FROM events WHERE company_id = value), 0),
         '[]', '{"transactionIds":[],"withdrawIds":[]}', '[]' FROM json_each(?1)`,
    )
      .bind(JSON.stringify(checked), clock.now())
      .run();
  const deps = cronDeps(clock, new FakeBank());
  const cron = givenCron(
    { check: (around, given, step) => checkCompanies(around, given, step, check) },
    clock,
    deps,
  );
  const own = () => checked.filter((id) => id >= FIRST);
  return { clock, deps, checked, store, own, ...cron };
}

/** The file's companies take the place of the other files', which come back after it. */
beforeAll(async () => {
  const { id } = await givenCompany();
  takeCreatedCompanies();
  const row = await env.DB.prepare("SELECT * FROM companies WHERE id = ?").bind(id).first();
  const columns = Object.keys(row!);
  const values = columns.map((column) => (column === "id" ? "n" : `"${column}"`));
  await env.DB.batch([
    env.DB.prepare("CREATE TABLE companies_aside AS SELECT * FROM companies"),
    env.DB.prepare("DELETE FROM companies"),
    env.DB.prepare(
      `WITH RECURSIVE numbers (n) AS (SELECT ?2 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?3)
       INSERT INTO companies (${columns.map((column) => `"${column}"`).join(", ")})
       SELECT ${values.join(", ")} FROM companies_aside, numbers WHERE id = ?1`,
    ).bind(id, FIRST, FIRST + MANY - 1),
  ]);
});
afterAll(() =>
  env.DB.batch([
    env.DB.prepare("DELETE FROM companies WHERE id BETWEEN ? AND ?").bind(FIRST, FIRST + MANY - 1),
    env.DB.prepare("INSERT OR IGNORE INTO companies SELECT * FROM companies_aside"),
    env.DB.prepare("DROP TABLE companies_aside"),
  ]),
);

/** Excludes what a test left of the many companies. */
const clean = () =>
  env.DB.batch([
    env.DB.prepare("DELETE FROM cursors"),
    env.DB.prepare("DELETE FROM check_claims"),
    ...["events", "self_checks", "reconciliation_passes", "psp_accounts"].map((table) =>
      env.DB.prepare(`DELETE FROM ${table} WHERE company_id BETWEEN ? AND ?`).bind(
        FIRST,
        FIRST + MANY - 1,
      ),
    ),
  ]);
beforeEach(clean);
afterEach(clean);

/** Gives companies a further event, as a movement does. */
async function move(count: number, sequence = 1): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO events (company_id, company_sequence, type, object_id, sequence, created_at, body)
     SELECT id, ?3, 'transaction.paid', 'x' || id, ?3, 1, '{}' FROM companies WHERE id >= ?1 AND id < ?2`,
  )
    .bind(FIRST, FIRST + count, sequence)
    .run();
}

it("10,000 companies with movements are checked in a minute, by messages of four", async () => {
  const cron = givenChecks();
  await move(MANY);

  await cron.minute();

  expect(new Set(cron.own()).size).toBe(MANY);
  expect(cron.invocations.length).toBeLessThanOrEqual(MANY / 4 + 5);
  expect(Math.max(...cron.invocations.map(({ calls }) => calls))).toBeLessThan(10);
  expect(Math.max(...cron.batches)).toBeLessThanOrEqual(SEND_BATCH_MAX);
  await cron.store();

  // Nothing moved: only the day's pass over all remains, of which each minute has a part.
  cron.checked.length = 0;
  for (let minute = 0; minute < 9; minute++) await cron.minute();
  expect(cron.checked.length).toBeLessThanOrEqual((9 * (MANY + FIRST)) / 1_440 + 9);

  await move(SOME, 2);
  cron.checked.length = 0;
  await cron.minute();
  expect(cron.own()).toEqual(expect.arrayContaining([FIRST, FIRST + SOME - 1]));
  expect(cron.checked.length).toBeLessThanOrEqual(SOME + 10);
});

it("a check of a company makes some 15 calls, and 31 with a step of its round, so that four stay far below the limit", async () => {
  const company = await givenCompany();
  for (let payment = 0; payment < 3; payment++) await givenPaid(company, 1_000);
  let calls = 0;
  const count: Interceptor = (sql, run) => {
    calls += sql.split(";\n").length;
    return run();
  };
  const counting = withAccounts(withD1(env, count), count);

  await checkCompany(counting, company.id, Date.now());
  expect(calls).toBeLessThanOrEqual(31);

  await givenPaid(company, 1_000);
  calls = 0;
  await checkCompany(counting, company.id, Date.now());
  expect(calls).toBeLessThanOrEqual(20);
});

it("a company that moves all the time is checked again within ten minutes, and not each minute", async () => {
  const cron = givenChecks();
  const at: number[] = [];
  for (let minute = 0; minute < 20; minute++) {
    await move(1, minute + 1);
    cron.checked.length = 0;
    await cron.minute();
    if (cron.own().includes(FIRST)) at.push(minute);
    await cron.store();
  }
  const gaps = at.slice(1).map((minute, index) => minute - at[index]!);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(10);
  expect(Math.min(...gaps)).toBeGreaterThan(3);
});

it("a company that failed its check is checked again until it is well", async () => {
  const cron = givenChecks();
  await move(1);
  await cron.minute();
  await cron.store();
  await env.DB.prepare(`UPDATE self_checks SET violations = '["I2"]' WHERE company_id = ?`)
    .bind(FIRST)
    .run();
  cron.checked.length = 0;
  for (let minute = 0; minute < 8; minute++) await cron.minute();
  expect(cron.own()).toContain(FIRST);
});

it("one slow company delays nobody", async () => {
  const clock = new TestClock();
  const gate = Promise.withResolvers<boolean>();
  const done: number[] = [];
  const tasks: Tasks = {
    check: (around, deps, step) =>
      checkCompanies(around, deps, step, async (_env, companyId) => {
        if (companyId === FIRST) await gate.promise;
        done.push(companyId);
        return true;
      }),
  };
  await move(SOME);
  const { TASKS, take } = taskQueue();
  const deps = cronDeps(clock, new FakeBank());
  const message = { task: "check", at: clock.now(), step: 1, state: null };
  const running = [runMessage(tasks, { ...env, TASKS }, deps, message)];
  // The slow company is in the first step's own page: its messages were sent before.
  await expect.poll(() => done.length, PATIENCE).toBeGreaterThanOrEqual(3);
  for (const each of take()) running.push(runMessage(tasks, { ...env, TASKS }, deps, each));
  await expect.poll(() => done.filter((id) => id >= FIRST).length, PATIENCE).toBe(SOME - 1);

  gate.resolve(true);
  await Promise.all(running);
  expect(done).toContain(FIRST);
});

it("what a lost message was about is checked a minute later", async () => {
  const cron = givenChecks();
  await move(SOME);
  await cron.minute((messages) => messages.filter((_, index) => index % 3 !== 0));
  expect(new Set(cron.own()).size).toBeLessThan(SOME);
  await cron.store();
  await cron.minute();
  expect(new Set(cron.own()).size).toBe(SOME);
});

it("a message that comes twice checks each company once", async () => {
  const cron = givenChecks();
  await move(SOME);
  await cron.minute((messages) => messages.flatMap((message) => [message, message]));
  expect(cron.own()).toHaveLength(SOME);
  expect(new Set(cron.own()).size).toBe(SOME);
});

it("a minute that begins before the last one's messages came checks each company once", async () => {
  const cron = givenChecks();
  await move(SOME);
  await cron.begin();
  const first = cron.take();
  cron.clock.advance(MINUTE_MS);
  await cron.begin();
  for (const message of [...first, ...cron.take()]) await cron.deliver(message);
  expect(cron.own()).toHaveLength(SOME);
  expect(new Set(cron.own()).size).toBe(SOME);
});

it("a company whose check leaves copies to rewrite is continued alone, and may rewrite more", async () => {
  const clock = new TestClock();
  const mends: number[] = [];
  const check: Tasks[string] = (around, deps, step) =>
    checkCompanies(around, deps, step, async (_env, companyId, _now, max) => {
      if (companyId === FIRST) mends.push(max);
      return companyId !== FIRST || max === MENDS_ALONE;
    });
  const cron = givenCron({ check }, clock, cronDeps(clock, new FakeBank()));
  await move(4);

  await cron.minute();

  expect(mends).toEqual([MENDS_TOGETHER, MENDS_ALONE]);
});

it("a company that moved more than one invocation can check is continued in the same minute", async () => {
  const clock = new TestClock();
  let slices = 0;
  const cron = givenCron(
    {
      check: (around, deps, step) =>
        checkCompanies(around, deps, step, async (_env, companyId) => {
          if (companyId !== FIRST) return true;
          slices += 1;
          return slices === 4;
        }),
    },
    clock,
    cronDeps(clock, new FakeBank()),
  );
  await move(1);
  await cron.minute();
  expect(slices).toBe(4);
});

/** Accounts that their companies have just left, whose newest passes are due each five minutes. */
async function givenAccounts(count: number, clock: TestClock): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO psp_accounts (company_id, account, provider, settings, sealed, callback_token_hash, methods, priority,
       conditions, state, listed_until, list_at, list_window, created_at, updated_at, left_at)
     SELECT id, 'account', 'PixApi', '{}', '', '', '[]', 1, '{}', 'disconnected', 0, 9e15, 0, ?3, ?3, ?3
     FROM companies WHERE id >= ?1 AND id < ?2`,
  )
    .bind(FIRST, FIRST + count, clock.now())
    .run();
  await env.DB.prepare(
    `INSERT INTO reconciliation_passes
       (company_id, account, list, pass, read_until, window_ms, next_run_at, finished_at)
     SELECT companies.id, 'account', value, 'newest', ?3, 60000, ?3 + (companies.id % 5) * 60000, ?3
     FROM companies, json_each('["payments","payouts"]') WHERE companies.id >= ?1 AND companies.id < ?2`,
  )
    .bind(FIRST, FIRST + count, clock.now())
    .run();
}

/** A cron whose providers offer no list; each account that is read is recorded. */
function givenListings() {
  const clock = new TestClock();
  const read: { companyId: number; at: number }[] = [];
  const provider = { name: "PixApi", lists: [] } as unknown as Provider;
  const ofAccount = async ({ id }: { id: number }) => {
    read.push({ companyId: id, at: clock.now() });
    return provider;
  };
  const deps = {
    ...cronDeps(clock, new FakeBank()),
    providers: () => ({ ofAccount }) as unknown as ReturnType<Dependencies["providers"]>,
  };
  return { clock, read, ...givenCron({ listings: reconcileAccounts }, clock, deps) };
}

it("10,000 accounts are handed out in each minute that they are due", async () => {
  const { clock, begin, take, invocations, batches } = givenListings();
  await givenAccounts(MANY, clock);
  clock.advance(4 * MINUTE_MS);

  await begin();

  expect(take()).toHaveLength(MANY / 5 - 1);
  expect(invocations[0]?.calls).toBeLessThan(100);
  expect(batches.length).toBe(20);
});

it("each account's list is read every five minutes, by invocations below the limit", async () => {
  const { clock, minute, read, invocations } = givenListings();
  await givenAccounts(ACCOUNTS, clock);

  for (let elapsed = 0; elapsed < 10; elapsed++) await minute();

  const byCompany = Map.groupBy(read, ({ companyId }) => companyId);
  expect(byCompany.size).toBe(ACCOUNTS);
  for (const reads of byCompany.values()) {
    expect(reads).toHaveLength(2);
    expect(reads[1]!.at - reads[0]!.at).toBe(5 * MINUTE_MS);
  }
  expect(Math.max(...invocations.map(({ calls }) => calls))).toBeLessThan(CALLS_MAX / 10);
});

it("an account is read once by doubled messages, and a minute later if its message was lost", async () => {
  const { clock, minute, read } = givenListings();
  await givenAccounts(ACCOUNTS, clock);
  clock.advance(5 * MINUTE_MS);
  await minute((messages) =>
    messages.flatMap((message, index) => (index % 3 === 0 ? [] : [message, message])),
  );
  expect(read.length).toBe(new Set(read.map(({ companyId }) => companyId)).size);
  expect(read.length).toBeLessThan(ACCOUNTS);
  await minute();
  expect(read.length).toBe(ACCOUNTS);
});
