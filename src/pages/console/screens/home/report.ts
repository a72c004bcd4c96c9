import type { getConversionReport, getDailyReport } from "../../../../api/reports/routes.ts";
import type { RouteBody } from "../../../../http/openapi/route-types.ts";
import type { PaymentMethod } from "../../../../domain/charges/charge-status.ts";
import { addDays } from "../../../../domain/shared/calendar-day.ts";
import type { DayAmount } from "../../ui/charts/bar-chart.tsx";
import type { HourlyDay } from "../../ui/charts/hour-table.tsx";

/** Charges created and paid on a day by one method; `created` null if not counted. */
export type Created = RouteBody<typeof getConversionReport>["items"][number];

const HOURS_OF_DAY = 24;

/** What a period brought by one method, or by all. Centavos; `conversion` from 0 on, null if it is not known. */
export interface MethodSums {
  paymentMethod: PaymentMethod | null;
  gross: number;
  net: number;
  fees: number;
  count: number;
  created: number;
  conversion: number | null;
}

/** The periods of the page, by the number of their days. */
export const PERIODS = { today: 1, week: 7, month: 30 } as const;

export type Period = keyof typeof PERIODS;

/** A day's bookings of one method. Centavos. */
export type Booking = RouteBody<typeof getDailyReport>["items"][number];

/** The period of a query parameter; 7 days by default. */
export function periodOf(word: string | undefined): Period {
  return Object.keys(PERIODS).find((name): name is Period => name === word) ?? "week";
}

/** The first day of a period that ends with `today`. */
export function firstDayOf(period: Period, today: string): string {
  return addDays(today, 1 - PERIODS[period]);
}

/** Days of bookings that the page needs: its longest period, and the one before. */
export const BOOKED_DAYS = 2 * PERIODS.month;

/** The bookings of a period that ends with `today`. */
export function bookingsOf(bookings: readonly Booking[], period: Period, today: string): Booking[] {
  const from = firstDayOf(period, today);
  return bookings.filter(({ day }) => day >= from && day <= today);
}

/** What came in during an hour of the last week, centavos. */
export function grossPerHour(bookings: readonly Booking[], today: string): number {
  return sumOf(bookingsOf(bookings, "week", today)).gross / (PERIODS.week * HOURS_OF_DAY);
}

/** The sum of bookings. */
export function sumOf(bookings: readonly Booking[]) {
  return bookings.reduce(
    (sum, { count, gross, fees, refunds, net }) => ({
      count: sum.count + count,
      gross: sum.gross + gross,
      fees: sum.fees + fees,
      refunds: sum.refunds + refunds,
      net: sum.net + net,
    }),
    { count: 0, gross: 0, fees: 0, refunds: 0, net: 0 },
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

/** Each of the last seven days with its payments by the hour, of all methods. */
export function hoursOf(bookings: readonly Booking[], today: string): HourlyDay[] {
  const first = firstDayOf("week", today);
  return Array.from({ length: PERIODS.week }, (_, index) => {
    const day = addDays(first, index);
    const hours: HourlyDay["hours"] = {};
    for (const booking of bookings.filter((each) => each.day === day)) {
      for (const [hour, count] of Object.entries(booking.hours)) {
        hours[hour] = (hours[hour] ?? 0) + count;
      }
    }
    return { day, hours };
  });
}

/** The sums of a period by each method that it had, then by all. */
export function methodSumsOf(bookings: Booking[], created: Created[]): MethodSums[] {
  const methods = [...bookings, ...created].map(({ paymentMethod }) => paymentMethod);
  const sumsOf = (paymentMethod: PaymentMethod | null): MethodSums => {
    const isOf = (each: { paymentMethod: PaymentMethod }) =>
      paymentMethod === null || each.paymentMethod === paymentMethod;
    return {
      paymentMethod,
      ...sumOf(bookings.filter(isOf)),
      ...conversionOf(created.filter(isOf)),
    };
  };
  return [...[...new Set(methods)].toSorted().map(sumsOf), sumsOf(null)];
}

/** The part of created charges that was paid, over the days on which charges were counted. */
function conversionOf(rows: readonly Created[]): Pick<MethodSums, "created" | "conversion"> {
  const counted = rows.filter((row) => row.created !== null);
  const created = counted.reduce((sum, row) => sum + (row.created ?? 0), 0);
  const paid = counted.reduce((sum, row) => sum + row.paid, 0);
  return { created, conversion: created === 0 ? null : paid / created };
}
