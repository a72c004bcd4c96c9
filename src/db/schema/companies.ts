import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ShownFreeze } from "../../domain/access/freeze.ts";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { Fee, FeeKind } from "../../domain/ledger/fees.ts";
import type { SpendingLimits } from "../../domain/withdraws/spending-limits.ts";
import type { RefundPolicy } from "../../domain/exits/refund-policy.ts";
import type { PendingSetting } from "../../domain/access/pending-setting.ts";
import type { UnexpectedPaymentRules } from "../../domain/charges/unexpected-payment.ts";
import type { Brand } from "../../domain/shared/company.ts";
import type { Reminders } from "../../domain/reminders/reminder.ts";
import type { EndpointEvent } from "../../domain/events/webhook-endpoint.ts";
import type { WebhookChaos } from "../../domain/events/webhook-chaos.ts";
import type { SandboxFault } from "../../domain/time/sandbox-fault.ts";

/** A sealed webhook secret and the time (Unix milliseconds) until which it still signs. */
export interface RetiredSecret {
  sealed: string;
  until: number;
}

/**
 * A merchant, its settings and its terms. The operator's routes create it and write terms and bank account; the API
 * writes settings.
 *
 * Triggers raise `credentials_version` on every change of `companies`, `applications`, `api_keys` and
 * `company_providers`, except for reconciliation progress (decision 0022). Add a new column of `company_providers` to
 * its trigger if authentication reads it.
 */
