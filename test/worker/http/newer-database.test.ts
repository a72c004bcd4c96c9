import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { CONTRACTS, SchemaVersions } from "../../../src/db/schema-versions.ts";
import { systemDependencies } from "../../../src/dependencies.ts";
import { handleQueue } from "../../../src/queue.ts";
import { handleScheduled } from "../../../src/scheduled.ts";
import { givenTransaction } from "../../support/builders/charges/transaction.ts";
import { env, givenCompany, type TestCompany } from "../../support/builders/companies/company.ts";
import { call } from "../../support/builders/requests/api.ts";
import { TestClock } from "../../support/fakes/clock.ts";
import { taskQueue } from "../../support/fakes/cron.ts";
import { withD1 } from "../../support/faults/faulty-env.ts";
import { expectProblem } from "../../support/probes/http/problem.ts";
import { dumpObject } from "../../support/probes/ledger/ledger.ts";

const CREATE = "/api/v1/transactions/create";
const HALF_MINUTE_MS = 30_000;

afterEach(async () => {
  vi.restoreAllMocks();
  await contractsAre(CONTRACTS);
});

const contractsAre = (count: number) =>
  env.DB.prepare("UPDATE schema_version SET contracts = ?").bind(count).run();

/** An isolate that has not looked at the database yet. */
function givenIsolate() {
  const clock = new TestClock();
  return { clock, deps: { platformClock: clock, schemaVersions: new SchemaVersions(clock) } };
}

const create = (company: TestCompany, deps: object, environment = env) =>
  call(CREATE, {
    company,
    deps,
    env: environment,
    body: { amount: 900, paymentMethod: "PIX", customer: { name: "Maria" } },
  });

it("STORAGE_UNAVAILABLE: code that is older than a database writes nothing and says so, and reads on", async () => {
  const company = await givenCompany({ balance: 2_500 });
  const transaction = await givenTransaction(company, { amount: 900 });
  const before = await dumpObject(company);
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  await contractsAre(CONTRACTS + 1);
  const { deps } = givenIsolate();

  const refused = await create(company, deps);

  await expectProblem(refused, { status: 503, code: "STORAGE_UNAVAILABLE", retryAfter: true });
  expect(refused.body.detail).toContain("A newer version of the service has migrated its data");
  expect(JSON.parse(errors.mock.calls[0]![0] as string)).toMatchObject({
    event: "storage_version_ahead",
    contracts: CONTRACTS + 1,
  });
  expect(await dumpObject(company)).toBe(before);
  const read = await call(`/api/v1/transactions/${transaction.id}`, { company, deps });
  expect(read.status).toBe(200);
});

it("an isolate that has written before a contraction stops within half a minute, and goes on after it", async () => {
  const company = await givenCompany({});
  const { clock, deps } = givenIsolate();
  expect((await create(company, deps)).status).toBe(200);
  await contractsAre(CONTRACTS + 1);
  clock.advance(HALF_MINUTE_MS);
  expect((await create(company, deps)).status).toBe(503);
  await contractsAre(CONTRACTS);
  clock.advance(HALF_MINUTE_MS);
  expect((await create(company, deps)).status).toBe(200);
});

it("the cron of older code does nothing, and its queue's messages are delivered again", async () => {
  await contractsAre(CONTRACTS + 1);
  const { deps } = givenIsolate();
  const { TASKS, take } = taskQueue();
  await handleScheduled({ ...env, TASKS }, { ...systemDependencies, ...deps });
  expect(take()).toEqual([]);

  const message = { id: "m0", timestamp: new Date(), attempts: 1, body: {} };
  const batch = createMessageBatch("payouts", [message]);
  const context = createExecutionContext();
  await handleQueue(batch, env, context, deps);
  const { explicitAcks, retryBatch } = await getQueueResult(batch, context);
  expect(explicitAcks).toEqual([]);
  expect(retryBatch.retry).toBe(true);
});

it("a database that does not say its version stops nothing", async () => {
  const company = await givenCompany({});
  const { deps } = givenIsolate();
  const silent = withD1(env, (sql, run) =>
    sql.includes("schema_version") ? Promise.reject(new Error("D1_ERROR")) : run(),
  );
  expect((await create(company, deps, silent)).status).toBe(200);
});
