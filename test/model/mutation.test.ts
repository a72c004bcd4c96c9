import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ledgerMatchesModel, settings } from "./property.ts";
import { silenceLogs } from "./silence-logs.ts";
import {
  captureCreditedTwice,
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

it.each<[name: string, seed: () => SeededBug, symptom: RegExp]>([
  ["a lost posting", lostPosting, /^AssertionError: the object/],
  ["a forgotten return", forgottenReturn, /^AssertionError: the object/],
  ["a capture credited twice", captureCreditedTwice, /^AssertionError: (?:the object|capture)/],
  ["a missing version guard", missingVersionGuard, /D1 after the drain|I9 /],
  [
    "a key stored after the effect",
    keyStoredAfterTheEffect,
    /201 replayed|the answer of \/api\/Withdraw/,
  ],
])("the model test finds %s", async (name, seed, symptom) => {
  const bug = seed();
  try {
    const details = await fc.check(ledgerMatchesModel(new Map(), bug.hooks), {
      numRuns: RUNS_MAX,
      seed: settings.seed,
      endOnFailure: true,
    });

    expect(bug.timesApplied(), "the bug was there").toBeGreaterThan(0);
    expect(details.failed, `seed ${details.seed}`).toBe(true);
    expect(String(details.errorInstance)).toMatch(symptom);
    quiet.say({ bug: name, seed: details.seed, run: details.numRuns });
  } finally {
    bug.undo();
  }
});