export const companies = sqliteTable(
  "companies",
  {
    /** Company number, from 1; last 24 bits of its transactions' ids. */
    id: integer("id").primaryKey(),
    /** Shown to payers. */
    name: text("name").notNull(),
    /** `sandbox` or `live`. */
    mode: text("mode", { enum: ["sandbox", "live"] }).notNull(),
    /** Milliseconds by which a sandbox company's clock is ahead of the platform's; 0 for a live one. */
    clockOffsetMs: integer("clock_offset_ms").notNull().default(0),
    /** UUID, `providerCompanyId` in the API; sealed secrets are bound to it. */
    providerCompanyId: text("provider_company_id").notNull(),
    /** Default payee of withdraws. */
    mainPixKey: text("main_pix_key"),
    /** `CPF`, `CNPJ`, `EMAIL`, `PHONE` or `EVP`. */
    mainPixKeyType: text("main_pix_key_type", { enum: ["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"] }),
    /** CPF or CNPJ, digits; `''` if unknown. */
    bankDocument: text("bank_document").notNull().default(""),
    /** The first webhook endpoint; `''` for none. */
    webhookUrl: text("webhook_url").notNull().default(""),
    /** 1 refuses duplicate withdraws. */
    duplicateWithdrawGuard: integer("duplicate_withdraw_guard", { mode: "boolean" })
      .notNull()
      .default(false),
    /** Centavos a day; null for no limit. */
    withdrawDailyLimit: integer("withdraw_daily_limit"),
    /** Centavos a night, 20:00 to 06:00 in America/Sao_Paulo; null for no limit. */
    withdrawNightLimit: integer("withdraw_night_limit"),
    /** Centavos a day to one PIX key; null for no limit. */
    withdrawKeyDailyLimit: integer("withdraw_key_daily_limit"),
    /** Centavos of a day that nobody approved, above which a withdraw waits for a second person; null for never. */
    withdrawApprovalAbove: integer("withdraw_approval_above"),
    /** Whether withdraws may go only to the keys on the company's list. */
    allowedPixKeysEnforced: integer("allowed_pix_keys_enforced", { mode: "boolean" })
      .notNull()
      .default(false),
    /** Hours after which a key that was added to the list counts. */
    allowedPixKeysCoolDownHours: integer("allowed_pix_keys_cool_down_hours").notNull().default(24),
    /** Days after a charge's end until its payer's data are replaced; null for never. */
    retentionDays: integer("retention_days"),
    /** What to do with each kind of unexpected payment; null or a missing kind means the default. */
    unexpectedPayments: text("unexpected_payments", {
      mode: "json",
    }).$type<UnexpectedPaymentRules | null>(),
    /**
     * Deviations from the default fees, by method or `WITHDRAW`; null or a missing part means the default.
     * Such as `{"PIX":{"basisPoints":99,"fixed":10},"WITHDRAW":{"fixed":100}}`.
     */
    fees: text("fees", { mode: "json" }).$type<Partial<Record<FeeKind, Partial<Fee>>> | null>(),
    /**
     * Deviations from the default release days, by method; null or a missing part means the default.
     * Such as `{"CREDIT_CARD":30}`.
     */
    releaseDays: text("release_days", { mode: "json" }).$type<Partial<
      Record<PaymentMethod, number>
    > | null>(),
    /** Centavos; null for the contract's minimum. */
    minimumWithdraw: integer("minimum_withdraw"),
    /** Signing secret, AES-256-GCM under the Worker secret `SECRETS_KEY`, bound to `providerCompanyId`. */
    webhookSecretSealed: text("webhook_secret_sealed").notNull(),
    /** Secrets that were rotated out, with the time until which they still sign; null if none. */
    webhookSecretsPrevious: text("webhook_secrets_previous", { mode: "json" }).$type<
      RetiredSecret[] | null
    >(),
    /** The random key of the company's keyed hashes of payers, sealed; null before the first. */
    leadKeySealed: text("lead_key_sealed"),
    /** Faults injected into a sandbox company's deliveries; null for none. */
    webhookChaos: text("webhook_chaos", { mode: "json" }).$type<WebhookChaos | null>(),
    /**
     * Spans of the company's time in which a sandbox company's bank or receiver fails; null for none.
     * Such as `[{"kind":"bank_late","from":1795436678999,"until":1795609478999,"delayMs":86400000}]`.
     */
    sandboxFaults: text("faults", { mode: "json" }).$type<SandboxFault[] | null>(),
    /**
     * Rises with every change of the company's row, applications, keys and PSP, by triggers (decision 0022). Code only
     * raises it further, to make earlier reads stale.
     */
    credentialsVersion: integer("credentials_version").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    /**
     * Why the company may not create charges: the sum (`STOP_REASON_BITS`) of 1 object nearly full, 2 database, 4
     * charges frozen; 0 if it may.
     */
    chargesStopped: integer("charges_stopped").notNull().default(0),
    /** The company's part of the usual `QUOTAS` (docs/security.md#quotas), in percent. */
    quotaPercent: integer("quota_percent").notNull().default(100),
    /** When an operator closed the company; null while it is open. */
    closedAt: integer("closed_at"),
    /** Name, colour and logo that its payers see; null or a missing part means the default. */
    brand: text("brand", { mode: "json" }).$type<Partial<Brand> | null>(),
    /** List of origins that may frame its payers' pages; null for none. */
    embedOrigins: text("embed_origins", { mode: "json" }).$type<string[] | null>(),
    /** Centavos that it sends back a day (refunds and returns); null for no limit. */
    refundDailyLimit: integer("refund_daily_limit"),
    /** Centavos of a day that nobody approved, above which a refund waits for somebody else; null for never. */
    refundApprovalAbove: integer("refund_approval_above"),
    /**
     * Limits of each person of a role; null or a missing role means the default.
     * Such as `{"support":{"refundDailyLimit":50000}}`.
     */
    roleLimits: text("role_limits", { mode: "json" }).$type<RefundPolicy["roleLimits"] | null>(),
    /**
     * Settings that were loosened and do not hold yet; null for none.
     * Such as `[{"field":"withdrawApprovalAbove","from":500000,"to":null,"effectiveAt":1795436678999,"by":"app_local_loja"}]`.
     */
    pendingSettings: text("pending_settings", { mode: "json" }).$type<PendingSetting[] | null>(),
    /** When the main PIX key was last changed; null if it never was. */
    mainPixKeySince: integer("main_pix_key_since"),
    /** What is frozen, since when, why and by whom, as its object has it; null while nothing is. */
    freeze: text("freeze", { mode: "json" }).$type<ShownFreeze | null>(),
    /**
     * When it reminds payers by e-mail; null for never.
     * Such as `{"daysBefore":[1],"daysAfter":[3],"quietHours":{"from":20,"to":8}}`.
     */
    reminders: text("reminders", { mode: "json" }).$type<Reminders | null>(),
    /** List of the event types that go to the first webhook endpoint; null for all. */
    webhookEvents: text("webhook_events", { mode: "json" }).$type<EndpointEvent[] | null>(),
    /** The merchant's words for the first webhook endpoint. */
    webhookDescription: text("webhook_description").notNull().default(""),
    /** When the first webhook endpoint was deleted, which stops its open deliveries; null once it has a URL again. */
    webhookDeletedAt: integer("webhook_deleted_at"),
  },
  (table) => [
    /** Those that are frozen, for the operators' list. */
    index("companies_frozen")
      .on(table.id)
      .where(sql`freeze IS NOT NULL`),
    /** The alarm about settings that were loosened. */
    index("companies_pending")
      .on(table.id)
      .where(sql`pending_settings IS NOT NULL`),
  ],
);

/**
 * A company's API clients: a public client id with scopes. The first is created with the company, the others by the
 * merchant.
 */
