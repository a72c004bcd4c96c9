import { afterAll, beforeAll, expect, it } from "vitest";
import { env } from "../support/builders/companies/env.ts";
import { runCron } from "../support/fakes/cron.ts";
import { silenceLogs } from "../model/silence-logs.ts";
import {
  changeBodyAfterSigning,
  ignoreLease,
  ignoreOrder,
  acceptRejection,
  ignorePermits,
  type Mutation,
} from "./mutations.ts";
import { violationsOf } from "./checker.ts";
import { settings, runChaos, type Hooks } from "./chaos.ts";

/** Fewer than a full run: a violation that needs more events is found too rarely. */
const EVENTS = 60;
/** A host reaches its limit only with more due deliveries. */
const BUSY_EVENTS = 300;

/** Only what finds due deliveries: each of the virtual days has a cron for every minute. */
const cron: Hooks["cron"] = (deps) => runCron(deps, env, ["sweep_deliveries"]);

let silencedLogs: ReturnType<typeof silenceLogs>;
beforeAll(() => {
  silencedLogs = silenceLogs();
});
afterAll(() => silencedLogs.undo());

it.each<[name: string, breakRule: () => Mutation, events: number, symptom: RegExp]>([
  ["an ignored order", ignoreOrder, EVENTS, /^an older state after a newer one/],
  ["an ignored lease", ignoreLease, EVENTS, /^two attempts at once/],
  ["an ignored host limit", ignorePermits, BUSY_EVENTS, /^(?:1[7-9]|[2-9]\d) at once to /],
  ["a body changed after it was signed", changeBodyAfterSigning, EVENTS, /^signature of evt_/],
  [
    "a rejection accepted as success",
    acceptRejection,
    EVENTS,
    /: its status does not match its outcome$/,
  ],
])("the chaos checker finds %s", async (name, breakRule, events, symptom) => {
  const rule = breakRule();

  const violations = await violationsOf(
    await runChaos({ events, seed: settings.seed }, { ...rule.hooks, cron }),
  );

  const found = violations.filter((violation) => symptom.test(violation)).length;
  silencedLogs.say({
    rule: name,
    seed: settings.seed,
    struck: rule.timesApplied(),
    violations: violations.length,
    found,
  });
  expect(rule.timesApplied(), "the rule was broken").toBeGreaterThan(0);
  expect(found, `seed ${settings.seed}`).toBeGreaterThan(0);
});
