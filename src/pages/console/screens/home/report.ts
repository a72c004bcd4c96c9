import type { PaymentMethod } from "../../../../domain/charges/charge-status.ts";
import { addDays } from "../../../../domain/shared/calendar-day.ts";
import type { DayAmount } from "../../ui/bar-chart.tsx";

/** The periods of the page, by the number of their days. */
export const PERIODS = { today: 1, week: 7, month: 30 } as const;

export type Period = keyof typeof PERIODS;

/** A day's bookings of one method, as the API reports them. Centavos. */
export interface Booking {
  day: string;
  paymentMethod: PaymentMethod;
  count: number;
  gross: number;
  refunds: number;
  net: number;
}

/** The period of a query parameter; 7 days by default. */
export function periodOf(word: string | undefined): Period {
  return Object.keys(PERIODS).find((name): name is Period => name === word) ?? "week";
}

/** The first day of a period that ends with `today`. */
export function firstDayOf(period: Period, today: string): string {
  return addDays(today, 1 - PERIODS[period]);
}

/** The sum of bookings. */
export function sumOf(bookings: readonly Booking[]) {
  return bookings.reduce(
    (sum, { count, gross, refunds, net }) => ({
      count: sum.count + count,
      gross: sum.gross + gross,
      refunds: sum.refunds + refunds,
      net: sum.net + net,
    }),
    { count: 0, gross: 0, refunds: 0, net: 0 },
  );
}

/** Each day of a period with what it received, also days without a payment. */
export function volumesOf(
  bookings: readonly Booking[],
  period: Period,
  today: string,
): DayAmount[] {
  const first = firstDayOf(period, today);
  return Array.from({ length: PERIODS[period] }, (_, index) => {
    const day = addDays(first, index);
    return { day, amount: sumOf(bookings.filter((each) => each.day === day)).gross };
  });
}
