import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { OPERATOR_ROLES } from "../../domain/operators/operator.ts";
import type { Giving } from "../../domain/operators/giving.ts";
import {
  PROPOSAL_ACTIONS,
  PROPOSAL_STATUSES,
  PROVIDER_WORDS,
} from "../../domain/operators/proposal.ts";

/** The people who operate the gateway. Only in `DB`. */
export const operators = sqliteTable(
  "operators",
  {
    clientId: text("client_id").primaryKey(),
    name: text("name").notNull(),
    role: text("role", { enum: OPERATOR_ROLES }).notNull(),
    createdAt: integer("created_at").notNull(),
    /** A removed operator stays, for the audit trail names it. */
    removedAt: integer("removed_at"),
    /** The person of the console who is this operator; null for an operator with keys only. */
    userId: text("user_id"),
    /** SHA-256 of the newest set-up link's token; null if there was none. */
    linkHash: text("link_hash"),
    linkExpiresAt: integer("link_expires_at"),
    /** A link works once. */
    linkUsedAt: integer("link_used_at"),
    /** What other operators gave him, the newest last; null if nothing since this is recorded. */
    given: text("given", { mode: "json" }).$type<Omit<Giving, "to">[]>(),
    /** When the newest of these was given. */
    givenAt: integer("given_at"),
  },
  (table) => [
    // Whether an admin remains reads the admins only.
    index("operators_role").on(table.role),
    uniqueIndex("operators_user").on(table.userId),
    uniqueIndex("operators_link").on(table.linkHash),
    // Approvals and the alarm read who was given something of late.
    index("operators_given").on(table.givenAt),
  ],
);

/** Operators' keys, as SHA-256 only. Only in `DB`. */
export const operatorKeys = sqliteTable(
  "operator_keys",
  {
    id: integer("id").primaryKey(),
    clientId: text("client_id").notNull(),
    keyHash: text("key_hash").notNull(),
    /** The first characters of the key, to recognise it by. */
    prefix: text("prefix").notNull(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at"),
    revokedAt: integer("revoked_at"),
    /** Written at most once an hour. */
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [
    index("operator_keys_client").on(table.clientId),
    uniqueIndex("operator_keys_hash").on(table.keyHash),
  ],
);

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
