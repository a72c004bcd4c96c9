import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { measureDatabases } from "../../../../../src/api/operator/storage/tasks.ts";
import type { Env } from "../../../../../src/config.ts";
import { call } from "../../../../support/builders/requests/api.ts";
import { TestClock } from "../../../../support/fakes/clock.ts";
import {
  env,
  givenCompany,
  inAccount,
  type TestCompany,
} from "../../../../support/builders/companies/company.ts";
import { runCheck } from "../../../../support/probes/database/projection-checks.ts";
import { cronDeps } from "../../../../support/fakes/cron.ts";
import { FakeBank } from "../../../../support/fakes/fake-bank.ts";
import { expectNoSideEffects } from "../../../../support/probes/ledger/footprint.ts";
import { freshIsolate } from "../../../../support/builders/companies/isolate.ts";
import { expectProblem } from "../../../../support/probes/http/problem.ts";
import { refund } from "../../../../support/builders/operations/refund.ts";
import {
  createTransaction,
  givenTransaction,
  pay,
} from "../../../../support/builders/charges/transaction.ts";
import { countRoundTrips } from "../../../../support/probes/database/round-trips.ts";
import { requestWithdraw } from "../../../../support/builders/withdraws/withdraw.ts";

const GB = 1_000_000_000;
const DAY_MS = 86_400_000;
const FULL = { status: 503, code: "STORAGE_FULL", retryAfter: true };

let loggedLines: string[] = [];

beforeEach(() => {
  loggedLines = [];
  vi.spyOn(console, "error").mockImplementation((line) => void loggedLines.push(String(line)));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await env.DB.batch([
    env.DB.prepare("DELETE FROM storage_gauges"),
    env.DB.prepare("UPDATE companies SET charges_stopped = 0 WHERE charges_stopped <> 0"),
  ]);
});

/** Makes the company's object report this size. */
function growTo(company: TestCompany, bytes: number): Promise<void> {
  return inAccount(company.id, (_, { storage }) => {
    Object.defineProperty(storage.sql, "databaseSize", { value: bytes, configurable: true });
  });
}

/** The object has its size since yesterday, so that its growth counts for no quota of today. */
function startUsageDay(company: TestCompany): Promise<void> {
  return inAccount(company.id, (_, { storage }) => {
    storage.sql.exec("UPDATE company SET usage_object_bytes = ?", storage.sql.databaseSize);
  });
}

/** A D1 that reports this size. */
function withStorageSize(bytes: number): Env {
  const run = async () => ({ meta: { size_after: bytes } });
  const measuring = { run, bind: () => ({ run }) };
  const prepare = (sql: string) => (sql === "SELECT 1" ? measuring : env.DB.prepare(sql));
  const batch = env.DB.batch.bind(env.DB);
  return { ...env, DB: { prepare, batch } } as unknown as Env;
}

const measureStorage = (bytes: number, clock = new TestClock()) =>
  measureDatabases(withStorageSize(bytes), cronDeps(clock, new FakeBank()));

const stoppedOf = (company: TestCompany) =>
  env.DB.prepare("SELECT charges_stopped AS bits FROM companies WHERE id = ?")
    .bind(company.id)
    .first<number>("bits");

const figuresOf = async (name: string) =>
  (await env.DB.prepare("SELECT * FROM storage_gauges WHERE name = ?").bind(name).all()).results;

/** The logged errors with this event name. */
function errors(): string[] {
  return loggedLines.map((line) => (JSON.parse(line) as { event: string }).event);
}

it("STORAGE_FULL: at 90 % of an object, its company cannot create charges and all other calls work", async () => {
  const company = await givenCompany({ balance: 5_000 });
  const open = await givenTransaction(company, { amount: 2_500 });
  await growTo(company, 9 * GB);
  await startUsageDay(company);
  await runCheck(company);

  const answer = await expectNoSideEffects(company, () =>
    createTransaction(company, {}, { deps: freshIsolate(), key: "k_full" }),
  );

  await expectProblem(answer, FULL);
  expect(answer.body.detail).toContain("storage");
  expect((await pay(company, open.id)).status).toBe(200);
  expect((await refund(company, open.id, 500)).status).toBe(200);
  expect((await requestWithdraw(company, { amount: 1_000 })).status).toBe(201);
  expect(await stoppedOf(company)).toBe(1);
});

it("an isolate with cached credentials learns of it with the next create", async () => {
  const company = await givenCompany();
  const deps = freshIsolate();
  expect((await createTransaction(company, {}, { deps })).status).toBe(200);
  await growTo(company, 9.5 * GB);
  await runCheck(company);
  await expectProblem(await createTransaction(company, {}, { deps }), FULL);

  await growTo(company, 8 * GB);
  await runCheck(company);
  expect((await createTransaction(company, {}, { deps })).status).toBe(200);
});

