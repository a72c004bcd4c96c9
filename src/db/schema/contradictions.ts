import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import {
  CONTRADICTION_KINDS,
  CONTRADICTION_STATUSES,
  type Contradiction,
} from "../../domain/reconciliation/contradiction.ts";

/** Contradictions between PSP and books that only a person can decide: projection of the object's. */
export const contradictions = sqliteTable(
  "contradictions",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the company, from 1. */
    number: integer("number").notNull(),
    kind: text("kind", { enum: CONTRADICTION_KINDS }).notNull(),
    object: text("object").notNull(),
    said: text("said", { mode: "json" }).$type<Contradiction["said"]>().notNull(),
    booked: text("booked", { mode: "json" }).$type<Contradiction["booked"]>().notNull(),
    amount: integer("amount").notNull(),
    held: integer("held").notNull(),
    status: text("status", { enum: CONTRADICTION_STATUSES }).notNull(),
    since: integer("since").notNull(),
    proposal: text("proposal", { mode: "json" }).$type<Contradiction["proposal"]>(),
    decision: text("decision", { mode: "json" }).$type<Contradiction["decision"]>(),
    version: integer("version").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.number] }),
    index("contradictions_open")
      .on(table.companyId, table.number)
      .where(sql`status <> 'decided'`),
  ],
);

/** The events for operators, of all companies. */
export const operatorEvents = sqliteTable(
  "operator_events",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the company, from 1. */
    number: integer("number").notNull(),
    type: text("type").notNull(),
    at: integer("at").notNull(),
    data: text("data", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.number] }),
    index("operator_events_at").on(table.at, table.companyId, table.number),
  ],
);
