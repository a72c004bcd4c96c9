import type { Adjustment, DueTerms } from "../../domain/charges/payment-details.ts";
import { businessDayFrom } from "../../domain/shared/business-day.ts";
import { daysBetween } from "../../domain/shared/calendar-day.ts";
import type { Cents } from "../../domain/shared/money.ts";

/** Of a percentage: hundredths of a percent in the whole. */
const BASIS_POINTS = 10_000n;
/** Interest is counted by commercial months of 30 days. */
const INTEREST_MONTH_DAYS = 30n;
/** A discount never leaves nothing to pay. */
const MIN_AMOUNT_DUE: Cents = 1;

/**
 * The amount owed on a day (`YYYY-MM-DD` in America/Sao_Paulo), centavos, at least 1. The discount
 * counts up to and on its `untilDate`. A due date on a weekend is paid without charges until Monday;
 * after it the fine is added once, and the interest for each day since the due date, on the amount
 * without the fine. Each of the three is rounded half up, once.
 */
export function amountDue(terms: DueTerms, amount: Cents, day: string): Cents {
  const { discount, fine, interest } = terms;
  const isLate = day > businessDayFrom(terms.dueDate);
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

function adjustment({ type, value }: Adjustment, amount: Cents): Cents {
  return type === "FIXED" ? value : multiplyDivideHalfUp(amount, BigInt(value), BASIS_POINTS);
}

/** Half up on the integer; the product is beyond what a double counts. */
function multiplyDivideHalfUp(amount: Cents, numerator: bigint, denominator: bigint): Cents {
  return Number((BigInt(amount) * numerator * 2n + denominator) / (denominator * 2n));
}
