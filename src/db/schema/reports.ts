import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { PAYMENT_METHODS } from "../../domain/charges/charge-status.ts";
import type { HourCounts } from "../../domain/ledger/daily-totals.ts";

/**
 * What the ledger booked on a day, by payment method: projection of `daily_totals`. Centavos. Written by the drain. A
 * trigger on `fiscal_key` and `booked_day` of `transactions` keeps `fiscal_keys`: exact in either order, and nothing is
 * read for a payment without a key.
 */
export const dailyReports = sqliteTable(
  "daily_reports",
  {
    companyId: integer("company_id").notNull(),
    /** `YYYY-MM-DD` in America/Sao_Paulo. */
    day: text("day").notNull(),
    /** Method. */
    paymentMethod: text("payment_method", { enum: PAYMENT_METHODS }).notNull(),
    /** Payments. */
    count: integer("count").notNull().default(0),
    /** Centavos paid. */
    gross: integer("gross").notNull().default(0),
    /** Centavos of fees. */
    fees: integer("fees").notNull().default(0),
    /** Centavos returned or taken back. */
    refunds: integer("refunds").notNull().default(0),
    /** The object's, which guards the projection: rises with each movement of the day and method. */
    version: integer("version").notNull().default(0),
    /** Paid transactions of the day with a linked fiscal document. */
    fiscalKeys: integer("fiscal_keys").notNull().default(0),
    /** Payments by the hour, such as `{"9":2,"14":1}`; without those from before they were counted. */
    hours: text("hours", { mode: "json" }).$type<HourCounts>().notNull().default({}),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.day, table.paymentMethod] }),
    /**
     * All companies' payments of a day, for the operators' figures. Written with a day's first payment of a method
     * only: a payment changes none of its columns.
     */
    index("daily_reports_day").on(table.day),
  ],
);
