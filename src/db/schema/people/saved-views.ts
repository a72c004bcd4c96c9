import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { PaymentFilters } from "../../../domain/charges/saved-view.ts";

/**
 * Filters of the console's list of payments under a name. Each is seen by its owner only. At most 20 per owner. Only in
 * `DB`.
 */
export const savedViews = sqliteTable(
  "saved_views",
  {
    companyId: integer("company_id").notNull(),
    /** `person_` and a person's id, or an application's client id. */
    owner: text("owner").notNull(),
    /** UUID. */
    id: text("id").notNull(),
    /** Its name, unique for the owner. */
    name: text("name").notNull(),
    /** The filters as typed, none with payers' data. Such as `{"status":"PAID","amountFrom":"100,00"}`. */
    filters: text("filters", { mode: "json" }).$type<PaymentFilters>().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.owner, table.id] }),
    /** An owner's views by name. */
    uniqueIndex("saved_views_name").on(table.companyId, table.owner, table.name),
  ],
);
