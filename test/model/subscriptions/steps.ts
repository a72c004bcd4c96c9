import * as fc from "fast-check";
import type { DebitFate } from "../../support/fakes/fake-psp/automatic/debit-book.ts";
import type { FaultName } from "../../support/fakes/fake-psp/faults.ts";
import { pick } from "../agreement/pick.ts";
import type { Death } from "../houses/process.ts";
import { SUBSCRIPTIONS } from "../../support/builders/charges/subscriptions.ts";
import { dayAt, plusDays, timeOf, TOWNS } from "./calendar.ts";
import { HOUSE_FAULTS, isHouseAct, ISSUER_WORDS, PAYER, type HouseAct } from "./dunners.ts";
import type { Asked, SubscriptionsLife } from "./life.ts";
import { actAtBank, isBankAct, type BankAct } from "./payers.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** No act of the service makes more calls before it ends. */
const CALLS_MAX = 20;
const AMOUNT = 4_990;

/** What becomes of a notice, in turn. */
const NOTICES = ["once", "once", "lost", "twice", "late"] as const;
const FAULTS = ["error_500", "reset", "unavailable", "malformed", "proxy_404", "empty"] as const;
/** Which call fails next. */
const CALLS = {
  any: /^(?!POST \/oauth)/,
  order: /^(?:POST \/rec|POST \/solicrec|PUT \/cobr|POST \/cobr|PATCH)/,
  look: /^GET \/(?:rec|cobr)/,
};
export const FATES = ["paid", "no_balance", "over_limit", "closed", "broken", "silent"] as const;
const JOURNEYS = ["REQUEST", "QR", "QR_AND_PAY", "QR_ON_DUE"] as const;
/** Hours of the days before a debit at which something begins or ends. */
const TIMES = [
  { days: -5, hour: 0 },
  { days: -5, hour: 9 },
  { days: -2, hour: 12 },
  { days: -1, hour: 21 },
  { days: -1, hour: 22 },
  { days: 0, hour: 1 },
  { days: 0, hour: 9 },
  { days: 0, hour: 22 },
  { days: 1, hour: 9 },
] as const;

/** What a subscription is asked for with. */
interface Terms {
  journey: (typeof JOURNEYS)[number];
  period: "WEEKLY" | "MONTHLY" | "QUARTERLY";
  isVariable: boolean;
  /** Days from now to the first due date. */
  dueIn: number;
  /** Days that it lasts; null without an end. */
  lasts: number | null;
  retry: number[];
  /** How its payer is dunned; null or left out for not at all. */
  dunning?: Policy | null | undefined;
}

/** What is done about a cycle that stays unpaid. */
export interface Policy {
  link: "none" | "event" | "email";
  method: "PIX" | "BOLETO";
  isOfCard: boolean;
  days: number;
  then: "none" | "pause" | "cancel";
}

/** A step of a life. Numbers select an item modulo the number of items. */
export type Step =
  | { do: "subscribe"; terms: Terms; death: Death | null }
  | { do: "askAgain"; which: number; death: Death | null }
  | { do: "act"; which: number; act: "cancel" | "pause" | "resume"; death: Death | null }
  | { do: "changeAmount"; which: number; amount: number }
  | { do: "openCycle"; which: number; death: Death | null }
  | { do: "retryCharge"; which: number; days: number; death: Death | null }
  | { do: "cancelCharge"; which: number; death: Death | null }
  | { do: "makeByHand"; which: number; death: Death | null }
  | { do: "tell"; fates: (typeof NOTICES)[number][]; reversed: boolean }
  | { do: "fault"; name: FaultName; on: keyof typeof CALLS; times: number }
  | { do: "lag"; ms: number }
  | { do: "wait"; ms: number }
  | { do: "waitFor"; which: number; time: number }
  | { do: "live"; days: number }
  | { do: "work"; death: Death | null }
  | { do: "runDue"; death: Death | null }
  | { do: "restart" }
  | BankAct
  | HouseAct;

