import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ERASURE_REASONS } from "../../domain/charges/payer-erasure.ts";
import type { CardConsent } from "../../domain/cards/saved-card.ts";
import type { Card } from "../../domain/charges/payment-details.ts";

/**
 * Requests to erase a payer (`POST /api/v1/payers/erase`) whose charges are not all in `payer_erasures` yet. Written by
 * the request; the cron goes on, and deletes the row with the last charge.
 */
export const payerErasureRequests = sqliteTable(
  "payer_erasure_requests",
  {
    companyId: integer("company_id").notNull(),
    /** The payer, as in `transactions`. */
    leadKey: text("lead_key").notNull(),
    /** Its charges up to this `seq` are in `payer_erasures`. */
    afterSeq: integer("after_seq").notNull(),
    /** The company's newest charge at the request: later ones stay. */
    upToSeq: integer("up_to_seq").notNull(),
    /** When it was requested. */
    requestedAt: integer("requested_at").notNull(),
  },
  (table) => [
    /** A repeated request. */
    primaryKey({ columns: [table.companyId, table.leadKey] }),
  ],
);

/**
 * How far the cron has put the charges of a company with `retention_days` into `payer_erasures`. The trigger
 * `companies_retention` makes the row with the first setting; the cron deletes it when the setting is taken back.
 */
export const payerRetention = sqliteTable(
  "payer_retention",
  {
    companyId: integer("company_id").primaryKey(),
    /** Charges up to this one are in line. */
    afterSeq: integer("after_seq").notNull(),
    /** The next look at the charges after it. */
    nextRunAt: integer("next_run_at").notNull(),
  },
  (table) => [
    /** Companies to look at. */
    index("payer_retention_due").on(table.nextRunAt),
  ],
);

/**
 * Charges whose payer's data the cron erases: all of a request, and those made `retention_days` ago. A charge that has
 * not ended waits. Each is erased twice, ten minutes apart, so that a delivery or a drain in flight at the first time
 * brings nothing back; then its row goes.
 */
export const payerErasures = sqliteTable(
  "payer_erasures",
  {
    companyId: integer("company_id").notNull(),
    /** The charge. */
    seq: integer("seq").notNull(),
    /** `request` or `retention`. */
    reason: text("reason", { enum: ERASURE_REASONS }).notNull(),
    /** The next look. */
    dueAt: integer("due_at").notNull(),
    /** When they were erased the first time; null before. */
    erasedAt: integer("erased_at"),
  },
  (table) => [
    /** One row for each charge. */
    primaryKey({ columns: [table.companyId, table.seq] }),
    /** Due rows. */
    index("payer_erasures_due").on(table.dueAt),
  ],
);

/** Cards that payers let a company keep for later charges: what the house gave for them, never a number. */
export const savedCards = sqliteTable(
  "saved_cards",
  {
    companyId: integer("company_id").notNull(),
    /** `card.savedCardId`: `card_` and the transaction UUID without hyphens, of the charge that saved it. */
    id: text("id").notNull(),
    /** The account at the house, which alone can charge it. */
    account: text("account").notNull(),
    /** The payer's UUID, as a transaction's answer names its customer. */
    customer: text("customer").notNull(),
    /** The payer's keyed hash, by which it is erased. */
    leadKey: text("lead_key").notNull(),
    /** What the house gave, sealed; null until it has charged the card. */
    sealed: text("sealed"),
    /**
     * The storable part of the card; null likewise.
     * Such as `{"brand":"visa","firstDigits":"424242","lastDigits":"4242"}`.
     */
    card: text("card", { mode: "json" }).$type<Card | null>(),
    /**
     * The payer's consent.
     * Such as `{"at":1764417600000,"textVersion":"1","by":{"kind":"application","id":"app_1","name":"Loja"},"address":null}`.
     */
    consent: text("consent", { mode: "json" }).$type<CardConsent>().notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    /** A payer's cards, in the order of the list. */
    index("saved_cards_customer").on(table.companyId, table.customer, table.createdAt),
    /** Those to erase. */
    index("saved_cards_lead").on(table.companyId, table.leadKey),
  ],
);

/**
 * Deleted saved cards that the house may still keep. The cron has the house delete each (`delete_cards`); then its row goes.
 * Of the payer it has a number only.
 */
export const cardDeletions = sqliteTable(
  "card_deletions",
  {
    companyId: integer("company_id").notNull(),
    /** As in `saved_cards`. */
    id: text("id").notNull(),
    /** The account whose house keeps it. */
    account: text("account").notNull(),
    /** As in `saved_cards`: the payer's cards that are still saved may be the same one at the house. */
    customer: text("customer").notNull(),
    /** As in `saved_cards`; `""` while the charge of an erased payer's card is on its way. */
    sealed: text("sealed").notNull(),
    createdAt: integer("created_at").notNull(),
    /** When the house is asked next. */
    nextRunAt: integer("next_run_at").notNull(),
    /** As in `saved_cards`: an erased payer who comes back is another customer. Null for one from before it was stored. */
    leadKey: text("lead_key"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    /** Due rows. */
    index("card_deletions_due").on(table.nextRunAt),
  ],
);
