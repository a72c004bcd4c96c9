import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { OPERATOR_ROLES } from "../../domain/access/operator.ts";

/** The people who operate the gateway. Only in `DB`. */
export const operators = sqliteTable(
  "operators",
  {
    clientId: text("client_id").primaryKey(),
    name: text("name").notNull(),
    role: text("role", { enum: OPERATOR_ROLES }).notNull(),
    createdAt: integer("created_at").notNull(),
    /** A removed operator stays, for the audit trail names it. */
    removedAt: integer("removed_at"),
    /** The person of the console who is this operator; null for an operator with keys only. */
    userId: text("user_id"),
    /** SHA-256 of the newest set-up link's token; null if there was none. */
    linkHash: text("link_hash"),
    linkExpiresAt: integer("link_expires_at"),
    /** A link works once. */
    linkUsedAt: integer("link_used_at"),
  },
  (table) => [
    // Whether an admin remains reads the admins only.
    index("operators_role").on(table.role),
    uniqueIndex("operators_user").on(table.userId),
    uniqueIndex("operators_link").on(table.linkHash),
  ],
);

/** Operators' keys, as SHA-256 only. Only in `DB`. */
export const operatorKeys = sqliteTable(
  "operator_keys",
  {
    id: integer("id").primaryKey(),
    clientId: text("client_id").notNull(),
    keyHash: text("key_hash").notNull(),
    /** The first characters of the key, to recognise it by. */
    prefix: text("prefix").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at"),
    revokedAt: integer("revoked_at"),
    /** Written at most once an hour. */
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [
    index("operator_keys_client").on(table.clientId),
    uniqueIndex("operator_keys_hash").on(table.keyHash),
  ],
);
