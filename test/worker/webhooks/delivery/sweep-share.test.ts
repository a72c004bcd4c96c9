import { afterAll, afterEach, describe, expect, it } from "vitest";
import { TestClock } from "../../../support/fakes/clock.ts";
import { env, givenCompany, type TestCompany } from "../../../support/builders/company.ts";
import { cronDeps, runCron } from "../../../support/fakes/cron.ts";
import { withDatabase } from "../../../support/probes/database.ts";
import { FakeBank } from "../../../support/fakes/fake-bank.ts";
import { endAllDue, eventsDue, givenHistory } from "../../../support/builders/webhook-history.ts";
import { deliveriesOf, endDueBefore } from "../../../support/probes/webhook-rows.ts";
import { WebhookSink } from "../../../support/fakes/webhook-sink.ts";

afterAll(endAllDue);

const MINUTE = 60_000;
const GRACE_MS = 5_000;
const PER_HOST = 50;
const HINTS_MAX = 500;
const PAGE = 500;
const PAGES_MAX = 10;
const YEAR = 365 * 86_400_000;
const DEAD = "https://dead.example.com/hook";
const ALIVE = "https://alive.example.com/hook";
const LOOKS_FOR_OVERDUE = /from "deliveries" where .*"next_attempt_at" <= .* order by/s;

const clock = new TestClock();
/** Longer due than anything that other tests left behind. */
const LONG_AGO = clock.now() - YEAR;

// What is due for a year would be first in every other test's sweep.
afterEach(async () => {
  await endDueBefore(LONG_AGO + MINUTE, "delivered");
});

const sweep = (environment = env) => runCron(cronDeps(clock, new FakeBank()), environment);

const hintsOf = (company: TestCompany, hints: string[]) =>
  hints.filter((hint) => hint.startsWith(`dlv_${company.id}_`));

const ids = (company: TestCompany, first: number, count: number) =>
  Array.from({ length: count }, (_, index) => `dlv_${company.id}_${first + index}_endpoint`);

/** One sweep, and what D1 read to find the overdue. */
async function counted(): Promise<{ statements: number; rows: number }> {
  let statements = 0;
  let rows = 0;
  const after = (sql: string, rowsRead: number) => {
    if (!LOOKS_FOR_OVERDUE.test(sql)) return;
    statements += 1;
    rows += rowsRead;
  };
  await sweep(withDatabase({ after }));
  expect(statements).toBeGreaterThan(0);
  return { statements, rows };
}

describe("one host's backlog", () => {
  it("of 600 leaves other companies, and other hosts of its own, their hints in the same minute", async () => {
    const [busy, other] = [await givenCompany({ clock }), await givenCompany({ clock })];
    await givenHistory(busy, eventsDue(600, LONG_AGO, DEAD));
    await givenHistory(busy, eventsDue(1, LONG_AGO + 1, ALIVE));
    await givenHistory(other, eventsDue(1, LONG_AGO + 2, DEAD));

    const hints = await sweep();

    expect(hintsOf(busy, hints).slice(0, PER_HOST + 1)).toEqual([
      ...ids(busy, 1, PER_HOST),
      ...ids(busy, 601, 1),
    ]);
    expect(hints).toHaveLength(500);
    expect(hintsOf(other, hints)).toEqual(ids(other, 1, 1));
    expect(new Set(hints).size).toBe(hints.length);
  });

  it("has what nobody else needs of the minute, the longest due first", async () => {
    const company = await givenCompany({ clock });
    await givenHistory(company, eventsDue(120, LONG_AGO, ALIVE));
    const sink = new WebhookSink(clock);
    const perMinute: number[] = [];
    for (let minute = 0; minute < 4; minute++) {
      const hints = hintsOf(company, await sweep());
      expect(hints).toEqual(ids(company, 1, hints.length));
      for (const hint of hints) {
        await sink.deliver(company, Number(hint.split("_")[2]), { target: "endpoint" });
      }
      perMinute.push(hints.length);
      clock.advance(MINUTE);
    }
    expect(perMinute).toEqual([120, 0, 0, 0]);
    expect((await deliveriesOf(company)).every((each) => each.status === "delivered")).toBe(true);
  });
});

it("gives 500 hints a minute at most, to who waited longest, each host its share", async () => {
  const companies: TestCompany[] = [];
  for (let index = 0; index < 12; index++) {
    const company = await givenCompany({ clock });
    await givenHistory(company, eventsDue(60, LONG_AGO + index, DEAD));
    companies.push(company);
  }

  const hints = await sweep();

  expect(hints).toHaveLength(HINTS_MAX);
  expect(companies.map((company) => hintsOf(company, hints).length)).toEqual([
    ...Array.from({ length: 10 }, () => PER_HOST),
    0,
    0,
  ]);
});

it("leaves what became due just now to its hint, and finds it then", async () => {
  const company = await givenCompany({ clock });
  await givenHistory(company, eventsDue(1, clock.now(), ALIVE));
  clock.advance(GRACE_MS - 1);
  expect(hintsOf(company, await sweep())).toEqual([]);
  clock.advance(1);
  expect(hintsOf(company, await sweep())).toEqual(ids(company, 1, 1));
  await new WebhookSink(clock).deliver(company, 1, { target: "endpoint" });
  expect(hintsOf(company, await sweep())).toEqual([]);
});

describe("what D1 reads for a sweep", () => {
  it("does not grow with what was delivered", async () => {
    const company = await givenCompany({ clock });
    await givenHistory(company, eventsDue(20, LONG_AGO, DEAD));
    const before = await counted();
    await givenHistory(company, eventsDue(5_000, LONG_AGO, ALIVE, "delivered"));

    expect(await counted()).toEqual(before);
  });

  it("is bounded however long the backlog is", async () => {
    const company = await givenCompany({ clock });
    await givenHistory(company, eventsDue(PAGE * PAGES_MAX + PAGE, LONG_AGO, DEAD));

    const { statements, rows } = await counted();

    expect(statements).toBe(PAGES_MAX);
    expect(rows).toBeLessThanOrEqual(PAGE * PAGES_MAX + PAGES_MAX);
  });
});
