import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { MandateEndReason } from "../../../domain/subscriptions/debit-codes.ts";
import { DEBIT_OUTCOMES } from "../../../domain/subscriptions/debit-outcome.ts";
import type { SubscriptionTerms } from "../../../domain/subscriptions/records.ts";
import type { DebitAttempt } from "../../../domain/subscriptions/subscription.ts";

/** Mandates at the sandbox's bank. */
export const sandboxMandates = sqliteTable(
  "sandbox_mandates",
  {
    /** As a PSP's `idRec` (BACEN). */
    mandateId: text("mandate_id").primaryKey(),
    /** Its contract: the subscription's id without hyphens. */
    contract: text("contract").notNull(),
    /** `created`, `approved`, `rejected` or `cancelled`. */
    status: text("status", { enum: ["created", "approved", "rejected", "cancelled"] }).notNull(),
    /** Period, days, amount, journey, retries. */
    terms: text("terms", { mode: "json" }).$type<SandboxMandateTerms>().notNull(),
    /** The charge that is paid with the approval (`QR_AND_PAY`); null for none. */
    firstChargeId: text("first_charge_id"),
    /** Request to the payer's bank (BACEN `idSolicRec`); null before it. */
    requestId: text("request_id"),
    /** Why it ended; null while it lasts. */
    endReason: text("end_reason").$type<MandateEndReason>(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    /** The mandate of a contract. */
    uniqueIndex("sandbox_mandates_contract").on(table.contract),
  ],
);

/** What of a subscription's terms its payer approves. */
export type SandboxMandateTerms = Pick<
  SubscriptionTerms,
  "period" | "firstDueDate" | "endDate" | "amount" | "journey"
> & { allowsRetries: boolean };

/** Debits at the sandbox's bank. */
export const sandboxDebits = sqliteTable(
  "sandbox_debits",
  {
    /** Transaction UUID without hyphens. */
    chargeId: text("charge_id").primaryKey(),
    /** Its mandate. */
    mandateId: text("mandate_id").notNull(),
    /** `YYYY-MM-DD`. */
    dueDate: text("due_date").notNull(),
    /** Centavos. */
    amount: integer("amount").notNull(),
    /** `active`, `paid`, `rejected` or `cancelled`. */
    status: text("status", { enum: ["active", "paid", "rejected", "cancelled"] }).notNull(),
    /** Attempts, oldest first. */
    attempts: text("attempts", { mode: "json" }).$type<DebitAttempt[]>().notNull(),
    /** What a tester chose for the next attempt; null: it is paid. */
    nextOutcome: text("next_outcome", {
      enum: DEBIT_OUTCOMES,
    }),
    /** Grows with each change, so that no two are made at once. */
    version: integer("version").notNull(),
  },
  (table) => [
    /** The debits of a mandate. */
    index("sandbox_debits_mandate").on(table.mandateId, table.dueDate),
  ],
);
