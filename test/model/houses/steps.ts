import * as fc from "fast-check";
import type { FaultName } from "../../support/fakes/fake-psp/faults.ts";
import { actAtHouses, isHouseAct, type HouseAct } from "../../support/fakes/house-acts.ts";
import { actAtBanks, BANK_ACTS, type BankAct } from "../agreement/bank-acts.ts";
import { pick } from "../agreement/pick.ts";
import { passTime } from "../agreement/steps.ts";
import { EFI_AMOUNT_TO, ROUTES, type RouteName } from "./accounts.ts";
import type { Asked, HousesLife, Sale } from "./life.ts";
import type { Death } from "./process.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Efí registers no boleto below it. */
const AMOUNT_MIN = 500;
const AMOUNT_MAX = 2 * EFI_AMOUNT_TO;
/** No act of the service makes more calls before it ends. */
const CALLS_MAX = 40;
/** What is sold, in turn. */
const METHODS = ["BOLETO", "CREDIT_CARD", "CREDIT_CARD", "PIX", "PIX"] as const;
/** What becomes of a notice, in turn. */
const FATES = ["once", "once", "lost", "lost", "twice", "late"] as const;
type Fate = (typeof FATES)[number];
const FAULTS = ["error_500", "reset", "unavailable", "malformed", "proxy_404", "empty"] as const;
/** Which call fails next. */
const CALLS = {
  any: /^(?!POST \/(?:v1\/authorize|oauth))/,
  change: /^(?:POST(?! \/(?:v1\/authorize|oauth))|PUT|DELETE)/,
};
const LIES = ["with_error", "refuses_what_it_made", "refund_waits"] as const;
const FAULTY_HOUSES = ["efi", "pagarme", "psp", "psp"] as const;
type FaultyHouse = (typeof FAULTY_HOUSES)[number];

/** A step of a life. Numbers select an item modulo the number of items. */
export type Step =
  | ({ do: "sell"; death: Death | null } & Sale)
  | { do: "askAgain"; which: number; death: Death | null }
  | { do: "refund"; which: number; amount: number | null; death: Death | null }
  | { do: "capture"; which: number; share: number; death: Death | null }
  | { do: "cancel"; which: number; death: Death | null }
  | { do: "tell"; fates: Fate[]; reversed: boolean }
  | { do: "fault"; house: FaultyHouse; name: FaultName; on: keyof typeof CALLS }
  | { do: "efiLie"; name: "error_200" | "page_502" }
  | { do: "lie"; lie: (typeof LIES)[number] }
  | { do: "wait"; ms: number }
  | { do: "work"; death: Death | null }
  | { do: "changeHouse"; to: RouteName }
  | { do: "lag" | "catchUp" }
  | { do: "bank"; act: BankAct }
  | HouseAct;

const which = fc.nat(99);
const amount = fc.integer({ min: AMOUNT_MIN, max: AMOUNT_MAX });
const maybeCents = fc.option(fc.integer({ min: 100, max: 20_000 }), { freq: 2 });
/** Most processes live. */
const seldomDeath: fc.Arbitrary<Death | null> = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.record({ afterCalls: fc.nat(CALLS_MAX), isDone: fc.boolean() }),
  },
);
const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });
const atBank = (act: fc.Arbitrary<BankAct>): fc.Arbitrary<Step> =>
  act.map((each) => ({ do: "bank", act: each }));
const named = <Name extends Step["do"]>(name: Name) => fc.constant(name);

/** New charges go elsewhere from now on. */
export const anyChange: fc.Arbitrary<Step> = fc.record({
  do: named("changeHouse"),
  to: fc.constantFrom(...(Object.keys(ROUTES) as RouteName[])),
});

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  weighted(
    8,
    fc.record({
      do: named("sell"),
      method: fc.constantFrom(...METHODS),
      amount,
      capture: fc.boolean(),
      isDeclined: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
      death: seldomDeath,
    }),
  ),
  weighted(2, fc.record({ do: named("askAgain"), which, death: seldomDeath })),
  weighted(4, fc.record({ do: named("refund"), which, amount: maybeCents, death: seldomDeath })),
  weighted(
    3,
    fc.record({
      do: named("capture"),
      which,
      share: fc.integer({ min: 1, max: 4 }),
      death: seldomDeath,
    }),
  ),
  weighted(2, fc.record({ do: named("cancel"), which, death: seldomDeath })),
  weighted(
    5,
    fc.record({
      do: named("pay"),
      which,
      other: fc.oneof(
        { weight: 8, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: amount },
      ),
      byPix: fc.boolean(),
    }),
  ),
  weighted(3, fc.record({ do: named("credit"), which })),
  weighted(1, fc.record({ do: named("settleByHand"), which })),
  weighted(2, fc.record({ do: named("decide"), which, approved: fc.boolean() })),
  weighted(2, fc.record({ do: named("contest"), which })),
  weighted(2, fc.record({ do: named("endContest"), which, won: fc.boolean() })),
  weighted(3, fc.record({ do: named("endRefund"), which })),
  weighted(1, fc.record({ do: named("refundByHand"), which, amount: maybeCents })),
  weighted(
    8,
    fc.record({
      do: named("tell"),
      fates: fc.array(fc.constantFrom(...FATES), { minLength: 1, maxLength: 5 }),
      reversed: fc.boolean(),
    }),
  ),
  weighted(
    2,
    fc.record({
      do: named("fault"),
      house: fc.constantFrom(...FAULTY_HOUSES),
      name: fc.constantFrom<FaultName>(...FAULTS),
      on: fc.constantFrom("any" as const, "change" as const),
    }),
  ),
  weighted(
    1,
    fc.record({
      do: named("efiLie"),
      name: fc.constantFrom("error_200" as const, "page_502" as const),
    }),
  ),
  weighted(1, fc.record({ do: named("lie"), lie: fc.constantFrom(...LIES) })),
  weighted(
    3,
    fc.record({
      do: named("wait"),
      ms: fc.constantFrom(MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, DAY_MS, 8 * DAY_MS),
    }),
  ),
  weighted(5, fc.record({ do: named("work"), death: seldomDeath })),
  weighted(2, anyChange),
  weighted(5, atBank(BANK_ACTS.pay)),
  weighted(2, atBank(BANK_ACTS.dispute)),
  weighted(1, atBank(BANK_ACTS.refundByOthers)),
  weighted(4, atBank(BANK_ACTS.endReturn)),
  weighted(1, fc.record({ do: named("lag") })),
  weighted(2, fc.record({ do: named("catchUp") })),
);

