import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { PERSON_ROLES } from "../../../domain/access/person.ts";

/** Links by which people become members of a company, once. Only in `DB`. */
export const invitations = sqliteTable(
  "invitations",
  {
    id: text("id").primaryKey(),
    companyId: integer("company_id").notNull(),
    /** The only e-mail that it admits, in lower case. */
    email: text("email").notNull(),
    role: text("role", { enum: PERSON_ROLES }).notNull(),
    /** SHA-256 of the link's token. */
    tokenHash: text("token_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    revokedAt: integer("revoked_at"),
    usedAt: integer("used_at"),
    /** The person who used it. */
    userId: text("user_id"),
    /** Who gave the role, with the chain of their own rights; null for the operator. */
    givenBy: text("given_by", { mode: "json" }).$type<string[] | null>(),
  },
  (table) => [
    index("invitations_company").on(table.companyId, table.createdAt),
    uniqueIndex("invitations_token").on(table.tokenHash),
  ],
);
