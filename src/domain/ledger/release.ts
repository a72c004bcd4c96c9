import type { Cents } from "../shared/money.ts";

const DAY_MS = 86_400_000;

/** A part of a paid charge's credit and when the company may use it. */
export interface ReleasePart {
  /** From 1. */
  installment: number;
  amount: Cents;
  dueAt: number;
}

/**
 * The release of a credit: part `n` is due `n * releaseDays` after payment. The first part takes the
 * remainder of the division. Zero days mean at once, even where the bank's clock is ahead.
 */
export function releaseSchedule(credit: {
  amount: Cents;
  /** A method's `releaseParts`: more than one only for a card in installments. */
  parts: number;
  releaseDays: number;
  paidAt: number;
}): ReleasePart[] {
  const { amount, parts: count, releaseDays, paidAt } = credit;
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