const which = fc.nat(99);
/** Most processes live. */
const seldomDeath: fc.Arbitrary<Death | null> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  {
    weight: 2,
    arbitrary: fc.record({ afterCalls: fc.nat(CALLS_MAX), isDone: fc.boolean() }),
  },
);
export const anyPolicy: fc.Arbitrary<Policy> = fc.record({
  link: fc.constantFrom("none" as const, "event" as const, "event", "email"),
  method: fc.constantFrom("PIX" as const, "BOLETO" as const),
  isOfCard: fc.boolean(),
  days: fc.integer({ min: 2, max: 6 }),
  then: fc.constantFrom("none" as const, "pause" as const, "cancel" as const),
});
const anyTerms: fc.Arbitrary<Terms> = fc.record({
  journey: fc.constantFrom(...JOURNEYS),
  period: fc.constantFrom("WEEKLY" as const, "WEEKLY" as const, "MONTHLY" as const, "QUARTERLY"),
  isVariable: fc.boolean(),
  dueIn: fc.integer({ min: 1, max: 14 }),
  lasts: fc.option(fc.integer({ min: 0, max: 40 }), { freq: 2 }),
  retry: fc.constantFrom([], [1], [1, 3], [1, 2, 3], [2, 5, 7], [7]),
  dunning: fc.option(anyPolicy, { freq: 3 }),
});
const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });
const named = <Name extends Step["do"]>(name: Name) => fc.constant(name);

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  weighted(3, fc.record({ do: named("subscribe"), terms: anyTerms, death: seldomDeath })),
  weighted(1, fc.record({ do: named("askAgain"), which, death: seldomDeath })),
  weighted(
    3,
    fc.record({
      do: named("act"),
      which,
      act: fc.constantFrom("cancel" as const, "pause" as const, "resume" as const, "resume"),
      death: seldomDeath,
    }),
  ),
  weighted(
    1,
    fc.record({ do: named("changeAmount"), which, amount: fc.integer({ min: 1, max: 20_000 }) }),
  ),
  weighted(2, fc.record({ do: named("openCycle"), which, death: seldomDeath })),
  weighted(
    4,
    fc.record({
      do: named("retryCharge"),
      which,
      days: fc.integer({ min: 1, max: 9 }),
      death: seldomDeath,
    }),
  ),
  weighted(2, fc.record({ do: named("cancelCharge"), which, death: seldomDeath })),
  weighted(3, fc.record({ do: named("makeByHand"), which, death: seldomDeath })),
  weighted(
    5,
    fc.record({
      do: named("tell"),
      fates: fc.array(fc.constantFrom(...NOTICES), { minLength: 1, maxLength: 5 }),
      reversed: fc.boolean(),
    }),
  ),
  weighted(
    3,
    fc.record({
      do: named("fault"),
      name: fc.constantFrom<FaultName>(...FAULTS),
      on: fc.constantFrom("any" as const, "order" as const, "look" as const),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  ),
  weighted(
    2,
    fc.record({
      do: named("lag"),
      ms: fc.constantFrom(0, HOUR_MS, DAY_MS, 3 * DAY_MS, 9 * DAY_MS),
    }),
  ),
  weighted(
    4,
    fc.record({
      do: named("wait"),
      ms: fc.constantFrom(MINUTE_MS, 10 * MINUTE_MS, HOUR_MS, DAY_MS, 3 * DAY_MS, 9 * DAY_MS),
    }),
  ),
  weighted(6, fc.record({ do: named("waitFor"), which, time: which })),
  weighted(12, fc.record({ do: named("live"), days: fc.integer({ min: 1, max: 9 }) })),
  weighted(4, fc.record({ do: named("work"), death: seldomDeath })),
  weighted(8, fc.record({ do: named("runDue"), death: seldomDeath })),
  weighted(1, fc.constant<Step>({ do: "restart" })),
  weighted(
    6,
    fc.record({
      do: named("approve"),
      which,
      town: fc.constantFrom(...TOWNS),
      pays: fc.boolean(),
    }),
  ),
  weighted(1, fc.record({ do: named("refuse"), which })),
  weighted(1, fc.record({ do: named("payerCancels"), which })),
  weighted(
    6,
    fc.record({
      do: named("decide"),
      which,
      fates: fc.array(fc.constantFrom<DebitFate>(...FATES), { minLength: 1, maxLength: 4 }),
    }),
  ),
  weighted(2, fc.record({ do: named("payCode"), which })),
  weighted(3, fc.record({ do: named("payBoleto"), which })),
  weighted(3, fc.record({ do: named("issuer"), says: fc.constantFrom(...ISSUER_WORDS) })),
  weighted(
    2,
    fc.record({
      do: named("houseFault"),
      name: fc.constantFrom(...HOUSE_FAULTS),
      times: fc.integer({ min: 1, max: 3 }),
    }),
  ),
);

/** Runs a step if it has an object to act on. */
export async function applyStep(life: SubscriptionsLife, step: Step): Promise<void> {
  if (isBankAct(step)) return actAtBank(life.psp, step);
  if (isHouseAct(step)) return life.houses?.act(step);
  switch (step.do) {
    case "subscribe":
      return life.subscribe(bodyOf(step.terms, life), step.death);
    case "askAgain": {
      const open = life.asked.filter(({ id }) => id === null);
      return open.length === 0 ? undefined : life.askAgain(pick(open, step.which), step.death);
    }
    case "act":
    case "changeAmount":
    case "openCycle":
    case "retryCharge":
    case "cancelCharge":
    case "makeByHand":
      return ask(life, step);
    case "tell":
      return tell(life, step);
    case "fault":
      for (let time = 0; time < step.times; time++) life.psp.faultOnce(step.name, CALLS[step.on]);
      return;
    case "lag":
      life.psp.debits.listed.lagMs = step.ms;
      life.psp.mandates.listed.lagMs = step.ms;
      return;
    case "wait":
      return life.pass(step.ms);
    case "waitFor":
      return waitFor(life, step);
    case "live":
      return live(life, step.days);
    case "work":
      return life.work(step.death);
    case "runDue":
      return life.runDue(step.death);
    case "restart":
      return life.restart();
  }
}

/** Days in which the service does what is due when it is due, or up to `leastMs` later. */
export async function live(
  life: SubscriptionsLife,
  days: number,
  leastMs = MINUTE_MS,
): Promise<void> {
  const end = life.world.clock.now() + days * DAY_MS;
  await life.runDue();
  for (let now = life.world.clock.now(); now < end; now = life.world.clock.now()) {
    const due = (await life.nextDue()) ?? end;
    life.pass(Math.min(Math.max(due - now, leastMs), end - now, DAY_MS / 2));
    await life.runDue();
  }
}

function bodyOf(
  { journey, period, isVariable, dueIn, lasts, retry, dunning = null }: Terms,
  { world, houses }: SubscriptionsLife,
): Asked["body"] {
  const firstDueDate = plusDays(dayAt(world.clock.now()), dueIn);
  const payerAccount = { ispb: "60701190", branch: "1234", account: "567890" };
  return {
    customer: PAYER,
    description: "Academia",
    ...(isVariable ? { minimumAmount: AMOUNT } : { amount: AMOUNT }),
    period,
    firstDueDate,
    ...(lasts === null ? {} : { endDate: plusDays(firstDueDate, lasts) }),
    journey,
    ...(journey === "REQUEST" ? { payerAccount } : {}),
    ...(journey === "QR_AND_PAY" ? { firstPayment: { amount: 1_000 } } : {}),
    ...(retry.length === 0 ? {} : { retry }),
    ...(dunning === null ? {} : { dunning: policyOf(dunning, houses?.savedCardId) }),
  };
}

function policyOf({ isOfCard, ...policy }: Policy, savedCardId: string | undefined) {
  return isOfCard && savedCardId !== undefined ? { ...policy, savedCardId } : policy;
}

type Wish = Extract<
  Step,
  { do: "act" | "changeAmount" | "openCycle" | "retryCharge" | "cancelCharge" | "makeByHand" }
>;

/** What the merchant asks of a subscription or of its newest charge. Most of it is refused. */
async function ask(life: SubscriptionsLife, step: Wish): Promise<void> {
  const known = life.asked.flatMap(({ id }) => (id === null ? [] : [id]));
  if (known.length === 0) return;
  const id = pick(known, step.which);
  const path = `${SUBSCRIPTIONS}/${id}`;
  if (step.do === "act") return life.act(id, step.act, step.death);
  if (step.do === "changeAmount") {
    await life.send(path, { method: "PATCH", body: { amount: step.amount }, death: null });
    return;
  }
  if (step.do === "openCycle") {
    const { body } = await life.get(path);
    const [next] = body.data.nextCharges;
    if (next === undefined) return;
    await life.send(`${path}/charges`, { body: { dueDate: next.dueDate }, death: step.death });
    return;
  }
  const { body } = await life.get(`${path}/charges`);
  const [charge] = body.items;
  if (charge === undefined) return;
  const charged = `${path}/charges/${charge.transactionId}`;
  const date = step.do === "retryCharge" ? plusDays(charge.dueDate, step.days) : null;
  const orders = { retryCharge: "retry", cancelCharge: "cancel", makeByHand: "by-hand" } as const;
  await life.send(`${charged}/${orders[step.do]}`, {
    ...(date === null ? {} : { body: { date } }),
    death: step.death,
  });
}

/** Until an hour before or after the due date of a debit at the PSP, or of a subscription's first one. */
function waitFor(life: SubscriptionsLife, step: Extract<Step, { do: "waitFor" }>): void {
  const now = life.world.clock.now();
  const debits = [...life.psp.debits.debits.values()];
  const { days, hour } = pick([...TIMES], step.time);
  const due = [
    ...debits.map(({ body }) => String(body.calendario.dataDeVencimento)),
    ...life.asked.map(({ body }) => String(body["firstDueDate"])),
  ];
  const coming = due.map((day) => timeOf(plusDays(day, days), hour)).filter((time) => time > now);
  if (coming.length > 0) life.pass(pick(coming, step.which) - now);
}

/** Delivers some of the pending notices, once or twice; late ones stay pending. */
async function tell(
  life: SubscriptionsLife,
  { fates, reversed }: Extract<Step, { do: "tell" }>,
): Promise<void> {
  const { callbacks } = life.psp;
  const pending = callbacks.splice(0);
  for (const [index, notice] of (reversed ? pending.toReversed() : pending).entries()) {
    const fate = pick([...fates], index);
    if (fate === "late") callbacks.push(notice);
    const times = { once: 1, twice: 2, lost: 0, late: 0 }[fate];
    for (let time = 0; time < times; time++) await life.tell(notice);
  }
  for (const [index, notice] of (life.houses?.takeNotices() ?? []).entries())
    if (pick([...fates], index) !== "lost") await life.tellOfHouse(notice);
}
