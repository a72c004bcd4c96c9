import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { takeCreatedCompanies } from "../support/builders/companies/company.ts";
import { assertInvariants } from "../support/probes/ledger/invariants.ts";
import { leadToHouses } from "./houses/process.ts";
import { silenceLogs } from "./silence-logs.ts";
import { disagreements } from "./subscriptions/agreement.ts";
import { SubscriptionsLife } from "./subscriptions/life.ts";
import { liveWeek, subscribeAll, WEEKS_OF_YEAR } from "./subscriptions/year.ts";

/** Subscriptions that live a year: `YEAR_SUBSCRIPTIONS`. */
const { yearSubscriptions } = (env as unknown as { MODEL: { yearSubscriptions: number } }).MODEL;
const BEGIN = Date.parse("2026-12-01T15:00:00Z");
const DAY_MS = 86_400_000;
/** Nothing fails in the last weeks, so that all that was missed is found. */
const QUIET_WEEKS = 4;

let silencedLogs: ReturnType<typeof silenceLogs>;
let leaveHouses: () => void;
beforeAll(() => {
  silencedLogs = silenceLogs();
  leaveHouses = leadToHouses();
});
afterAll(() => {
  leaveHouses();
  silencedLogs.undo();
});

it(`a year of ${yearSubscriptions} subscriptions at a bank that is silent, late and doubled ends with books that agree`, async () => {
  const begun = Date.now();
  const life = await SubscriptionsLife.start(BEGIN);
  const { clock } = life.world;
  try {
    await subscribeAll(life, yearSubscriptions);
    for (let week = 0; week < WEEKS_OF_YEAR; week++)
      await liveWeek(life, week, week < WEEKS_OF_YEAR - QUIET_WEEKS);

    const quietSince = clock.now() - QUIET_WEEKS * 7 * DAY_MS;
    expect([...life.watch.faults, ...(await disagreements(life, quietSince))]).toEqual([]);
    await assertInvariants();
    const paid = life.psp.book.received.length;
    expect(paid).toBeGreaterThan(yearSubscriptions * 9);
    silencedLogs.say({
      subscriptions: yearSubscriptions,
      seconds: Math.round((Date.now() - begun) / 1_000),
      calls: life.psp.requests.length,
      orders: Object.fromEntries(life.watch.seen),
      paid,
    });
  } finally {
    takeCreatedCompanies();
    await life.cleanUp();
  }
});
