import { env } from "cloudflare:workers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SubscriptionSchedule } from "../../src/company/subscriptions/subscription-schedule.ts";
import type { StepKind } from "../../src/domain/subscriptions/next-step.ts";
import { takeCreatedCompanies } from "../support/builders/companies/company.ts";
import { assertInvariants } from "../support/probes/ledger/invariants.ts";
import { leadToHouses } from "./houses/process.ts";
import { patch } from "./seeded-bugs.ts";
import { silenceLogs } from "./silence-logs.ts";
import { KILL_LIVES } from "./subscriptions/kill-lives.ts";
import { killsOf, liveThrough, oneInEachStage, startLife } from "./subscriptions/kills.ts";
import { outcomesOf } from "./subscriptions/outcome.ts";

/**
 * Whether processes die at each call, also of D1 and the object (`SUBSCRIPTION_KILLS=all`), each in a life of its own; else
 * at each order, with a death in each stage of a life.
 */
const { subscriptionKills } = (env as unknown as { MODEL: { subscriptionKills: string } }).MODEL;
const allKills = subscriptionKills === "all";
const ORDER = /^(?:POST|PUT|PATCH) /;
/** All processes of an isolate share it. */
const TOKEN = "POST /oauth/token";
/** Each step is done in one of the lives; one that is new is missed here until a life does it. */
const STEPS: Record<StepKind, true> = {
  create_mandate: true,
  ask_approval: true,
  check_mandate: true,
  end_mandate: true,
  open_cycle: true,
  order_debit: true,
  check_debit: true,
  plan_retry: true,
  order_retry: true,
  check_retry: true,
  give_up: true,
  end_debit: true,
  make_by_hand: true,
  close_cycle: true,
  offer_link: true,
  email_link: true,
  end_dunning: true,
  expire: true,
  complete: true,
};

const done = new Set<string>();
let silencedLogs: ReturnType<typeof silenceLogs>;
let leave: (() => void)[];
beforeAll(() => {
  silencedLogs = silenceLogs();
  const unwatch = patch(SubscriptionSchedule.prototype, "next", (next) => {
    return function watched(this: SubscriptionSchedule, subscription, nowMs) {
      const step = next.call(this, subscription, nowMs);
      if (step !== null && step.at <= nowMs) done.add(step.kind);
      return step;
    };
  });
  leave = [leadToHouses(), unwatch];
});
afterAll(() => {
  for (const end of leave) end();
  silencedLogs.undo();
});

it.each(KILL_LIVES)("$name ends the same, wherever a process dies", async (lived) => {
  const begun = Date.now();
  const rehearsal = await startLife();
  const all = (await killsOf(rehearsal, lived)).filter(({ label }) => label !== TOKEN);
  await rehearsal.cleanUp();
  const kills = allKills ? all : all.filter(({ label }) => ORDER.test(label));
  const killed = allKills ? kills.map((kill) => [kill]) : oneInEachStage(kills);
  const life = await startLife();
  try {
    const ends = await liveThrough(life, lived, killed);
    const outcomes = await outcomesOf(life);

    expect(life.watch.faults).toEqual([]);
    const [unharmed, ...others] = ends;
    for (const each of others)
      expect
        .soft(outcomes.get(each.id), JSON.stringify(each.kills))
        .toEqual(outcomes.get(unharmed!.id));
    expect(outcomes.size).toBe(ends.length);
    expect(life.psp.mandates.mandates.size).toBe(ends.length);
    const deaths = ends.reduce((sum, each) => sum + each.deaths, 0);
    // Credentials that are known are not read again.
    expect(deaths).toBeGreaterThanOrEqual(kills.length * (allKills ? 0.8 : 1));
    await assertInvariants();
    const seconds = Math.round((Date.now() - begun) / 1_000);
    silencedLogs.say({ life: lived.name, kills: kills.length, deaths, seconds });
  } finally {
    takeCreatedCompanies();
    await life.cleanUp();
  }
});

it("the lives do each step", () => {
  expect([...done].toSorted()).toEqual(Object.keys(STEPS).toSorted());
});
