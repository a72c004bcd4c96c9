import type { Adjustment, DueTerms } from "../../domain/charges/payment-details.ts";
import { businessDayFrom, isWeekend, saoPauloDay } from "../../domain/shared/business-day.ts";
import { addDays, daysBetween } from "../../domain/shared/calendar-day.ts";
import type { Cents } from "../../domain/shared/money.ts";

const BASIS_POINTS = 10_000n;
const INTEREST_MONTH_DAYS = 30n;
/** Of a daily rate, which some PSPs cut at the fifth decimal (bacen/pix-api issue 607). */
const RATE_DECIMALS = 100_000n;
const MIN_AMOUNT_DUE: Cents = 1;
/**
 * Holidays of the payer's state and town in a row, which nobody here knows. A state has one, a town four at most
 * (Lei 9.093/1995), so more than one of each do not follow each other.
 */
const LOCAL_HOLIDAYS_MAX = 2;
/** A payer's bank may hold a PIX so long to look for fraud by night (Regulamento do Pix, art. 39). */
const HELD_MAX_MS = 60 * 60_000;

/** How a method reads due terms. */
export interface DueRule {
  /** Whether interest counts from the moved due date, and the discount's date moves too (BACEN), or neither. */
  movesAll: boolean;
}

/** Centavos from `low` to `high`. */
interface Range {
  low: bigint;
  high: bigint;
}

const NOTHING: Range = { low: 0n, high: 0n };

/**
 * Whether a bank can rightly have asked for `paid` centavos at a time (epoch ms): whatever holidays of its town it
 * knows, however it rounds each of fine, interest and discount, and if the payment was ordered before midnight.
 */
export function isRightAmount(
  terms: DueTerms,
  { movesAll }: DueRule,
  { amount, paid, paidAt }: { amount: Cents; paid: Cents; paidAt: number },
): boolean {
  const days = new Set([saoPauloDay(paidAt), saoPauloDay(paidAt - HELD_MAX_MS)]);
  const { discount } = terms;
  const untilDates =
    discount === null ? [null] : movesAll ? movedDates(discount.untilDate) : [discount.untilDate];
  return [...days].some((day) =>
    movedDates(terms.dueDate).some((dueDate) => {
      const daysLate = day > dueDate ? daysBetween(movesAll ? dueDate : terms.dueDate, day) : 0;
      return untilDates.some((untilDate) => {
        const { low, high } = amountRange(terms, amount, {
          daysLate,
          isDiscounted: untilDate !== null && day <= untilDate,
        });
        return paid >= low && paid <= high;
      });
    }),
  );
}

/** The business days that a bank may move a day to: from the next weekday to past the local holidays after it. */
function movedDates(day: string): string[] {
  let last = businessDayFrom(day);
  for (let count = 0; count < LOCAL_HOLIDAYS_MAX; count++) last = businessDayFrom(addDays(last, 1));
  const span = Array.from({ length: daysBetween(day, last) + 1 }, (_, index) =>
    addDays(day, index),
  );
  return span.filter((each) => !isWeekend(each));
}

function amountRange(
  { fine, interest, discount }: DueTerms,
  amount: Cents,
  on: { daysLate: number; isDiscounted: boolean },
): Range {
  const added = fine === null || on.daysLate === 0 ? NOTHING : adjustmentRange(fine, amount);
  const grown = interest === null ? NOTHING : interestRange(amount, interest.value, on.daysLate);
  const off = discount === null || !on.isDiscounted ? NOTHING : adjustmentRange(discount, amount);
  const whole = BigInt(amount);
  return {
    low: atLeastMin(whole + added.low + grown.low - off.high),
    high: atLeastMin(whole + added.high + grown.high - off.low),
  };
}

/** A percentage rounded down to up: half up, half even and cut lie between. */
function adjustmentRange({ type, value }: Adjustment, amount: Cents): Range {
  if (type === "FIXED") return { low: BigInt(value), high: BigInt(value) };
  const product = BigInt(amount) * BigInt(value);
  return { low: product / BASIS_POINTS, high: divideUp(product, BASIS_POINTS) };
}

/** Interest with the daily rate as it is, or cut or rounded at the fifth decimal. */
function interestRange(amount: Cents, value: number, daysLate: number): Range {
  const [rate, whole] = [BigInt(value) * RATE_DECIMALS, BASIS_POINTS * INTEREST_MONTH_DAYS];
  const days = BigInt(amount) * BigInt(daysLate);
  return {
    low: (days * (rate / whole)) / RATE_DECIMALS,
    high: divideUp(days * divideUp(rate, whole), RATE_DECIMALS),
  };
}

function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}

function atLeastMin(due: bigint): bigint {
  return due < MIN_AMOUNT_DUE ? BigInt(MIN_AMOUNT_DUE) : due;
}
