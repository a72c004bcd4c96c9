import { beforeEach, expect, it } from "vitest";
import { nextCompanies } from "../../../src/db/companies/companies.ts";
import { systemClock } from "../../../src/domain/shared/clock.ts";
import { endCharge, settle } from "../../support/builders/charges/charge-commands.ts";
import { env, givenCompany } from "../../support/builders/companies/company.ts";
import { meteredD1 } from "../../support/probes/database/cost.ts";
import { cronDeps, runCron } from "../../support/fakes/cron.ts";
import { FakeBank } from "../../support/fakes/fake-bank.ts";
import {
  CRASH,
  injectFault,
  withAccounts,
  withD1,
  type Interceptor,
} from "../../support/faults/faulty-env.ts";
import { outboxLength } from "../../support/probes/ledger/ledger.ts";
import { unavailableProjection, replaceInObject } from "../../support/faults/object.ts";
import { givenTransaction } from "../../support/builders/charges/transaction.ts";
import { eventsOf } from "../../support/probes/webhooks/webhook-rows.ts";

/** Companies per minute of the pass, and of an hour's pass where there are many. */
const COMPANIES_PER_MINUTE = 25;
const PASS_MINUTES = 60;
/** The passes over all companies, and two tasks that look for what is due. */
const TASKS = ["run_companies", "sweep_deliveries", "sweep_transactions"];

const deps = cronDeps(systemClock, new FakeBank());

/** The last company of other files, whose objects are in an unknown state. */
let otherCompanyIds = 0;

beforeEach(async () => {
  otherCompanyIds =
    (await env.DB.prepare("SELECT max(id) AS id FROM companies").first<number>("id")) ?? 0;
});

it("the cron runs the work of a limited number of companies a minute and reaches all in turn", async () => {
  const own: string[] = [];
  for (let made = 0; made < COMPANIES_PER_MINUTE + 5; made++) {
    own.push(`company-${(await givenCompany()).id}`);
  }

  const first = await minutesOfOnePass();
  const second = await minutesOfOnePass();

  const all = first.flat();
  const perMinute = await companiesPerMinute();
  expect(first.slice(0, -1).every((minute) => minute.length === perMinute)).toBe(true);
  expect(first.at(-1)!.length).toBeLessThan(perMinute);
  expect(new Set(all).size).toBe(all.length);
  expect(all).toEqual(expect.arrayContaining(own));
  expect(second).toEqual(first);
});

it("the pass reads as many companies a minute in every shard", async () => {
  const low = otherCompanyIds + 1_000;
  await env.DB.prepare(
    `WITH RECURSIVE ids (id) AS (SELECT ?1 UNION ALL SELECT id + 1 FROM ids WHERE id < ?1 + 999)
     INSERT INTO placements (company_id, database, move, at_table, after_key, turn, lease_until)
     SELECT id, 'DB_2', 0, '', 'null', 0, 0 FROM ids`,
  )
    .bind(low)
    .run();
  await resetPasses();
  const { env: metered, lap } = meteredD1();
  const walked = await nextCompanies(metered, "run", COMPANIES_PER_MINUTE);
  const { read, written } = lap();
  await env.DB.prepare("DELETE FROM placements WHERE company_id >= ?").bind(low).run();
  expect(walked).toEqual(Array.from({ length: COMPANIES_PER_MINUTE }, (_, index) => low + index));
  expect(read).toBeLessThanOrEqual(COMPANIES_PER_MINUTE + 5);
  expect(written).toBe(1);
});

it("the cron drains a commit whose alarm was lost, without a request", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company);
  const restore = await replaceInObject(company, unavailableProjection());
  await settle(company, transaction);
  await restore();
  expect(await outboxLength(company)).toBe(1);

  await runFullPass();

  expect(await outboxLength(company)).toBe(0);
  expect(await eventsOf(company)).toHaveLength(1);
});

it("a company whose object fails does not delay the others", async () => {
  const broken = await givenCompany();
  const company = await givenCompany();
  const transaction = await givenTransaction(company);
  const restore = await replaceInObject(company, unavailableProjection());
  await endCharge(company, transaction, "failed");
  await restore();
  let strikes = 0;
  const unreachable = {
    ...env,
    COMPANY_ACCOUNT: {
      getByName: (name: string) => {
        if (name !== `company-${broken.id}`) return env.COMPANY_ACCOUNT.getByName(name);
        strikes += 1;
        return { call: () => Promise.reject(new Error(CRASH)) };
      },
    } as unknown as typeof env.COMPANY_ACCOUNT,
  };

  await runFullPass(unreachable);

  expect(strikes).toBeGreaterThan(0);
  expect(await outboxLength(company)).toBe(0);
});

it("one failing task does not stop the others", async () => {
  const company = await givenCompany();
  const broken = injectFault({ on: /from "deliveries"/, when: "before" });
  const sweep = injectFault({ on: /from "transactions"/, when: "before" });
  const called: string[] = [];
  const remember: Interceptor = (label, run) => {
    called.push(label);
    return run();
  };

  const faulty = withD1(withD1(env, broken.intercept), sweep.intercept);
  await runFullPass(withAccounts(faulty, remember));

  expect(broken.injections()).toBe(1);
  expect(sweep.injections()).toBe(1);
  expect(called).toContain("runNow");
  expect(await outboxLength(company)).toBe(0);
});

/** Starts the cron's passes at the running test's companies. */
async function resetPasses(): Promise<void> {
  const begin = env.DB.prepare("INSERT OR REPLACE INTO cursors (name, value) VALUES (?, ?)");
  await env.DB.batch([begin.bind("run", otherCompanyIds), begin.bind("check", otherCompanyIds)]);
}

/** Other files' companies count as well. */
async function companiesPerMinute(): Promise<number> {
  const highest = await env.DB.prepare("SELECT max(id) AS id FROM companies").first<number>("id");
  return Math.max(COMPANIES_PER_MINUTE, Math.ceil((highest ?? 0) / PASS_MINUTES));
}

/** The companies of each minute of one pass; its last minute is not full. */
async function minutesOfOnePass(): Promise<string[][]> {
  const minutes: string[][] = [];
  const perMinute = await companiesPerMinute();
  await resetPasses();
  do {
    const called: string[] = [];
    const COMPANY_ACCOUNT = {
      getByName: (name: string) => ({ call: async () => (called.push(name), { kind: "done" }) }),
    } as unknown as typeof env.COMPANY_ACCOUNT;
    await runCron(deps, { ...env, COMPANY_ACCOUNT }, TASKS);
    minutes.push(called);
  } while (minutes.at(-1)!.length === perMinute);
  return minutes;
}

/** Enough minutes for every company of this file. */
async function runFullPass(environment = env): Promise<void> {
  const minutes = (await minutesOfOnePass()).length;
  await resetPasses();
  for (let minute = 0; minute < minutes; minute++) await runCron(deps, environment, TASKS);
}
