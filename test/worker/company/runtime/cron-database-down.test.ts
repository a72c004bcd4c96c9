import { beforeAll, beforeEach, expect, it } from "vitest";
import { awaitExpiry } from "../../../../src/api/transactions/sweep-list.ts";
import { dueCallbacks, storeCallback } from "../../../../src/db/reconciliation/callbacks.ts";
import { nextCompanies } from "../../../../src/db/companies/companies.ts";
import { Round } from "../../../../src/db/sharding/round.ts";
import type { Company } from "../../../../src/domain/shared/company.ts";
import { deliveryId } from "../../../../src/domain/events/delivery.ts";
import { OverdueWalk, type OverdueDelivery } from "../../../../src/webhooks/delivery/overdue.ts";
import { call } from "../../../support/builders/api.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { env, givenCompany, type TestCompany } from "../../../support/builders/company.ts";
import { cronDeps, runCron, runSweep } from "../../../support/fakes/cron.ts";
import { overhearConsole } from "../../../support/probes/dumps.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { givenManyTransactions } from "../../../support/builders/many-transactions.ts";
import { operate } from "../../../support/builders/operator.ts";
import { expectProblem } from "../../../support/probes/problem.ts";
import {
  givenSecondDatabase,
  moveTo,
  newIsolate,
  spreadObject,
  type SpreadEnv,
} from "../../../support/builders/spread.ts";
import { givenPaid, givenTransaction } from "../../../support/builders/transaction.ts";

const HOOK = "https://loja.example.com/webhooks";
const MINUTE_MS = 60_000;
const FAR_AWAY = 9_000_000_000_000;
const DOWN = new Error("D1_ERROR: Network connection lost.");

beforeAll(givenSecondDatabase);

/** What is due in other tests is none of a test's affair. */
beforeEach(async () => {
  for (const database of [newIsolate().DB, newIsolate().DB_2]) {
    await database.batch([
      database.prepare("DELETE FROM cursors"),
      database.prepare("DELETE FROM callbacks"),
      database.prepare("UPDATE transactions SET next_sweep_at = ?").bind(FAR_AWAY),
    ]);
  }
});

/** Each with some events, whose deliveries are due. */
async function givenHomes(paid = 0): Promise<{ here: TestCompany; there: TestCompany }> {
  const [here, there] = [await givenHome(), await givenHome()];
  for (let payment = 0; payment < paid; payment++) {
    for (const company of [here, there]) await givenPaid(company, 2_500);
  }
  await moveTo(newIsolate(), there, "DB_2");
  return { here, there };
}

async function givenHome(): Promise<TestCompany> {
  const company = await givenCompany({ webhookUrl: HOOK });
  await spreadObject(company);
  return company;
}

function laterDeps(bank = new FakeBank()) {
  const clock = new TestClock();
  clock.advance(MINUTE_MS);
  return cronDeps(clock, bank);
}

const fail = () => Promise.reject(DOWN);

/** An isolate that cannot reach one of the databases. */
function without(name: "DB" | "DB_2"): SpreadEnv {
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

it("a database that is down keeps the cron from nobody whose company lives in another", async () => {
  const { here, there } = await givenHomes(1);
  const heard = overhearConsole();
  const hints = await runCron(laterDeps(), without("DB_2"));
  expect(hints).toContain(firstDelivery(here));
  expect(hints).not.toContain(firstDelivery(there));
  const left = heard().match(/database_left_out[^}]*DB_2/g);
  // The sweeps of deliveries, callbacks and listings, charges that are put off and those that are due,
  // and the gauges.
  expect(left).toHaveLength(6);
  expect(heard()).not.toMatch(/cron_task_failed|sweep_postpone_failed/);
  expect(await runCron(laterDeps(), newIsolate())).toEqual(
    expect.arrayContaining([firstDelivery(here), firstDelivery(there)]),
  );
});

it("the directory's being down keeps no delivery of another database from its hint", async () => {
  const { there } = await givenHomes(1);
  const heard = overhearConsole();
  expect(await runCron(laterDeps(), without("DB"))).toContain(firstDelivery(there));
  // Only what goes by the directory: knocks, checks, moves, gauges and anchors.
  expect(heard().match(/cron_task_failed/g)).toHaveLength(5);
});

