import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { PaidBy } from "../../domain/charges/transaction.ts";
import {
  UNEXPECTED_REASONS,
  UNEXPECTED_RULES,
  UNEXPECTED_STATUSES,
} from "../../domain/charges/unexpected-payment.ts";
import type { Requester } from "../../domain/access/requester.ts";
import { APPROVAL_STATUSES } from "../../domain/withdraws/withdraw-status.ts";
import type { LinkTerms } from "../../domain/links/payment-link.ts";

/** Payments that no charge expected as they came: projection of the object's. */
export const unexpectedPayments = sqliteTable(
  "unexpected_payments",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the company, from 1. */
    number: integer("number").notNull(),
    /** The provider's id of the payment; of a PIX the end-to-end id (BACEN). */
    paymentId: text("payment_id").notNull(),
    reason: text("reason", { enum: UNEXPECTED_REASONS }).notNull(),
    rule: text("rule", { enum: UNEXPECTED_RULES }).notNull(),
    amount: integer("amount").notNull(),
    transactionId: text("transaction_id"),
    endToEndId: text("end_to_end_id"),
    payer: text("payer", { mode: "json" }).$type<PaidBy | null>(),
    receivedAt: integer("received_at").notNull(),
    status: text("status", { enum: UNEXPECTED_STATUSES }).notNull(),
    updatedAt: integer("updated_at").notNull(),
    version: integer("version").notNull(),
    /** Who asked for its return or credit; null while it is kept, and of one from before this was kept. */
    requestedBy: text("requested_by", { mode: "json" }).$type<Requester | null>(),
    approval: text("approval", { enum: APPROVAL_STATUSES }).notNull().default("none"),
    /** When the cron carries out the rule; null where nothing is to do. */
    nextRunAt: integer("next_run_at"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.number] }),
    uniqueIndex("unexpected_payments_payment").on(table.companyId, table.paymentId),
    index("unexpected_payments_status").on(table.companyId, table.status, table.number),
    index("unexpected_payments_open")
      .on(table.receivedAt)
      .where(sql`status IN ('kept', 'crediting', 'returning')`),
    index("unexpected_payments_due")
      .on(table.nextRunAt, table.companyId)
      .where(sql`next_run_at IS NOT NULL`),
  ],
);

/** Static PIX codes. Each of their payments becomes a transaction. */
export const staticCodes = sqliteTable(
  "static_codes",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the company, from 1. */
    number: integer("number").notNull(),
    id: text("id").notNull(),
    /** The code's txid: 1 to 25 letters and digits (BACEN). */
    txid: text("txid").notNull(),
    qrcode: text("qrcode").notNull(),
    /** Centavos; null where the payer chooses. */
    amount: integer("amount"),
    description: text("description").notNull(),
    /** The account at the provider whose PIX key the code names. */
    account: text("account").notNull(),
    idempotencyKey: text("idempotency_key"),
    requestHash: text("request_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    deletedAt: integer("deleted_at"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.number] }),
    uniqueIndex("static_codes_txid").on(table.companyId, table.txid),
    uniqueIndex("static_codes_idempotency")
      .on(table.companyId, table.idempotencyKey)
      .where(sql`idempotency_key IS NOT NULL`),
  ],
);

/** Payment links: projection of the object's, which owns them and their counts. */
export const paymentLinks = sqliteTable(
  "payment_links",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the company, from 1. */
    number: integer("number").notNull(),
    id: text("id").notNull(),
    slug: text("slug").notNull(),
    name: text("name").notNull(),
    isActive: integer("is_active", { mode: "boolean" }).notNull(),
    terms: text("terms", { mode: "json" }).$type<LinkTerms>().notNull(),
    maxPayments: integer("max_payments"),
    expiresAt: integer("expires_at"),
    paidCount: integer("paid_count").notNull(),
    openCount: integer("open_count").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    version: integer("version").notNull(),
    metadata: text("metadata"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.number] }),
    uniqueIndex("payment_links_id").on(table.companyId, table.id),
    uniqueIndex("payment_links_slug").on(table.companyId, table.slug),
  ],
);
