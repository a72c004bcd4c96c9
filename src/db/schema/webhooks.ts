import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What happened, in the company's gap-free order, rendered once. Never changes. */
export const events = sqliteTable(
  "events",
  {
    companyId: integer("company_id").notNull(),
    companySequence: integer("company_sequence").notNull(),
    type: text("type").notNull(),
    /** A transaction's UUID, or `withdraw:<id>`. */
    objectId: text("object_id").notNull(),
    /** Dense per object, from 1. */
    sequence: integer("sequence").notNull(),
    createdAt: integer("created_at").notNull(),
    /** The exact bytes that are signed and sent. */
    body: text("body").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.companySequence] }),
    index("events_object").on(table.companyId, table.objectId, table.companySequence),
  ],
);

export const DELIVERY_TARGETS = ["postback", "endpoint"] as const;
export const DELIVERY_STATUSES = [
  "pending",
  "delivered",
  "superseded",
  "stopped",
  "exhausted",
] as const;

/** One event on its way to one target. */
export const deliveries = sqliteTable(
  "deliveries",
  {
    companyId: integer("company_id").notNull(),
    companySequence: integer("company_sequence").notNull(),
    target: text("target", { enum: DELIVERY_TARGETS }).notNull(),
    objectId: text("object_id").notNull(),
    url: text("url").notNull(),
    status: text("status", { enum: DELIVERY_STATUSES }).notNull(),
    attempts: integer("attempts").notNull(),
    /** When the next attempt is due. Null once the status is final. */
    dueAt: integer("due_at"),
    /** Until then an attempt for this object and target is in flight. */
    leaseUntil: integer("lease_until").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.companySequence, table.target] }),
    index("deliveries_due")
      .on(table.dueAt)
      .where(sql`due_at IS NOT NULL`),
    index("deliveries_open")
      .on(table.companyId, table.objectId, table.target, table.companySequence)
      .where(sql`due_at IS NOT NULL`),
  ],
);

/** Each try of a delivery and what came of it. */
export const attempts = sqliteTable(
  "attempts",
  {
    companyId: integer("company_id").notNull(),
    companySequence: integer("company_sequence").notNull(),
    target: text("target", { enum: DELIVERY_TARGETS }).notNull(),
    number: integer("number").notNull(),
    createdAt: integer("created_at").notNull(),
    durationMs: integer("duration_ms").notNull(),
    /** The HTTP status, or null where none came. */
    httpStatus: integer("http_status"),
    /** Why none came: `timeout`, `connection`, `private_address`, `signing`, or the target policy's sentence. */
    fault: text("fault"),
    /** The answer's first kibibyte. */
    answer: text("answer").notNull(),
  },
  (table) => [
    primaryKey({
      columns: [table.companyId, table.companySequence, table.target, table.number],
    }),
  ],
);

/** A host that the company's webhooks fail at. There is no row for one that answers. */
export const webhookHosts = sqliteTable(
  "webhook_hosts",
  {
    companyId: integer("company_id").notNull(),
    host: text("host").notNull(),
    /** The first failure since the last success, or since a day without any. */
    failingSince: integer("failing_since").notNull(),
    lastFailureAt: integer("last_failure_at").notNull(),
    /** What the last failure was: an HTTP status or an attempt's `fault`. */
    lastFailure: text("last_failure").notNull(),
    /** Since when nothing is sent to it any more; null while it is still tried. */
    offSince: integer("off_since"),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.host] })],
);
