import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { LinkTerms } from "../../domain/links/payment-link.ts";

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
