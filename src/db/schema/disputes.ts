import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { DisputeKind } from "../../domain/charges/charge-history.ts";
import { DISPUTE_STATUSES } from "../../domain/charges/transaction.ts";
import { DISPUTE_REASONS } from "../../domain/disputes/dispute.ts";
import { RESPONSE_STATUSES } from "../../domain/disputes/dispute-response.ts";
import type { Requester } from "../../domain/access/requester.ts";
import type { Evidence } from "../../domain/disputes/evidence.ts";

/** Disputes and chargebacks: projection of the object's. Writer: the drain. */
export const disputes = sqliteTable(
  "disputes",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the company, from 1. */
    number: integer("number").notNull(),
    /** The provider's id. */
    id: text("id").notNull(),
    /** `DISPUTE` or `CHARGEBACK`. */
    kind: text("kind").$type<DisputeKind>().notNull(),
    /** Why the money is asked back. */
    reason: text("reason", { enum: DISPUTE_REASONS }).notNull(),
    /** Charge; null of an unexpected payment. */
    transactionId: text("transaction_id"),
    /** The unexpected payment that it is about; null of any other dispute. */
    paymentId: text("payment_id"),
    /** Centavos claimed. */
    amount: integer("amount").notNull(),
    /** Centavos of them in `blocked`. */
    held: integer("held").notNull(),
    /** `OPEN`, `WON` or `LOST`. */
    status: text("status", { enum: DISPUTE_STATUSES }).notNull(),
    /** Last time for evidence. */
    deadline: integer("deadline"),
    /** When it was opened. */
    openedAt: integer("opened_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** The object's; guards the projection. */
    version: integer("version").notNull(),
    /** The merchant's evidence. */
    evidence: text("evidence", { mode: "json" }).$type<Evidence | null>(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.number] }),
    /** A dispute by its id. */
    index("disputes_id").on(table.companyId, table.id),
    /** The list by status. */
    index("disputes_status").on(table.companyId, table.status, table.number),
  ],
);

/**
 * Dossiers that were sent to the bank of a dispute, by their versions. A row is written before the bank is called. Written
 * by the request that sends it, and by the cron's `ask_about_responses` until the bank's word is final.
 */
export const disputeResponses = sqliteTable(
  "dispute_responses",
  {
    companyId: integer("company_id").notNull(),
    /** The provider's id. */
    disputeId: text("dispute_id").notNull(),
    /** Of the dossiers sent for it, from 1. */
    version: integer("version").notNull(),
    /** What the bank knows it by: a UUID. */
    id: text("id").notNull(),
    /** The company's account at the provider. */
    account: text("account").notNull(),
    /** See docs/disputes.md. */
    status: text("status", { enum: RESPONSE_STATUSES }).notNull(),
    /** The bank's own words. */
    answer: text("answer"),
    /** SHA-256 of the signed dossier as it was last sent; null before. */
    dossierSha256: text("dossier_sha256"),
    /** Who had it sent. */
    requestedBy: text("requested_by", { mode: "json" }).$type<Requester>().notNull(),
    /** The request's `Idempotency-Key`; null without one. */
    idempotencyKey: text("idempotency_key"),
    /** When it was first sent. */
    sentAt: integer("sent_at").notNull(),
    /** When the bank's word last changed. */
    answeredAt: integer("answered_at"),
    /** Questions so far, for the wait. */
    checks: integer("checks").notNull(),
    /** When the bank is asked again; null once nothing changes any more. */
    nextCheckAt: integer("next_check_at"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.disputeId, table.version] }),
    /** Due rows. */
    index("dispute_responses_due")
      .on(table.nextCheckAt)
      .where(sql`next_check_at IS NOT NULL`),
  ],
);
