import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { leadToHouses } from "./houses/process.ts";
import { settings } from "./property.ts";
import { silenceLogs } from "./silence-logs.ts";
import { QUIET_DAYS_MIN, subscriptionsKeepTheRules } from "./subscriptions/property.ts";
import {
  blindSearch,
  earlyDebit,
  fourthRetry,
  lateCancel,
  lateDebit,
  lateRetry,
  newPaymentIds,
  orderedAgain,
  retryOnOneDay,
  secondCard,
  secondDebit,
  secondRetry,
  unsentEnd,
} from "./subscriptions/seeded-bugs.ts";
import type { Policy, Step } from "./subscriptions/steps.ts";

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

it(`the PSP is asked for nothing outside the rules in ${settings.subscriptionRuns} random lives`, async () => {
  const tally = new Map<string, number>();
  const begun = Date.now();
  const details = await fc.check<any>(subscriptionsKeepTheRules(tally), {
    numRuns: settings.subscriptionRuns,
    seed: settings.seed,
    path: settings.path,
    // A life takes seconds: only a replayed failure is made smaller.
    endOnFailure: settings.path === "",
    includeErrorInReport: true,
  });
  silencedLogs.say({
    seed: details.seed,
    runs: details.numRuns,
    seconds: Math.round((Date.now() - begun) / 1_000),
    byKind: Object.fromEntries([...tally].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  });
  expect(details.failed, fc.defaultReportMessage(details) ?? "").toBe(false);
});

/** The first of the two subscriptions with which each life begins is debited on the ninth day. */
const DEBITED: Step[] = [{ do: "live", days: 9 }];
const UNPAID: Step[] = [
  { do: "live", days: 5 },
  { do: "decide", which: 0, fates: ["no_balance"] },
  { do: "live", days: 6 },
];
/** Each attempt of both debits fails. */
const NEVER_PAID: Step[] = [
  { do: "live", days: 5 },
  { do: "decide", which: 0, fates: ["no_balance", "no_balance", "no_balance", "no_balance"] },
  { do: "decide", which: 1, fates: ["no_balance", "no_balance", "no_balance", "no_balance"] },
  { do: "live", days: 9 },
];
/** Until the second cycle is ordered. */
const TWO_CYCLES: Step[] = [
  { do: "live", days: 9 },
  { do: "live", days: 3 },
];
const UNANSWERED: Step[] = [
  { do: "fault", name: "reset", on: "order", times: 1 },
  {
    do: "subscribe",
    terms: {
      journey: "REQUEST",
      period: "WEEKLY",
      isVariable: true,
      dueIn: 9,
      lasts: null,
      retry: [],
    },
    death: null,
  },
  { do: "live", days: 1 },
];
const CANCELLED: Step[] = [{ do: "act", which: 0, act: "cancel", death: null }];

it.each([
  ["a second debit of a cycle", secondDebit, DEBITED, /a second debit of cycle 1/],
  ["a debit that is ordered twice", orderedAgain, DEBITED, /a debit that was ordered before/],
  ["a debit before its window", earlyDebit, DEBITED, /too early for/],
  ["a debit that is ordered too late for its due date", lateDebit, TWO_CYCLES, /too late for/],
  ["a cancel after its time", lateCancel, UNPAID, /a cancel after 22:00/],
  ["a retry after the seven days", lateRetry, UNPAID, /over 7 days after/],
  ["a retry while one is open", secondRetry, UNPAID, /a retry while an attempt is open/],
  ["a fourth retry", fourthRetry, NEVER_PAID, /a fourth retry/],
  ["two retries on one day", retryOnOneDay, NEVER_PAID, /: two on 2026-12-/],
  ["a second mandate", blindSearch, UNANSWERED, /a second mandate of one subscription/],
  [
    "a mandate that lasts after its end",
    unsentEnd,
    CANCELLED,
    /is cancelled, its mandate APROVADA/,
  ],
  ["a payment that is credited twice", newPaymentIds, DEBITED, /the PSP has 4990, the ledger 9980/],
] as const)("a life finds %s", async (_name, injectBug, steps, symptom) => {
  await expectFound(injectBug, { policies: [], steps }, symptom);
});

/** Both of the first subscriptions are dunned by their payer's card. */
const BY_CARD: Policy = { link: "none", method: "PIX", isOfCard: true, days: 4, then: "none" };

it("a dunned life finds a card that is charged twice", async () => {
  const dunned = { policies: [BY_CARD, BY_CARD], steps: NEVER_PAID };
  await expectFound(secondCard, dunned, /was taken 2 times/);
});

async function expectFound(
  injectBug: () => { timesApplied: () => number; undo: () => void },
  { policies, steps }: { policies: readonly Policy[]; steps: readonly Step[] },
  symptom: RegExp,
): Promise<void> {
  const bug = injectBug();
  try {
    const details = await fc.check<any>(subscriptionsKeepTheRules(new Map(), QUIET_DAYS_MIN), {
      numRuns: 1,
      examples: [[{ begins: 0, fates: [], policies, steps: [...steps] }]],
      endOnFailure: true,
    });
    expect(details.failed).toBe(true);
    expect(bug.timesApplied()).toBeGreaterThan(0);
    expect(String(details.errorInstance)).toMatch(symptom);
  } finally {
    bug.undo();
  }
}
