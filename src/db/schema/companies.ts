import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { ShownFreeze } from "../../domain/access/freeze.ts";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { Fee, FeeKind } from "../../domain/ledger/fees.ts";
import type { Mandate } from "../../domain/withdraws/mandate.ts";
import type { RefundPolicy } from "../../domain/exits/refund-policy.ts";
import type { PendingSetting } from "../../domain/access/pending-setting.ts";
import type { UnexpectedPaymentRules } from "../../domain/charges/unexpected-payment.ts";
import type { Brand } from "../../domain/shared/company.ts";
import type { WebhookChaos } from "../../domain/events/webhook-chaos.ts";

/** A sealed webhook secret and the time (Unix milliseconds) until which it still signs. */
export interface RetiredSecret {
  sealed: string;
  until: number;
}

/** A merchant, its settings and its terms. */
export const companies = sqliteTable(
  "companies",
  {
    id: integer("id").primaryKey(),
    name: text("name").notNull(),
    mode: text("mode", { enum: ["sandbox", "live"] }).notNull(),
    providerCompanyId: text("provider_company_id").notNull(),
    mainPixKey: text("main_pix_key"),
    mainPixKeyType: text("main_pix_key_type", { enum: ["CPF", "CNPJ", "EMAIL", "PHONE", "EVP"] }),
    bankDocument: text("bank_document").notNull().default(""),
    webhookUrl: text("webhook_url").notNull().default(""),
    duplicateWithdrawGuard: integer("duplicate_withdraw_guard", { mode: "boolean" })
      .notNull()
      .default(false),
    /** Centavos a day; null for no limit. */
    withdrawDailyLimit: integer("withdraw_daily_limit"),
    /** Centavos a night, 20:00 to 06:00 in America/Sao_Paulo; null for no limit. */
    withdrawNightLimit: integer("withdraw_night_limit"),
    /** Centavos a day to one PIX key; null for no limit. */
    withdrawKeyDailyLimit: integer("withdraw_key_daily_limit"),
    /** Centavos above which a withdraw waits for a second person; null for never. */
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
    /** The agreed terms; null or a missing part means the default. */
    fees: text("fees", { mode: "json" }).$type<Partial<Record<FeeKind, Partial<Fee>>> | null>(),
    releaseDays: text("release_days", { mode: "json" }).$type<Partial<
      Record<PaymentMethod, number>
    > | null>(),
    /** Centavos; null for the API's minimum. */
    minimumWithdraw: integer("minimum_withdraw"),
    /** AES-256-GCM under the Worker secret `SECRETS_KEY`, bound to `providerCompanyId`. */
    webhookSecretSealed: text("webhook_secret_sealed").notNull(),
    /** Secrets that were rotated out, with the time until which they still sign; null if none. */
    webhookSecretsPrevious: text("webhook_secrets_previous", { mode: "json" }).$type<
      RetiredSecret[] | null
    >(),
    /** The random key of the company's keyed hashes of payers, sealed; null before the first. */
    leadKeySealed: text("lead_key_sealed"),
    /** The webhook chaos that a sandbox company asked for; null for none. */
    webhookChaos: text("webhook_chaos", { mode: "json" }).$type<WebhookChaos | null>(),
    /**
     * Rises with every change of the company's row, applications, keys and PSP, by triggers (decision
     * 0022). Code only raises it further, to make earlier reads stale.
     */
    credentialsVersion: integer("credentials_version").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    /** Why the company may not create charges: a sum of `STOP_REASON_BITS`; 0 if it may. */
    chargesStopped: integer("charges_stopped").notNull().default(0),
    /** The company's part of the usual `QUOTAS`. */
    quotaPercent: integer("quota_percent").notNull().default(100),
    /** When an operator closed the company; null while it is open. */
    closedAt: integer("closed_at"),
    /** How its payers see it; null or a missing part means the default. */
    brand: text("brand", { mode: "json" }).$type<Partial<Brand> | null>(),
    /** Origins whose pages may frame its checkout; null for none. */
    embedOrigins: text("embed_origins", { mode: "json" }).$type<string[] | null>(),
    /** Centavos that it sends back a day (refunds and returns); null for no limit. */
    refundDailyLimit: integer("refund_daily_limit"),
    /** Centavos of a day that nobody approved, above which a refund waits for somebody else; null for never. */
    refundApprovalAbove: integer("refund_approval_above"),
    /** Limits of each person of a role; null or a missing role means the default. */
    roleLimits: text("role_limits", { mode: "json" }).$type<RefundPolicy["roleLimits"] | null>(),
    /** Settings that were loosened and do not hold yet; null for none. */
    pendingSettings: text("pending_settings", { mode: "json" }).$type<PendingSetting[] | null>(),
    /** When the main PIX key was last changed; null if it never was. */
    mainPixKeySince: integer("main_pix_key_since"),
    /** Its freeze, as its object has it; null while it is not frozen. */
    freeze: text("freeze", { mode: "json" }).$type<ShownFreeze | null>(),
  },
  // The alarm about what was loosened, and the list of frozen companies.
  (table) => [
    index("companies_frozen")
      .on(table.id)
      .where(sql`freeze IS NOT NULL`),
    index("companies_pending")
      .on(table.id)
      .where(sql`pending_settings IS NOT NULL`),
  ],
);

