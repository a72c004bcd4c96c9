import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { PIX_KEY_TYPES } from "../../domain/shared/pix-key.ts";
import { WITHDRAW_STATUSES } from "../../domain/withdraws/withdraw-status.ts";

/** The projection of the object's withdraws, for operators. */
export const withdraws = sqliteTable(
  "withdraws",
  {
    companyId: integer("company_id").notNull(),
    id: integer("id").notNull(),
    payoutId: text("payout_id").notNull(),
    amount: integer("amount").notNull(),
    fee: integer("fee").notNull(),
    currency: text("currency").notNull(),
    pixKey: text("pix_key").notNull(),
    pixKeyType: text("pix_key_type", { enum: PIX_KEY_TYPES }).notNull(),
    creditorDocument: text("creditor_document").notNull(),
    status: text("status", { enum: WITHDRAW_STATUSES }).notNull(),
    version: integer("version").notNull(),
    endToEndId: text("end_to_end_id"),
    /** The provider's own words. */
    failureReason: text("failure_reason"),
    failureCode: text("failure_code"),
    /** The centavos of a paid withdraw that were returned so far. */
    returnedAmount: integer("returned_amount").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    index("withdraws_undecided")
      .on(table.updatedAt)
      .where(sql`status = 'Processing'`),
  ],
);
