import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { PERSON_ROLES } from "../../../domain/access/person.ts";

/** Who may open which company in the console, and as what. Only in `DB`. */
export const memberships = sqliteTable(
  "memberships",
  {
    userId: text("user_id").notNull(),
    companyId: integer("company_id").notNull(),
    role: text("role", { enum: PERSON_ROLES }).notNull(),
    createdAt: integer("created_at").notNull(),
    /** A removed membership stays, for the audit trail names its person. */
    removedAt: integer("removed_at"),
    /** When the role was last given; null for when the person joined. */
    givenAt: integer("given_at"),
    /** Who gave the role, with the chain of their own rights; null for the operator. */
    givenBy: text("given_by", { mode: "json" }).$type<string[] | null>(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.companyId] }),
    index("memberships_company").on(table.companyId),
  ],
);
