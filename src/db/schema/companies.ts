import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { Fee, FeeKind } from "../../domain/ledger/fees.ts";
import type { WebhookChaos } from "../../domain/events/webhook-chaos.ts";

/** A sealed webhook secret and the time (Unix milliseconds) until which it still signs. */
export interface RetiredSecret {
  sealed: string;
  until: number;
}

/** A merchant, its settings and its terms. */
export const companies = sqliteTable("companies", {
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
});

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
  },
  // A tenant migration reads the rows of one company.
  (table) => [index("applications_company").on(table.companyId)],
);

/** A company's API keys, as SHA-256 only. At most two are active at once. */
export const apiKeys = sqliteTable(
  "api_keys",
  {
    id: integer("id").primaryKey(),
    companyId: integer("company_id").notNull(),
    keyHash: text("key_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at"),
    revokedAt: integer("revoked_at"),
  },
  (table) => [
    index("api_keys_company").on(table.companyId),
    uniqueIndex("api_keys_hash").on(table.keyHash),
  ],
);
