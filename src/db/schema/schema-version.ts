import { sql } from "drizzle-orm";
import { check, integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** One row: which code may write here. */
export const schemaVersion = sqliteTable(
  "schema_version",
  {
    only: integer("only").primaryKey(),
    /** Migrations of `migrations/contract` that were applied: code that knows fewer writes nothing. */
    contracts: integer("contracts").notNull(),
  },
  (table) => [check("schema_version_only", sql`${table.only} = 1`)],
);
