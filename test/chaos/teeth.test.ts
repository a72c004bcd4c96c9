import { afterAll, beforeAll, expect, it } from "vitest";
import { quietly } from "../model/quiet.ts";
import {
  bodyChangedAfterSigning,
  leaseIgnored,
  orderIgnored,
  refusalTaken,
  slotsIgnored,
  type BrokenRule,
} from "./broken-rules.ts";
import { violationsOf } from "./judge.ts";
import { settings, storm } from "./storm.ts";

/** Fewer than the suite's storm has: what it does not find among these, it would find too rarely. */
const EVENTS = 60;
/** One host's limit is only met where more is due there at once. */
const BUSY_EVENTS = 300;

let quiet: ReturnType<typeof quietly>;
beforeAll(() => {
  quiet = quietly();
});
afterAll(() => quiet.undo());

it.each<[name: string, breakRule: () => BrokenRule, events: number, symptom: RegExp]>([
  ["an order that is ignored", orderIgnored, EVENTS, /^an older state after a newer one/],
  ["a lease that is ignored", leaseIgnored, EVENTS, /^two attempts at once/],
  ["a host's limit that is ignored", slotsIgnored, BUSY_EVENTS, /^(?:1[7-9]|[2-9]\d) at once to /],
  ["a body changed after it was signed", bodyChangedAfterSigning, EVENTS, /^signature of evt_/],
  ["a refusal taken for a yes", refusalTaken, EVENTS, /: its status is not what came of it$/],
])("the storm's judge finds %s", async (name, breakRule, events, symptom) => {
  const rule = breakRule();

  const violations = await violationsOf(await storm({ events, seed: settings.seed }, rule.seams));

  const found = violations.filter((violation) => symptom.test(violation)).length;
  quiet.say({
    rule: name,
    seed: settings.seed,
    struck: rule.struck(),
    violations: violations.length,
    found,
  });
  expect(rule.struck(), "the rule was broken").toBeGreaterThan(0);
  expect(found, `seed ${settings.seed}`).toBeGreaterThan(0);
});
