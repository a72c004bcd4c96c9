import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { PIX_KEY_TYPES } from "../../domain/shared/pix-key.ts";
import { WITHDRAW_STATUSES } from "../../domain/withdraws/withdraw-status.ts";

/**
 * Projection of the object's withdraws, for operators; the API reads the object. Written by the drain from the first
 * event on. Merchants' texts are not projected.
 */
export const withdraws = sqliteTable(
  "withdraws",
  {
    companyId: integer("company_id").notNull(),
    /** Dense per company. */
    id: integer("id").notNull(),
    /** The provider's UUID, with company and number. */
    payoutId: text("payout_id").notNull(),
    /** Centavos to the payee. */
    amount: integer("amount").notNull(),
    /** Centavos, on top. */
    fee: integer("fee").notNull(),
    /** `BRL`. */
    currency: text("currency").notNull(),
    /** The payee's PIX key. */
    pixKey: text("pix_key").notNull(),
    /** As in `companies`. */
    pixKeyType: text("pix_key_type", { enum: PIX_KEY_TYPES }).notNull(),
    /** Payee's CPF or CNPJ, digits. */
    creditorDocument: text("creditor_document").notNull(),
    /** See docs/states.md#withdraw. */
    status: text("status", { enum: WITHDRAW_STATUSES }).notNull(),
    /** The object's; guards the projection. */
    version: integer("version").notNull(),
    /** End-to-end id of its PIX. */
    endToEndId: text("end_to_end_id"),
    /** The provider's own words. */
    failureReason: text("failure_reason"),
    /** Why it failed, as a code. */
    failureCode: text("failure_code"),
    /** The centavos of a paid withdraw that were returned so far. */
    returnedAmount: integer("returned_amount").notNull().default(0),
    /** When it was accepted. */
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    /** The check, operators. */
    primaryKey({ columns: [table.companyId, table.id] }),
    /** Longest undecided first. */
    index("withdraws_undecided")
      .on(table.updatedAt)
      .where(sql`status = 'Processing'`),
  ],
);
