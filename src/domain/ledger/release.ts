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

/** A part of a charge's credit that awaits its release. */
export interface PendingRelease extends ReleasePart {
  transactionId: string;
}

/** Which releases a page has: those that are due in a period (epoch milliseconds, both included), earliest first. */
export interface ReleaseQuery {
  from: number;
  to: number;
  /** The last one of the page before; null for the first page. */
  after: Omit<PendingRelease, "amount"> | null;
  limit: number;
}

/** Money on a day of the forecast, centavos. */
export interface ForecastDay {
  /** `YYYY-MM-DD` in America/Sao_Paulo. */
  date: string;
  amount: Cents;
}
