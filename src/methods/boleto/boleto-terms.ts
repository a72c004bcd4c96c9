import type { BoletoAdjustment, BoletoTerms } from "../../domain/charges/payment-details.ts";
import { endOfDay } from "../../domain/shared/business-day.ts";
import { addDays, daysBetween, weekday } from "../../domain/shared/calendar-day.ts";
import type { Cents } from "../../domain/shared/money.ts";

/** Of a percentage: hundredths of a percent in the whole. */
const BASIS_POINTS = 10_000n;
/** Interest is counted by commercial months of 30 days. */
const INTEREST_MONTH_DAYS = 30n;
/** A discount never leaves nothing to pay. */
const MIN_AMOUNT_DUE: Cents = 1;
const SUNDAY = 0;
const SATURDAY = 6;
/** Banks report a payment some days after it was made. */
const BANK_REPORT_DAYS = 3;
/** A boleto with fine or interest may be paid for this long after its due date. */
const LATE_PAYMENT_DAYS = 30;

/**
 * The amount owed on a day (`YYYY-MM-DD` in America/Sao_Paulo), centavos, at least 1. The discount
 * counts up to and on its `untilDate`. After `lastDayWithoutCharges` the fine is added once, and the
 * interest for each day since the due date, on the amount without the fine. Each of the three is
 * rounded half up, once.
 */
export function amountDue(terms: BoletoTerms, amount: Cents, day: string): Cents {
  const { discount, fine, interest } = terms;
  const isLate = day > lastDayWithoutCharges(terms.dueDate);
  const daysLate = isLate ? daysBetween(terms.dueDate, day) : 0;
  const due =
    amount -
    (discount !== null && day <= discount.untilDate ? adjustment(discount, amount) : 0) +
    (fine !== null && isLate ? adjustment(fine, amount) : 0) +
    (interest === null
      ? 0
      : multiplyDivideHalfUp(
          amount,
          BigInt(interest.value) * BigInt(daysLate),
          BASIS_POINTS * INTEREST_MONTH_DAYS,
        ));
  return Math.max(MIN_AMOUNT_DUE, due);
}

/**
 * The last day on which a boleto is paid without charges: its due date, or the Monday after one on a
 * Saturday or Sunday. Bank holidays move it too; the paying bank applies those.
 */
export function lastDayWithoutCharges(dueDate: string): string {
  const day = weekday(dueDate);
  return addDays(dueDate, day === SATURDAY ? 2 : day === SUNDAY ? 1 : 0);
}

/** The expiry of an unpaid boleto (epoch ms): the end of a day some days after its due date. */
export function boletoExpiresAt(terms: Pick<BoletoTerms, "dueDate" | "fine" | "interest">): number {
  const days =
    terms.fine === null && terms.interest === null ? BANK_REPORT_DAYS : LATE_PAYMENT_DAYS;
  return endOfDay(addDays(terms.dueDate, days));
}

function adjustment({ type, value }: BoletoAdjustment, amount: Cents): Cents {
  return type === "FIXED" ? value : multiplyDivideHalfUp(amount, BigInt(value), BASIS_POINTS);
}

/** Half up on the integer; the product is beyond what a double counts. */
function multiplyDivideHalfUp(amount: Cents, numerator: bigint, denominator: bigint): Cents {
  return Number((BigInt(amount) * numerator * 2n + denominator) / (denominator * 2n));
}
