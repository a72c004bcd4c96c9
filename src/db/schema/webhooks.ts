import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ATTEMPT_RESULTS } from "../../domain/figures/service-sample.ts";
import type { DeliveryTarget } from "../../domain/events/delivery.ts";
import { EVENT_TYPES } from "../../domain/events/event-types.ts";
import type { EndpointEvent } from "../../domain/events/webhook-endpoint.ts";
import type { RetiredSecret } from "./companies.ts";

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
   * `endpoint_deleted`, `chaos_dropped`, `receiver_down`, or the message of the target policy); null if one came.
   */
  fault: string | null;
  /** The answer's first kibibyte. */
  answer: string;
}

/**
 * The events of each company, in gap-free order, rendered once by the drain; only an erasure and its archiving
 * (docs/storage.md#archive) change a row (decision 0020). The table is not WITHOUT ROWID, because there a row over a
 * kilobyte fills a page of its own.
 */
export const events = sqliteTable(
  "events",
  {
    companyId: integer("company_id").notNull(),
    /** Dense per company, from 1; `webhook-id` is `evt_<company_id>_<company_sequence>`. */
    companySequence: integer("company_sequence").notNull(),
    /** `transaction.paid`, `withdraw.processing`, ... */
    type: text("type", { enum: EVENT_TYPES }).notNull(),
    /** A transaction's UUID, or `withdraw:<id>`, `balance:<currency>`, `test:<number>`. */
    objectId: text("object_id").notNull(),
    /** Dense per object, from 1. */
    sequence: integer("sequence").notNull(),
    /** When it occurred. */
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
    /** Pages, one event, gap check. */
    primaryKey({ columns: [table.companyId, table.companySequence] }),
    /** An object's newest events. */
    index("events_object").on(table.companyId, table.objectId, table.companySequence),
  ],
);

/**
 * The delivery of an event to one target, with its attempts. Inserted by the drain with its event; the consumer of
 * `webhooks` records attempts; a resend makes it due.
 */
export const deliveries = sqliteTable(
  "deliveries",
  {
    companyId: integer("company_id").notNull(),
    /** Of the event. */
    companySequence: integer("company_sequence").notNull(),
    /** `postback` (the transaction's), `endpoint` (the company's first) or `endpoint_<number>`. */
    target: text("target").$type<DeliveryTarget>().notNull(),
    /** At the event's time. */
    url: text("url").notNull(),
    /** `pending`, `delivered`, `superseded` (newer event sent), `stopped` (circuit open), `exhausted`. */
    status: text("status", { enum: DELIVERY_STATUSES }).notNull(),
    /** Attempts so far. */
    attempts: integer("attempts").notNull(),
    /** When it is due; null once the status is final. */
    nextAttemptAt: integer("next_attempt_at"),
    /** Last attempt or change. */
    updatedAt: integer("updated_at").notNull(),
    /** The newest attempts, oldest first. */
    attemptsLog: text("attempts_log", { mode: "json" }).$type<Attempt[]>().notNull(),
  },
  (table) => [
    /** Pages, one delivery. */
    primaryKey({ columns: [table.companyId, table.companySequence, table.target] }),
    /** The sweep, longest due first. */
    index("deliveries_due")
      .on(table.nextAttemptAt)
      .where(sql`next_attempt_at IS NOT NULL`),
  ],
);

/**
 * Attempts at deliveries of all companies of this database, by result; they stay when a company moves. The trigger
 * `deliveries_attempt_counted` counts an attempt in the statement that records it, once however often that is repeated.
 */
export const webhookAttempts = sqliteTable("webhook_attempts", {
  /** `delivered` or `failed`. */
  result: text("result", { enum: ATTEMPT_RESULTS }).primaryKey(),
  /** Attempts so far. */
  attempts: integer("attempts").notNull(),
  /** Of these, the first ones of their deliveries. */
  firstAttempts: integer("first_attempts").notNull(),
});

/**
 * A company's webhook endpoints after its first, which is in `companies`. Written by the API. The newest deleted ones
 * stay, so that no number is given twice.
 */
export const webhookEndpoints = sqliteTable(
  "webhook_endpoints",
  {
    companyId: integer("company_id").notNull(),
    /** From 2; its deliveries' target is `endpoint_<number>`. */
    number: integer("number").notNull(),
    /** `''` once it is deleted. */
    url: text("url").notNull(),
    /** List of the event types that go to it; `["*"]` for all. */
    events: text("events", { mode: "json" }).$type<EndpointEvent[]>().notNull(),
    /** The merchant's words; `''` for none. */
    description: text("description").notNull(),
    /** Its signing secret, sealed like the company's; `''` once it is deleted. */
    secretSealed: text("secret_sealed").notNull(),
    /** Secrets that were rotated out, with the time until which they still sign; null if none. */
    secretsPrevious: text("secrets_previous", { mode: "json" }).$type<RetiredSecret[] | null>(),
    /** Hash of the `Idempotency-Key` that it was made under; random without one. */
    creationId: text("creation_id").notNull(),
    /** SHA-256 of the request that made it. */
    requestHash: text("request_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    /** When it was deleted: its open deliveries then end `stopped`. */
    deletedAt: integer("deleted_at"),
  },
  (table) => [
    /** An event's targets, the API's list, one endpoint. */
    primaryKey({ columns: [table.companyId, table.number] }),
  ],
);

/**
 * Circuit breaker: a host at which the company's webhooks fail. A host that answers has no row. Written by the
 * consumer; deleted by a success or `PUT /api/v1/webhooks/endpoint`.
 */
export const webhookHosts = sqliteTable(
  "webhook_hosts",
  {
    companyId: integer("company_id").notNull(),
    /** Host name, with port if any. */
    host: text("host").notNull(),
    /** The first failure since the last success, or since a day without any. */
    failingSince: integer("failing_since").notNull(),
    /** When it failed last. */
    lastFailureAt: integer("last_failure_at").notNull(),
    /** An HTTP status or an attempt's `fault`. */
    lastFailure: text("last_failure").notNull(),
    /** When the circuit opened, after five days, so that nothing is sent; null while it is closed. */
    openedAt: integer("off_since"),
  },
  (table) => [
    /** An attempt's result, the API's list. */
    primaryKey({ columns: [table.companyId, table.host] }),
    /** Open circuits, before each delivery. */
    index("webhook_hosts_off")
      .on(table.companyId)
      .where(sql`off_since IS NOT NULL`),
    /** Longest failing first. */
    index("webhook_hosts_failing").on(table.failingSince),
  ],
);
