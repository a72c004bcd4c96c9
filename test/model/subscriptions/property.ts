import * as fc from "fast-check";
import { takeCreatedCompanies } from "../../support/builders/companies/company.ts";
import { assertInvariants } from "../../support/probes/ledger/invariants.ts";
import { disagreements } from "./agreement.ts";
import { dunningSeen } from "./dunning-ends.ts";
import { SubscriptionsLife } from "./life.ts";
import { anyPolicy, anyStep, applyStep, FATES, live, type Policy, type Step } from "./steps.ts";

const STEPS_MIN = 15;
const STEPS_MAX = 40;
const DAY_MS = 86_400_000;
/** Lives begin at any hour of a year and a half, so that they come upon each holiday and month's end. */
const BEGINS = Date.parse("2026-12-01T15:00:00Z");
const BEGINS_WITHIN_MS = 540 * DAY_MS;
/** Weekly cycles that begin now are debited and read back by then. */
const QUIET_DAYS = 24;
/** What is wrong at the PSP already is read back by then. */
export const QUIET_DAYS_MIN = 4;

/** A life of a company: its beginning (ms after `BEGINS`), what becomes of its first debits, how they are dunned, and its steps. */
const anyLife = fc.record({
  begins: fc.nat(BEGINS_WITHIN_MS),
  fates: fc.array(fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 4 }), {
    minLength: 3,
    maxLength: 8,
  }),
  policies: fc.array(anyPolicy, { minLength: 2, maxLength: 2 }),
  steps: fc.array(anyStep, { minLength: STEPS_MIN, maxLength: STEPS_MAX, size: "max" }),
});

/**
 * Payers, their banks and merchants do as they like, notices are lost, late and doubled, lists lag, calls fail, processes
 * die and objects begin anew. The PSP is asked for nothing outside the rules, and in the end all books agree.
 */
export function subscriptionsKeepTheRules(tally: Map<string, number>, quietDays = QUIET_DAYS) {
  return fc.asyncProperty(anyLife, async ({ begins, fates, policies, steps }) => {
    const life = await SubscriptionsLife.start(BEGINS + begins, policies.length > 0);
    life.fates.push(...fates);
    try {
      for (const step of [...openingOf(policies), ...steps]) {
        count(tally, step.do);
        await applyStep(life, step);
        if (life.watch.faults.length > 0) break;
      }
      const faults = life.watch.faults.length > 0 ? [] : await settle(life, quietDays);
      for (const [kind, times] of life.watch.seen) count(tally, `order of a ${kind}`, times);
      count(tally, "death", life.deaths);
      for (const [kind, times] of await dunningSeen(life)) count(tally, kind, times);
      const problems = [...life.watch.faults, ...faults];
      // An assertion would cut them short.
      if (problems.length > 0) throw new Error(problems.join("\n"));
      await assertInvariants();
    } finally {
      takeCreatedCompanies();
      await life.cleanUp();
    }
  });
}

function count(tally: Map<string, number>, what: string, times = 1): void {
  tally.set(what, (tally.get(what) ?? 0) + times);
}

/** The company begins with two approved subscriptions, and one that waits for its payer. */
const TERMS = { period: "WEEKLY", isVariable: true, dueIn: 8, lasts: null, retry: [1, 3] } as const;
const openingOf = ([one, other]: readonly Policy[]): Step[] => [
  {
    do: "subscribe",
    terms: { ...TERMS, journey: "QR", retry: [1, 3], dunning: one },
    death: null,
  },
  { do: "approve", which: 0, town: "3550308", pays: true },
  {
    do: "subscribe",
    terms: { ...TERMS, journey: "REQUEST", retry: [1, 2, 3], dunning: other },
    death: null,
  },
  { do: "approve", which: 0, town: "3304557", pays: true },
  { do: "subscribe", terms: { ...TERMS, journey: "QR_AND_PAY", retry: [2] }, death: null },
];

/** Nothing fails any more and no notice is sent: the service finds out by itself. Returns what disagrees then. */
async function settle(life: SubscriptionsLife, quietDays: number): Promise<string[]> {
  const { psp, world } = life;
  psp.clearFaults();
  psp.debits.fates.clear();
  psp.debits.listed.lagMs = 0;
  psp.mandates.listed.lagMs = 0;
  life.fates.length = 0;
  psp.callbacks.length = 0;
  life.houses?.calm();
  for (const asked of life.asked.filter(({ id }) => id === null)) await life.askAgain(asked);
  const quietSince = world.clock.now();
  await life.work();
  for (let days = 0; days < quietDays; days += quietDays / 2) {
    await live(life, quietDays / 2);
    await life.work();
  }
  return disagreements(life, quietSince);
}
