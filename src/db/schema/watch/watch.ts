import { sql } from "drizzle-orm";
import { TRIAL_RESULTS, TRIAL_STATES } from "../../../domain/psp/certificate-trial.ts";
import type {
  AttemptSums,
  CompanyVolume,
  PaymentSums,
  ServiceSizes,
  ServiceTotals,
} from "../../../domain/figures/service-sample.ts";
import type { DayQuota } from "../../../domain/reconciliation/provider-calls.ts";
import type { Durations } from "../../../domain/figures/durations.ts";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Last runs of each task of the cron; `minute` is the cron itself. Only in `DB`. Written by the task runner. */
export const cronHeartbeats = sqliteTable("cron_heartbeats", {
  /** Its name. */
  task: text("task").primaryKey(),
  /** Start of the run that was written last. */
  lastStartAt: integer("last_start_at").notNull(),
  /** End of the last success. */
  lastSuccessAt: integer("last_success_at"),
  /** End of the last failure. */
  lastErrorAt: integer("last_error_at"),
  /** Its message. */
  lastError: text("last_error"),
});

/**
 * Messages that a queue gave up, until a person sends them again; kept 90 days. Only in `DB`. Written by the consumer.
 */
export const deadLetters = sqliteTable(
  "dead_letters",
  {
    /** The queue's own id of the message. */
    id: text("id").primaryKey(),
    /** Without the environment's prefix: `webhooks`, `payouts`, `tasks`. */
    queue: text("queue").notNull(),
    /** Ids only. Such as `{"companyId":1,"withdrawId":7}`. */
    body: text("body", { mode: "json" }).$type<unknown>().notNull(),
    /** When it was given up. */
    receivedAt: integer("received_at").notNull(),
    /** When an operator sent it again; null while it waits for that. */
    replayedAt: integer("replayed_at"),
  },
  (table) => [
    /** The list by arrival. */
    index("dead_letters_received").on(table.receivedAt, table.id),
    /** Those that wait. */
    index("dead_letters_open")
      .on(table.receivedAt, table.id)
      .where(sql`replayed_at IS NULL`),
  ],
);

/**
 * How each PSP answers, over all companies. Only in `DB`. Written by each isolate, at most once a minute for an
 * account, and by the cron for its own isolate.
 */
export const providerHosts = sqliteTable("provider_hosts", {
  /** Host of the PSP's API. */
  host: text("host").primaryKey(),
  /** Calls since the row was made. */
  calls: integer("calls").notNull(),
  /** Of these, without a readable answer. */
  faults: integer("faults").notNull(),
  /** The last success. */
  lastSuccessAt: integer("last_success_at"),
  /** The last fault. */
  lastFaultAt: integer("last_fault_at"),
  /** The company of the last fault. */
  lastFaultCompany: integer("last_fault_company"),
  /** Method and resource of the last fault's call. */
  lastFaultCall: text("last_fault_call"),
  /** `timeout`, `connection`, `too_large` or `HTTP <status>`. */
  lastFault: text("last_fault"),
  /** The last fault's trace id. */
  lastFaultTrace: text("last_fault_trace"),
  /** How long the last fault's call took. */
  lastFaultMs: integer("last_fault_ms"),
  /** How long all calls took together. */
  durationMs: integer("duration_ms").notNull().default(0),
  /**
   * How many calls took how long, by the upper bound in seconds (`Durations`).
   * Such as `{"0.2":1110,"0.5":88,"10":2}`.
   */
  durations: text("durations", { mode: "json" })
    .$type<Durations["buckets"]>()
    .notNull()
    .default({}),
});

/**
 * How the PSP answers each company's account, and when its access ends. Only in `DB`. Written as `provider_hosts`, and
 * by operators.
 */
