import {
  claimPayout,
  FAILED,
  reportPayout,
  withdraw,
} from "../support/builders/withdraws/withdraw-commands.ts";
import { waitUntilDrained, type TestCompany } from "../support/builders/companies/company.ts";
import { endCharge, endToEndId, settle } from "../support/builders/charges/charge-commands.ts";
import {
  reportOperation,
  requestRefund,
  dispute,
} from "../support/builders/operations/object-operations.ts";
import { givenTransaction } from "../support/builders/charges/transaction.ts";
import { randomFraction, randomChoice } from "./seeded-random.ts";
import type { VirtualTime } from "./virtual-time.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const AMOUNT = 9_000;
/** The amount of one withdraw; the opening payment covers the withdraws of every company. */
const WITHDRAW_AMOUNT = 100;
const OPENING_BALANCE = 10_000_000;

interface Charge {
  id: string;
  amount: number;
}
type TransitionResult = { kind: string };
type TransitionStep<Thing> = (
  company: TestCompany,
  thing: Thing,
  lifecycle: number,
) => Promise<TransitionResult>;

const paid: TransitionStep<Charge> = (company, charge, lifecycle) =>
  settle(company, charge, { paymentId: endToEndId(lifecycle) });
const failed: TransitionStep<Charge> = (company, charge) => endCharge(company, charge, "failed");
const cancelled: TransitionStep<Charge> = (company, charge) =>
  endCharge(company, charge, "cancelled");
const disputed: TransitionStep<Charge> = (company, charge) => dispute(company, charge);
const won: TransitionStep<Charge> = (company, charge) =>
  dispute(company, charge, { status: "WON" });
const refundThird: TransitionStep<Charge> = (company, charge) =>
  refund(company, charge, AMOUNT / 3);
const refundAll: TransitionStep<Charge> = (company, charge) =>
  refund(company, charge, charge.amount);

async function refund(
  company: TestCompany,
  charge: Charge,
  amount: number,
): Promise<TransitionResult> {
  const requested = await requestRefund(company, charge, { amount });
  if (requested.kind !== "send") return requested;
  return reportOperation(company, { kind: "done" }, requested.id);
}

const processing: TransitionStep<number> = (company, id) => claimPayout(company, id);
const paidOut: TransitionStep<number> = (company, id, lifecycle) =>
  reportPayout(company, { kind: "paid", endToEndId: endToEndId(lifecycle) }, id);
const refused: TransitionStep<number> = (company, id) => reportPayout(company, FAILED, id);
const returned: TransitionStep<number> = (company, id, lifecycle) =>
  reportPayout(company, { kind: "returned", endToEndId: endToEndId(lifecycle) }, id);

const CHARGE_LIFECYCLES: TransitionStep<Charge>[][] = [
  [paid],
  [failed],
  [cancelled, paid],
  [failed, paid],
  [paid, refundAll],
  [paid, refundThird, refundThird, refundThird],
  [paid, disputed, won],
  [paid, disputed, won, refundThird],
];
const WITHDRAW_LIFECYCLES: TransitionStep<number>[][] = [
  [processing, paidOut],
  [processing, paidOut, returned],
  [processing, refused],
];
/** The time between two states of an object, in percent: mostly shorter than the first retries. */
const GAPS = { none: 25, seconds: 35, minutes: 30, hours: 10 } as const;
const GAP_MS = { none: 0, seconds: 8 * SECOND, minutes: 4 * MINUTE, hours: 3 * 60 * MINUTE };
/** Many lifecycles start together, so that a host has more due deliveries than permits. */
const BURST_EVERY_MS = 5 * MINUTE;
const EVENTS_PER_BURST = 300;
const BURSTS_MAX = 20;

/** One object of a company: its transitions with their times since the start. */
export interface Lifecycle {
  number: number;
  company: TestCompany;
  steps: { atMs: number; apply: () => Promise<void> }[];
}

/** Lifecycles with exactly `events` events; `hosts` are the hosts of the `postbackUrl`s. */
export function lifecyclesOf(
  seed: number,
  events: number,
  companies: TestCompany[],
  hosts: string[],
): Lifecycle[] {
  const lifecycles: Lifecycle[] = [];
  const bursts = Math.min(Math.ceil(events / EVENTS_PER_BURST), BURSTS_MAX);
  for (let left = events; left > 0;) {
    const number = lifecycles.length + 1;
    const draw = (what: string) => randomFraction(seed, what, number);
    const pick = <Item>(items: Item[], what: string) =>
      items[Math.floor(draw(what) * items.length)]!;
    const company = pick(companies, "company");
    const postbackUrl = `https://${pick(hosts, "host")}/postback/${number}`;
    const transitions =
      draw("kind") < 0.75
        ? chargeLifecycle(
            company,
            number,
            pick(CHARGE_LIFECYCLES, "life").slice(0, left),
            postbackUrl,
          )
        : withdrawLifecycle(company, number, pick(WITHDRAW_LIFECYCLES, "life").slice(0, left));
    let atMs = Math.floor(draw("burst") * bursts) * BURST_EVERY_MS;
    const steps = transitions.map((apply, index) => {
      const gap = randomChoice(GAPS, draw(`gap ${index}`));
      if (index > 0) atMs += Math.floor(GAP_MS[gap] * draw(`wait ${index}`));
      return { atMs, apply };
    });
    lifecycles.push({ number, company, steps });
    left -= transitions.length;
  }
  return lifecycles;
}

/** The opening balance of a company, announced before the run. */
export async function fundCompany(company: TestCompany, number: number, time: VirtualTime) {
  const charge = await createCharge(company, OPENING_BALANCE, "", `opening-${number}`);
  const endToEnd = endToEndId(1_000_000 + number);
  await settle(company, charge, { paymentId: endToEnd, paidAt: time.clock.now() });
  await waitUntilDrained(company);
}

function chargeLifecycle(
  company: TestCompany,
  number: number,
  transitions: TransitionStep<Charge>[],
  postbackUrl: string,
): (() => Promise<void>)[] {
  let charge: Promise<Charge> | undefined;
  return transitions.map((apply) => async () => {
    charge ??= createCharge(company, AMOUNT, postbackUrl, `life-${number}`);
    expectAccepted(await apply(company, await charge, number));
  });
}

function withdrawLifecycle(
  company: TestCompany,
  number: number,
  transitions: TransitionStep<number>[],
): (() => Promise<void>)[] {
  let id: Promise<number> | undefined;
  return transitions.map((apply) => async () => {
    id ??= requestWithdraw(company, number);
    expectAccepted(await apply(company, await id, number));
  });
}

async function requestWithdraw(company: TestCompany, number: number): Promise<number> {
  const answer = await withdraw(company, {
    idempotencyKey: `life-${number}`,
    amount: WITHDRAW_AMOUNT,
    metadata: `life-${number}`,
  });
  if (answer.kind !== "accepted") throw new Error(`the withdraw was ${answer.kind}`);
  return answer.withdraw.id;
}

async function createCharge(
  company: TestCompany,
  amount: number,
  postbackUrl: string,
  metadata: string,
): Promise<Charge> {
  const { id } = await givenTransaction(company, {
    amount,
    metadata,
    ...(postbackUrl === "" ? {} : { postbackUrl }),
  });
  return { id, amount };
}

const ACCEPTED_RESULTS = new Set(["credited", "transitioned", "recorded", "send"]);

function expectAccepted({ kind }: TransitionResult): void {
  if (!ACCEPTED_RESULTS.has(kind)) throw new Error(`a step was ${kind}`);
}
