import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DisputeKind } from "../../domain/charges/charge-history.ts";
import { DISPUTE_STATUSES } from "../../domain/charges/transaction.ts";
import { DISPUTE_REASONS } from "../../domain/disputes/dispute.ts";
import type { Evidence } from "../../domain/disputes/evidence.ts";

/** Disputes and chargebacks: projection of the object's. */
export const disputes = sqliteTable(
  "disputes",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the company, from 1. */
    number: integer("number").notNull(),
    /** The provider's id. */
    id: text("id").notNull(),
    kind: text("kind").$type<DisputeKind>().notNull(),
    reason: text("reason", { enum: DISPUTE_REASONS }).notNull(),
    transactionId: text("transaction_id"),
    /** Of a dispute about a suspended payment. */
    paymentId: text("payment_id"),
    amount: integer("amount").notNull(),
    held: integer("held").notNull(),
    status: text("status", { enum: DISPUTE_STATUSES }).notNull(),
    deadline: integer("deadline"),
    openedAt: integer("opened_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    version: integer("version").notNull(),
    evidence: text("evidence", { mode: "json" }).$type<Evidence | null>(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.number] }),
    index("disputes_id").on(table.companyId, table.id),
    index("disputes_status").on(table.companyId, table.status, table.number),
  ],
);
