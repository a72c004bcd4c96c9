import * as fc from "fast-check";
import { expect } from "vitest";
import { takeCreatedCompanies } from "../../support/builders/companies/company.ts";
import { assertInvariants } from "../../support/probes/ledger/invariants.ts";
import { mismatches } from "./agreement.ts";
import { endReturns } from "./bank-acts.ts";
import { pick } from "./pick.ts";
import { Simulation } from "./simulation.ts";
import { anyStep, passTime, applyStep, type Step } from "./steps.ts";

const STEPS_MAX = 30;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A month in growing steps: every reconciliation pass runs, and every wait between polls ends. */
const MONTH = [
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  DAY_MS,
  DAY_MS,
  7 * DAY_MS,
  7 * DAY_MS,
  14 * DAY_MS,
];

/** The banks' final decisions of open items, in turn. */
const finalStep = fc.record({
  decisions: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
  stayUnreadable: fc.boolean(),
});

/**
 * Callbacks and lists may be lost, late, stale, duplicated, out of order or unreadable. A month
 * after the last event, each centavo at the banks is in the ledger or named by a contradiction.
 */
export function banksMatchLedger(tally: Map<string, number>) {
  const steps = fc.array(anyStep, { maxLength: STEPS_MAX, size: "max" });
  return fc.asyncProperty(steps, finalStep, async (lived, { decisions, stayUnreadable }) => {
    const life = await Simulation.start();
    try {
      for (const step of [...OPENING, ...lived]) {
        tally.set(step.do, (tally.get(step.do) ?? 0) + 1);
        await applyStep(life, step);
      }
      for (const ms of MONTH) {
        // Repeats, so that operations that are sent only now are decided too.
        settleAll(life, decisions, stayUnreadable);
        await passTime(life, ms);
        await life.runBackgroundWork();
      }
      expect(await mismatches(life)).toEqual([]);
      await assertInvariants();
    } finally {
      takeCreatedCompanies();
      await life.cleanUp();
    }
  });
}

/** The company starts with money. */
const OPENING: Step[] = [
  { do: "charge", amount: 20_000 },
  { do: "pay", which: 0, other: null },
  { do: "tell", fates: ["once"], reversed: false },
  { do: "charge", amount: 5_000 },
];

/** Everything at the banks ends, no view is stale and no callback is sent. */
function settleAll({ psps }: Simulation, decisions: boolean[], stayUnreadable: boolean): void {
  endReturns(psps, decisions);
  for (const psp of psps) {
    psp.clearFaults();
    psp.refreshViews();
    if (!stayUnreadable) {
      for (const { endToEndId } of psp.book.received) psp.book.views.makeReadable(endToEndId);
    }
    const payouts = [...psp.book.envios].filter(([, each]) => each.status === "EM_PROCESSAMENTO");
    for (const [index, [idEnvio]] of payouts.entries()) {
      psp.settlePayout(idEnvio, pick(decisions, index) ? "REALIZADO" : "NAO_REALIZADO");
    }
    psp.releaseDelayedCallbacks();
    psp.callbacks.length = 0;
  }
}
