import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { leadToHouses } from "./houses/process.ts";
import { housesMatchLedger } from "./houses/property.ts";
import {
  askedAtTheNewHouse,
  chargebackNamedInPart,
  drainsInVain,
  keylessCalls,
  lostChargeback,
  pixCreditedTwice,
  unreadList,
  unsentRefund,
} from "./houses/seeded-bugs.ts";
import type { Step } from "./houses/steps.ts";
import { settings } from "./property.ts";
import { silenceLogs } from "./silence-logs.ts";

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

it(`ledger, D1 and both houses agree after a month in ${settings.houseRuns} random lives`, async () => {
  const tally = new Map<string, number>();
  const begun = Date.now();
  const details = await fc.check<any>(housesMatchLedger(tally), {
    numRuns: settings.houseRuns,
    seed: settings.seed,
    path: settings.path,
    // A month takes seconds: only a replayed failure is made smaller.
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

const HOUR_MS = 3_600_000;
/** Of the two cards that each life begins with, the one at Pagar.me is claimed back, and its notice is lost. */
const CLAIMED: Step[] = [{ do: "contest", which: 1 }];
/** The one at Efí is credited and given back in part, which takes an hour. */
const GIVEN_BACK: Step[] = [
  { do: "credit", which: 0 },
  { do: "refund", which: 0, amount: 3_000, death: null },
  { do: "wait", ms: HOUR_MS },
  { do: "work", death: null },
];
/** The one at Pagar.me is given back in part, and the answer is lost. */
const UNANSWERED: Step[] = [
  { do: "fault", house: "pagarme", name: "error_500", on: "change" },
  { do: "refund", which: 1, amount: 3_000, death: null },
  { do: "wait", ms: HOUR_MS },
  { do: "work", death: null },
];
/** The answer of a PIX is lost, new ones go to another PSP, and the create is sent again. */
const MOVED: Step[] = [
  { do: "changeHouse", to: "pixAtOne" },
  { do: "fault", house: "psp", name: "error_500", on: "change" },
  { do: "sell", method: "PIX", amount: 7_000, capture: true, isDeclined: false, death: null },
  { do: "changeHouse", to: "pixAtTwo" },
  { do: "askAgain", which: 0, death: null },
];
/** New PIX go to the other PSP. */
const DRAINED: Step[] = [
  { do: "changeHouse", to: "pixAtTwo" },
  { do: "sell", method: "PIX", amount: 7_000, capture: true, isDeclined: false, death: null },
];
/** The notice of the paid PIX comes twice. */
const TOLD_TWICE: Step[] = [{ do: "tell", fates: ["twice"], reversed: false }];

it.each([
  ["a chargeback that is not booked", lostChargeback, CLAIMED, /the ledger 40000/],
  ["a list that is not read", unreadList, CLAIMED, /the ledger 40000/],
  ["a refund that was not sent", unsentRefund, GIVEN_BACK, /house has 10000, the ledger 7000/],
  ["calls without their keys", keylessCalls, UNANSWERED, /refunded 6000 of 3000/],
  ["a charge asked at the new house", askedAtTheNewHouse, MOVED, /made twice/],
  ["an account that drains in vain", drainsInVain, DRAINED, /made at psp-one/],
  ["a contradiction of less than is missing", chargebackNamedInPart, CLAIMED, /the ledger 40000/],
  ["a PIX credited twice", pixCreditedTwice, TOLD_TWICE, /house has 15000, the ledger 30000/],
] as const)("a life finds %s", async (_name, injectBug, steps, symptom) => {
  const bug = injectBug();
  try {
    const details = await fc.check<any>(housesMatchLedger(new Map()), {
      numRuns: 1,
      examples: [[[...steps], [true]]],
      endOnFailure: true,
    });
    expect(details.failed).toBe(true);
    expect(bug.timesApplied()).toBeGreaterThan(0);
    expect(String(details.errorInstance)).toMatch(symptom);
  } finally {
    bug.undo();
  }
});
