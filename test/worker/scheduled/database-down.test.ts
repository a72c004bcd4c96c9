import { beforeAll, beforeEach, expect, it } from "vitest";
import { deferToExpiry } from "../../../src/api/transactions/sweep/repository.ts";
import {
  dueCallbacks,
  readCallbacks,
  storeCallback,
} from "../../../src/db/reconciliation/callbacks.ts";
import { nextCompanies } from "../../../src/db/companies/companies.ts";
import { FanOut } from "../../../src/db/sharding/fan-out.ts";
import type { Company } from "../../../src/domain/shared/company.ts";
import { deliveryId } from "../../../src/domain/events/delivery.ts";
import type { OverdueDelivery } from "../../../src/webhooks/delivery/overdue-repository.ts";
import { OverdueScan } from "../../../src/webhooks/delivery/overdue-scan.ts";
import { TestClock } from "../../support/fakes/clock.ts";
import { env, givenCompany, type TestCompany } from "../../support/builders/companies/company.ts";
import { cronDeps, runCron, runSweep, runWholeCron } from "../../support/fakes/cron.ts";
import { excludeFromChecks } from "../../support/probes/database/projection-checks.ts";
import { captureConsole } from "../../support/probes/database/dumps.ts";
import { FakeBank } from "../../support/fakes/fake-bank.ts";
import { givenManyTransactions } from "../../support/builders/charges/many-transactions.ts";
import { callAsOperator } from "../../support/builders/companies/operator.ts";
import { expectProblem } from "../../support/probes/http/problem.ts";
import {
  givenSecondDatabase,
  moveTo,
  newIsolate,
  useShards,
  type ShardedEnv,
} from "../../support/builders/companies/sharded.ts";
import { givenPaid, givenTransaction } from "../../support/builders/charges/transaction.ts";

const WEBHOOK_URL = "https://loja.example.com/webhooks";
const MINUTE_MS = 60_000;
const DISTANT_FUTURE = 9_000_000_000_000;
const DOWN = new Error("D1_ERROR: Network connection lost.");
/** The tasks that look for due work in all databases. */
const SHARD_TASKS = [
  "sweep_deliveries",
  "sweep_transactions",
  "end_shadow_charges",
  "sweep_callbacks",
  "reconcile_payments",
  "credit_payments",
  "ask_about_responses",
  "send_emails",
  "check_companies",
  "measure_databases",
  "erase_payers",
  "delete_cards",
  "run_clocks",
] as const;

beforeAll(givenSecondDatabase);

/** Excludes other tests' due work. */
beforeEach(async () => {
  for (const database of [newIsolate().DB, newIsolate().DB_2]) {
    await database.batch([
      database.prepare("DELETE FROM cursors"),
      database.prepare("DELETE FROM callbacks"),
      database.prepare("UPDATE transactions SET next_sweep_at = ?").bind(DISTANT_FUTURE),
    ]);
  }
});

/** Each with some events, whose deliveries are due. */
async function givenCompaniesInBothShards(
  paid = 0,
): Promise<{ here: TestCompany; there: TestCompany }> {
  const [here, there] = [await givenCompanyInShard(), await givenCompanyInShard()];
  for (let payment = 0; payment < paid; payment++) {
    for (const company of [here, there]) await givenPaid(company, 2_500);
  }
  await moveTo(newIsolate(), there, "DB_2");
  return { here, there };
}

async function givenCompanyInShard(): Promise<TestCompany> {
  const company = await givenCompany({ webhookUrl: WEBHOOK_URL });
  await useShards(company);
  return company;
}

function laterDeps(bank = new FakeBank()) {
  const clock = new TestClock();
  clock.advance(MINUTE_MS);
  return cronDeps(clock, bank);
}

const fail = () => Promise.reject(DOWN);

/** An isolate that cannot reach one of the databases. */
function without(name: "DB" | "DB_2"): ShardedEnv {
  const statement = { bind: () => statement, all: fail, run: fail, raw: fail, first: fail };
  return { ...newIsolate(), [name]: { prepare: () => statement, batch: fail } };
}

