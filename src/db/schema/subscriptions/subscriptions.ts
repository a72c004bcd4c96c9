import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import {
  CYCLE_STATUSES,
  type CycleDebit,
  type CycleRecovery,
  type SubscriptionCustomer,
  type SubscriptionMandate,
  type SubscriptionTerms,
} from "../../../domain/subscriptions/records.ts";
import type { Dunning } from "../../../domain/subscriptions/subscription.ts";
import {
  SUBSCRIPTION_STATUSES,
  type DebitAttempt,
} from "../../../domain/subscriptions/subscription.ts";

/** Subscriptions (Pix Automático): projection of the object's. Writer: the drain. */
export const subscriptions = sqliteTable(
  "subscriptions",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the company, from 1. */
    number: integer("number").notNull(),
    /** Public id; without hyphens the contract of its mandate. */
    id: text("id").notNull(),
    /** Merchant's number. */
    externalRef: text("external_ref").notNull(),
    /** See docs/states.md. */
    status: text("status", { enum: SUBSCRIPTION_STATUSES }).notNull(),
    /** What is sold. */
    description: text("description").notNull(),
    /** Who is debited: name, document, e-mail, town; empty texts once erased. */
    customer: text("customer", { mode: "json" }).$type<SubscriptionCustomer>().notNull(),
    /** Amount (centavos), period, days, journey, retries; never changes. */
    terms: text("terms", { mode: "json" }).$type<SubscriptionTerms>().notNull(),
    /** Centavos of the next cycles. */
    amount: integer("amount").notNull(),
    /** Account at the provider that has the mandate. */
    account: text("account").notNull(),
    /** The mandate as the provider told of it. */
    mandate: text("mandate", { mode: "json" }).$type<SubscriptionMandate>().notNull(),
    /** The cycle that is opened next, from 1. */
    nextCycle: integer("next_cycle").notNull(),
    /** When nobody can approve it any more. */
    approvalExpiresAt: integer("approval_expires_at").notNull(),
    /** Merchant's text; null for none. */
    metadata: text("metadata"),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** Grows with each change of it or of a cycle; an older one is not written. */
    version: integer("version").notNull(),
    /** Random half of its `secureId`; empty in those older than it. */
    secureRandom: text("secure_random").notNull().default(""),
    /** What is done about cycles that stay unpaid; null for nothing. */
    dunning: text("dunning", { mode: "json" }).$type<Dunning>(),
  },
  (table) => [
    /** List. */
    primaryKey({ columns: [table.companyId, table.number] }),
    /** Get. */
    uniqueIndex("subscriptions_id").on(table.companyId, table.id),
    /** The list by status. */
    index("subscriptions_status").on(table.companyId, table.status, table.number),
  ],
);

/** Cycles of subscriptions, once they are opened: projection of the object's. Writer: the drain. */
export const subscriptionCycles = sqliteTable(
  "subscription_cycles",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the company, from 1. */
    number: integer("number").notNull(),
    /** Its subscription. */
    subscriptionId: text("subscription_id").notNull(),
    /** Its place in the subscription, from 1. */
    cycle: integer("cycle").notNull(),
    /** `YYYY-MM-DD`. */
    dueDate: text("due_date").notNull(),
    /** Centavos. */
    amount: integer("amount").notNull(),
    /** `open`, `paid`, `failed`, `cancelled` or `skipped`. */
    status: text("status", { enum: CYCLE_STATUSES }).notNull(),
    /** Its charge. */
    transactionId: text("transaction_id").notNull(),
    /** The debit as the provider told of it, and what was ordered. */
    debit: text("debit", { mode: "json" }).$type<CycleDebit>().notNull(),
    /** Attempts to debit it, oldest first. */
    attempts: text("attempts", { mode: "json" }).$type<DebitAttempt[]>().notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** Grows with each change; an older one is not written. */
    version: integer("version").notNull(),
    /** What it is paid by beside its debit; null without. */
    recovery: text("recovery", { mode: "json" }).$type<CycleRecovery>(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.number] }),
    /** The cycles of a subscription. */
    uniqueIndex("subscription_cycles_cycle").on(table.companyId, table.subscriptionId, table.cycle),
    /** The cycle of a charge. */
    uniqueIndex("subscription_cycles_transaction").on(table.companyId, table.transactionId),
    /** Those with a failed attempt, for what is recovered. */
    index("subscription_cycles_failed")
      .on(table.companyId, table.dueDate)
      .where(sql`instr(attempts, '"failed"') > 0`),
  ],
);

/**
 * The payers of subscriptions that are not erased. Triggers of `subscriptions` keep it, whoever writes that.
 */
export const subscriptionPayers = sqliteTable(
  "subscription_payers",
  {
    companyId: integer("company_id").notNull(),
    /** As in `subscriptions`. */
    number: integer("number").notNull(),
    /** The payer, as in `transactions`. */
    leadKey: text("lead_key").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.number] }),
    /** A payer's subscriptions. */
    index("subscription_payers_lead").on(table.companyId, table.leadKey, table.number),
  ],
);
