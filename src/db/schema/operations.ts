import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Card, ChargedCard, RefusedReason } from "../../domain/charges/payment-details.ts";
import type { ReportedPayer } from "../../domain/charges/payer-match.ts";
import type { OpenOperations } from "../../domain/reconciliation/ledger-position.ts";
import type { ComparisonRound } from "../../domain/reconciliation/comparison-round.ts";
import type { CallbackReport } from "../../domain/reconciliation/callback.ts";
import { PAYMENT_METHODS, TRANSFER_METHOD } from "../../domain/charges/charge-status.ts";
import { DISPUTE_REASONS } from "../../domain/disputes/dispute.ts";

/**
 * The positions of the cron's scans over the companies, and what the comparison of copies has counted in this
 * database: rows that it compared (`compared_rows`) and copies that it rewrote (`mended_copies`); and how many rows have
 * left it for the archive (`archived_transactions`, `archived_events`).
 */
export const cursors = sqliteTable("cursors", {
  name: text("name").primaryKey(),
  value: integer("value").notNull(),
});

/**
 * Ledger checks that run: a second message about a company, or the next minute's, leaves it alone until then.
 * Only in `DB`.
 */
export const checkClaims = sqliteTable("check_claims", {
  companyId: integer("company_id").primaryKey(),
  claimedUntil: integer("claimed_until").notNull(),
});

/** Payments that the sandbox bank received. */
export const sandboxPayments = sqliteTable(
  "sandbox_payments",
  {
    chargeId: text("charge_id").notNull(),
    paymentId: text("payment_id").notNull(),
    /** The method of the payment: a boleto may be paid with its PIX code. */
    method: text("method", { enum: PAYMENT_METHODS }).notNull().default(TRANSFER_METHOD),
    amount: integer("amount").notNull(),
    paidAt: integer("paid_at").notNull(),
    /** The txid of the static code that was paid. */
    txid: text("txid"),
    /** Who paid, with a masked document; null means the charge's customer. */
    payer: text("payer", { mode: "json" }).$type<ReportedPayer | null>(),
  },
  (table) => [
    primaryKey({ columns: [table.chargeId, table.paymentId] }),
    index("sandbox_payments_payment").on(table.paymentId),
  ],
);

/** Sandbox charges that ended without payment. An unpaid charge without a row is open. */
export const sandboxCharges = sqliteTable("sandbox_charges", {
  chargeId: text("charge_id").primaryKey(),
  status: text("status", { enum: ["failed", "expired", "cancelled"] }).notNull(),
});

/** The sandbox acquirer's decision on each card charge. Rows never change. */
export const sandboxCardCharges = sqliteTable("sandbox_card_charges", {
  chargeId: text("charge_id").primaryKey(),
  /** `unheard`: the acquirer simulates that the charge never arrived. */
  decision: text("decision", { enum: ["approved", "refused", "unheard"] }).notNull(),
  amount: integer("amount").notNull(),
  card: text("card", { mode: "json" }).$type<ChargedCard>().notNull(),
  nsu: text("nsu").notNull(),
  refusedReason: text("refused_reason", { mode: "json" }).$type<RefusedReason | null>(),
});

/** Tokenised cards, without number and CVV. */
export const sandboxCardTokens = sqliteTable("sandbox_card_tokens", {
  token: text("token").primaryKey(),
  companyId: integer("company_id").notNull(),
  card: text("card", { mode: "json" }).$type<Card>().notNull(),
  /** The acquirer's answer to a charge with this token, as to the card number. */
  outcome: text("outcome").notNull(),
  createdAt: integer("created_at").notNull(),
});

/** The sandbox bank's payouts. */
export const sandboxPayouts = sqliteTable("sandbox_payouts", {
  payoutId: text("payout_id").primaryKey(),
  status: text("status", { enum: ["processing", "paid", "failed", "returned"] }).notNull(),
  endToEndId: text("end_to_end_id"),
  /** The centavos of a paid payout that were returned so far. */
  returnedAmount: integer("returned_amount").notNull().default(0),
});

/** Refunds that the sandbox bank was asked for. */
export const sandboxRefunds = sqliteTable(
  "sandbox_refunds",
  {
    refundId: text("refund_id").primaryKey(),
    paymentId: text("payment_id").notNull(),
    amount: integer("amount").notNull(),
    status: text("status", { enum: ["done", "refused"] }).notNull(),
  },
  (table) => [index("sandbox_refunds_payment").on(table.paymentId)],
);

