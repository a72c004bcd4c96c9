import { sql } from "drizzle-orm";
import type {
  AttemptSums,
  PaymentSums,
  ServiceSizes,
  ServiceTotals,
} from "../../../domain/figures/service-sample.ts";
import type { Durations } from "../../../domain/figures/durations.ts";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The last runs of each cron task, and of the cron itself as `minute`. Only in `DB`. */
export const cronHeartbeats = sqliteTable("cron_heartbeats", {
  task: text("task").primaryKey(),
  lastStartAt: integer("last_start_at").notNull(),
  lastSuccessAt: integer("last_success_at"),
  lastErrorAt: integer("last_error_at"),
  lastError: text("last_error"),
});

/** Messages that a queue gave up, until a person sends them again. Only in `DB`. */
export const deadLetters = sqliteTable(
  "dead_letters",
  {
    /** The queue's own id of the message. */
    id: text("id").primaryKey(),
    /** Without the environment's prefix: `webhooks`, `payouts`, `tasks`. */
    queue: text("queue").notNull(),
    body: text("body", { mode: "json" }).$type<unknown>().notNull(),
    receivedAt: integer("received_at").notNull(),
    /** When it was sent again; null while it waits for that. */
    replayedAt: integer("replayed_at"),
  },
  (table) => [
    index("dead_letters_received").on(table.receivedAt, table.id),
    index("dead_letters_open")
      .on(table.receivedAt, table.id)
      .where(sql`replayed_at IS NULL`),
  ],
);

/** How each PSP answers, over all companies. Only in `DB`. */
export const providerHosts = sqliteTable("provider_hosts", {
  host: text("host").primaryKey(),
  /** Calls and, of these, failed ones since the row was made. */
  calls: integer("calls").notNull(),
  faults: integer("faults").notNull(),
  lastSuccessAt: integer("last_success_at"),
  lastFaultAt: integer("last_fault_at"),
  /** The company and the call of the last fault, and why it failed. */
  lastFaultCompany: integer("last_fault_company"),
  lastFaultCall: text("last_fault_call"),
  lastFault: text("last_fault"),
  lastFaultTrace: text("last_fault_trace"),
  lastFaultMs: integer("last_fault_ms"),
  /** How long the calls took: the sum, and how many took how long, by the bounds of `Durations`. */
  durationMs: integer("duration_ms").notNull().default(0),
  durations: text("durations", { mode: "json" })
    .$type<Durations["buckets"]>()
    .notNull()
    .default({}),
});

/** How the PSP answers each company's account, and when its access ends. Only in `DB`. */
export const providerAccounts = sqliteTable(
  "provider_accounts",
  {
    companyId: integer("company_id").notNull(),
    account: text("account").notNull(),
    host: text("host").notNull(),
    lastSuccessAt: integer("last_success_at"),
    /** The first and the last fault since the last success; null after a success. */
    failingSince: integer("failing_since"),
    lastFaultAt: integer("last_fault_at"),
    /** As an operator has entered them. */
    certificateExpiresAt: integer("certificate_expires_at"),
    credentialsExpireAt: integer("credentials_expire_at"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.account] }),
    index("provider_accounts_failing")
      .on(table.failingSince)
      .where(sql`failing_since IS NOT NULL`),
    index("provider_accounts_certificate")
      .on(table.certificateExpiresAt)
      .where(sql`certificate_expires_at IS NOT NULL`),
    index("provider_accounts_credentials")
      .on(table.credentialsExpireAt)
      .where(sql`credentials_expire_at IS NOT NULL`),
  ],
);

/** Violations that an operator knows of: they raise no alarm while they stay the same. Only in `DB`. */
export const acknowledgements = sqliteTable("acknowledgements", {
  companyId: integer("company_id").primaryKey(),
  /** The violations, as the check has them. */
  violations: text("violations").notNull(),
  at: integer("at").notNull(),
  actorName: text("actor_name").notNull(),
  reason: text("reason").notNull(),
});

/** A finding that a target was told of. */
interface ToldFinding {
  /** What it is about, the same while it lasts. */
  about: string;
  text: string;
}

/** A finding of an alarm that fires. Times in epoch milliseconds. */
export interface StoredFinding extends ToldFinding {
  since: number;
  /** Since when it was not found any more; null while it is. */
  clearSince: number | null;
}

/** Each alarm that has fired: one row, whose newest firing it describes. Only in `DB`. */
export const alarms = sqliteTable("alarms", {
  id: text("id").primaryKey(),
  severity: text("severity", { enum: ["critical", "warning"] }).notNull(),
  /** What was measured, for people. */
  detail: text("detail").notNull(),
  /** What was found within the last two minutes, each with its beginning. */
  findings: text("findings", { mode: "json" }).$type<StoredFinding[]>().notNull().default([]),
  since: integer("since").notNull(),
  /** The first of the evaluations in a row that found nothing; null while it fires. */
  clearSince: integer("clear_since"),
  /** When it was over; null while it fires. */
  resolvedAt: integer("resolved_at"),
});

/** The last message of an alarm that a target has taken. Only in `DB`. */
export const alarmNotices = sqliteTable(
  "alarm_notices",
  {
    alarm: text("alarm").notNull(),
    target: text("target").notNull(),
    kind: text("kind", { enum: ["firing", "resolved"] }).notNull(),
    /** The firing that it told of. */
    since: integer("since").notNull(),
    severity: text("severity").notNull(),
    sentAt: integer("sent_at").notNull(),
    /** The findings that it told of. */
    told: text("told", { mode: "json" }).$type<ToldFinding[]>().notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.alarm, table.target] })],
);

/**
 * What the service had counted and stored at one time: a row each five minutes, for eight days. A figure of the last
 * hour, or of a week ago, is the difference of two rows. Only in `DB`.
 */
export const serviceSamples = sqliteTable("service_samples", {
  at: integer("at").primaryKey(),
  /** Reports of days up to this one are in `closed_payments`, and are read no more. */
  closedThrough: text("closed_through").notNull(),
  closedPayments: text("closed_payments", { mode: "json" }).$type<PaymentSums>().notNull(),
  payments: text("payments", { mode: "json" }).$type<PaymentSums>().notNull(),
  webhooks: text("webhooks", { mode: "json" }).$type<AttemptSums>().notNull(),
  psps: text("psps", { mode: "json" }).$type<ServiceTotals["psps"]>().notNull(),
  databases: text("databases", { mode: "json" }).$type<ServiceSizes["databases"]>().notNull(),
  objects: text("objects", { mode: "json" }).$type<ServiceSizes["objects"]>().notNull(),
  openWork: text("open_work", { mode: "json" }).$type<ServiceSizes["openWork"]>().notNull(),
});
