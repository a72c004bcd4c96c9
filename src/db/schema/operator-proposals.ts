import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import {
  PROPOSAL_ACTIONS,
  PROPOSAL_STATUSES,
  PROVIDER_WORDS,
} from "../../domain/access/proposal.ts";

/** What one operator proposed and another decides. Only in `DB`. Times in Unix milliseconds. */
export const operatorProposals = sqliteTable(
  "operator_proposals",
  {
    number: integer("number").primaryKey(),
    id: text("id").notNull(),
    action: text("action", { enum: PROPOSAL_ACTIONS }).notNull(),
    companyId: integer("company_id").notNull(),
    /** Such as `withdraw:7`. */
    target: text("target").notNull(),
    request: text("request", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    reason: text("reason").notNull(),
    evidence: text("evidence"),
    status: text("status", { enum: PROPOSAL_STATUSES }).notNull(),
    proposedBy: text("proposed_by").notNull(),
    proposedByName: text("proposed_by_name").notNull(),
    /** The console's user behind the proposer; null for an operator with keys only. */
    proposedByUser: text("proposed_by_user"),
    proposedAt: integer("proposed_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    /** Of a pending one: whose approval has begun. */
    decidedBy: text("decided_by"),
    decidedByName: text("decided_by_name"),
    decidedAt: integer("decided_at"),
    decisionReason: text("decision_reason"),
    provider: text("provider", { enum: PROVIDER_WORDS }),
    providerAnswer: text("provider_answer", { mode: "json" }).$type<Record<string, unknown>>(),
    outcome: text("outcome", { mode: "json" }).$type<Record<string, unknown>>(),
  },
  (table) => [
    uniqueIndex("operator_proposals_id").on(table.id),
    // One waits for each thing at a time.
    uniqueIndex("operator_proposals_pending")
      .on(table.companyId, table.action, table.target)
      .where(sql`status = 'pending'`),
    index("operator_proposals_company").on(table.companyId, table.number),
    index("operator_proposals_status").on(table.status, table.number),
  ],
);