export const providerAccounts = sqliteTable(
  "provider_accounts",
  {
    companyId: integer("company_id").notNull(),
    /** The company's account at the PSP. */
    account: text("account").notNull(),
    /** Host of the PSP's API. */
    host: text("host").notNull(),
    /** The last success. */
    lastSuccessAt: integer("last_success_at"),
    /** The first fault since the last success; null after a success. */
    failingSince: integer("failing_since"),
    /** The last fault since the last success; null after a success. */
    lastFaultAt: integer("last_fault_at"),
    /** The day (São Paulo) of `day_calls`; null before the first call. */
    callsDay: text("calls_day"),
    /** Calls of that day by name (JSON). Such as `{"POST charge": 12}`. */
    dayCalls: text("day_calls", { mode: "json" }).$type<Record<string, number>>(),
    /** The largest number in `day_calls`. */
    busiestCalls: integer("busiest_calls"),
    /** Orders to which the PSP said no on that day; null before the first call. */
    dayRefusals: integer("day_refusals"),
    /** How many calls of that day took how long, as `provider_hosts.durations`. */
    dayDurations: text("day_durations", { mode: "json" }).$type<Durations["buckets"]>(),
    /** What the PSP takes of each call on that day, where it limits them (JSON). Such as `{"POST charge":{"limit":15000}}`. */
    dayQuotas: text("day_quotas", { mode: "json" }).$type<Record<string, DayQuota>>(),
    /** The largest part of these that is used, in hundredths; null before the first call. */
    quotaShare: integer("quota_share"),
    /** When its certificate ends, as an operator entered it. */
    certificateExpiresAt: integer("certificate_expires_at"),
    /** When its credentials end, as an operator entered it. */
    credentialsExpireAt: integer("credentials_expire_at"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.account] }),
    /** Accounts that fail. */
    index("provider_accounts_failing")
      .on(table.failingSince)
      .where(sql`failing_since IS NOT NULL`),
    /** Next certificates to end. */
    index("provider_accounts_certificate")
      .on(table.certificateExpiresAt)
      .where(sql`certificate_expires_at IS NOT NULL`),
    /** Next credentials to end. */
    index("provider_accounts_credentials")
      .on(table.credentialsExpireAt)
      .where(sql`credentials_expire_at IS NOT NULL`),
    /** Accounts that have used much of a day's quota. */
    index("provider_accounts_quota")
      .on(table.callsDay, table.quotaShare)
      .where(sql`quota_share >= 80`),
    /** Accounts that come near to a day's limit of calls. */
    index("provider_accounts_busy")
      .on(table.callsDay)
      .where(sql`busiest_calls >= 10000`),
  ],
);

/**
 * The next client certificate of accounts at PSPs, tried beside the one in use and swapped in by itself
 * (docs/providers.md). Only in `DB`. Written by the operator's request and by the cron.
 */
export const certificateTrials = sqliteTable(
  "certificate_trials",
  {
    companyId: integer("company_id").notNull(),
    /** The company's account at the PSP. */
    account: text("account").notNull(),
    /** The certificate's `mtls_certificates` binding. Such as `PSP_LOJA_2`. */
    binding: text("binding").notNull(),
    /** The binding that it replaced; null before the swap, and for none. */
    previous: text("previous"),
    /** trying, swapping, swapped, falling_back, fell_back or done. */
    state: text("state", { enum: TRIAL_STATES }).notNull(),
    /** Trials in a row in which it worked. */
    successes: integer("successes").notNull(),
    /** What its last trial said: works, refused, no_answer or no_binding; null before the first. */
    result: text("result", { enum: TRIAL_RESULTS }),
    /** What the certificate beside it said in that trial: the one in use, after the swap the previous one. */
    beside: text("beside", { enum: TRIAL_RESULTS }),
    /** When it was last tried. */
    triedAt: integer("tried_at"),
    /** When it was swapped in; null before. */
    swappedAt: integer("swapped_at"),
    /** When the certificate ends, as its public part says; null if nobody has sent that. */
    endsAt: integer("ends_at"),
    /** When the one before it ends, as `provider_accounts` had it. */
    previousEndsAt: integer("previous_ends_at"),
    /** When it was named; tells one trial from another of the same binding. */
    namedAt: integer("named_at").notNull(),
    /** When the cron runs it next; the far future once it is over. */
    nextRunAt: integer("next_run_at").notNull(),
  },
  (table) => [
    /** One for each account. */
    primaryKey({ columns: [table.companyId, table.account] }),
    /** The trials that are due. */
    index("certificate_trials_due").on(table.nextRunAt),
  ],
);

