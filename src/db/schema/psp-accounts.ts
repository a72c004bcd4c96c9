import { and, eq, getTableColumns, notExists, sql } from "drizzle-orm";
import {
  alias,
  index,
  integer,
  primaryKey,
  sqliteTable,
  sqliteView,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import {
  ACCOUNT_STATES,
  type AccountConditions,
  type AccountConnection,
  type AccountMethod,
  type AccountState,
} from "../../domain/psp/psp-account.ts";
import type { PixApiSettings } from "../../domain/psp/psp-settings.ts";
import { PROVIDER_NAMES } from "../../domain/charges/transaction.ts";

/** The accounts of live companies at PSPs. Triggers raise `companies.credentials_version` with each change. */
export const pspAccounts = sqliteTable(
  "psp_accounts",
  {
    companyId: integer("company_id").notNull(),
    /** Its id within the company, which charges, payments, refunds and payouts name. */
    account: text("account").notNull(),
    /** `PixApi`, `EfiCobrancas` or `PagarMe`. */
    provider: text("provider", { enum: PROVIDER_NAMES }).notNull(),
    /**
     * What its provider needs: URLs, client id, PIX key, certificate binding (docs/providers.md).
     * Such as `{"baseUrl":"https://pix.example.com/v2","pixKey":"7d9f0335-8dcc-4054-9bf9-0dbd61d36906"}`.
     */
    settings: text("settings", { mode: "json" }).$type<AccountConnection["settings"]>().notNull(),
    /**
     * Client secret and callback token, AES-256-GCM under the Worker secret `SECRETS_KEY`, bound to company and
     * settings; `""` once disconnected.
     */
    sealed: text("sealed").notNull(),
    /** SHA-256 of the callback URL's token, which authenticates callbacks; `""` once disconnected. */
    callbackTokenHash: text("callback_token_hash").notNull(),
    /** SHA-256 of the token before a rotation; null if none. */
    previousCallbackTokenHash: text("previous_callback_token_hash"),
    /** Until when the token before a rotation still counts; null if none. */
    previousCallbackTokenUntil: integer("previous_callback_token_until"),
    /** What it carries. Such as `["PIX","PAYOUT"]`. */
    methods: text("methods", { mode: "json" }).$type<AccountMethod[]>().notNull(),
    /** Its place among the accounts of a method: the lowest first. */
    priority: integer("priority").notNull(),
    /** When it takes new charges. Such as `{"amountTo":50000}`. */
    conditions: text("conditions", { mode: "json" }).$type<AccountConditions>().notNull(),
    /** active, draining, left or disconnected. */
    state: text("state", { enum: ACCOUNT_STATES }).notNull(),
    /** Where its passes start: older payments are already booked. */
    reconciledUntil: integer("listed_until").notNull(),
    /** When the cron creates its passes; the far future once it has. */
    nextRunAt: integer("list_at").notNull(),
    /** Milliseconds of a list that the newest pass reads in one run. */
    windowMs: integer("list_window").notNull(),
    /** When it was configured; earlier payments are not listed. */
    createdAt: integer("created_at").notNull(),
    /** Last change of settings. */
    updatedAt: integer("updated_at").notNull(),
    /** When it was replaced or disconnected; null if it is connected. */
    leftAt: integer("left_at"),
  },
  (table) => [
    /** Read with the company. */
    primaryKey({ columns: [table.companyId, table.account] }),
    /** Next account whose passes are to be made. */
    index("psp_accounts_due").on(table.nextRunAt),
    /** Whose PIX key it is: no payment is credited to two companies. */
    index("psp_accounts_key").on(sql`json_extract(settings, '$.pixKey')`),
    /** Companies that share a client of their PSP's API. */
    index("psp_accounts_client").on(sql`json_extract(settings, '$.clientId')`),
    /** Whose account at Efí it is: no payment is credited to two companies. */
    index("psp_accounts_payee").on(sql`settings ->> 'payeeCode'`),
    /** Whose account at Pagar.me it is, likewise. */
    index("psp_accounts_public_key").on(sql`settings ->> 'publicKey'`),
    /** The same by its id there, which outlives its keys. */
    index("psp_accounts_house_id").on(sql`settings ->> 'accountId'`),
  ],
);

/** `list_at` of an account whose passes were created. */
export const PASSES_CREATED = Number.MAX_SAFE_INTEGER;

/**
 * The account that a live company had before `psp_accounts`, into which the first change or a daily pass carries it over. Code of
 * before still reads it.
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

/** The accounts that a company had left before `psp_accounts`, as `company_providers`. */
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

/** What an account over the Pix API carried before accounts had methods. */
export const OLD_METHODS = sql.raw(
  `CASE WHEN settings ->> 'payouts' IS NULL THEN '["PIX"]' ELSE '["PIX","PAYOUT"]' END`,
);

const carried = alias(pspAccounts, "carried");

/**
 * All accounts: those of `psp_accounts`, and of `company_providers` and `former_accounts` those that were not carried
 * over yet.
 */
export const companyAccounts = sqliteView("company_accounts").as((query) => {
  const isNotCarried = (old: typeof companyProviders | typeof formerAccounts) =>
    notExists(
      query
        .select({ account: carried.account })
        .from(carried)
        .where(and(eq(carried.companyId, old.companyId), eq(carried.account, old.account))),
    );
  const ofBefore = {
    methods: sql<AccountMethod[]>`${OLD_METHODS}`.as("methods"),
    priority: sql<number>`1`.as("priority"),
    conditions: sql<AccountConditions>`'{}'`.as("conditions"),
  };
  const { previousCallbackTokenHash, previousCallbackTokenUntil } = companyProviders;
  const connected = query
    .select({
      companyId: companyProviders.companyId,
      account: companyProviders.account,
      provider: companyProviders.provider,
      settings: companyProviders.settings,
      sealed: companyProviders.sealed,
      callbackTokenHash: companyProviders.callbackTokenHash,
      previousCallbackTokenHash,
      previousCallbackTokenUntil,
      ...ofBefore,
      state: sql<AccountState>`'active'`.as("state"),
      reconciledUntil: companyProviders.reconciledUntil,
      nextRunAt: companyProviders.nextRunAt,
      windowMs: companyProviders.windowMs,
      createdAt: companyProviders.createdAt,
      updatedAt: companyProviders.updatedAt,
      leftAt: sql<number | null>`NULL`.as("left_at"),
    })
    .from(companyProviders)
    .where(isNotCarried(companyProviders));
  const left = query
    .select({
      companyId: formerAccounts.companyId,
      account: formerAccounts.account,
      provider: formerAccounts.provider,
      settings: formerAccounts.settings,
      sealed: formerAccounts.sealed,
      callbackTokenHash: formerAccounts.callbackTokenHash,
      previousCallbackTokenHash: sql<string | null>`NULL`.as("previous_callback_token_hash"),
      previousCallbackTokenUntil: sql<number | null>`NULL`.as("previous_callback_token_until"),
      ...ofBefore,
      state: sql<AccountState>`CASE sealed WHEN '' THEN 'disconnected' ELSE 'left' END`.as("state"),
      reconciledUntil: formerAccounts.createdAt,
      nextRunAt: sql<number>`${sql.raw(String(PASSES_CREATED))}`.as("list_at"),
      windowMs: sql<number>`0`.as("list_window"),
      createdAt: formerAccounts.createdAt,
      updatedAt: formerAccounts.leftAt,
      leftAt: formerAccounts.leftAt,
    })
    .from(formerAccounts)
    .where(isNotCarried(formerAccounts));
  return query
    .select(getTableColumns(pspAccounts))
    .from(pspAccounts)
    .unionAll(connected)
    .unionAll(left);
});

/**
 * What adapters of providers remember of charges and refunds between two calls: the ids that the provider gave, and
 * what was sent to it (`ProviderRefs`). Only providers that do not know our ids have rows. Those from `bound:` on name
 * creates without an answer that no other account is asked for any more.
 */
export const providerRefs = sqliteTable(
  "provider_refs",
  {
    companyId: integer("company_id").notNull(),
    /** The company's account at the provider. */
    account: text("account").notNull(),
    /** Our id, as the provider sees it: transaction or operation UUID without hyphens. */
    id: text("id").notNull(),
    /**
     * The adapter's own words, such as ids of the provider.
     * Such as `{"chargeId":44712345}`.
     */
    ref: text("ref", { mode: "json" }).$type<object>().notNull(),
    /** When it was first saved. */
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    /** One for each charge or refund. */
    primaryKey({ columns: [table.companyId, table.account, table.id] }),
  ],
);
