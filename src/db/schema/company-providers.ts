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

/** The current PSP account of a live company. */
export const companyProviders = sqliteTable(
  "company_providers",
  {
    companyId: integer("company_id").notNull(),
    provider: text("provider", { enum: PROVIDER_NAMES }).notNull(),
    settings: text("settings", { mode: "json" }).$type<PixApiSettings>().notNull(),
    /** Tells the company's accounts at its PSPs apart. */
    account: text("account").notNull().default("first"),
    /** AES-256-GCM under the Worker secret `SECRETS_KEY`, bound to the company (`PixApiSecrets`). */
    sealed: text("sealed").notNull(),
    /** SHA-256 of the token that authenticates callbacks. */
    callbackTokenHash: text("callback_token_hash").notNull(),
    /** The token before a rotation, and until when it still counts (Unix milliseconds); null if none. */
    previousCallbackTokenHash: text("previous_callback_token_hash"),
    previousCallbackTokenUntil: integer("previous_callback_token_until"),
    /** Where the account's passes start: older payments are already booked. Unix milliseconds. */
    reconciledUntil: integer("listed_until").notNull(),
    /** When the cron creates the account's passes; the far future once it has. */
    nextRunAt: integer("list_at").notNull(),
    /** Milliseconds of a list that the newest pass reads in one run. */
    windowMs: integer("list_window").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.provider] }),
    // A PIX key belongs to one account, so that no payment is credited to two companies.
    uniqueIndex("company_providers_key").on(sql`json_extract(settings, '$.pixKey')`),
    index("company_providers_due").on(table.nextRunAt),
    // Companies that share a client of their PSP's API.
    index("company_providers_client").on(sql`json_extract(settings, '$.clientId')`),
  ],
);

/**
 * Accounts that a company has left. Their payments are still queried and refunded there. A disconnected
 * one has no secrets; its row says which account the older payments belong to.
 */
export const formerAccounts = sqliteTable(
  "former_accounts",
  {
    companyId: integer("company_id").notNull(),
    account: text("account").notNull(),
    provider: text("provider", { enum: PROVIDER_NAMES }).notNull(),
    settings: text("settings", { mode: "json" }).$type<PixApiSettings>().notNull(),
    /** As in `company_providers`; `""` once disconnected. */
    sealed: text("sealed").notNull(),
    /** As in `company_providers`; `""` once disconnected. */
    callbackTokenHash: text("callback_token_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    leftAt: integer("left_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.account] }),
    // A late payment to a former key must not be credited to another company.
    index("former_accounts_key").on(sql`json_extract(settings, '$.pixKey')`),
    index("former_accounts_left").on(table.companyId, table.leftAt),
    index("former_accounts_client").on(sql`json_extract(settings, '$.clientId')`),
  ],
);
