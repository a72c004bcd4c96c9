import type { ForecastDay } from "../ledger/release.ts";
import { businessDayFrom } from "../shared/business-day.ts";
import { addDays } from "../shared/calendar-day.ts";
import type { Cents } from "../shared/money.ts";
import type { PaymentMethod } from "../charges/charge-status.ts";
import { PAST_CASES, type OpenCharges, type PaymentOdds } from "./payment-odds.ts";

/** Days of a rehearsal. */
export const REHEARSAL_DAYS = 30;
export const REHEARSAL_DAYS_MAX = 90;

/** What becomes of open things: nothing more at all, or what the company's own past says. */
const CASES = ["certain", ...PAST_CASES] as const;
type Case = (typeof CASES)[number];

/** Open disputes whose deadline is on a day. Centavos. */
interface DisputedDay extends ForecastDay {
  /** The part of it that `blocked` holds. */
  held: Cents;
}

/** All that a rehearsal knows. Centavos; days are `YYYY-MM-DD` in America/Sao_Paulo. */
export interface RehearsalFacts {
  today: string;
  days: number;
  available: Cents;
  owed: Cents;
  /** Credits that await their release. */
  releases: readonly ForecastDay[];
  /** What comes back if nobody approves it in time. */
  expiringApprovals: readonly ForecastDay[];
  disputes: readonly DisputedDay[];
  /** What comes back if they are won on their deadlines; credit that awaited its release, then at the earliest. */
  wonDisputes: readonly ForecastDay[];
  open: readonly OpenCharges[];
  odds: readonly PaymentOdds[];
  releaseDays: Record<PaymentMethod, number>;
  /** The part of the payments that went back to payers, 0 to 1. */
  returnedShare: number;
}

/** What a day of the rehearsal shows beside its balances. Centavos. */
interface Figures {
  /** Credits that become available. */
  releases: Cents;
  /** Withdraws, refunds and their fees that come back because nobody approved them in time. */
  expiredApprovals: Cents;
  /** Open charges whose due date it is, on a business day: boletos and PIX with one. */
  due: Cents;
  /** Open PIX without a due date, whose code expires. */
  expiring: Cents;
  /** Payments that are expected to become available, less their fees. */
  expectedPayments: Cents;
  /** The fees of these. */
  expectedFees: Cents;
  /** Amounts of the open disputes whose deadline it is. */
  disputed: Cents;
}

const NO_FIGURES: Figures = {
  releases: 0,
  expiredApprovals: 0,
  due: 0,
  expiring: 0,
  expectedPayments: 0,
  expectedFees: 0,
  disputed: 0,
};

/** What one source does on a day: to the balance in each case, and to the figures. */
interface Flow {
  day: string;
  cash: Partial<Record<Case, Cents>>;
  figures: Partial<Figures>;
}

/** A day of the rehearsal. Balances are of its end; `certain` is the balance if nothing else happens. Centavos. */
export interface RehearsalDay extends Figures, Record<Case, Cents> {
  day: string;
  /** `certain` of the day before. */
  opening: Cents;
  /** What `certain` repays of the company's debt. */
  debtRepaid: Cents;
}

/** Where money comes from and goes to. Another source is one more entry. */
const SOURCES: readonly ((facts: RehearsalFacts) => Flow[])[] = [
  releaseFlows,
  approvalFlows,
  paymentFlows,
  disputeFlows,
];

/**
 * A company's next days, the first of them today. On each, `worst` <= `expected` <= `best`, and `certain`, where no
 * open charge is paid, <= `best`. A debt is repaid before anything becomes available, so each balance is what the
 * company has less what it owes, or 0.
 */
export function rehearse(facts: RehearsalFacts): RehearsalDay[] {
  const flows = Map.groupBy(
    SOURCES.flatMap((flowsOf) => flowsOf(facts)),
    ({ day }) => (day < facts.today ? facts.today : day),
  );
  const net = { certain: 0, worst: 0, expected: 0, best: 0 };
  for (const each of CASES) net[each] = facts.available - facts.owed;
  return Array.from({ length: facts.days }, (_, index) => {
    const day = addDays(facts.today, index);
    const before = net.certain;
    const figures = { ...NO_FIGURES };
    for (const flow of flows.get(day) ?? []) {
      for (const each of CASES) net[each] += flow.cash[each] ?? 0;
      for (const name of namesOf(flow.figures)) figures[name] += flow.figures[name] ?? 0;
    }
    return {
      day,
      opening: Math.max(0, before),
      ...figures,
      debtRepaid: Math.min(0, net.certain) - Math.min(0, before),
      certain: Math.max(0, net.certain),
      worst: Math.max(0, net.worst),
      expected: Math.max(0, net.expected),
      best: Math.max(0, net.best),
    };
  });
}

/** Credits are certain; in the worst case the company's usual part of them goes back to payers. */
function releaseFlows({ releases, returnedShare }: RehearsalFacts): Flow[] {
  return releases.map(({ date, amount }) => ({
    day: date,
    cash: {
      certain: amount,
      worst: amount - Math.round(amount * returnedShare),
      expected: amount,
      best: amount,
    },
    figures: { releases: amount },
  }));
}

/** Comes back if nothing else happens; the expected and the worst case take it for approved. */
function approvalFlows({ expiringApprovals }: RehearsalFacts): Flow[] {
  return expiringApprovals.map(({ date, amount }) => ({
    day: date,
    cash: { certain: amount, best: amount },
    figures: { expiredApprovals: amount },
  }));
}

/** Open charges, paid as the company's past ones were: none is certain. */
function paymentFlows(facts: RehearsalFacts): Flow[] {
  return facts.open.flatMap((charges) => {
    const { gross, isDue } = charges;
    const lastDay = isDue ? businessDayFrom(charges.lastDay) : charges.lastDay;
    return [
      { day: lastDay, cash: {}, figures: isDue ? { due: gross } : { expiring: gross } },
      ...PAST_CASES.map((each) => paymentFlow(facts, { ...charges, lastDay }, each)),
    ];
  });
}

function paymentFlow(
  facts: RehearsalFacts,
  { paymentMethod, lastDay, gross, fees }: OpenCharges,
  each: (typeof PAST_CASES)[number],
): Flow {
  const odds = facts.odds.find((known) => known.paymentMethod === paymentMethod)?.[each];
  const { share = 0, daysEarly = 0 } = odds ?? {};
  const kept = each === "worst" ? share * (1 - facts.returnedShare) : share;
  const paidOn = daysEarly === null ? facts.today : addDays(lastDay, -daysEarly);
  const day = addDays(
    paidOn < facts.today ? facts.today : paidOn,
    facts.releaseDays[paymentMethod],
  );
  const amount = Math.round((gross - fees) * kept);
  const figures =
    each === "expected" ? { expectedPayments: amount, expectedFees: Math.round(fees * kept) } : {};
  return { day, cash: { [each]: amount }, figures };
}

/** Decided on their deadline: lost in the worst case, won in the best. What a hold lacks is then taken too. */
function disputeFlows({ disputes, wonDisputes }: RehearsalFacts): Flow[] {
  return [
    ...disputes.map(({ date, amount, held }) => ({
      day: date,
      cash: { worst: held - amount },
      figures: { disputed: amount },
    })),
    ...wonDisputes.map(({ date, amount }) => ({ day: date, cash: { best: amount }, figures: {} })),
  ];
}

function namesOf(figures: Partial<Figures>): (keyof Figures)[] {
  return Object.keys(figures) as (keyof Figures)[];
}
