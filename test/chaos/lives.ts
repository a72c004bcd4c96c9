import {
  claim,
  drained,
  end,
  endToEndId,
  FAILED,
  report,
  settle,
  withdraw,
} from "../support/builders/commands.ts";
import type { TestCompany } from "../support/builders/company.ts";
import { answerOperation, askRefund, dispute } from "../support/builders/object-operations.ts";
import { givenTransaction } from "../support/builders/transaction.ts";
import { draw, drawOf } from "./chance.ts";
import type { VirtualTime } from "./time.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const AMOUNT = 9_000;
/** What one withdraw takes; the opening payment covers more of them than any company has. */
const WITHDRAWN = 100;
const OPENING = 10_000_000;

interface Charge {
  id: string;
  amount: number;
}
type Told = { kind: string };
type Move<Thing> = (company: TestCompany, thing: Thing, life: number) => Promise<Told>;

const paid: Move<Charge> = (company, charge, life) =>
  settle(company, charge, { paymentId: endToEndId(life) });
const failed: Move<Charge> = (company, charge) => end(company, charge, "failed");
const cancelled: Move<Charge> = (company, charge) => end(company, charge, "cancelled");
const disputed: Move<Charge> = (company, charge) => dispute(company, charge);
const won: Move<Charge> = (company, charge) => dispute(company, charge, { status: "WON" });
const third: Move<Charge> = (company, charge) => refund(company, charge, AMOUNT / 3);
const whole: Move<Charge> = (company, charge) => refund(company, charge, charge.amount);

async function refund(company: TestCompany, charge: Charge, amount: number): Promise<Told> {
  const asked = await askRefund(company, charge, { amount });
  if (asked.kind !== "send") return asked;
  return answerOperation(company, { kind: "done" }, asked.id);
}

const processing: Move<number> = (company, id) => claim(company, id);
const paidOut: Move<number> = (company, id, life) =>
  report(company, { kind: "paid", endToEndId: endToEndId(life) }, id);
const refused: Move<number> = (company, id) => report(company, FAILED, id);
const returned: Move<number> = (company, id, life) =>
  report(company, { kind: "returned", endToEndId: endToEndId(life) }, id);

const CHARGE_LIVES: Move<Charge>[][] = [
  [paid],
  [failed],
  [cancelled, paid],
  [failed, paid],
  [paid, whole],
  [paid, third, third, third],
  [paid, disputed, won],
  [paid, disputed, won, third],
];
const WITHDRAW_LIVES: Move<number>[][] = [
  [processing, paidOut],
  [processing, paidOut, returned],
  [processing, refused],
];
/** What lies between two states of an object, in percent: mostly less than the first retries. */
const GAPS = { none: 25, seconds: 35, minutes: 30, hours: 10 } as const;
const GAP_MS = { none: 0, seconds: 8 * SECOND, minutes: 4 * MINUTE, hours: 3 * 60 * MINUTE };
/** Much happens at the same moment, so that more is due at a host than may be under way to it. */
const BURST_EVERY_MS = 5 * MINUTE;
const EVENTS_PER_BURST = 300;
const BURSTS_MAX = 20;

/** One object of a company: what happens to it, and when, from the storm's beginning. */
export interface Life {
  number: number;
  company: TestCompany;
  steps: { atMs: number; move: () => Promise<void> }[];
}

/** Lives with exactly `events` events; `hosts` are those of the `postbackUrl`s. */
export function livesOf(
  seed: number,
  events: number,
  companies: TestCompany[],
  hosts: string[],
): Life[] {
  const lives: Life[] = [];
  const bursts = Math.min(Math.ceil(events / EVENTS_PER_BURST), BURSTS_MAX);
  for (let left = events; left > 0;) {
    const number = lives.length + 1;
    const luck = (what: string) => draw(seed, what, number);
    const pick = <Item>(items: Item[], what: string) =>
      items[Math.floor(luck(what) * items.length)]!;
    const company = pick(companies, "company");
    const postbackUrl = `https://${pick(hosts, "host")}/postback/${number}`;
    const moves =
      luck("kind") < 0.75
        ? lifeOfCharge(company, number, pick(CHARGE_LIVES, "life").slice(0, left), postbackUrl)
        : lifeOfWithdraw(company, number, pick(WITHDRAW_LIVES, "life").slice(0, left));
    let atMs = Math.floor(luck("burst") * bursts) * BURST_EVERY_MS;
    const steps = moves.map((move, index) => {
      const gap = drawOf(GAPS, luck(`gap ${index}`));
      if (index > 0) atMs += Math.floor(GAP_MS[gap] * luck(`wait ${index}`));
      return { atMs, move };
    });
    lives.push({ number, company, steps });
    left -= moves.length;
  }
  return lives;
}

/** What a company withdraws from, announced before the storm. */
export async function openWith(company: TestCompany, number: number, time: VirtualTime) {
  const charge = await createCharge(company, OPENING, "", `opening-${number}`);
  const endToEnd = endToEndId(1_000_000 + number);
  await settle(company, charge, { paymentId: endToEnd, paidAt: time.clock.now() });
  await drained(company);
}

function lifeOfCharge(
  company: TestCompany,
  number: number,
  moves: Move<Charge>[],
  postbackUrl: string,
): (() => Promise<void>)[] {
  let charge: Promise<Charge> | undefined;
  return moves.map((move) => async () => {
    charge ??= createCharge(company, AMOUNT, postbackUrl, `life-${number}`);
    expectTaken(await move(company, await charge, number));
  });
}

function lifeOfWithdraw(
  company: TestCompany,
  number: number,
  moves: Move<number>[],
): (() => Promise<void>)[] {
  let id: Promise<number> | undefined;
  return moves.map((move) => async () => {
    id ??= requested(company, number);
    expectTaken(await move(company, await id, number));
  });
}

async function requested(company: TestCompany, number: number): Promise<number> {
  const answer = await withdraw(company, {
    idempotencyKey: `life-${number}`,
    amount: WITHDRAWN,
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

const TAKEN = new Set(["credited", "moved", "recorded", "send"]);

function expectTaken({ kind }: Told): void {
  if (!TAKEN.has(kind)) throw new Error(`a move of the storm was ${kind}`);
}
