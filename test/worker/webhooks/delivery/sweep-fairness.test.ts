import { afterAll, afterEach, describe, expect, it } from "vitest";
import { TestClock } from "../../../support/fakes/clock.ts";
import {
  env,
  givenCompany,
  type TestCompany,
} from "../../../support/builders/companies/company.ts";
import { cronDeps, runCron } from "../../../support/fakes/cron.ts";
import { withDatabase } from "../../../support/probes/database/instrumented-database.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import {
  finishAllDue,
  dueEvents,
  givenHistory,
} from "../../../support/builders/webhooks/webhook-history.ts";
import { deliveriesOf } from "../../../support/probes/webhooks/webhook-rows.ts";
import { finishDueBefore } from "../../../support/builders/webhooks/stored-deliveries.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";

afterAll(finishAllDue);

const MINUTE = 60_000;
const GRACE_MS = 5_000;
const PER_HOST = 50;
const HINTS_MAX = 500;
const PAGE = 500;
const PAGES_MAX = 10;
const YEAR = 365 * 86_400_000;
const DEAD = "https://dead.example.com/hook";
const ALIVE = "https://alive.example.com/hook";
const OVERDUE_QUERY = /from "deliveries" where .*"next_attempt_at" <= .* order by/s;

const clock = new TestClock();
/** Longer due than anything that other tests left behind. */
const LONG_AGO = clock.now() - YEAR;

// What is due for a year would be first in every other test's sweep.
afterEach(async () => {
  await finishDueBefore(LONG_AGO + MINUTE, "delivered");
});

const sweep = (environment = env) => runCron(cronDeps(clock, new FakeBank()), environment);

const wakeUpsOf = (company: TestCompany, wakeUps: string[]) =>
  wakeUps.filter((wakeUp) => wakeUp.startsWith(`dlv_${company.id}_`));

const ids = (company: TestCompany, first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `dlv_${company.id}_${first + index}_endpoint`);

/** One sweep, and what D1 read to find the overdue. */
async function counted(): Promise<{ statements: number; rows: number }> {
  let statements = 0;
  let rows = 0;
  const after = (sql: string, rowsRead: number) => {
    if (!OVERDUE_QUERY.test(sql)) return;
    statements += 1;
    rows += rowsRead;
  };
  await sweep(withDatabase({ after }));
  expect(statements).toBeGreaterThan(0);
  return { statements, rows };
}

describe("the backlog of one host", () => {
  it("of 600 does not delay wake-ups for other companies or other hosts in the same minute", async () => {
    const [busy, other] = [await givenCompany({ clock }), await givenCompany({ clock })];
    await givenHistory(busy, dueEvents(600, LONG_AGO, DEAD));
    await givenHistory(busy, dueEvents(1, LONG_AGO + 1, ALIVE));
    await givenHistory(other, dueEvents(1, LONG_AGO + 2, DEAD));

    const wakeUps = await sweep();

    expect(wakeUpsOf(busy, wakeUps).slice(0, PER_HOST + 1)).toEqual([
      ...ids(busy, 1, PER_HOST),
      ...ids(busy, 601, 1),
    ]);
    expect(wakeUps).toHaveLength(500);
    expect(wakeUpsOf(other, wakeUps)).toEqual(ids(other, 1, 1));
    expect(new Set(wakeUps).size).toBe(wakeUps.length);
  });

  it("uses the unused capacity of the minute, longest due first", async () => {
    const company = await givenCompany({ clock });
    await givenHistory(company, dueEvents(120, LONG_AGO, ALIVE));
    const sink = new WebhookSink(clock);
    const perMinute: number[] = [];
    for (let minute = 0; minute < 4; minute++) {
      const wakeUps = wakeUpsOf(company, await sweep());
      expect(wakeUps).toEqual(ids(company, 1, wakeUps.length));
      for (const wakeUp of wakeUps) {
        await sink.deliver(company, Number(wakeUp.split("_")[2]), { target: "endpoint" });
      }
      perMinute.push(wakeUps.length);
      clock.advance(MINUTE);
    }
    expect(perMinute).toEqual([120, 0, 0, 0]);
    expect((await deliveriesOf(company)).every((each) => each.status === "delivered")).toBe(true);
  });
});

it("produces at most 500 wake-ups a minute, shared between hosts, longest waiting first", async () => {
  const companies: TestCompany[] = [];
  for (let index = 0; index < 12; index++) {
    const company = await givenCompany({ clock });
    await givenHistory(company, dueEvents(60, LONG_AGO + index, DEAD));
    companies.push(company);
  }

  const wakeUps = await sweep();

  expect(wakeUps).toHaveLength(HINTS_MAX);
  expect(companies.map((company) => wakeUpsOf(company, wakeUps).length)).toEqual([
    ...Array.from({ length: 10 }, () => PER_HOST),
    0,
    0,
  ]);
});

it("skips deliveries that just became due, and finds them later", async () => {
  const company = await givenCompany({ clock });
  await givenHistory(company, dueEvents(1, clock.now(), ALIVE));
  clock.advance(GRACE_MS - 1);
  expect(wakeUpsOf(company, await sweep())).toEqual([]);
  clock.advance(1);
  expect(wakeUpsOf(company, await sweep())).toEqual(ids(company, 1, 1));
  await new WebhookSink(clock).deliver(company, 1, { target: "endpoint" });
  expect(wakeUpsOf(company, await sweep())).toEqual([]);
});

describe("the number of rows that a sweep reads", () => {
  it("does not grow with delivered rows", async () => {
    const company = await givenCompany({ clock });
    await givenHistory(company, dueEvents(20, LONG_AGO, DEAD));
    const before = await counted();
    await givenHistory(company, dueEvents(5_000, LONG_AGO, ALIVE, "delivered"));

    expect(await counted()).toEqual(before);
  });

  it("is bounded however long the backlog is", async () => {
    const company = await givenCompany({ clock });
    await givenHistory(company, dueEvents(PAGE * PAGES_MAX + PAGE, LONG_AGO, DEAD));

    const { statements, rows } = await counted();

    expect(statements).toBe(PAGES_MAX);
    expect(rows).toBeLessThanOrEqual(PAGE * PAGES_MAX + PAGES_MAX);
  });
});
