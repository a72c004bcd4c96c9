import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * What adapters of providers remember of charges and refunds between two calls: the ids that the provider gave, and
 * what was sent to it (`ProviderRefs`). Only providers that do not know our ids have rows.
 */
export const providerRefs = sqliteTable(
  "provider_refs",
  {
    companyId: integer("company_id").notNull(),
    /** The company's account at the provider. */
    account: text("account").notNull(),
    /** Our id, as the provider sees it: transaction or operation UUID without hyphens. */
    id: text("id").notNull(),
    /**
     * The adapter's own words, such as ids of the provider.
     * Such as `{"chargeId":44712345}`.
     */
    ref: text("ref", { mode: "json" }).$type<object>().notNull(),
    /** When it was first saved. */
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    /** One for each charge or refund. */
    primaryKey({ columns: [table.companyId, table.account, table.id] }),
  ],
);
