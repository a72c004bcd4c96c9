import { expect, it } from "vitest";
import { endRetention } from "../../../../src/api/payers/retention-repository.ts";
import { erasePayers } from "../../../../src/api/payers/tasks.ts";
import {
  MARKED_CARD,
  MARKED_DOCUMENT,
  MARKED_PIX,
} from "../../../support/builders/charges/marked-payer.ts";
import { givenTransaction, pay } from "../../../support/builders/charges/transaction.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { cancel, simulate } from "../../../support/builders/operations/refund.ts";
import { TestClock } from "../../../support/fakes/clock.ts";
import { withDatabase } from "../../../support/probes/database/instrumented-database.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Fewer than a company may set: the rule is the same. */
const RETENTION_DAYS = 5;

async function givenRetention(days: number | null = RETENTION_DAYS) {
  const clock = new TestClock();
  const company = await givenCompany({ clock });
  await setRetention(company, days);
  return { clock, company, deps: { platformClock: clock } };
}

async function setRetention(company: TestCompany, days: number | null): Promise<void> {
  await env.DB.prepare("UPDATE companies SET retention_days = ? WHERE id = ?")
    .bind(days, company.id)
    .run();
}

/** Runs the cron often enough for a scan, an erasure and what follows it. */
async function runDays(clock: TestClock, days: number): Promise<void> {
  for (let day = 0; day < days; day++) {
    clock.advance(DAY_MS);
    await erasePayers(env, { platformClock: clock });
    await erasePayers(env, { platformClock: clock });
  }
}

/** The numbers of the charges whose payer is still stored. */
async function keptCharges(company: TestCompany): Promise<number[]> {
  const { results } = await env.DB.prepare(
    "SELECT seq FROM transactions WHERE company_id = ? AND payer LIKE ? ORDER BY seq",
  )
    .bind(company.id, `%${MARKED_DOCUMENT}%`)
    .all<{ seq: number }>();
  return results.map(({ seq }) => seq);
}

async function queueLength(company: TestCompany): Promise<number | null> {
  return env.DB.prepare("SELECT count(*) AS n FROM payer_erasures WHERE company_id = ?")
    .bind(company.id)
    .first<number>("n");
}

it("payers are erased so many days after their charge's end, not before", async () => {
  const { clock, company, deps } = await givenRetention();
  const first = await givenTransaction(company, MARKED_PIX, { deps });
  const second = await givenTransaction(company, MARKED_CARD, { deps });
  clock.advance(DAY_MS);
  await pay(company, first.id, undefined, { deps });
  expect(second.status).toBe("PAID");

  await runDays(clock, RETENTION_DAYS - 2);
  expect(await keptCharges(company)).toEqual([1, 2]);
  await runDays(clock, 1);
  expect(await keptCharges(company)).toEqual([1]);
  await runDays(clock, 1);
  expect(await keptCharges(company)).toEqual([]);
  await runDays(clock, 1);
  expect(await queueLength(company)).toBe(0);
});

it("an open charge and an open dispute are not touched", async () => {
  const { clock, company, deps } = await givenRetention();
  const open = await givenTransaction(company, MARKED_PIX, { deps });
  const disputed = await givenTransaction(company, MARKED_PIX, { deps });
  await pay(company, disputed.id, undefined, { deps });
  await simulate(company, disputed.id, "dispute");
  await runDays(clock, RETENTION_DAYS + 2);
  expect(await keptCharges(company)).toEqual([1, 2]);

  await cancel(company, open.id, { deps });
  await runDays(clock, RETENTION_DAYS + 2);
  expect(await keptCharges(company)).toEqual([2]);
});

it("a company without retention keeps its payers and costs nothing", async () => {
  const { clock, company, deps } = await givenRetention(null);
  await givenTransaction(company, MARKED_CARD, { deps });
  clock.advance(400 * DAY_MS);
  await env.DB.prepare("DELETE FROM payer_retention").run();
  await env.DB.prepare("DELETE FROM payer_erasures").run();
  let rows = 0;
  let queries = 0;
  const counting = withDatabase({
    after: (_sql, read, written) => {
      queries += 1;
      rows += read + written;
    },
  });
  await erasePayers(counting, deps);
  // Three indices are looked into, and nothing is there.
  expect(queries).toBe(3);
  expect(rows).toBeLessThanOrEqual(queries);
  expect(await keptCharges(company)).toEqual([1]);
});

it("a setting that is taken back keeps what is not erased yet", async () => {
  const { clock, company, deps } = await givenRetention();
  const { id } = await givenTransaction(company, MARKED_PIX, { deps });
  await runDays(clock, RETENTION_DAYS + 1);
  await setRetention(company, null);
  await cancel(company, id, { deps });
  await runDays(clock, RETENTION_DAYS + 2);
  expect(await keptCharges(company)).toEqual([1]);
  expect(await queueLength(company)).toBe(0);

  await setRetention(company, RETENTION_DAYS);
  await runDays(clock, 2);
  expect(await keptCharges(company)).toEqual([]);
});

it("each charge is read a bounded number of times, however many there are before it", async () => {
  const { clock, company, deps } = await givenRetention();
  for (let charge = 0; charge < 6; charge++) await givenTransaction(company, MARKED_CARD, { deps });
  await runDays(clock, RETENTION_DAYS + 2);
  expect(await keptCharges(company)).toEqual([]);

  clock.advance(DAY_MS);
  let read = 0;
  const counting = withDatabase({ after: (_sql, rows) => (read += rows) });
  await erasePayers(counting, deps);
  // Its scan with its company and the charges after it, of which there is none.
  expect(read).toBeLessThanOrEqual(8);
});

it("a setting that is set again while the cron ends it stays", async () => {
  const { clock, company, deps } = await givenRetention(null);
  const { id } = await givenTransaction(company, MARKED_PIX, { deps });
  await cancel(company, id, { deps });
  await setRetention(company, RETENTION_DAYS);
  // The cron has read that the setting was taken back, and ends it only now.
  await endRetention(env, company.id);
  await runDays(clock, RETENTION_DAYS + 2);
  expect(await keptCharges(company)).toEqual([]);
});
