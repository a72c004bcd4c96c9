import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { PixApiSettings } from "../../domain/psp/psp-settings.ts";
import { PROVIDER_NAMES } from "../../domain/charges/transaction.ts";

/**
 * The current PSP account of a live company, and the start of its reconciliation. Written by the operator's routes; the
 * cron ends `list_at` when it has created the rows of `reconciliation_passes`.
 */
export const companyProviders = sqliteTable(
  "company_providers",
  {
    companyId: integer("company_id").notNull(),
    /** `PixApi`. */
    provider: text("provider", { enum: PROVIDER_NAMES }).notNull(),
    /** URLs, client id, PIX key, certificate binding (docs/providers.md). */
    settings: text("settings", { mode: "json" }).$type<PixApiSettings>().notNull(),
    /** Name of the PSP account; tells the company's accounts at its PSPs apart. */
    account: text("account").notNull().default("first"),
    /**
     * Client secret and callback token, AES-256-GCM under the Worker secret `SECRETS_KEY`, bound to company and
     * settings (`PixApiSecrets`).
     */
    sealed: text("sealed").notNull(),
    /** SHA-256 of the callback URL's token, which authenticates callbacks. */
    callbackTokenHash: text("callback_token_hash").notNull(),
    /** SHA-256 of the token before a rotation; null if none. */
    previousCallbackTokenHash: text("previous_callback_token_hash"),
    /** Until when the token before a rotation still counts; null if none. */
    previousCallbackTokenUntil: integer("previous_callback_token_until"),
    /** Where the account's passes start: older payments are already booked. */
    reconciledUntil: integer("listed_until").notNull(),
    /** When the cron creates the account's passes; the far future once it has. */
    nextRunAt: integer("list_at").notNull(),
    /** Milliseconds of a list that the newest pass reads in one run. */
    windowMs: integer("list_window").notNull(),
    /** When it was configured; earlier payments are not listed. */
    createdAt: integer("created_at").notNull(),
    /** Last change of settings. */
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    /** Read with the company. */
    primaryKey({ columns: [table.companyId, table.provider] }),
    /** A PIX key belongs to one account, so that no payment is credited to two companies. */
    uniqueIndex("company_providers_key").on(sql`json_extract(settings, '$.pixKey')`),
    /** Next company to reconcile. */
    index("company_providers_due").on(table.nextRunAt),
    /** Companies that share a client of their PSP's API. */
    index("company_providers_client").on(sql`json_extract(settings, '$.clientId')`),
  ],
);

/**
 * PSP accounts that a company has replaced or disconnected (decision 0034). Their payments are still queried and
 * refunded there. A disconnected one has no secrets; its row says which account the older payments belong to.
 */
export const formerAccounts = sqliteTable(
  "former_accounts",
  {
    companyId: integer("company_id").notNull(),
    /** As in `company_providers`. */
    account: text("account").notNull(),
    /** `PixApi`. */
    provider: text("provider", { enum: PROVIDER_NAMES }).notNull(),
    /**
     * As in `company_providers`.
     * Such as `{"baseUrl":"https://pix.example.com/v2","pixKey":"7d9f0335-8dcc-4054-9bf9-0dbd61d36906"}`.
     */
    settings: text("settings", { mode: "json" }).$type<PixApiSettings>().notNull(),
    /** Its secrets, as in `company_providers`; `""` once disconnected. */
    sealed: text("sealed").notNull(),
    /** Accepts its callbacks, as in `company_providers`; `""` once disconnected. */
    callbackTokenHash: text("callback_token_hash").notNull(),
    /** When it was configured. */
    createdAt: integer("created_at").notNull(),
    /** When it was replaced or disconnected. */
    leftAt: integer("left_at").notNull(),
  },
  (table) => [
    /** The account that took a payment. */
    primaryKey({ columns: [table.companyId, table.account] }),
    /** Reserves its PIX key: a late payment to it must not be credited to another company. */
    index("former_accounts_key").on(sql`json_extract(settings, '$.pixKey')`),
    /** A company's former accounts, newest first. */
    index("former_accounts_left").on(table.companyId, table.leftAt),
    /** As `company_providers_client`. */
    index("former_accounts_client").on(sql`json_extract(settings, '$.clientId')`),
  ],
);
