import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { PaymentMethod } from "../../domain/charges/charge-status.ts";
import type { Fee, FeeKind } from "../../domain/ledger/fees.ts";
import type { WebhookChaos } from "../../domain/events/webhook-chaos.ts";

/** A sealed webhook secret and the time (Unix milliseconds) until which it still signs. */
export interface RetiredSecret {
  sealed: string;
  until: number;
}

/** A merchant. The operator writes it; everything else reads it. */
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
  /** What the operator agreed with the company; null for the default, parts left out as well. */
  fees: text("fees", { mode: "json" }).$type<Partial<Record<FeeKind, Partial<Fee>>> | null>(),
  releaseDays: text("release_days", { mode: "json" }).$type<Partial<
    Record<PaymentMethod, number>
  > | null>(),
  /** Centavos; null for the contract's minimum. */
  minimumWithdraw: integer("minimum_withdraw"),
  /** AES-256-GCM under the Worker secret `SECRETS_KEY`, bound to `providerCompanyId`. */
  webhookSecretSealed: text("webhook_secret_sealed").notNull(),
  /** Secrets that were rotated out and still sign until their time is up; null where none was. */
  webhookSecretsPrevious: text("webhook_secrets_previous", { mode: "json" }).$type<
    RetiredSecret[] | null
  >(),
  /** A sandbox company's wish to have its webhooks delivered with hostility; null for none. */
  webhookChaos: text("webhook_chaos", { mode: "json" }).$type<WebhookChaos | null>(),
  /**
   * Rises with every change of what authentication reads of the company: triggers see to it
   * (decision 0022), so nothing in src writes it.
   */
  credentialsVersion: integer("credentials_version").notNull().default(0),
  createdAt: integer("created_at").notNull(),
  /** Why no new charge is begun, a bit for each (`STOP_REASON_BITS`): its object or its database is full; else 0. */
  chargesStopped: integer("charges_stopped").notNull().default(0),
});

/** A company's program, with a public client id and its scopes. */
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
  // For the mover of a company, which asks for what is its own.
  (table) => [index("applications_company").on(table.companyId)],
);

/** A company's secrets, as SHA-256 only. At most two are active at once. */
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
