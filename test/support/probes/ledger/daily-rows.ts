/** The object's daily totals as `[count, gross, fees, refunds]`, by day and payment method. */
export function dailyTotalsIn(sql: SqlStorage): Record<string, number[]> {
  return byDayAndMethod(
    sql
      .exec<DailyRow>(
        `SELECT day, payment_method AS paymentMethod, count, gross, fees, refunds
         FROM daily_totals ORDER BY day, payment_method`,
      )
      .toArray(),
  );
}

/** The query of the same in D1's projection. */
export const DAILY_REPORTS_SQL = `SELECT day, payment_method AS paymentMethod, count, gross, fees, refunds
  FROM daily_reports WHERE company_id = ? ORDER BY day, payment_method`;

export type DailyRow = {
  day: string;
  paymentMethod: string;
  count: number;
  gross: number;
  fees: number;
  refunds: number;
};

/** Rows as `[count, gross, fees, refunds]`, by day and payment method. */
export function byDayAndMethod(rows: DailyRow[]): Record<string, number[]> {
  return Object.fromEntries(
    rows.map(({ day, paymentMethod, count, gross, fees, refunds }) => [
      `${day} ${paymentMethod}`,
      [count, gross, fees, refunds],
    ]),
  );
}
