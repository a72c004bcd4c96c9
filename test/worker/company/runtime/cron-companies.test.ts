import { beforeEach, expect, it } from "vitest";
import { nextCompanies } from "../../../../src/db/companies/companies.ts";
import { systemClock } from "../../../../src/domain/shared/clock.ts";
import { end, settle } from "../../../support/builders/commands.ts";
import { env, givenCompany } from "../../../support/builders/company.ts";
import { meteredD1 } from "../../../support/probes/cost.ts";
import { cronDeps, runCron } from "../../../support/fakes/cron.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import {
  CRASH,
  fault,
  withAccounts,
  withD1,
  type Around,
} from "../../../support/faults/faulty-env.ts";
import { outboxLength } from "../../../support/builders/ledger.ts";
import { downRecords, replaceInObject } from "../../../support/probes/object.ts";
import { givenTransaction } from "../../../support/builders/transaction.ts";
import { eventsOf } from "../../../support/probes/webhook-rows.ts";

/** Companies knocked at a minute. */
const A_MINUTES_COMPANIES = 25;

const deps = cronDeps(systemClock, new FakeBank());

/** The last company of other files, whose objects are in whatever state they were left in. */
let others = 0;

beforeEach(async () => {
  others = (await env.DB.prepare("SELECT max(id) AS id FROM companies").first<number>("id")) ?? 0;
});

it("the cron knocks at a bounded number of companies a minute, and in turn at all of them", async () => {
  const own: string[] = [];
  for (let made = 0; made < A_MINUTES_COMPANIES + 5; made++) {
    own.push(`company-${(await givenCompany()).id}`);
  }

  const first = await minutesOfOneWalk();
  const second = await minutesOfOneWalk();

  const all = first.flat();
  expect(first.length).toBeGreaterThan(1);
  expect(first.slice(0, -1).every((minute) => minute.length === A_MINUTES_COMPANIES)).toBe(true);
  expect(first.at(-1)!.length).toBeLessThan(A_MINUTES_COMPANIES);
  expect(new Set(all).size).toBe(all.length);
  expect(all).toEqual(expect.arrayContaining(own));
  expect(second).toEqual(first);
});

it("a minute of the walk reads as many companies as it comes to, wherever they live", async () => {
  const low = others + 1_000;
  await env.DB.prepare(
    `WITH RECURSIVE ids (id) AS (SELECT ?1 UNION ALL SELECT id + 1 FROM ids WHERE id < ?1 + 999)
     INSERT INTO placements (company_id, database, move, at_table, after_key, turn, lease_until)
     SELECT id, 'DB_2', 0, '', 'null', 0, 0 FROM ids`,
  )
    .bind(low)
    .run();
  await beginWalks();
  const { env: metered, lap } = meteredD1();
  const walked = await nextCompanies(metered, "tick", A_MINUTES_COMPANIES);
  const { read, written } = lap();
  await env.DB.prepare("DELETE FROM placements WHERE company_id >= ?").bind(low).run();
  expect(walked).toEqual(Array.from({ length: A_MINUTES_COMPANIES }, (_, index) => low + index));
  expect(read).toBeLessThanOrEqual(A_MINUTES_COMPANIES + 5);
  expect(written).toBe(1);
});

it("a commit whose alarm was lost is told to D1 by the cron, without any request", async () => {
  const company = await givenCompany();
  const transaction = await givenTransaction(company);
  const restore = await replaceInObject(company, downRecords());
  await settle(company, transaction);
  await restore();
  expect(await outboxLength(company)).toBe(1);

  await walkOverAllCompanies();

  expect(await outboxLength(company)).toBe(0);
  expect(await eventsOf(company)).toHaveLength(1);
});

it("a company that cannot be knocked at keeps no other one waiting", async () => {
  const broken = await givenCompany();
  const company = await givenCompany();
  const transaction = await givenTransaction(company);
  const restore = await replaceInObject(company, downRecords());
  await end(company, transaction, "failed");
  await restore();
  let strikes = 0;
  const unreachable = {
    ...env,
    COMPANY_ACCOUNT: {
      getByName: (name: string) => {
        if (name !== `company-${broken.id}`) return env.COMPANY_ACCOUNT.getByName(name);
        strikes += 1;
        return { tick: () => Promise.reject(new Error(CRASH)) };
      },
    } as unknown as typeof env.COMPANY_ACCOUNT,
  };

  await walkOverAllCompanies(unreachable);

  expect(strikes).toBeGreaterThan(0);
  expect(await outboxLength(company)).toBe(0);
});

it("one failing task does not stop the others", async () => {
  const company = await givenCompany();
  const broken = fault({ on: /from "deliveries"/, when: "before" });
  const sweep = fault({ on: /from "transactions"/, when: "before" });
  const knocked: string[] = [];
  const remember: Around = (label, run) => {
    knocked.push(label);
    return run();
  };

  const faulty = withD1(withD1(env, broken.around), sweep.around);
  await walkOverAllCompanies(withAccounts(faulty, remember));

  expect(broken.strikes()).toBe(1);
  expect(sweep.strikes()).toBe(1);
  expect(knocked).toContain("tick");
  expect(await outboxLength(company)).toBe(0);
});

/** Begins the cron's walks with the companies of the running test. */
async function beginWalks(): Promise<void> {
  const begin = env.DB.prepare("INSERT OR REPLACE INTO cursors (name, value) VALUES (?, ?)");
  await env.DB.batch([begin.bind("tick", others), begin.bind("check", others)]);
}

/** Whom each minute knocks at, from the walk's beginning to its end: a minute that is not full. */
async function minutesOfOneWalk(): Promise<string[][]> {
  const minutes: string[][] = [];
  await beginWalks();
  do {
    const knocked: string[] = [];
    const COMPANY_ACCOUNT = {
      getByName: (name: string) => ({ tick: async () => void knocked.push(name) }),
    } as unknown as typeof env.COMPANY_ACCOUNT;
    await runCron(deps, { ...env, COMPANY_ACCOUNT });
    minutes.push(knocked);
  } while (minutes.at(-1)!.length === A_MINUTES_COMPANIES);
  return minutes;
}

/** Enough minutes for every company of this file. */
async function walkOverAllCompanies(environment = env): Promise<void> {
  const minutes = (await minutesOfOneWalk()).length;
  await beginWalks();
  for (let minute = 0; minute < minutes; minute++) await runCron(deps, environment);
}
