import type { PaymentMethod } from "../charges/charge-status.ts";
import { saoPauloDay, saoPauloHour } from "../shared/business-day.ts";
import type { Cents } from "../shared/money.ts";
import type { MovementType, Posting } from "./ledger.ts";

/** What was booked to charges. Centavos. */
export interface DailySums {
  /** Payments credited to charges. */
  count: number;
  /** The paid amounts of those payments. */
  gross: Cents;
  /** The fees taken from them. */
  fees: Cents;
  /** Refunds, MED refunds and chargebacks, less reversed chargebacks. May be negative. */
  refunds: Cents;
}

/** The sums of one day and payment method. */
export interface DailyTotals extends DailySums {
  /** `YYYY-MM-DD` in America/Sao_Paulo, of the movements and not of the payments. */
  day: string;
  paymentMethod: PaymentMethod;
  hours: HourCounts;
  /** Rises with each change of these sums. */
  version: number;
}

/**
 * How many of a day's payments were booked in each hour (America/Sao_Paulo), such as `{"9":2,"14":1}`. Hours without
 * one, and payments from before they were counted, are left out.
 */
export type HourCounts = Record<string, number>;

/** The parts of a movement that the daily totals depend on. */
export interface DailyMovement {
  type: MovementType;
  createdAt: number;
  postings: Posting[];
}

/**
 * How each movement counts: a `payment` was credited to a charge, a `refund` left it again or came back.
 * Unexpected payments, holds, releases, corrections and withdraws are neither.
 */
const COUNTED_AS: Record<MovementType, "payment" | "refund" | null> = {
  charge_paid: "payment",
  suspense_credited: "payment",
  refund_done: "refund",
  refund_external: "refund",
  dispute_lost: "refund",
  chargeback: "refund",
  chargeback_reversed: "refund",
  credit_released: null,
  payment_suspended: null,
  suspense_returned: null,
  refund_requested: null,
  refund_failed: null,
  dispute_opened: null,
  dispute_won: null,
  dispute_reduced: null,
  withdraw_requested: null,
  withdraw_paid: null,
  withdraw_failed: null,
  withdraw_cancelled: null,
  withdraw_returned: null,
  correction: null,
};

export const NO_SUMS: DailySums = { count: 0, gross: 0, fees: 0, refunds: 0 };

/** What a movement adds to its day; null if nothing. Centavos. */
export function dailySumsOf({ type, postings }: DailyMovement): DailySums | null {
  const amountOf = (account: Posting["account"]) =>
    postings.find((posting) => posting.account === account)?.amount ?? 0;
  switch (COUNTED_AS[type]) {
    case "payment":
      return {
        count: 1,
        gross: 0 - amountOf("provider") - amountOf("suspense"),
        fees: amountOf("fees"),
        refunds: 0,
      };
    case "refund":
      return { ...NO_SUMS, refunds: amountOf("provider") };
    case null:
      return null;
  }
}

/** The hour in which a movement is a payment; empty if it is none. */
export function hourOf({ type, createdAt }: Omit<DailyMovement, "postings">): HourCounts {
  return COUNTED_AS[type] === "payment" ? { [saoPauloHour(createdAt)]: 1 } : {};
}

/** The day whose totals count a movement. */
export function bookedDayOf({ createdAt }: Pick<DailyMovement, "createdAt">): string {
  return saoPauloDay(createdAt);
}

/** The day that counts the payment among a charge's new movements; null without one. */
export function paymentDayOf(movements: readonly DailyMovement[]): string | null {
  const payment = movements.find(({ type }) => COUNTED_AS[type] === "payment");
  return payment === undefined ? null : bookedDayOf(payment);
}

/** The sum of two sums. */
export function addSums(one: DailySums, other: DailySums): DailySums {
  return {
    count: one.count + other.count,
    gross: one.gross + other.gross,
    fees: one.fees + other.fees,
    refunds: one.refunds + other.refunds,
  };
}

/** Whether two sums are equal in each part. */
export function isSameSums(one: DailySums, other: DailySums): boolean {
  return (
    one.count === other.count &&
    one.gross === other.gross &&
    one.fees === other.fees &&
    one.refunds === other.refunds
  );
}

/** What remains of the paid amounts. Centavos, negative on a day with more refunds than payments. */
export function netOf({ gross, fees, refunds }: DailySums): Cents {
  return gross - fees - refunds;
}
