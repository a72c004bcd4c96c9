import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import {
  CONTRADICTION_KINDS,
  CONTRADICTION_STATUSES,
  type Contradiction,
} from "../../domain/reconciliation/contradiction.ts";

/**
 * Contradictions between PSP and books that only a person can decide (decision 0041): projection of the object's.
 * Written by the drain.
 */
export const contradictions = sqliteTable(
  "contradictions",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the company, from 1. */
    number: integer("number").notNull(),
    /** `payment_set_aside`, `payout_status`, ... */
    kind: text("kind", { enum: CONTRADICTION_KINDS }).notNull(),
    /** What it is about. */
    object: text("object").notNull(),
    /** The provider's report. Such as `{"status":"Paid"}`. */
    said: text("said", { mode: "json" }).$type<Contradiction["said"]>().notNull(),
    /** The books. Such as `{"status":"Failed"}`. */
    booked: text("booked", { mode: "json" }).$type<Contradiction["booked"]>().notNull(),
    /** Centavos in question. */
    amount: integer("amount").notNull(),
    /** Centavos not withdrawable until decided. */
    held: integer("held").notNull(),
    /** `open`, `proposed` or `decided`. */
    status: text("status", { enum: CONTRADICTION_STATUSES }).notNull(),
    /** When it was found. */
    since: integer("since").notNull(),
    /** One operator's proposal. */
    proposal: text("proposal", { mode: "json" }).$type<Contradiction["proposal"]>(),
    /** Outcome, both operators. */
    decision: text("decision", { mode: "json" }).$type<Contradiction["decision"]>(),
    /** One more per change. */
    version: integer("version").notNull(),
  },
  (table) => [
    /** One finding. */
    primaryKey({ columns: [table.companyId, table.number] }),
    /** Undecided ones. */
    index("contradictions_open")
      .on(table.companyId, table.number)
      .where(sql`status <> 'decided'`),
  ],
);

/** Events for operators, of all companies. Written by the drain. */
export const operatorEvents = sqliteTable(
  "operator_events",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the company, from 1. */
    number: integer("number").notNull(),
    /**
     * `contradiction.opened`, `contradiction.proposed`, `contradiction.decided`, `dispute.evidence_submitted` or
     * `storage.filling`.
     */
    type: text("type").notNull(),
    /** When it occurred. */
    at: integer("at").notNull(),
    /** What it is about. Such as `{"id":"1-1","kind":"payout_status"}`. */
    data: text("data", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
  },
  (table) => [
    /** Idempotent writes. */
    primaryKey({ columns: [table.companyId, table.number] }),
    /** The list, oldest first. */
    index("operator_events_at").on(table.at, table.companyId, table.number),
  ],
);