it("charges are put off to their expiry without it, and there when it is back", async () => {
  const { here, there } = await givenHomes();
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
  expect(await awaitExpiry(new Round(without("DB_2")), Date.now())).toBe(true);
  expect(await arePutOff()).toEqual([1, 0]);
  expect(await awaitExpiry(new Round(isolate), Date.now())).toBe(true);
  expect(await arePutOff()).toEqual([1, 1]);
});

it("the sweep of deliveries goes on there from where it was before, past no event", async () => {
  const begin = Date.now() - 1;
  const { here, there } = await givenHomes(2);
  const isolate = newIsolate();
  for (const database of [isolate.DB, isolate.DB_2]) {
    await database
      .prepare("INSERT INTO cursors (name, value) VALUES ('deliveries', ?)")
      .bind(begin)
      .run();
  }
  const dueBefore = Date.now() + MINUTE_MS;

  // A page has one of each, so neither's backlog hides the other's.
  const first = await OverdueWalk.begin(isolate, dueBefore);
  expect(numbersOf(await first.next(2))).toEqual([
    [here.id, 1],
    [there.id, 1],
  ]);
  await first.end();
  const reached = await cursorOf(isolate.DB_2, "deliveries");
  expect(reached).toBeGreaterThan(begin);

  const second = await OverdueWalk.begin(without("DB_2"), dueBefore);
  expect(numbersOf(await second.next(2))).toEqual([[here.id, 2]]);
  expect(second.isWhole).toBe(true);
  await second.end();
  expect(await cursorOf(isolate.DB, "deliveries")).toBe(0);
  expect(await cursorOf(isolate.DB_2, "deliveries")).toBe(reached);

  const third = await OverdueWalk.begin(isolate, dueBefore);
  const events = numbersOf(await third.next(500));
  expect(events.filter(([id]) => id === here.id)).toHaveLength(2);
  expect(events.filter(([id]) => id === there.id)).toEqual([[there.id, 2]]);
});

it("the walks over companies come to those that live in it too", async () => {
  const { here, there } = await givenHomes();
  await env.DB.prepare("INSERT INTO cursors (name, value) VALUES ('tick', ?)")
    .bind(here.id - 1)
    .run();
  expect(await nextCompanies(without("DB_2"), "tick", 3)).toEqual([here.id, there.id]);
});

it("what a provider has told of a company in another database is read back", async () => {
  const { here, there } = await givenHomes();
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
  expect(companiesOf(await dueCallbacks(without("DB_2"), dueAt + 10, 2))).toEqual([
    here.id,
    here.id,
  ]);
  expect(companiesOf(await dueCallbacks(newIsolate(), dueAt + 10, 2))).toEqual([here.id, there.id]);
});

it("lists of all companies are refused rather than answered without some", async () => {
  await expectProblem(await operate("/companies", { env: without("DB_2") }), {
    status: 503,
    code: "STORAGE_UNAVAILABLE",
  });
  await expectProblem(await call("/.well-known/webhook-keys.json", { env: without("DB_2") }), {
    status: 503,
    code: "STORAGE_UNAVAILABLE",
  });
});

it("one that can be read and not written has its charges asked about once, and the others all", async () => {
  const [here, there] = [await givenHome(), await givenHome()];
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
  await runSweep(laterDeps(bank), { ...isolate, DB_2: full } as unknown as SpreadEnv);
  const due = isolate.DB.prepare(
    "SELECT count(*) AS n FROM transactions WHERE company_id = ? AND next_sweep_at = 1",
  ).bind(here.id);
  expect(await due.first("n")).toBe(0);
  expect(new Set(bank.askedCharges).size).toBe(bank.askedCharges.length);
  expect(bank.askedCharges).toHaveLength(25 + 10);
});

it("nobody waits long for a database that does not answer", async () => {
  const never = new Promise<string>(() => undefined);
  const round = new Round(newIsolate(), 1);
  const ask = () => round.ask(({ name }) => (name === "DB_2" ? never : Promise.resolve(name)));
  expect([...(await ask()).values()]).toEqual(["DB"]);
  expect([...(await ask()).values()]).toEqual(["DB"]);
});

it("what fails in every database is the task's own fault", async () => {
  const round = new Round(newIsolate());
  await expect(round.ask(() => Promise.reject(DOWN))).rejects.toThrow(DOWN.message);
  await expect(new Round(env).ask(() => Promise.reject(DOWN))).rejects.toThrow(DOWN.message);
});
