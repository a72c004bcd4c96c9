import type { Cents } from "../shared/money.ts";

/** Where money waits for a provider or a person. */
export const STUCK_PLACES = [
  "undecided_payouts",
  "undecided_operations",
  "unexpected_payments",
  "contradictions",
] as const;
export type StuckPlace = (typeof STUCK_PLACES)[number];

/** The money of one place, in centavos. */
export interface StuckMoney {
  place: StuckPlace;
  count: number;
  amount: Cents;
  /** Since when the oldest waits, epoch milliseconds; null if nothing does. */
  since: number | null;
}

/** The place whose money an alarm is about; an alarm without one puts no sum at risk. */
export const PLACE_OF_ALARM: Readonly<Partial<Record<string, StuckPlace>>> = {
  payout_undecided: "undecided_payouts",
  contradiction_open: "contradictions",
};
