import * as fc from "fast-check";
import type { ReceivedPix } from "../../support/fakes/fake-psp/book.ts";
import type { FaultName } from "../../support/fakes/fake-psp/faults.ts";
import type { FakePsp } from "../../support/fakes/fake-psp/psp.ts";
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
  | { do: "pay"; which: number; other: number | null }
  | { do: "payToTheKey"; amount: number }
  | { do: "refund"; which: number; amount: number | null }
  | { do: "withdraw"; amount: number }
  | { do: "changeAccount" }
  | { do: "dispute"; which: number; amount: number | null }
  | { do: "refundByOthers"; which: number; amount: number }
  | { do: "endReturn"; which: number; done: boolean }
  | { do: "payOutByOthers"; amount: number }
  | { do: "endPayout"; which: number; paid: boolean }
  | { do: "returnPayout"; which: number; amount: number | null }
  | { do: "tell"; fates: CallbackDelivery[]; reversed: boolean }
  | { do: "lag" }
  | { do: "catchUp" }
  | { do: "unreadable"; which: number }
  | { do: "fault"; name: FaultName }
  | { do: "wait"; ms: number }
  | { do: "work" };

const anyIndex = fc.nat(99);
const cents = fc.integer({ min: 100, max: 50_000 });
/** Mostly the charge's amount. */
const otherAmount: fc.Arbitrary<number | null> = fc.oneof(
  { weight: 8, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: cents },
);
const maybeCents = fc.option(cents, { freq: 3 });
const weighted = (weight: number, arbitrary: fc.Arbitrary<Step>) => ({ weight, arbitrary });
const unmodified = (word: "changeAccount" | "lag" | "catchUp" | "work") =>
  fc.constant<Step>({ do: word });

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  weighted(4, fc.record({ do: fc.constant("charge" as const), amount: cents })),
  weighted(6, fc.record({ do: fc.constant("pay" as const), which: anyIndex, other: otherAmount })),
  weighted(1, fc.record({ do: fc.constant("payToTheKey" as const), amount: cents })),
  weighted(
    3,
    fc.record({ do: fc.constant("refund" as const), which: anyIndex, amount: maybeCents }),
  ),
  weighted(4, fc.record({ do: fc.constant("withdraw" as const), amount: cents })),
  weighted(1, unmodified("changeAccount")),
  weighted(
    3,
    fc.record({ do: fc.constant("dispute" as const), which: anyIndex, amount: maybeCents }),
  ),
  weighted(
    2,
    fc.record({ do: fc.constant("refundByOthers" as const), which: anyIndex, amount: cents }),
  ),
  weighted(
    5,
    fc.record({ do: fc.constant("endReturn" as const), which: anyIndex, done: fc.boolean() }),
  ),
  weighted(1, fc.record({ do: fc.constant("payOutByOthers" as const), amount: cents })),
  weighted(
    4,
    fc.record({ do: fc.constant("endPayout" as const), which: anyIndex, paid: fc.boolean() }),
  ),
  weighted(
    2,
    fc.record({ do: fc.constant("returnPayout" as const), which: anyIndex, amount: maybeCents }),
  ),
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
  weighted(1, fc.record({ do: fc.constant("unreadable" as const), which: anyIndex })),
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

/** Advances time; before days pass, the service finishes its reconciliation. */
export async function passTime(life: Simulation, ms: number): Promise<void> {
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
  if (isBankStep(step)) return applyBankStep(life, step);
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

/** A change of an existing record at a bank. */
const BANK_STEPS = [
  "pay",
  "dispute",
  "refundByOthers",
  "endReturn",
  "endPayout",
  "returnPayout",
  "unreadable",
] as const;
type BankStep = Extract<Step, { do: (typeof BANK_STEPS)[number] }>;

function isBankStep(step: Step): step is BankStep {
  return (BANK_STEPS as readonly string[]).includes(step.do);
}

function applyBankStep({ psps }: Simulation, step: BankStep): void {
  const received = psps.flatMap((psp) => psp.book.received.map((pix) => ({ psp, pix })));
  if (step.do === "pay") return pay(psps, step);
  if (step.do === "endPayout" || step.do === "returnPayout") return finishPayout(psps, step);
  if (received.length === 0) return undefined;
  const { psp, pix } = pick(received, step.which);
  switch (step.do) {
    case "dispute":
    case "refundByOthers": {
      const left = centsOf(psp.remainingAmount(pix.endToEndId));
      const amount = Math.min(left, step.amount ?? left);
      if (amount === 0) return undefined;
      if (step.do === "dispute") psp.dispute(pix.endToEndId, valorOf(amount));
      else psp.refundExternally(pix.endToEndId, valorOf(amount));
      return undefined;
    }
    case "endReturn":
      return finishReturn(received, step);
    case "unreadable":
      return psp.book.views.makeUnreadable(pix.endToEndId);
  }
}

function pay(psps: readonly FakePsp[], step: Extract<Step, { do: "pay" }>): void {
  const cobs = psps.flatMap((psp) =>
    [...psp.book.cobs].map(([txid, { status }]) => ({ psp, txid, status })),
  );
  const payable = cobs.filter(({ status }) => status === "ATIVA" || status === "CONCLUIDA");
  if (payable.length === 0) return;
  const { psp, txid } = pick(payable, step.which);
  psp.pay(txid, step.other === null ? undefined : valorOf(step.other));
}

/** Settles a pending refund or MED. */
export function finishReturn(
  received: { psp: FakePsp; pix: ReceivedPix }[],
  { which: number, done }: { which: number; done: boolean },
): void {
  const open = received.flatMap(({ psp, pix }) =>
    pix.devolucoes
      .filter(({ status }) => status === "EM_PROCESSAMENTO")
      .map(({ id }) => ({ psp, endToEndId: pix.endToEndId, id })),
  );
  if (open.length === 0) return;
  const { psp, endToEndId, id } = pick(open, number);
  psp.settleDevolucao(endToEndId, id, done ? "DEVOLVIDO" : "NAO_REALIZADO");
}

function finishPayout(
  psps: readonly FakePsp[],
  step: Extract<Step, { do: "endPayout" | "returnPayout" }>,
): void {
  const wanted = step.do === "endPayout" ? "EM_PROCESSAMENTO" : "REALIZADO";
  const found = psps.flatMap((psp) =>
    [...psp.book.envios]
      .filter(([, envio]) => envio.idEnvio !== undefined && envio.status === wanted)
      .map(([idEnvio, envio]) => ({ psp, idEnvio, envio })),
  );
  if (found.length === 0) return;
  const { psp, idEnvio, envio } = pick(found, step.which);
  if (step.do === "endPayout") {
    return psp.settlePayout(idEnvio, step.paid ? "REALIZADO" : "NAO_REALIZADO");
  }
  const back = envio.devolucoes.reduce((sum, { valor }) => sum + centsOf(valor), 0);
  const left = centsOf(envio.valor) - back;
  const amount = Math.min(left, step.amount ?? left);
  if (amount > 0) psp.returnPayout(idEnvio, valorOf(amount));
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

export function pick<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

function valorOf(amount: number): string {
  return (amount / 100).toFixed(2);
}

function centsOf(valor: string): number {
  return Number(valor.replace(".", ""));
}