const firstDelivery = ({ id }: TestCompany) =>
  deliveryId({ companyId: id, companySequence: 1, target: "endpoint" });

const numbersOf = (events: OverdueDelivery[]) =>
  events.map(({ companyId, companySequence }) => [companyId, companySequence]);

const companiesOf = (due: { company: Company }[]) => due.map(({ company }) => company.id);

const cursorOf = (database: D1Database, name: string) =>
  database.prepare("SELECT value FROM cursors WHERE name = ?").bind(name).first<number>("value");

it("a shard that is down does not affect companies in other shards", async () => {
  const { here, there } = await givenCompaniesInBothShards(1);
  await excludeFromChecks(here);
  const heard = captureConsole();
  const wakeUps = await runWholeCron(laterDeps(), without("DB_2"));
  expect(wakeUps).toContain(firstDelivery(here));
  expect(wakeUps).not.toContain(firstDelivery(there));
  expect(heard()).not.toMatch(/cron_task_failed|sweep_defer_failed/);
  expect(await runCron(laterDeps(), newIsolate())).toEqual(
    expect.arrayContaining([firstDelivery(here), firstDelivery(there)]),
  );
});

it.each(SHARD_TASKS)("%s excludes a shard that is down", async (task) => {
  const heard = captureConsole();
  await runCron(laterDeps(), without("DB_2"), [task]);
  expect(heard()).toMatch(/shard_excluded[^}]*DB_2/);
});

it("a directory that is down does not block wake-ups of deliveries in other shards", async () => {
  const { there } = await givenCompaniesInBothShards(1);
  const heard = captureConsole();
  expect(await runWholeCron(laterDeps(), without("DB"))).toContain(firstDelivery(there));
  // Only tasks that use the directory: certificates, passes, checks, migrations, figures, anchors, old rows, the watch.
  expect(heard().match(/cron_task_failed/g)).toHaveLength(8);
});

it("charges are postponed to their expiry during the outage and are there afterwards", async () => {
  const { here, there } = await givenCompaniesInBothShards();
  const isolate = newIsolate();
  const due = 1;
  const databases = [isolate.DB, isolate.DB_2];
  const ids: string[] = [];
  for (const [at, company] of [here, there].entries()) {
    ids.push((await givenTransaction(company, {}, { env: isolate })).id);
    await databases[at]!.prepare("UPDATE transactions SET next_sweep_at = ? WHERE id = ?")
      .bind(due, ids[at])
      .run();
  }
  const arePutOff = () =>
    Promise.all(
      databases.map((database, at) =>
        database
          .prepare("SELECT next_sweep_at = expires_at AS done FROM transactions WHERE id = ?")
          .bind(ids[at])
          .first<number>("done"),
      ),
    );
  expect(await deferToExpiry(new FanOut(without("DB_2")), Date.now())).toBe(true);
  expect(await arePutOff()).toEqual([1, 0]);
  expect(await deferToExpiry(new FanOut(isolate), Date.now())).toBe(true);
  expect(await arePutOff()).toEqual([1, 1]);
});

it("the sweep of deliveries continues from its cursor and skips no event", async () => {
  const begin = Date.now() - 1;
  const { here, there } = await givenCompaniesInBothShards(2);
  const isolate = newIsolate();
  for (const database of [isolate.DB, isolate.DB_2]) {
    await database
      .prepare("INSERT INTO cursors (name, value) VALUES ('deliveries', ?)")
      .bind(begin)
      .run();
  }
  const dueBefore = Date.now() + MINUTE_MS;

  // A page has one of each, so neither's backlog hides the other's.
  const first = await OverdueScan.begin(isolate, dueBefore);
  expect(numbersOf(await first.next(2))).toEqual([
    [here.id, 1],
    [there.id, 1],
  ]);
  await first.saveCursors();
  const reached = await cursorOf(isolate.DB_2, "deliveries");
  expect(reached).toBeGreaterThan(begin);

  const second = await OverdueScan.begin(without("DB_2"), dueBefore);
  expect(numbersOf(await second.next(2))).toEqual([[here.id, 2]]);
  expect(second.isComplete).toBe(true);
  await second.saveCursors();
  expect(await cursorOf(isolate.DB, "deliveries")).toBe(0);
  expect(await cursorOf(isolate.DB_2, "deliveries")).toBe(reached);

  const third = await OverdueScan.begin(isolate, dueBefore);
  const events = numbersOf(await third.next(500));
  expect(events.filter(([id]) => id === here.id)).toHaveLength(2);
  expect(events.filter(([id]) => id === there.id)).toEqual([[there.id, 2]]);
});

