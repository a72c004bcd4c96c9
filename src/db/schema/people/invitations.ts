import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { PERSON_ROLES } from "../../../domain/access/person-role.ts";

/** Links by which people become members of a company, once. Only in `DB`. */
export const invitations = sqliteTable(
  "invitations",
  {
    /** UUID. */
    id: text("id").primaryKey(),
    companyId: integer("company_id").notNull(),
    /** The only e-mail that it admits, in lower case. */
    email: text("email").notNull(),
    /** The role that it gives. */
    role: text("role", { enum: PERSON_ROLES }).notNull(),
    /** SHA-256 of the link's token. */
    tokenHash: text("token_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    /** When it ends: 7 days later. */
    expiresAt: integer("expires_at").notNull(),
    /** When it was revoked, or a newer link of the e-mail was made. */
    revokedAt: integer("revoked_at"),
    /** When it was used. */
    usedAt: integer("used_at"),
    /** The person who used it. */
    userId: text("user_id"),
    /** Client ids of all through whom the role is given; null for the operator. Such as `["person_4f1c"]`. */
    givenBy: text("given_by", { mode: "json" }).$type<string[] | null>(),
  },
  (table) => [
    /** A company's open invitations. */
    index("invitations_company").on(table.companyId, table.createdAt),
    /** The invitation of a link. */
    uniqueIndex("invitations_token").on(table.tokenHash),
  ],
);
