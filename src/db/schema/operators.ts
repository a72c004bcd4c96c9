import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { OPERATOR_ROLES } from "../../domain/operators/operator.ts";
import type { Giving } from "../../domain/operators/giving.ts";
import {
  PROPOSAL_ACTIONS,
  PROPOSAL_STATUSES,
  PROVIDER_WORDS,
} from "../../domain/operators/proposal.ts";

/** The people who operate the gateway, by keys and as people of the console. Only in `DB`. */
export const operators = sqliteTable(
  "operators",
  {
    /** `X-Client-Id`. */
    clientId: text("client_id").primaryKey(),
    /** Its name. */
    name: text("name").notNull(),
    /** `read`, `support`, `finance` or `admin`. */
    role: text("role", { enum: OPERATOR_ROLES }).notNull(),
    createdAt: integer("created_at").notNull(),
    /** When it was removed: the row stays, for the audit trail names it. */
    removedAt: integer("removed_at"),
    /** The person of the console who is this operator; null for one with keys only, and after the removal. */
    userId: text("user_id"),
    /** SHA-256 of the newest set-up link's token; null if there was none. */
    linkHash: text("link_hash"),
    /** The link's end, 24 hours after it was made. */
    linkExpiresAt: integer("link_expires_at"),
    /** When the link was used: it works once; null before. */
    linkUsedAt: integer("link_used_at"),
    /**
     * What other operators gave him, the newest last; null if nothing since this is recorded.
     * Such as `[{"by":"op_1","what":"added","at":1795350278999}]`.
     */
    given: text("given", { mode: "json" }).$type<Omit<Giving, "to">[]>(),
    /** When the newest right was given. */
    givenAt: integer("given_at"),
  },
  (table) => [
    /** Whether an admin remains: reads the admins only. */
    index("operators_role").on(table.role),
    /** The session's operator; a person is one operator at most. */
    uniqueIndex("operators_user").on(table.userId),
    /** The operator of a link. */
    uniqueIndex("operators_link").on(table.linkHash),
    /** Approvals and the alarm: who was given something of late. */
    index("operators_given").on(table.givenAt),
  ],
);

/** Operators' keys, as SHA-256 only, at most two active for each. Only in `DB`. */
export const operatorKeys = sqliteTable(
  "operator_keys",
  {
    /** Key number. */
    id: integer("id").primaryKey(),
    /** Operator. */
    clientId: text("client_id").notNull(),
    /** SHA-256, hex. */
    keyHash: text("key_hash").notNull(),
    /** The first characters of the key, to recognise it by. */
    prefix: text("prefix").notNull(),
    createdAt: integer("created_at").notNull(),
    /** When it ends; null for none. */
    expiresAt: integer("expires_at"),
    /** When it was revoked. */
    revokedAt: integer("revoked_at"),
    /** Last use, written at most once an hour. */
    lastUsedAt: integer("last_used_at"),
  },
  (table) => [
    /** An operator's keys. */
    index("operator_keys_client").on(table.clientId),
    /** Each key once. */
    uniqueIndex("operator_keys_hash").on(table.keyHash),
  ],
);

/** What one operator proposed and another one decides (decision 0041). Only in `DB`. */
export const operatorProposals = sqliteTable(
  "operator_proposals",
  {
    /** The list's order. */
    number: integer("number").primaryKey(),
    /** UUID; the company's object books a decision once for each. */
    id: text("id").notNull(),
    /** `payout.decide` and such. */
    action: text("action", { enum: PROPOSAL_ACTIONS }).notNull(),
    /** The company that it is about. */
    companyId: integer("company_id").notNull(),
    /** What it is about, such as `withdraw:7`. */
    target: text("target").notNull(),
    /** What is decided; a PSP's client secret sealed, until it is over. Such as `{"outcome":"failed"}`. */
    request: text("request", { mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** The proposer's reason. */
    reason: text("reason").notNull(),
    /** What shows it; null for nothing. */
    evidence: text("evidence"),
    /** `pending`, `approved`, `refused` or `expired`. */
    status: text("status", { enum: PROPOSAL_STATUSES }).notNull(),
    /** The proposer's client id. */
    proposedBy: text("proposed_by").notNull(),
    /** The proposer's name. */
    proposedByName: text("proposed_by_name").notNull(),
    /** The console's user behind the proposer; null for an operator with keys only. */
    proposedByUser: text("proposed_by_user"),
    /** When it was made. */
    proposedAt: integer("proposed_at").notNull(),
    /** 72 hours later. */
    expiresAt: integer("expires_at").notNull(),
    /** Who approved or refused; of a pending one, whose approval has begun. */
    decidedBy: text("decided_by"),
    /** That one's name. */
    decidedByName: text("decided_by_name"),
    /** When it was decided. */
    decidedAt: integer("decided_at"),
    /** That one's reason. */
    decisionReason: text("decision_reason"),
    /** What the provider said when it was asked last: `agreed`, `silent`, `not_asked`. */
    provider: text("provider", { enum: PROVIDER_WORDS }),
    /** Its answer; null for none. Such as `{"kind":"unknown"}`. */
    providerAnswer: text("provider_answer", { mode: "json" }).$type<Record<string, unknown>>(),
    /** What became of an approved one. Such as `{"status":"Failed","returnedAmount":0}`. */
    outcome: text("outcome", { mode: "json" }).$type<Record<string, unknown>>(),
  },
  (table) => [
    /** One proposal. */
    uniqueIndex("operator_proposals_id").on(table.id),
    /** One waits for each thing at a time. */
    uniqueIndex("operator_proposals_pending")
      .on(table.companyId, table.action, table.target)
      .where(sql`status = 'pending'`),
    /** A company's. */
    index("operator_proposals_company").on(table.companyId, table.number),
    /** The list by status. */
    index("operator_proposals_status").on(table.status, table.number),
  ],
);
