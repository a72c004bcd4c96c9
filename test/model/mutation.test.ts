import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ledgerMatchesModel } from "./property.ts";
import { silenceLogs } from "./silence-logs.ts";
import {
  captureCreditedTwice,
  decisionBookedAgain,
  forgottenApproval,
  forgottenReturn,
  keyStoredAfterTheEffect,
  lostPosting,
  missingVersionGuard,
  type SeededBug,
} from "./seeded-bugs.ts";

/** The first failing run ends the search. A few runs of the suite of 100 lives find each of these bugs. */
const RUNS_MAX = 600;

let quiet: ReturnType<typeof silenceLogs>;
beforeAll(() => {
  quiet = silenceLogs();
});
afterAll(() => quiet.undo());

/** Each with a seed that finds the bug within a few lives. `model.test.ts` draws a new seed every time. */
it.each<[name: string, bug: () => SeededBug, symptom: RegExp, seed: number]>([
  ["a lost posting", lostPosting, /^AssertionError: the object/, 1],
  ["a forgotten return", forgottenReturn, /^AssertionError: the object/, 2],
  ["a capture credited twice", captureCreditedTwice, /^AssertionError: (?:the object|capture)/, 6],
  ["a missing version guard", missingVersionGuard, /D1 after the drain|I9 /, 2],
  [
    "a key stored after the effect",
    keyStoredAfterTheEffect,
    /201 replayed|the answer of \/api\/Withdraw/,
    1,
  ],
  ["a forgotten approval", forgottenApproval, /^AssertionError: (?:the object|refund)/, 1],
  ["a decision booked again", decisionBookedAgain, /^AssertionError: (?:approve|decide)/, 2],
])("the model test finds %s", async (name, injectBug, symptom, seed) => {
  const bug = injectBug();
  try {
    const details = await fc.check(ledgerMatchesModel(new Map(), bug.hooks), {
      numRuns: RUNS_MAX,
      seed,
      endOnFailure: true,
    });

    const found = `seed ${details.seed}, run ${details.numRuns}: ${String(details.errorInstance)}`;
    expect(bug.timesApplied(), `the bug was there; ${found}`).toBeGreaterThan(0);
    expect(details.failed, found).toBe(true);
    expect(String(details.errorInstance)).toMatch(symptom);
    quiet.say({ bug: name, seed: details.seed, run: details.numRuns });
  } finally {
    bug.undo();
  }
});
