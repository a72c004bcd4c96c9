import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { PixApiSettings } from "../../domain/shared/pix-api.ts";
import { PROVIDER_NAMES } from "../../domain/charges/transaction.ts";

/** Which provider a live company has, and how far its payments were reconciled. */
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
    /** SHA-256 of the callback token, by which a callback is let in. */
    callbackTokenHash: text("callback_token_hash").notNull(),
    /** All payments up to this moment were listed and booked. */
    reconciledUntil: integer("listed_until").notNull(),
    /** When the next ones are listed, and how many milliseconds of them in one go. */
    nextRunAt: integer("list_at").notNull(),
    windowMs: integer("list_window").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.provider] }),
    // A key is of one account: what comes to it must not be credited to two companies.
    uniqueIndex("company_providers_key").on(sql`json_extract(settings, '$.pixKey')`),
    index("company_providers_due").on(table.nextRunAt),
  ],
);

/**
 * Accounts that a company has left: what they took is asked about and given back there. One that was
 * disconnected has no secrets any more; its row says which account the payments of before belong to.
 */
export const formerAccounts = sqliteTable(
  "former_accounts",
  {
    companyId: integer("company_id").notNull(),
    account: text("account").notNull(),
    provider: text("provider", { enum: PROVIDER_NAMES }).notNull(),
    settings: text("settings", { mode: "json" }).$type<PixApiSettings>().notNull(),
    /** Sealed as in `company_providers`; `""` once it is disconnected. */
    sealed: text("sealed").notNull(),
    /** As in `company_providers`; `""` once it is disconnected. */
    callbackTokenHash: text("callback_token_hash").notNull(),
    createdAt: integer("created_at").notNull(),
    leftAt: integer("left_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.account] }),
    // What still comes to a key of before must not be credited to another company.
    index("former_accounts_key").on(sql`json_extract(settings, '$.pixKey')`),
    index("former_accounts_left").on(table.companyId, table.leftAt),
  ],
);
