import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ATTEMPT_RESULTS } from "../../domain/figures/service-sample.ts";
import { EVENT_TYPES } from "../../domain/events/event-types.ts";

export const DELIVERY_TARGETS = ["postback", "endpoint"] as const;
export const DELIVERY_STATUSES = [
  "pending",
  "delivered",
  "superseded",
  "stopped",
  "exhausted",
] as const;

/** One attempt at a delivery, an element of `attempts_log`. */
export interface Attempt {
  /** When it began, Unix milliseconds. */
  at: number;
  durationMs: number;
  /** Null if no answer came. */
  httpStatus: number | null;
  /**
   * Why no answer came (`timeout`, `connection`, `private_address`, `no_address`, `signing`, `archive`, `host_off`,
   * `chaos_dropped`, or the message of the target policy); null if one came.
   */
  fault: string | null;
  /** The answer's first kibibyte. */
  answer: string;
}

/**
 * The events of each company, in gap-free order, rendered once. Only its archiving and an erasure change a row. The table is not
 * WITHOUT ROWID, because there a row over a kilobyte fills a page of its own.
 */
export const events = sqliteTable(
  "events",
  {
    companyId: integer("company_id").notNull(),
    /** Dense per company, from 1. */
    companySequence: integer("company_sequence").notNull(),
    type: text("type", { enum: EVENT_TYPES }).notNull(),
    /** A transaction's UUID, or `withdraw:<id>`, `balance:<currency>`, `test:<number>`. */
    objectId: text("object_id").notNull(),
    /** Dense per object, from 1. */
    sequence: integer("sequence").notNull(),
    /** Unix milliseconds. */
    createdAt: integer("created_at").notNull(),
    /** The exact JSON that is signed and sent; `""` of an event that has left D1. */
    body: text("body").notNull(),
    /** The company's charges that were paid or had ended by then; null if not counted. */
    endedCharges: integer("ended_charges"),
    /** The trace id of the request that caused it; null if none is known. */
    traceId: text("trace_id"),
    /** The archive's file that has its body, once it has left D1 (docs/storage.md); null before. */
    archiveFile: text("archive_file"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.companySequence] }),
    index("events_object").on(table.companyId, table.objectId, table.companySequence),
  ],
);

/** The delivery of an event to one target, with its attempts. Created with its event. */
export const deliveries = sqliteTable(
  "deliveries",
  {
    companyId: integer("company_id").notNull(),
    companySequence: integer("company_sequence").notNull(),
    target: text("target", { enum: DELIVERY_TARGETS }).notNull(),
    url: text("url").notNull(),
    status: text("status", { enum: DELIVERY_STATUSES }).notNull(),
    /** Attempts so far. */
    attempts: integer("attempts").notNull(),
    /** Unix milliseconds; null once the status is final. */
    nextAttemptAt: integer("next_attempt_at"),
    /** Unix milliseconds. */
    updatedAt: integer("updated_at").notNull(),
    /** The newest attempts, oldest first. */
    attemptsLog: text("attempts_log", { mode: "json" }).$type<Attempt[]>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.companySequence, table.target] }),
    index("deliveries_due")
      .on(table.nextAttemptAt)
      .where(sql`next_attempt_at IS NOT NULL`),
  ],
);

/**
 * Attempts at deliveries of all companies of this database, by result. A trigger counts an attempt in the statement
 * that records it, once however often that is repeated.
 */
export const webhookAttempts = sqliteTable("webhook_attempts", {
  result: text("result", { enum: ATTEMPT_RESULTS }).primaryKey(),
  attempts: integer("attempts").notNull(),
  /** Of these, the first ones of their deliveries. */
  firstAttempts: integer("first_attempts").notNull(),
});

/** A host at which the company's webhooks fail. A host that answers has no row. */
export const webhookHosts = sqliteTable(
  "webhook_hosts",
  {
    companyId: integer("company_id").notNull(),
    host: text("host").notNull(),
    /** The first failure since the last success, or since a day without any. */
    failingSince: integer("failing_since").notNull(),
    lastFailureAt: integer("last_failure_at").notNull(),
    /** An HTTP status or an attempt's `fault`. */
    lastFailure: text("last_failure").notNull(),
    /** When the circuit opened, so that nothing is sent; null while it is closed. */
    openedAt: integer("off_since"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.host] }),
    index("webhook_hosts_off")
      .on(table.companyId)
      .where(sql`off_since IS NOT NULL`),
    index("webhook_hosts_failing").on(table.failingSince),
  ],
);
