import * as fc from "fast-check";
import { takeCreatedCompanies } from "../../support/builders/companies/company.ts";
import { endAll } from "../../support/fakes/house-acts.ts";
import { assertInvariants } from "../../support/probes/ledger/invariants.ts";
import { endReturns } from "../agreement/bank-acts.ts";
import { passTime } from "../agreement/steps.ts";
import { disagreements } from "./agreement.ts";
import { HousesLife } from "./life.ts";
import { anyChange, anyStep, applyStep, type Step } from "./steps.ts";

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

/** Every life changes houses while its first charges are open. */
const anyLife = fc
  .tuple(anyChange, fc.array(anyStep, { maxLength: STEPS_MAX, size: "max" }))
  .map(([change, lived]) => [change].concat(lived));

/**
 * Notices may be lost, late, doubled and out of order, calls fail or are answered by lies, processes die between any two
 * calls, and people act at the houses. A month after the last event each centavo at the houses is in the ledger or named
 * by a contradiction, and nothing was done twice.
 */
export function housesMatchLedger(tally: Map<string, number>) {
  const decisions = fc.array(fc.boolean(), { minLength: 1, maxLength: 4 });
  return fc.asyncProperty(anyLife, decisions, async (lived, ends) => {
    const life = await HousesLife.start();
    try {
      for (const step of [...OPENING, ...lived]) {
        count(tally, step.do === "bank" ? `bank ${step.act.do}` : step.do);
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

/** The company begins with an open boleto, a paid one, a card at each house, and a paid PIX and an open one. */
const SALE = { do: "sell", capture: true, isDeclined: false, death: null } as const;
const OPENING: Step[] = [
  { ...SALE, method: "BOLETO", amount: 20_000 },
  { do: "pay", which: 0, other: null, byPix: false },
  { ...SALE, method: "CREDIT_CARD", amount: 10_000 },
  { ...SALE, method: "CREDIT_CARD", amount: 40_000 },
  { ...SALE, method: "BOLETO", amount: 45_000 },
  { ...SALE, method: "PIX", amount: 15_000 },
  { do: "bank", act: { do: "pay", which: 0, other: null } },
  { ...SALE, method: "PIX", amount: 5_000 },
];

/** Nothing fails any more, no notice is sent, and what is in progress at the houses ends. */
function settle(life: HousesLife, decisions: boolean[]): void {
  life.efi.clearFaults();
  life.pagarme.clearFaults();
  life.pagarme.clearLies();
  endAll(life, decisions);
  endReturns(life.psps, decisions);
  life.efi.book.notices.length = 0;
  life.pagarme.notices.length = 0;
  for (const psp of life.psps) {
    psp.clearFaults();
    psp.refreshViews();
    psp.callbacks.length = 0;
  }
}
