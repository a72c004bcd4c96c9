import { expect, it } from "vitest";
import { reconcileAccounts } from "../../../../src/api/bank-reconciliation/tasks.ts";
import { systemRandom } from "../../../../src/domain/shared/clock.ts";
import { newUuid } from "../../../../src/domain/shared/ids.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  givenCompany,
  takeCreatedCompanies,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { withDatabase } from "../../../support/probes/database/instrumented-database.ts";
import { FakePsp } from "../../../support/fakes/fake-psp/psp.ts";
import { accountsOf } from "../../../support/probes/ledger/ledger.ts";
import {
  configurePixApi,
  deliverCallbacks,
  givenPsp,
  postponeOtherPasses,
  pixApiRequest,
  reconcile,
  reconcileDue,
  withPsp,
} from "../../../support/builders/providers/psp.ts";
import { completePayout, receivePayment } from "../../../support/builders/providers/psp-money.ts";
import { withAccounts, withD1 } from "../../../support/faults/faulty-env.ts";
import { takeBackBefore } from "../../../support/faults/restore.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** More accounts than one message reads. */
const COMPANIES = 7;
/** The platform's call limit of one invocation. */
const CALLS_MAX = 1_000;
const RUNS_MAX = 60;
/** Longer than a run begins new work. */
const RUN_MS = 41_000;

/** Live companies at one PSP, each with payments to its key without callbacks. */
async function givenMany(psp: FakePsp, clock: TestClock): Promise<TestCompany[]> {
  await postponeOtherPasses();
  const companies: TestCompany[] = [];
  for (let index = 0; index < COMPANIES; index++) {
    const company = await givenCompany({ mode: "live", clock });
    const pixKey = newUuid(systemRandom);
    await configurePixApi(company, pixApiRequest({ pixKey }), withPsp(psp, clock));
    companies.push(company);
    for (let payment = 0; payment < 10; payment++) psp.payKey("1.00", pixKey);
  }
  return companies;
}

it("one run stays below the call limit of an invocation, for any backlog of its accounts", async () => {
  const clock = new TestClock();
  const psp = new FakePsp(clock);
  const companies = await givenMany(psp, clock);
  clock.advance(20 * HOUR_MS);
  const { env: world, deps } = withPsp(psp, clock);
  let calls = 0;
  const { DB } = withDatabase({ after: () => void calls++ });
  const COMPANY_ACCOUNT = new Proxy(world.COMPANY_ACCOUNT, {
    get: (target, name) => {
      if (name === "getByName") calls += 1;
      const value = Reflect.get(target, name) as unknown;
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  const perRun: number[] = [];
  const areFound = async () => {
    const found = await Promise.all(companies.map(accountsOf));
    return found.every(({ suspense }) => suspense === 1_000);
  };
  while (!(await areFound()) && perRun.length < RUNS_MAX) {
    calls = 0;
    psp.requests.length = 0;
    await reconcileAccounts({ ...world, DB, COMPANY_ACCOUNT }, deps);
    perRun.push(calls + psp.requests.length);
    clock.advance(MINUTE_MS);
  }
  expect(await areFound()).toBe(true);
  expect(Math.max(...perRun)).toBeLessThan(CALLS_MAX);
  // The run reached its bound: without it there would be more calls.
  expect(Math.max(...perRun)).toBeGreaterThan(CALLS_MAX * 0.7);
  await postponeOtherPasses();
});

it("a page that a run has no time to compare with the object is left to the next run", async () => {
  const world = await completePayout(await receivePayment(await givenPsp()));
  const { company, psp, clock, idEnvio } = world;
  await takeBackBefore(company, async () => {
    psp.returnPayout(idEnvio, "10.00");
    await deliverCallbacks(world);
  });
  clock.advance(2 * MINUTE_MS);
  const callsAfterTheTime: string[] = [];
  let isOver = false;
  const slow = withD1(world.env, async (sql, run) => {
    const rows = await run();
    if (!isOver && /from "withdraws"/.test(sql)) {
      isOver = true;
      clock.advance(RUN_MS);
    }
    return rows;
  });
  const watched = withAccounts(slow, (label, run) => {
    if (isOver) callsAfterTheTime.push(label);
    return run();
  });

  await reconcile({ ...world, env: watched });

  expect(isOver).toBe(true);
  expect(callsAfterTheTime).toEqual([]);
  expect(await accountsOf(company)).toMatchObject({ available: 6_000 });
  clock.advance(MINUTE_MS);
  await reconcileDue(world);
  expect(await accountsOf(company)).toMatchObject({ available: 7_000 });
  takeCreatedCompanies();
});
