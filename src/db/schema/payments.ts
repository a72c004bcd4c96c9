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

/** Payments that no charge expected as they came: projection of the object's. Writer: the drain. */
export const unexpectedPayments = sqliteTable(
  "unexpected_payments",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the company, from 1. */
    number: integer("number").notNull(),
    /** The provider's id of the payment; of a PIX the end-to-end id (BACEN). */
    paymentId: text("payment_id").notNull(),
    /** `SECOND_PAYMENT`, `LATE`, `NO_CHARGE` or `WRONG_AMOUNT`. */
    reason: text("reason", { enum: UNEXPECTED_REASONS }).notNull(),
    /** `keep`, `credit` or `return`. */
    rule: text("rule", { enum: UNEXPECTED_RULES }).notNull(),
    /** Centavos. */
    amount: integer("amount").notNull(),
    /** Its charge, if any. */
    transactionId: text("transaction_id"),
    /** End-to-end id of its PIX (BACEN). */
    endToEndId: text("end_to_end_id"),
    /** Who paid, with a masked document. */
    payer: text("payer", { mode: "json" }).$type<PaidBy | null>(),
    /** When it came. */
    receivedAt: integer("received_at").notNull(),
    /** See docs/states.md. */
    status: text("status", { enum: UNEXPECTED_STATUSES }).notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** The object's; guards the projection. */
    version: integer("version").notNull(),
    /** Who asked for its return or credit; null while it is kept, and of one from before this was kept. */
    requestedBy: text("requested_by", { mode: "json" }).$type<Requester | null>(),
    /** Whether its return waits for an approval. */
    approval: text("approval", { enum: APPROVAL_STATUSES }).notNull().default("none"),
    /** When the cron carries out the rule; null where nothing is to do. */
    nextRunAt: integer("next_run_at"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.number] }),
    /** By the payment. */
    uniqueIndex("unexpected_payments_payment").on(table.companyId, table.paymentId),
    /** The list by status. */
    index("unexpected_payments_status").on(table.companyId, table.status, table.number),
    /** Neither returned nor credited, of all companies. */
    index("unexpected_payments_open")
      .on(table.receivedAt)
      .where(sql`status IN ('kept', 'crediting', 'returning')`),
    /** Rules to carry out. */
    index("unexpected_payments_due")
      .on(table.nextRunAt, table.companyId)
      .where(sql`next_run_at IS NOT NULL`),
  ],
);

/** Static PIX codes. Each of their payments becomes a transaction. Written by their routes. */
export const staticCodes = sqliteTable(
  "static_codes",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the company, from 1. */
    number: integer("number").notNull(),
    /** Public id. */
    id: text("id").notNull(),
    /** The code's txid: 1 to 25 letters and digits (BACEN). */
    txid: text("txid").notNull(),
    /** The BR Code. */
    qrcode: text("qrcode").notNull(),
    /** Centavos; null where the payer chooses. */
    amount: integer("amount"),
    /** Merchant's text. */
    description: text("description").notNull(),
    /** The account at the provider whose PIX key the code names. */
    account: text("account").notNull(),
    /** Of the request. */
    idempotencyKey: text("idempotency_key"),
    /** SHA-256; another request under the key is refused. */
    requestHash: text("request_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    /** Deletion; null while it is listed. */
    deletedAt: integer("deleted_at"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.number] }),
    /** The code of a payment. */
    uniqueIndex("static_codes_txid").on(table.companyId, table.txid),
    /** Replay. */
    uniqueIndex("static_codes_idempotency")
      .on(table.companyId, table.idempotencyKey)
      .where(sql`idempotency_key IS NOT NULL`),
  ],
);

/** Payment links: projection of the object's, which owns them and their counts. Written by the drain. */
export const paymentLinks = sqliteTable(
  "payment_links",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the company, from 1. */
    number: integer("number").notNull(),
    /** Public id. */
    id: text("id").notNull(),
    /** Its address, `/l/{slug}`. */
    slug: text("slug").notNull(),
    /** What is sold. */
    name: text("name").notNull(),
    /** Whether the merchant lets it take payments. */
    isActive: integer("is_active", { mode: "boolean" }).notNull(),
    /** Amounts (centavos), quantity, methods, asked fields, `returnUrl`; never changes. */
    terms: text("terms", { mode: "json" }).$type<LinkTerms>().notNull(),
    /** The most payments; null for any number. */
    maxPayments: integer("max_payments"),
    /** When it ends; null for none. */
    expiresAt: integer("expires_at"),
    /** Payments that came. */
    paidCount: integer("paid_count").notNull(),
    /** Reservations that payers hold who have not paid. */
    openCount: integer("open_count").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** Grows with each change; an older one is not written. */
    version: integer("version").notNull(),
    /** Goes into each charge; null for none. */
    metadata: text("metadata"),
  },
  (table) => [
    /** List. */
    primaryKey({ columns: [table.companyId, table.number] }),
    /** Get. */
    uniqueIndex("payment_links_id").on(table.companyId, table.id),
    /** The payer's page. */
    uniqueIndex("payment_links_slug").on(table.companyId, table.slug),
  ],
);
