import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ACTOR_KINDS } from "../../domain/access/audit-entry.ts";

/**
 * The audit trails, append-only: one for each company, in its database, and the gateway's own as company 0 in `DB`.
 * Each entry's hash covers the one before it. Triggers refuse every update and delete, except in a database that a
 * company moves to or has left.
 */
export const auditEntries = sqliteTable(
  "audit_entries",
  {
    /** The trail; 0 for the gateway's. */
    companyId: integer("company_id").notNull(),
    /** Dense within the trail, from 1. */
    sequence: integer("sequence").notNull(),
    /** When it was recorded. */
    at: integer("at").notNull(),
    /** `application`, `person`, `operator` or `task`. */
    actorKind: text("actor_kind", { enum: ACTOR_KINDS }).notNull(),
    /** Client id; `person_` and a person's id; name of a task. */
    actorId: text("actor_id").notNull(),
    /** Name at the time. */
    actorName: text("actor_name").notNull(),
    /** The prefix of the key that was presented; null for a task. */
    keyPrefix: text("key_prefix"),
    /** `<thing>.<verb>`, recorded before it is done; `<thing>.<verb>.refused` after a no. */
    action: text("action").notNull(),
    /** The thing. */
    target: text("target").notNull(),
    /**
     * The masked values before, as JSON, as it was hashed; null for nothing.
     * Such as `{"duplicateWithdrawGuard":false,"withdrawDailyLimit":null}`.
     */
    before: text("before"),
    /** The masked values after, likewise. Such as `{"withdrawDailyLimit":500000}`. */
    after: text("after"),
    /** Given reason; the code of a refusal. */
    reason: text("reason"),
    /** The network address of the request; null for a task. A company's trail has none of operators. */
    address: text("address"),
    /** The request. */
    traceId: text("trace_id"),
    /** SHA-256, in hex, of the entry and of the hash before it (docs/security.md#audit-trail). */
    hash: text("hash").notNull(),
  },
  (table) => [
    /** A trail's pages and its end. */
    primaryKey({ columns: [table.companyId, table.sequence] }),
  ],
);
