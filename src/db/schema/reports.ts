import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { PAYMENT_METHODS } from "../../domain/charges/charge-status.ts";

/** What the ledger booked on a day, by payment method: projection of the object's totals. Centavos. */
export const dailyReports = sqliteTable(
  "daily_reports",
  {
    companyId: integer("company_id").notNull(),
    /** `YYYY-MM-DD` in America/Sao_Paulo. */
    day: text("day").notNull(),
    paymentMethod: text("payment_method", { enum: PAYMENT_METHODS }).notNull(),
    count: integer("count").notNull().default(0),
    gross: integer("gross").notNull().default(0),
    fees: integer("fees").notNull().default(0),
    refunds: integer("refunds").notNull().default(0),
    /** Rises with each movement of the day and method. */
    version: integer("version").notNull().default(0),
    /** Paid transactions of the day with a linked fiscal document. */
    fiscalKeys: integer("fiscal_keys").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.day, table.paymentMethod] }),
    // Written with a day's first payment of a method only: a payment changes none of its columns.
    index("daily_reports_day").on(table.day),
  ],
);
