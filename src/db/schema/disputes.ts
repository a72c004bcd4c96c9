import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DisputeKind } from "../../domain/charges/charge-history.ts";
import { DISPUTE_STATUSES } from "../../domain/charges/transaction.ts";
import { DISPUTE_REASONS } from "../../domain/disputes/dispute.ts";
import type { Evidence } from "../../domain/disputes/evidence.ts";

/** Disputes and chargebacks: projection of the object's. Writer: the drain. */
export const disputes = sqliteTable(
  "disputes",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the company, from 1. */
    number: integer("number").notNull(),
    /** The provider's id. */
    id: text("id").notNull(),
    /** `DISPUTE` or `CHARGEBACK`. */
    kind: text("kind").$type<DisputeKind>().notNull(),
    /** Why the money is asked back. */
    reason: text("reason", { enum: DISPUTE_REASONS }).notNull(),
    /** Charge; null of an unexpected payment. */
    transactionId: text("transaction_id"),
    /** The unexpected payment that it is about; null of any other dispute. */
    paymentId: text("payment_id"),
    /** Centavos claimed. */
    amount: integer("amount").notNull(),
    /** Centavos of them in `blocked`. */
    held: integer("held").notNull(),
    /** `OPEN`, `WON` or `LOST`. */
    status: text("status", { enum: DISPUTE_STATUSES }).notNull(),
    /** Last time for evidence. */
    deadline: integer("deadline"),
    /** When it was opened. */
    openedAt: integer("opened_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** The object's; guards the projection. */
    version: integer("version").notNull(),
    /** The merchant's evidence. */
    evidence: text("evidence", { mode: "json" }).$type<Evidence | null>(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.number] }),
    /** A dispute by its id. */
    index("disputes_id").on(table.companyId, table.id),
    /** The list by status. */
    index("disputes_status").on(table.companyId, table.status, table.number),
  ],
);
