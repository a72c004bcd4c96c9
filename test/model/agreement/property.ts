import * as fc from "fast-check";
import { expect } from "vitest";
import { takeCreatedCompanies } from "../../support/builders/companies/company.ts";
import { assertInvariants } from "../../support/probes/ledger/invariants.ts";
import { mismatches } from "./agreement.ts";
import { Simulation } from "./simulation.ts";
import { anyStep, finishReturn, passTime, applyStep, pick, type Step } from "./steps.ts";

const STEPS_MAX = 30;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/**
 * A month, in steps that grow: every pass over what a bank knows has its turn in it, and every
 * wait between two questions about one thing ends.
 */
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

/** How a life ends: what the banks decide of all that is open, by these in turn. */
const finalStep = fc.record({
  decisions: fc.array(fc.boolean(), { minLength: 1, maxLength: 4 }),
  stayUnreadable: fc.boolean(),
});

/**
 * Whatever is lost, late, stale, doubled, out of order or unreadable: a month after the last thing
 * happened, each centavo that the banks have is the ledger's, or a contradiction names it.
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
        // Again each time: what is sent only now is decided, too.
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

/** There is something to move. */
const OPENING: Step[] = [
  { do: "charge", amount: 20_000 },
  { do: "pay", which: 0, other: null },
  { do: "tell", fates: ["once"], reversed: false },
  { do: "charge", amount: 5_000 },
];

/** Everything at the banks comes to its end, nothing is stale any more, and no callback comes. */
function settleAll({ psps }: Simulation, decisions: boolean[], stayUnreadable: boolean): void {
  const open = psps.flatMap((psp) => psp.book.received.map((pix) => ({ psp, pix })));
  for (let index = 0; open.some(({ pix }) => isOpen(pix)); index++) {
    finishReturn(open, { which: 0, done: pick(decisions, index) });
  }
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

function isOpen({ devolucoes }: { devolucoes: { status: string }[] }): boolean {
  return devolucoes.some(({ status }) => status === "EM_PROCESSAMENTO");
}
