import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { PERSON_ROLES } from "../../../domain/access/person-role.ts";

/** Who may open which company in the console, and as what. Only in `DB`. */
export const memberships = sqliteTable(
  "memberships",
  {
    /** The person. */
    userId: text("user_id").notNull(),
    companyId: integer("company_id").notNull(),
    /** `owner`, `admin`, `finance`, `support`, `developer`, `viewer` or `cashier`. */
    role: text("role", { enum: PERSON_ROLES }).notNull(),
    createdAt: integer("created_at").notNull(),
    /** When it was removed: the row stays, for the audit trail names its person. */
    removedAt: integer("removed_at"),
    /** When the role was last given; null for when the person joined. */
    givenAt: integer("given_at"),
    /** Client ids of all through whom the role was given; null for the operator. Such as `["person_4f1c"]`. */
    givenBy: text("given_by", { mode: "json" }).$type<string[] | null>(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.companyId] }),
    /** A company's people. */
    index("memberships_company").on(table.companyId),
  ],
);
