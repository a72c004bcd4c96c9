import * as fc from "fast-check";
import { takeCreatedCompanies } from "../../support/builders/companies/company.ts";
import { endAll } from "../../support/fakes/house-acts.ts";
import { assertInvariants } from "../../support/probes/ledger/invariants.ts";
import { disagreements } from "./agreement.ts";
import { HousesLife } from "./life.ts";
import { anyStep, applyStep, passTime, type Step } from "./steps.ts";

const STEPS_MAX = 30;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A month in growing steps: every list pass runs, refunds go one a day, and every wait between polls ends. */
const MONTH = [
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  DAY_MS,
  DAY_MS,
  DAY_MS,
  7 * DAY_MS,
  7 * DAY_MS,
  14 * DAY_MS,
];

/**
 * Notices may be lost, late, doubled and out of order, calls fail or are answered by lies, processes die between any two
 * calls, and people act at the houses. A month after the last event each centavo at the houses is in the ledger or named
 * by a contradiction, and nothing was done twice.
 */
export function housesMatchLedger(tally: Map<string, number>) {
  const steps = fc.array(anyStep, { maxLength: STEPS_MAX, size: "max" });
  const decisions = fc.array(fc.boolean(), { minLength: 1, maxLength: 4 });
  return fc.asyncProperty(steps, decisions, async (lived, ends) => {
    const life = await HousesLife.start();
    try {
      for (const step of [...OPENING, ...lived]) {
        count(tally, step.do);
        await applyStep(life, step);
      }
      for (const ms of MONTH) {
        settle(life, ends);
        await passTime(life, ms);
        await life.runBackgroundWork();
      }
      for (let death = 0; death < life.deaths; death++) count(tally, "death");
      const problems = await disagreements(life);
      // An assertion would cut them short.
      if (problems.length > 0) throw new Error(problems.join("\n"));
      await assertInvariants();
    } finally {
      takeCreatedCompanies();
      await life.cleanUp();
    }
  });
}

function count(tally: Map<string, number>, what: string): void {
  tally.set(what, (tally.get(what) ?? 0) + 1);
}

/** The company begins with an open boleto, a paid one, and a card at each house. */
const SALE = { do: "sell", capture: true, isDeclined: false, death: null } as const;
const OPENING: Step[] = [
  { ...SALE, method: "BOLETO", amount: 20_000 },
  { do: "pay", which: 0, other: null, byPix: false },
  { ...SALE, method: "CREDIT_CARD", amount: 10_000 },
  { ...SALE, method: "CREDIT_CARD", amount: 40_000 },
  { ...SALE, method: "BOLETO", amount: 45_000 },
];

/** Nothing fails any more, no notice is sent, and what is in progress at the houses ends. */
function settle(life: HousesLife, decisions: boolean[]): void {
  life.efi.clearFaults();
  life.pagarme.clearFaults();
  life.pagarme.clearLies();
  endAll(life, decisions);
  life.efi.book.notices.length = 0;
  life.pagarme.notices.length = 0;
}