/** Runs a step if it has an object to act on. */
export async function applyStep(life: HousesLife, step: Step): Promise<void> {
  if (isHouseAct(step)) return void actAtHouses(life, step);
  switch (step.do) {
    case "sell":
      return life.sell(step, step.death);
    case "askAgain": {
      const open = life.asked.filter(({ id }) => id === null);
      return open.length === 0 ? undefined : life.askAgain(pick(open, step.which), step.death);
    }
    case "refund":
    case "capture":
    case "cancel":
      return order(life, step);
    case "tell":
      return tell(life, step);
    case "fault":
      return fail(life, step);
    case "efiLie":
      return life.efi.faultOnce(step.name);
    case "lie":
      return life.pagarme.lieOnce(step.lie);
    case "wait":
      return passTime(life, step.ms);
    case "work":
      return life.runBackgroundWork(step.death);
    case "changeHouse":
      return life.changeHouse(step.to);
    case "bank":
      return actAtBanks(life.psps, step.act);
    case "lag":
      for (const psp of life.psps) psp.freezeViews();
      return undefined;
    case "catchUp":
      for (const psp of life.psps) psp.refreshViews();
      return undefined;
  }
}

/** The next call that fits fails; of PIX the next one at each PSP. */
function fail(life: HousesLife, { house, name, on }: Extract<Step, { do: "fault" }>): void {
  const houses = house === "psp" ? life.psps : [life[house]];
  for (const each of houses) each.faultOnce(name, CALLS[on]);
}

async function order(
  life: HousesLife,
  step: Extract<Step, { do: "refund" | "capture" | "cancel" }>,
): Promise<void> {
  const isIt = {
    refund: ({ method }: Asked) => method !== "BOLETO",
    capture: ({ method }: Asked) => method === "CREDIT_CARD",
    cancel: () => true,
  }[step.do];
  const all = life.asked.filter((asked) => asked.id !== null && isIt(asked));
  if (all.length === 0) return;
  const asked = pick(all, step.which);
  const amounts = {
    refund: () => (step.do === "refund" ? step.amount : null),
    capture: () => (step.do === "capture" ? Math.ceil((asked.amount * step.share) / 4) : null),
    cancel: () => null,
  };
  await life.order(step.do, asked, { amount: amounts[step.do](), death: step.death });
}

/** Delivers some of the pending notices, once or twice; late ones stay pending. Efí posts five equal ones. */
async function tell(
  life: HousesLife,
  { fates, reversed }: Extract<Step, { do: "tell" }>,
): Promise<void> {
  const { efi, pagarme, psps } = life;
  const ofEfi = [
    ...new Map(efi.book.notices.splice(0).map((each) => [each.token, each])).values(),
  ].map((notice) => ({ notice, tell: () => life.tellOfEfi(notice), owed: efi.book.notices }));
  const ofPagarMe = pagarme.notices.splice(0).map((notice) => ({
    notice,
    tell: () => life.tellOfPagarMe(notice),
    owed: pagarme.notices,
  }));
  const ofPsps = psps.flatMap((psp) =>
    psp.callbacks.splice(0).map((notice) => ({
      notice,
      tell: () => life.tellOfPsp(psp, notice),
      owed: psp.callbacks,
    })),
  );
  const all = [...ofEfi, ...ofPagarMe, ...ofPsps];
  for (const [index, { notice, tell: tellOne, owed }] of (reversed
    ? all.toReversed()
    : all
  ).entries()) {
    const fate = pick(fates, index);
    if (fate === "late") owed.push(notice);
    const times = { once: 1, twice: 2, lost: 0, late: 0 }[fate];
    for (let time = 0; time < times; time++) await tellOne();
  }
}