/** Violations that an operator knows of: they raise no alarm while they stay the same. Only in `DB`. */
export const acknowledgements = sqliteTable("acknowledgements", {
  companyId: integer("company_id").primaryKey(),
  /** The violations, as the check has them (JSON): exactly these. Such as `["I8 event 7 is missing"]`. */
  violations: text("violations").notNull(),
  /** When it was acknowledged. */
  at: integer("at").notNull(),
  /** Name of the operator. */
  actorName: text("actor_name").notNull(),
  /** Why they may wait. */
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

/** Each alarm that has fired: one row, whose newest firing it describes. Only in `DB`. Written by the cron. */
export const alarms = sqliteTable("alarms", {
  /** Name in `thresholds.ts`. */
  id: text("id").primaryKey(),
  /** `critical` or `warning`. */
  severity: text("severity", { enum: ["critical", "warning"] }).notNull(),
  /** What was measured, for people: findings, one a line. */
  detail: text("detail").notNull(),
  /** What was found within the last two minutes, each with its beginning. */
  findings: text("findings", { mode: "json" }).$type<StoredFinding[]>().notNull().default([]),
  /** When it began. */
  since: integer("since").notNull(),
  /** The first of the evaluations in a row that found nothing; null while it fires. */
  clearSince: integer("clear_since"),
  /** When it was over; null while it fires. */
  resolvedAt: integer("resolved_at"),
});

/** The last message of an alarm that a target has taken. Only in `DB`. Written by the cron. */
export const alarmNotices = sqliteTable(
  "alarm_notices",
  {
    /** The alarm. */
    alarm: text("alarm").notNull(),
    /** `webhook`, `slack` or `email`. */
    target: text("target").notNull(),
    /** `firing` or `resolved`. */
    kind: text("kind", { enum: ["firing", "resolved"] }).notNull(),
    /** The firing that it told of. */
    since: integer("since").notNull(),
    /** The severity that it told of. */
    severity: text("severity").notNull(),
    /** When it was sent. */
    sentAt: integer("sent_at").notNull(),
    /**
     * The findings that it told of.
     * Such as `[{"about":"open","text":"Queues gave up messages, the oldest at 2026-11-23T00:17:58.999Z. Waiting in the dead-letter table: 1."}]`.
     */
    told: text("told", { mode: "json" }).$type<ToldFinding[]>().notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.alarm, table.target] })],
);

/**
 * What the service had counted and stored at one time: the cron writes a row each five minutes and keeps it eight days.
 * A figure of the last hour, or of a week ago, is the difference of two rows. Only in `DB`.
 */
export const serviceSamples = sqliteTable("service_samples", {
  /** When it was taken. */
  at: integer("at").primaryKey(),
  /** Reports of days up to this one are in `closed_payments`, and are read no more. */
  closedThrough: text("closed_through").notNull(),
  /**
   * Payments of those days, by method: `count` and `amount` in centavos.
   * Such as `{"PIX":{"count":9120,"amount":228000000}}`.
   */
  closedPayments: text("closed_payments", { mode: "json" }).$type<PaymentSums>().notNull(),
  /** All payments so far, likewise. Such as `{"PIX":{"count":9530,"amount":238250000}}`. */
  payments: text("payments", { mode: "json" }).$type<PaymentSums>().notNull(),
  /**
   * The rows of `webhook_attempts` of all databases.
   * Such as `{"delivered":{"attempts":6200,"first":6138},"failed":{"attempts":75,"first":62}}`.
   */
  webhooks: text("webhooks", { mode: "json" }).$type<AttemptSums>().notNull(),
  /**
   * `totalMs` and `buckets` of each PSP, by host.
   * Such as `{"pix.example.com":{"totalMs":214800,"buckets":{"0.2":1110,"0.5":88,"10":2}}}`.
   */
  psps: text("psps", { mode: "json" }).$type<ServiceTotals["psps"]>().notNull(),
  /** Bytes of each database. Such as `{"DB":7340032}`. */
  databases: text("databases", { mode: "json" }).$type<ServiceSizes["databases"]>().notNull(),
  /** Bytes of the 50 largest objects. Such as `{"company:17":2097152}`. */
  objects: text("objects", { mode: "json" }).$type<ServiceSizes["objects"]>().notNull(),
  /**
   * Open rows of each kind, at most 10,000 of a database.
   * Such as `{"open_charges":310,"deliveries":12,"callbacks":0,"payouts":1,"unexpected_payments":2,"contradictions":0,"dead_letters":0}`.
   */
  openWork: text("open_work", { mode: "json" }).$type<ServiceSizes["openWork"]>().notNull(),
  /**
   * The companies that received most in the two weeks up to `closed_through`; null before they were read.
   * Such as `[{"companyId":17,"name":"Loja","week":912000,"weekBefore":860000}]`.
   */
  volumes: text("volumes", { mode: "json" }).$type<CompanyVolume[]>(),
});
