import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { eventType, IS_BALANCE_RELEASED, objectId } from "../event-columns.ts";
import { packedBytesColumn } from "../packed-column.ts";

export const DELIVERY_TARGETS = ["postback", "endpoint"] as const;
/** Rows say them by their places here, which stay. */
export const DELIVERY_STATUSES = [
  "pending",
  "delivered",
  "superseded",
  "stopped",
  "exhausted",
] as const;

/** One try, as it stands in the row: without what it has nothing of at its end. */
export type StoredTry = [
  sinceEventMs: number,
  durationMs: number,
  httpStatus: number | null,
  fault?: string | null,
  answer?: string,
];

/** An event on its way to one target, as it stands in the row (`event-rows.ts` says what each is). */
export type StoredDelivery = [
  url: string,
  /** Its place in `DELIVERY_STATUSES`. */
  status: number,
  updatedSinceEventMs: number,
  attempts: number,
  tries: StoredTry[],
  /** Unix milliseconds; nothing once the status is final. */
  dueAt?: number | null,
];

/**
 * What happened, in the company's gap-free order, rendered once, with its deliveries and each attempt
 * at them. What happened never changes.
 */
export const events = sqliteTable(
  "events",
  {
    companyId: integer("company_id").notNull(),
    companySequence: integer("company_sequence").notNull(),
    type: eventType("type").notNull(),
    /** A transaction's UUID, or `withdraw:<id>`, `balance:<currency>`, `test:<number>`. */
    objectId: objectId("object_id").notNull(),
    /** Dense per object, from 1. */
    sequence: integer("sequence").notNull(),
    createdAt: integer("created_at").notNull(),
    /** The exact bytes that are signed and sent, packed beside the row (`bodyOf`). */
    body: packedBytesColumn("body")
      .notNull()
      .default(sql`x''`),
    /** Null where the event does not go there. */
    postback: text("postback", { mode: "json" }).$type<StoredDelivery | null>(),
    endpoint: text("endpoint", { mode: "json" }).$type<StoredDelivery | null>(),
    /** When the first of its deliveries is due; null once all are final. */
    dueAt: integer("due_at").generatedAlwaysAs(
      sql`min(coalesce(postback ->> 5, endpoint ->> 5), coalesce(endpoint ->> 5, postback ->> 5))`,
      { mode: "virtual" },
    ),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.companySequence] }),
    index("events_due")
      .on(table.dueAt)
      .where(sql`due_at IS NOT NULL`),
    // Transactions and withdraws know their events by themselves.
    index("events_balance")
      .on(table.companyId, table.objectId, table.companySequence)
      .where(IS_BALANCE_RELEASED),
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
  (table) => [
    primaryKey({ columns: [table.companyId, table.host] }),
    index("webhook_hosts_off")
      .on(table.companyId)
      .where(sql`off_since IS NOT NULL`),
  ],
);
