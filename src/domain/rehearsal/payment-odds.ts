import type { PaymentMethod } from "../charges/charge-status.ts";
import type { Cents } from "../shared/money.ts";

/** Charges whose last day is over, of which fewer say nothing about the next ones. */
export const ENOUGH_ENDED = 30;
/** The standard normal quantile of a range that holds 19 times of 20. */
const Z = 1.96;
/** The parts of the payments that came at least so early, in the worst, expected and best case. */
const EARLIER = { worst: 0.9, expected: 0.5, best: 0.1 } as const;

/** The cases that a company's own past gives. */
export const PAST_CASES = ["worst", "expected", "best"] as const;
type PastCase = (typeof PAST_CASES)[number];

/** Ended charges of one method with one fate. */
export interface EndedCharges {
  /** Days from the payment to the last day to pay, negative for a late one; null of those that nobody paid. */
  daysEarly: number | null;
  count: number;
}

/** Open charges that share their last day to pay. Amounts in centavos. */
export interface OpenCharges {
  paymentMethod: PaymentMethod;
  /** `YYYY-MM-DD` in America/Sao_Paulo. */
  lastDay: string;
  /** Whether it is a due date, after which a payer pays late; else the code expires. */
  isDue: boolean;
  gross: Cents;
  /** The gateway's fees on them, as each is charged for itself. */
  fees: Cents;
  /** The sum of the squared amounts: many small ones are surer than one large one. */
  squares: number;
}

/** What is assumed of each open charge in one case. */
interface Odds {
  /** The part of the money that is paid, 0 to 1. */
  share: number;
  /** Days before its last day that a charge is paid; null for today. */
  daysEarly: number | null;
}

/** What a company's own past says about its open charges of one method. */
export interface PaymentOdds extends Record<PastCase, Odds> {
  paymentMethod: PaymentMethod;
  /** Charges of the past whose last day is over; those that were paid among them. */
  ended: number;
  paid: number;
  /** False where these are too few: then nobody pays in the worst and the expected case, everybody in the best. */
  isEnough: boolean;
}

/** What the past of one method says about its open charges. */
export function paymentOdds(
  paymentMethod: PaymentMethod,
  past: readonly EndedCharges[],
  open: readonly OpenCharges[],
): PaymentOdds {
  const ended = sumOf(past, ({ count }) => count);
  const early = past.flatMap(({ daysEarly, count }) =>
    daysEarly === null ? [] : [{ daysEarly, count }],
  );
  const paid = sumOf(early, ({ count }) => count);
  const known = { paymentMethod, ended, paid };
  if (ended < ENOUGH_ENDED) {
    const none = { share: 0, daysEarly: 0 };
    return {
      ...known,
      isEnough: false,
      worst: none,
      expected: none,
      best: { share: 1, daysEarly: null },
    };
  }
  const share = paid / ended;
  const [low, high] = wilsonRange(share, Math.min(ended, effectiveCount(open)));
  const oddsOf = (part: number, each: PastCase): Odds => ({
    share: part,
    daysEarly: earlierThan(early, EARLIER[each]),
  });
  return {
    ...known,
    isEnough: true,
    worst: oddsOf(low, "worst"),
    expected: oddsOf(share, "expected"),
    best: oddsOf(high, "best"),
  };
}

/**
 * How many equal charges would be as uncertain as these (Kish's effective sample size); infinite for none.
 */
function effectiveCount(open: readonly OpenCharges[]): number {
  const gross = sumOf(open, (each) => each.gross);
  const squares = sumOf(open, (each) => each.squares);
  return squares === 0 ? Number.POSITIVE_INFINITY : gross ** 2 / squares;
}

/** The range of a share that was seen among `count` (Wilson's score interval), 19 times of 20. */
function wilsonRange(share: number, count: number): [low: number, high: number] {
  const spread = Z ** 2 / count;
  const middle = share + spread / 2;
  const margin = Z * Math.sqrt((share * (1 - share)) / count + spread / (4 * count));
  const within = (value: number) => Math.min(1, Math.max(0, value / (1 + spread)));
  return [Math.min(share, within(middle - margin)), Math.max(share, within(middle + margin))];
}

/** The days before the last one by which a part of the payments had come; 0 without any. */
function earlierThan(early: readonly { daysEarly: number; count: number }[], part: number): number {
  let missing = part * sumOf(early, ({ count }) => count);
  for (const { daysEarly, count } of early.toSorted(
    (one, other) => other.daysEarly - one.daysEarly,
  )) {
    missing -= count;
    if (missing <= 0) return daysEarly;
  }
  return 0;
}

function sumOf<Item>(items: readonly Item[], amount: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + amount(item), 0);
}
