import { integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { PaymentFilters } from "../../../domain/charges/saved-view.ts";

/** Filters of the list of payments under a name, each seen by its owner only. Only in `DB`. */
export const savedViews = sqliteTable(
  "saved_views",
  {
    companyId: integer("company_id").notNull(),
    /** `person_` and a person's id, or an application's client id. */
    owner: text("owner").notNull(),
    id: text("id").notNull(),
    name: text("name").notNull(),
    filters: text("filters", { mode: "json" }).$type<PaymentFilters>().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.owner, table.id] }),
    uniqueIndex("saved_views_name").on(table.companyId, table.owner, table.name),
  ],
);