/** A company's API client: a public client id with scopes. */
export const applications = sqliteTable(
  "applications",
  {
    clientId: text("client_id").primaryKey(),
    companyId: integer("company_id").notNull(),
    name: text("name").notNull(),
    /** Space separated. */
    scopes: text("scopes").notNull(),
    createdAt: integer("created_at").notNull(),
    /** CIDR networks that requests may come from; null for any. */
    networks: text("networks", { mode: "json" }).$type<string[] | null>(),
    expiresAt: integer("expires_at"),
    /** Null for an application that has only its scopes. */
    mandate: text("mandate", { mode: "json" }).$type<Mandate | null>(),
    /** The newest deleted applications stay, so that a repeated request finds its own. */
    deletedAt: integer("deleted_at"),
    /** SHA-256 of the request that made it under an `Idempotency-Key`; null without one. */
    requestHash: text("request_hash"),
    /** The list of scopes that `scopes` was written for (`SCOPES_VERSION`). */
    scopesVersion: integer("scopes_version").notNull().default(0),
    /** Centavos that it sends back a day; null for no limit of its own. */
    refundDailyLimit: integer("refund_daily_limit"),
    /** When it got its newest right, and from whom (`domain/access/standing.ts`); null from the operator. */
    givenAt: integer("given_at"),
    givenBy: text("given_by", { mode: "json" }).$type<string[] | null>(),
    /** Limits that were loosened and do not hold yet; null for none. */
    pendingSettings: text("pending_settings", { mode: "json" }).$type<PendingSetting[] | null>(),
  },
  // A tenant migration reads the rows of one company.
  (table) => [
    index("applications_company").on(table.companyId),
    index("applications_pending")
      .on(table.companyId)
      .where(sql`pending_settings IS NOT NULL`),
  ],
);

/** An application's API keys, as SHA-256 only. At most two are active at once. */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: integer("id").primaryKey(),
    companyId: integer("company_id").notNull(),
    keyHash: text("key_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at"),
    revokedAt: integer("revoked_at"),
    /** The application it belongs to. */
    clientId: text("client_id").notNull().default(""),
    /** The first characters of the key, to recognise it by. */
    prefix: text("prefix").notNull().default(""),
    /** Written at most once an hour. */
    lastUsedAt: integer("last_used_at"),
    /** SHA-256 of the `Idempotency-Key` that it was issued under, with its application; null without one. */
    idempotencyHash: text("idempotency_hash"),
    /** Who issued it, with the chain of their own rights; null for the application itself and the operator. */
    givenBy: text("given_by", { mode: "json" }).$type<string[] | null>(),
  },
  (table) => [
    index("api_keys_company").on(table.companyId),
    index("api_keys_client").on(table.clientId),
    uniqueIndex("api_keys_hash").on(table.keyHash),
    uniqueIndex("api_keys_idempotency")
      .on(table.idempotencyHash)
      .where(sql`idempotency_hash IS NOT NULL`),
  ],
);