it("the passes over companies reach the companies of the shard too", async () => {
  const { here, there } = await givenCompaniesInBothShards();
  await env.DB.prepare("INSERT INTO cursors (name, value) VALUES ('run', ?)")
    .bind(here.id - 1)
    .run();
  expect(await nextCompanies(without("DB_2"), "run", 3)).toEqual([here.id, there.id]);
});

it("a callback for a company in another shard is processed", async () => {
  const { here, there } = await givenCompaniesInBothShards();
  const dueAt = Date.now();
  for (const [index, company] of [here, here, there].entries()) {
    await storeCallback(newIsolate(), {
      id: `${company.id}-${index}`,
      companyId: company.id,
      objectId: "object",
      dueAt: dueAt + index,
      attempts: 0,
    });
  }
  const due = async (isolate: typeof env) =>
    companiesOf(
      await readCallbacks(
        await dueCallbacks({ fanOut: new FanOut(isolate), nowMs: dueAt + 10 }, 2),
      ),
    );
  expect(await due(without("DB_2"))).toEqual([here.id, here.id]);
  expect(await due(newIsolate())).toEqual([here.id, there.id]);
});

it("lists of all companies are rejected instead of being incomplete", async () => {
  await expectProblem(await callAsOperator("/companies", { env: without("DB_2") }), {
    status: 503,
    code: "STORAGE_UNAVAILABLE",
  });
});

it("a read-only shard has no charge polled, as none can be claimed, and the other shards all of theirs", async () => {
  const [here, there] = [await givenCompanyInShard(), await givenCompanyInShard()];
  await givenManyTransactions(here, { many: 25 });
  await givenManyTransactions(there, { many: 25 });
  await moveTo(newIsolate(), there, "DB_2");
  const isolate = newIsolate();
  for (const database of [isolate.DB, isolate.DB_2]) {
    await database
      .prepare(
        "UPDATE transactions SET next_sweep_at = 1, expires_at = 1, provider = 'PixApi' WHERE company_id IN (?, ?)",
      )
      .bind(here.id, there.id)
      .run();
  }
  const full = {
    prepare: (sql: string) => {
      if (/^\s*(update|insert|delete)/i.test(sql)) throw new Error("D1_ERROR: SQLITE_FULL");
      return isolate.DB_2.prepare(sql);
    },
    batch: (statements: D1PreparedStatement[]) => isolate.DB_2.batch(statements),
  };
  const bank = new FakeBank();
  await runSweep(laterDeps(bank), { ...isolate, DB_2: full } as unknown as ShardedEnv);
  const due = isolate.DB.prepare(
    "SELECT count(*) AS n FROM transactions WHERE company_id = ? AND next_sweep_at = 1",
  ).bind(here.id);
  expect(await due.first("n")).toBe(0);
  expect(new Set(bank.chargeLookups).size).toBe(bank.chargeLookups.length);
  expect(bank.chargeLookups).toHaveLength(25);
});

it("requests do not wait long for a database that does not respond", async () => {
  const never = new Promise<string>(() => undefined);
  const round = new FanOut(newIsolate(), 1);
  const ask = () => round.query(({ name }) => (name === "DB_2" ? never : Promise.resolve(name)));
  expect([...(await ask()).values()]).toEqual(["DB"]);
  expect([...(await ask()).values()]).toEqual(["DB"]);
});

it("an error in every database is an error of the task", async () => {
  const round = new FanOut(newIsolate());
  await expect(round.query(() => Promise.reject(DOWN))).rejects.toThrow(DOWN.message);
  await expect(new FanOut(env).query(() => Promise.reject(DOWN))).rejects.toThrow(DOWN.message);
});