/** Disputes and chargebacks that payers' banks opened at the sandbox bank. */
export const sandboxDisputes = sqliteTable(
  "sandbox_disputes",
  {
    chargeId: text("charge_id").notNull(),
    /** Dense within the charge, from 1. */
    number: integer("number").notNull(),
    paymentId: text("payment_id").notNull(),
    kind: text("kind", { enum: ["DISPUTE", "CHARGEBACK"] }).notNull(),
    amount: integer("amount").notNull(),
    status: text("status", { enum: ["OPEN", "WON", "LOST"] }).notNull(),
    reason: text("reason", { enum: DISPUTE_REASONS }),
    /** Unix milliseconds; null where the simulated bank does not say. */
    deadline: integer("deadline"),
  },
  (table) => [
    primaryKey({ columns: [table.chargeId, table.number] }),
    index("sandbox_disputes_payment").on(table.paymentId),
  ],
);

/** Callbacks of providers, until the provider's own API confirms or refutes them. Never booked alone. */
export const callbacks = sqliteTable(
  "callbacks",
  {
    id: text("id").primaryKey(),
    companyId: integer("company_id").notNull(),
    /**
     * A transaction's UUID, or `withdraw:<id>`, `payment:<id>`, `payout:<id>`, `operation:<id>`, or
     * `record:<digest>` of an unreadable callback.
     */
    objectId: text("object_id").notNull(),
    /** The callback as received; null if there was no body. */
    body: text("body"),
    /** When the cron confirms it at the provider, if the receiving request did not. */
    dueAt: integer("due_at").notNull(),
    /** The cron's attempts so far. */
    attempts: integer("attempts").notNull(),
    /** The reported payment or payout; null if the callback only names its object. */
    report: text("told", { mode: "json" }).$type<CallbackReport | null>(),
    /** When it arrived; may be null until the cron's first attempt. */
    receivedAt: integer("told_at"),
    /** The company's account that sent it. */
    account: text("account").notNull().default("first"),
  },
  (table) => [
    index("callbacks_due").on(table.dueAt),
    index("callbacks_company").on(table.companyId),
  ],
);

/** The last self-check of each company: its findings and its progress. */
export const selfChecks = sqliteTable(
  "self_checks",
  {
    companyId: integer("company_id").primaryKey(),
    checkedAt: integer("checked_at").notNull(),
    /** The newest checked movement and event. */
    movement: integer("movement").notNull(),
    companySequence: integer("company_sequence").notNull(),
    /** Events that D1 lacks and cannot get back. */
    missingEvents: text("missing_events", { mode: "json" }).$type<number[]>().notNull(),
    /** Projections that differed from their originals, to be compared again. */
    suspects: text("suspects", { mode: "json" })
      .$type<{ transactionIds: string[]; withdrawIds: number[] }>()
      .notNull(),
    /** The violated invariants; empty if none. */
    violations: text("violations", { mode: "json" }).$type<string[]>().notNull(),
    /** When the oldest change was made that D1 did not have yet; null if it had all. */
    backlogSince: integer("backlog_since"),
    /** Operations without an answer of their provider; null if there were none. Centavos. */
    openOperations: text("open_operations", { mode: "json" }).$type<OpenOperations | null>(),
    /** The round over all copies that runs, or the last one; null before the first. */
    round: text("round", { mode: "json" }).$type<ComparisonRound | null>(),
    /** When the last round ended; null before that. */
    roundEndedAt: integer("round_ended_at"),
    /** When copies were last rewritten, and which (sentences); null if none ever was. */
    mendedAt: integer("mended_at"),
    mended: text("mended", { mode: "json" }).$type<string[] | null>(),
  },
  (table) => [
    index("self_checks_violated")
      .on(table.companyId)
      .where(sql`violations <> '[]'`),
    index("self_checks_mended")
      .on(table.mendedAt)
      .where(sql`mended_at IS NOT NULL`),
    index("self_checks_backlog")
      .on(table.backlogSince)
      .where(sql`backlog_since IS NOT NULL`),
    index("self_checks_operations")
      .on(table.companyId)
      .where(sql`open_operations IS NOT NULL`),
  ],
);