export const applications = sqliteTable(
  "applications",
  {
    /** `X-Client-Id`. */
    clientId: text("client_id").primaryKey(),
    companyId: integer("company_id").notNull(),
    /** Label. */
    name: text("name").notNull(),
    /** Granted scopes, separated by blanks. */
    scopes: text("scopes").notNull(),
    createdAt: integer("created_at").notNull(),
    /** List of CIDR networks that requests may come from; null for any. Such as `["203.0.113.0/24"]`. */
    networks: text("networks", { mode: "json" }).$type<string[] | null>(),
    /** When it ends; null for none. */
    expiresAt: integer("expires_at"),
    /**
     * Its limits on withdraws: `dailyLimit` (centavos), `pixKeys`, `until`; null for an application that has only its
     * scopes. The column keeps the name of before `spendingLimits`, which code of a release before reads.
     * Such as `{"dailyLimit":500000,"pixKeys":null,"until":null}`.
     */
    spendingLimits: text("mandate", { mode: "json" }).$type<SpendingLimits | null>(),
    /** When it was deleted. The newest deleted ones stay, so that a repeated request finds its own. */
    deletedAt: integer("deleted_at"),
    /** SHA-256 of the request that made it under an `Idempotency-Key`; null without one. */
    requestHash: text("request_hash"),
    /**
     * 1 (`SCOPES_VERSION`): `scopes` lists `withdraws:approve` and `refunds:write`; 0: they follow from older scopes.
     */
    scopesVersion: integer("scopes_version").notNull().default(0),
    /** Centavos that it sends back a day; null for no limit of its own. */
    refundDailyLimit: integer("refund_daily_limit"),
    /** When it got its newest right (`domain/access/standing.ts`); null from the operator and from before. */
    givenAt: integer("given_at"),
    /** Client ids of all through whom it has its rights; null from the operator. */
    givenBy: text("given_by", { mode: "json" }).$type<string[] | null>(),
    /** Limits that were loosened and do not hold yet; null for none. */
    pendingSettings: text("pending_settings", { mode: "json" }).$type<PendingSetting[] | null>(),
  },
  (table) => [
    /** A company's clients, for its migration. */
    index("applications_company").on(table.companyId),
    /** Limits that were loosened, for the alarm. */
    index("applications_pending")
      .on(table.companyId)
      .where(sql`pending_settings IS NOT NULL`),
  ],
);

/**
 * An application's API keys, as SHA-256 only; at most two are active at once. Written by the operator's and the
 * merchant's routes.
 */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    /** Key number. */
    id: integer("id").primaryKey(),
    companyId: integer("company_id").notNull(),
    /** SHA-256, hex. */
    keyHash: text("key_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    /** When it ends, set on replacement. */
    expiresAt: integer("expires_at"),
    /** When it was revoked. */
    revokedAt: integer("revoked_at"),
    /** The application it belongs to. */
    clientId: text("client_id").notNull().default(""),
    /** The first characters of the key, to recognise it by. */
    prefix: text("prefix").notNull().default(""),
    /** Last use, written at most once an hour. */
    lastUsedAt: integer("last_used_at"),
    /** SHA-256 of the `Idempotency-Key` that it was issued under, with its application; null without one. */
    idempotencyHash: text("idempotency_hash"),
    /** Client ids of all through whom it was issued; null for the application itself and the operator. */
    givenBy: text("given_by", { mode: "json" }).$type<string[] | null>(),
  },
  (table) => [
    /** A company's keys. */
    index("api_keys_company").on(table.companyId),
    /** An application's keys, in authentication's query. */
    index("api_keys_client").on(table.clientId),
    /** Each key once. */
    uniqueIndex("api_keys_hash").on(table.keyHash),
    /** One key for each idempotency key. */
    uniqueIndex("api_keys_idempotency")
      .on(table.idempotencyHash)
      .where(sql`idempotency_hash IS NOT NULL`),
  ],
);

/** The clock of each sandbox company whose tester has moved it: `clock_offset_ms` says how far. */
export const companyClocks = sqliteTable(
  "company_clocks",
  {
    companyId: integer("company_id").primaryKey(),
    /** Until when (the company's time) it still runs; null once all that was due by then has run. */
    runsUntil: integer("runs_until"),
    /** The time (the company's) that its last run has answered: none before it can be set. */
    reached: integer("reached").notNull(),
    /** Until when (the platform's time) one request or cron run has it; when the last one ended. */
    leaseUntil: integer("lease_until").notNull(),
  },
  (table) => [
    /** The cron's, longest not looked at first. */
    index("company_clocks_lease").on(table.leaseUntil),
  ],
);
