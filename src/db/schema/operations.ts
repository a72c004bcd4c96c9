import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Where the cron's walk over the companies stands. */
export const cursors = sqliteTable("cursors", {
  name: text("name").primaryKey(),
  value: integer("value").notNull(),
});

/** The sandbox bank's book of payments received, one row for each. */
export const sandboxPayments = sqliteTable(
  "sandbox_payments",
  {
    chargeId: text("charge_id").notNull(),
    endToEndId: text("end_to_end_id").notNull(),
    amount: integer("amount").notNull(),
    paidAt: integer("paid_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.chargeId, table.endToEndId] })],
);

/** Sandbox charges that ended otherwise than by payment; an absent row is an open charge. */
export const sandboxCharges = sqliteTable("sandbox_charges", {
  chargeId: text("charge_id").primaryKey(),
  status: text("status", { enum: ["failed", "expired"] }).notNull(),
});

/** The sandbox bank's payouts, one row for each `payoutId` it was ever asked about. */
export const sandboxPayouts = sqliteTable("sandbox_payouts", {
  payoutId: text("payout_id").primaryKey(),
  status: text("status", { enum: ["processing", "paid", "failed", "returned"] }).notNull(),
  endToEndId: text("end_to_end_id"),
});
