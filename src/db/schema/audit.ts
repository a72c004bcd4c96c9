import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ACTOR_KINDS } from "../../domain/access/audit-entry.ts";

/**
 * The audit trails, append-only: one for each company, in its database, and the gateway's own as company
 * 0 in `DB`. Each entry's hash covers the one before it.
 */
export const auditEntries = sqliteTable(
  "audit_entries",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the trail, from 1. */
    sequence: integer("sequence").notNull(),
    at: integer("at").notNull(),
    actorKind: text("actor_kind", { enum: ACTOR_KINDS }).notNull(),
    /** A client id; the name of a task. */
    actorId: text("actor_id").notNull(),
    actorName: text("actor_name").notNull(),
    /** The prefix of the key that was presented; null for a task. */
    keyPrefix: text("key_prefix"),
    action: text("action").notNull(),
    target: text("target").notNull(),
    /** JSON of the masked values before and after, as it was hashed; null where there are none. */
    before: text("before"),
    after: text("after"),
    reason: text("reason"),
    /** The network address of the request; null for a task. */
    address: text("address"),
    traceId: text("trace_id"),
    /** SHA-256 of the entry and of the hash before it, in hex. */
    hash: text("hash").notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.sequence] })],
);