it("a create that was claimed before is replayed under its key", async () => {
  const company = await givenCompany();
  const first = await createTransaction(company, {}, { key: "k_1" });
  await growTo(company, 9 * GB);
  await runCheck(company);

  const again = await createTransaction(company, {}, { key: "k_1", deps: freshIsolate() });

  expect(again.text).toBe(first.text);
  const other = await createTransaction(
    company,
    { amount: 1 },
    { key: "k_1", deps: freshIsolate() },
  );
  await expectProblem(other, { status: 409, code: "IDEMPOTENCY_KEY_REUSED" });
});

it("a create below the limit makes no extra storage query", async () => {
  const company = await givenCompany();
  const deps = freshIsolate();
  await createTransaction(company, {}, { deps });
  const counted = countRoundTrips();
  await createTransaction(company, {}, { deps, env: counted.env });
  const { trips } = counted.lap();
  expect(trips.filter((sql) => /charges_stopped|storage_gauges/.test(sql))).toEqual([]);
});

it.each([
  [6.9, null, 0],
  [7, "storage_filling", 0],
  [8.9, "storage_filling", 0],
  [9, "storage_filling", 1],
  [10, "storage_filling", 1],
])(
  "an object of %f GB is logged as %s, and its charges are stopped: %i",
  async (size, event, bits) => {
    const company = await givenCompany();
    await growTo(company, size * GB);

    await runCheck(company);

    expect(errors()).toEqual(event === null ? [] : [event]);
    expect(await stoppedOf(company)).toBe(bits);
  },
);

it("stopped charges resume below 85 %, not earlier", async () => {
  const company = await givenCompany();
  const bits: unknown[] = [];
  for (const size of [9, 8.99, 8.5, 8.49, 8.99]) {
    await growTo(company, size * GB);
    await runCheck(company);
    bits.push(await stoppedOf(company));
  }
  expect(bits).toEqual([1, 1, 1, 0, 0]);
});

it("operators are notified once that an object is filling up", async () => {
  const company = await givenCompany();
  for (const size of [6, 7.1, 7.2, 9]) {
    await growTo(company, size * GB);
    await runCheck(company);
  }
  const { results } = await env.DB.prepare(
    "SELECT number, type, data FROM operator_events WHERE company_id = ?",
  )
    .bind(company.id)
    .all<{ data: string }>();
  expect(results).toMatchObject([{ number: 1, type: "storage.filling" }]);
  expect(JSON.parse(results[0]!.data)).toEqual({
    companyId: company.id,
    bytes: 7.1 * GB,
    limit: 10 * GB,
    percent: 71,
  });
});

it("a figure is written on a change or once a day", async () => {
  const company = await givenCompany();
  const name = `company:${company.id}`;
  const at = Date.now();
  await growTo(company, GB);
  await runCheck(company, at);
  await growTo(company, GB + 49_000_000);
  await runCheck(company, at + 60_000);
  expect(await figuresOf(name)).toMatchObject([{ bytes: GB, measured_at: at }]);
  await growTo(company, GB + 50_000_000);
  await runCheck(company, at + 120_000);
  expect(await figuresOf(name)).toMatchObject([{ bytes: GB + 50_000_000 }]);
  await runCheck(company, at + 120_000 + DAY_MS);
  expect(await figuresOf(name)).toMatchObject([{ measured_at: at + 120_000 + DAY_MS }]);
});

it("a shard at 90 % stops new charges of all its companies until it is below 85 %", async () => {
  const [one, two] = [await givenCompany(), await givenCompany()];
  await measureStorage(8.9 * GB);
  expect(await stoppedOf(one)).toBe(0);
  expect(errors()).toEqual(["storage_filling"]);

  await measureStorage(9 * GB);
  expect([await stoppedOf(one), await stoppedOf(two)]).toEqual([2, 2]);
  await expectProblem(await createTransaction(one, {}, { deps: freshIsolate() }), FULL);
  expect((await call("/api/v1/transactions", { company: one })).status).toBe(200);

  await measureStorage(8.6 * GB);
  expect(await stoppedOf(one)).toBe(2);
  await measureStorage(8.4 * GB);
  expect([await stoppedOf(one), await stoppedOf(two)]).toEqual([0, 0]);
  expect((await createTransaction(one, {}, { deps: freshIsolate() })).status).toBe(200);
});

it("a full object stays stopped when its shard has room again, and the reverse", async () => {
  const company = await givenCompany();
  await growTo(company, 9 * GB);
  await runCheck(company);
  await measureStorage(9 * GB);
  expect(await stoppedOf(company)).toBe(3);
  await runCheck(company);
  expect(await stoppedOf(company)).toBe(3);

  await measureStorage(GB);
  expect(await stoppedOf(company)).toBe(1);
  await measureStorage(9 * GB);
  await growTo(company, GB);
  await runCheck(company);
  expect(await stoppedOf(company)).toBe(2);
});

it("a company that is added to a full shard later is stopped by its check", async () => {
  await measureStorage(9 * GB);
  const company = await givenCompany();
  expect(await stoppedOf(company)).toBe(0);

  await runCheck(company);

  expect(await stoppedOf(company)).toBe(2);
});
