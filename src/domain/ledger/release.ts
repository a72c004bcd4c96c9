import type { PaymentMethod } from "../charges/charge-status.ts";
import type { Cents } from "../shared/money.ts";

const DAY_MS = 86_400_000;

/** A part of a paid charge's credit and when the company may use it. */
export interface ReleasePart {
  /** From 1; a method without installments has one part. */
  installment: number;
  amount: Cents;
  dueAt: number;
}

/**
 * When a credit is released (`product.md` section 5): installment `n` of a card `n * releaseDays`
 * after payment, any other method once, after `releaseDays`. What does not divide evenly goes to
 * the first installment. Zero days are at once, whatever the bank's clock says of the payment.
 */
export function releaseSchedule(credit: {
  amount: Cents;
  paymentMethod: PaymentMethod;
  installments: number;
  releaseDays: number;
  paidAt: number;
}): ReleasePart[] {
  const { amount, releaseDays, paidAt } = credit;
  const count = credit.paymentMethod === "CREDIT_CARD" ? credit.installments : 1;
  const share = Math.floor(amount / count);
  return Array.from({ length: count }, (_, index) => ({
    installment: index + 1,
    amount: index === 0 ? amount - share * (count - 1) : share,
    dueAt: releaseDays === 0 ? 0 : paidAt + (index + 1) * releaseDays * DAY_MS,
  })).filter((part) => part.amount > 0);
}

/** Money on a day of the forecast, centavos. */
export interface ForecastDay {
  /** `YYYY-MM-DD` in America/Sao_Paulo. */
  date: string;
  amount: Cents;
}
