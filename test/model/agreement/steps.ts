import * as fc from "fast-check";
import type { FaultName } from "../../support/fakes/fake-psp/faults.ts";
import type { FakePsp } from "../../support/fakes/fake-psp/psp.ts";
import {
  actAtBanks,
  anyIndex,
  BANK_ACTS,
  cents,
  isBankAct,
  maybeCents,
  valorOf,
  type BankAct,
} from "./bank-acts.ts";
import { pick } from "./pick.ts";
import type { Simulation } from "./simulation.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Mostly more than the sum of a life's short waits; each hour is one run of a list. */
const CATCH_UP_HOURS = 3;

/** The fate of a callback; `unreadable` has an unknown status. */
const CALLBACK_DELIVERIES = [
  "once",
  "once",
  "lost",
  "lost",
  "twice",
  "late",
  "unreadable",
] as const;
type CallbackDelivery = (typeof CALLBACK_DELIVERIES)[number];

/** A step of a simulated life. Numbers select an item modulo the number of items. */
export type Step =
  | { do: "charge"; amount: number }
  | { do: "payToTheKey"; amount: number }
  | { do: "refund"; which: number; amount: number | null }
  | { do: "withdraw"; amount: number }
  | { do: "changeAccount" }
  | { do: "payOutByOthers"; amount: number }
  | { do: "tell"; fates: CallbackDelivery[]; reversed: boolean }
  | { do: "lag" }
  | { do: "catchUp" }
  | { do: "fault"; name: FaultName }
  | { do: "wait"; ms: number }
  | { do: "work" }
  | BankAct;

const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });
const unmodified = (word: "changeAccount" | "lag" | "catchUp" | "work") =>
  fc.constant<Step>({ do: word });

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  weighted(4, fc.record({ do: fc.constant("charge" as const), amount: cents })),
  weighted(6, BANK_ACTS.pay),
  weighted(1, fc.record({ do: fc.constant("payToTheKey" as const), amount: cents })),
  weighted(
    3,
    fc.record({ do: fc.constant("refund" as const), which: anyIndex, amount: maybeCents }),
  ),
  weighted(4, fc.record({ do: fc.constant("withdraw" as const), amount: cents })),
  weighted(1, unmodified("changeAccount")),
  weighted(3, BANK_ACTS.dispute),
  weighted(2, BANK_ACTS.refundByOthers),
  weighted(5, BANK_ACTS.endReturn),
  weighted(1, fc.record({ do: fc.constant("payOutByOthers" as const), amount: cents })),
  weighted(4, BANK_ACTS.endPayout),
  weighted(2, BANK_ACTS.returnPayout),
  weighted(
    8,
    fc.record({
      do: fc.constant("tell" as const),
      fates: fc.array(fc.constantFrom(...CALLBACK_DELIVERIES), { minLength: 1, maxLength: 5 }),
      reversed: fc.boolean(),
    }),
  ),
  weighted(1, unmodified("lag")),
  weighted(2, unmodified("catchUp")),
  weighted(1, BANK_ACTS.unreadable),
  weighted(
    2,
    fc.record({
      do: fc.constant("fault" as const),
      name: fc.constantFrom<FaultName>(
        "error_500",
        "unavailable",
        "malformed",
        "proxy_404",
        "empty",
      ),
    }),
  ),
  weighted(
    3,
    fc.record({
      do: fc.constant("wait" as const),
      ms: fc.constantFrom(MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, DAY_MS, 8 * DAY_MS),
    }),
  ),
  weighted(6, unmodified("work")),
);

/** A live company's life, as far as time passes in it. */
type Passing = Pick<Simulation, "runBackgroundWork" | "advanceDays"> & {
  world: Pick<Simulation["world"], "clock">;
};

/** Advances time; before days pass, the service finishes its reconciliation. */
export async function passTime(life: Passing, ms: number): Promise<void> {
  if (ms < DAY_MS) return life.world.clock.advance(ms);
  for (let hour = 0; hour < CATCH_UP_HOURS; hour++) {
    life.world.clock.advance(HOUR_MS / 2);
    await life.runBackgroundWork();
  }
  return life.advanceDays(ms);
}

/** Runs a step if it has an object to act on. */
export async function applyStep(life: Simulation, step: Step): Promise<void> {
  const { psps } = life;
  if (isBankAct(step)) return actAtBanks(psps, step);
  switch (step.do) {
    case "charge":
      return life.charge(step.amount);
    case "refund":
      return life.charges.length === 0
        ? undefined
        : life.refund(pick(life.charges, step.which), step.amount);
    case "withdraw":
      return life.withdraw(step.amount);
    case "changeAccount":
      return life.switchAccount();
    case "tell":
      for (const psp of psps)
        await life.deliverCallbacks(psp, deliveredCallbacks(psp, step.fates, step.reversed));
      return undefined;
    case "wait":
      return passTime(life, step.ms);
    case "work":
      return life.runBackgroundWork();
    case "lag":
      for (const psp of psps) psp.freezeViews();
      return undefined;
    case "catchUp":
      for (const psp of psps) psp.refreshViews();
      return undefined;
    case "fault":
      return psps[0].faultOnce(step.name);
    case "payToTheKey":
      return void psps[0].payKey(valorOf(step.amount));
    case "payOutByOthers":
      return void psps[0].payOutExternally(valorOf(step.amount));
  }
}

/** Delivers some of a PSP's pending callbacks; late ones stay pending. */
function deliveredCallbacks(psp: FakePsp, fates: CallbackDelivery[], reversed: boolean): unknown[] {
  psp.releaseDelayedCallbacks();
  const mangled = new Set<number>();
  psp.scheduleCallbacks((_body, index) => {
    const fate = pick(fates, index);
    if (fate !== "unreadable") return fate;
    mangled.add(index);
    return "once";
  });
  const owed = psp.callbacks.splice(0);
  const told = owed.map((body, index) => (mangled.has(index) ? withUnknownFields(body) : body));
  return reversed ? told.toReversed() : told;
}

/** The same callback with an unknown status. */
function withUnknownFields(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body).replaceAll(/"(status|horario)":"[^"]*"/g, '"$1":"DESCONHECIDO"'),
  );
}
