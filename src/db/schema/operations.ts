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
 * The positions of the cron's scans over the companies, and what the comparison of copies has counted in this database:
 * rows that it compared (`compared_rows`) and copies that it rewrote (`mended_copies`); and how many rows have left it
 * for the archive (`archived_transactions`, `archived_events`).
 */
export const cursors = sqliteTable("cursors", {
  /**
   * `run`, `check`, `archive` (in `DB` only); `deliveries`, `compared_rows`, `mended_copies`, `archived_transactions`,
   * `archived_events` (each database).
   */
  name: text("name").primaryKey(),
  /** Last company, or due time, 0 at the start; the count. */
  value: integer("value").notNull(),
});

/**
 * Ledger checks that run: a second message about a company, or the next minute's, leaves it alone until the claim ends.
 * Only in `DB`.
 */
export const checkClaims = sqliteTable("check_claims", {
  /** The company that is checked. */
  companyId: integer("company_id").primaryKey(),
  /** End of the claim, three minutes at most. */
  claimedUntil: integer("claimed_until").notNull(),
});

/** Payments received by the sandbox bank. All `sandbox_` tables stay in `DB`; only the sandbox bank writes them. */
export const sandboxPayments = sqliteTable(
  "sandbox_payments",
  {
    /** Transaction UUID without hyphens; `none` without a charge. */
    chargeId: text("charge_id").notNull(),
    /** End-to-end id for a PIX. */
    paymentId: text("payment_id").notNull(),
    /** `PIX`, `BOLETO` or `CREDIT_CARD`; a boleto's PIX code counts as `PIX`. */
    method: text("method", { enum: PAYMENT_METHODS }).notNull().default(TRANSFER_METHOD),
    /** Centavos. */
    amount: integer("amount").notNull(),
    /** When it was paid. */
    paidAt: integer("paid_at").notNull(),
    /** The txid of the static code that was paid. */
    txid: text("txid"),
    /** Who paid, with a masked document; null means the charge's customer. */
    payer: text("payer", { mode: "json" }).$type<ReportedPayer | null>(),
  },
  (table) => [
    /** A charge's payments. */
    primaryKey({ columns: [table.chargeId, table.paymentId] }),
    /** A payment by its id, of a charge, a static code or neither. */
    index("sandbox_payments_payment").on(table.paymentId),
  ],
);

/** Sandbox charges that ended unpaid; open ones have no row. */
export const sandboxCharges = sqliteTable("sandbox_charges", {
  /** Transaction UUID without hyphens. */
  chargeId: text("charge_id").primaryKey(),
  /** `failed`, `expired` or `cancelled`. */
  status: text("status", { enum: ["failed", "expired", "cancelled"] }).notNull(),
});

/** The sandbox acquirer's decision per charge. Never changed. */
export const sandboxCardCharges = sqliteTable("sandbox_card_charges", {
  /** Transaction UUID without hyphens. */
  chargeId: text("charge_id").primaryKey(),
  /** `unheard`: the acquirer simulates that the charge never arrived, and does not respond. */
  decision: text("decision", { enum: ["approved", "refused", "unheard"] }).notNull(),
  /** Centavos. */
  amount: integer("amount").notNull(),
  /** Storable card data. */
  card: text("card", { mode: "json" }).$type<ChargedCard>().notNull(),
  /** Sale number. */
  nsu: text("nsu").notNull(),
  /**
   * Why the acquirer refused it; null if it did not.
   * Such as `{"code":"CARD_DECLINED","message":"The card was declined by its issuer.","retryable":false}`.
   */
  refusedReason: text("refused_reason", { mode: "json" }).$type<RefusedReason | null>(),
});

/** Tokenized cards, without number and CVV. Never changed. */
export const sandboxCardTokens = sqliteTable("sandbox_card_tokens", {
  /** `card.token` of a create. */
  token: text("token").primaryKey(),
  companyId: integer("company_id").notNull(),
  /** Storable card data. */
  card: text("card", { mode: "json" }).$type<Card>().notNull(),
  /** The acquirer's answer to a charge with this token, as to the card number. */
  outcome: text("outcome").notNull(),
  createdAt: integer("created_at").notNull(),
});

/** Payouts of the sandbox bank. */
export const sandboxPayouts = sqliteTable("sandbox_payouts", {
  /** The withdraw's payout id. */
  payoutId: text("payout_id").primaryKey(),
  /** `processing`, `paid`, `failed` or `returned`. */
  status: text("status", { enum: ["processing", "paid", "failed", "returned"] }).notNull(),
  /** End-to-end id of its PIX. */
  endToEndId: text("end_to_end_id"),
  /** The centavos of a paid payout that were returned so far. */
  returnedAmount: integer("returned_amount").notNull().default(0),
  /** When it was ordered. */
  orderedAt: integer("ordered_at").notNull().default(0),
});

/** Refunds that the sandbox bank was asked for. */
export const sandboxRefunds = sqliteTable(
  "sandbox_refunds",
  {
    /** Operation UUID without hyphens. */
    refundId: text("refund_id").primaryKey(),
    /** The payment that it returns. */
    paymentId: text("payment_id").notNull(),
    /** Centavos. */
    amount: integer("amount").notNull(),
    /** `done`, or `refused` if too little is left. */
    status: text("status", { enum: ["done", "refused"] }).notNull(),
    /** When it was ordered. */
    orderedAt: integer("ordered_at").notNull().default(0),
  },
  (table) => [
    /** Remainder of a payment. */
    index("sandbox_refunds_payment").on(table.paymentId),
  ],
);

/** Disputes and chargebacks that payers' banks opened at the sandbox bank. */
export const sandboxDisputes = sqliteTable(
  "sandbox_disputes",
  {
    /** Transaction UUID without hyphens; `none` without a charge. */
    chargeId: text("charge_id").notNull(),
    /** Dense within the charge, from 1. */
    number: integer("number").notNull(),
    /** The payment that it is about. */
    paymentId: text("payment_id").notNull(),
    /** `DISPUTE` or `CHARGEBACK`. */
    kind: text("kind", { enum: ["DISPUTE", "CHARGEBACK"] }).notNull(),
    /** Centavos. */
    amount: integer("amount").notNull(),
    /** `OPEN`, `WON` or `LOST`. */
    status: text("status", { enum: ["OPEN", "WON", "LOST"] }).notNull(),
    /** The reason of the payer's bank. */
    reason: text("reason", { enum: DISPUTE_REASONS }),
    /** Last time for evidence; null where the simulated bank does not say. */
    deadline: integer("deadline"),
  },
  (table) => [
    /** A charge's disputes. */
    primaryKey({ columns: [table.chargeId, table.number] }),
    /** Remainder of a payment. */
    index("sandbox_disputes_payment").on(table.paymentId),
  ],
);

/**
 * Callbacks that the provider's own answer has not confirmed or refuted (decision 0036), at most 1,000 per company.
 * Never booked alone. Written when a PSP's callback cannot be confirmed at once, and before the sandbox's bank acts.
 * Deleted once confirmed.
 */
export const callbacks = sqliteTable(
  "callbacks",
  {
    /** Digest of its subject; random in the sandbox. */
    id: text("id").primaryKey(),
    companyId: integer("company_id").notNull(),
    /**
     * A transaction's UUID, or `withdraw:<id>`, `payment:<id>`, `payout:<id>`, `operation:<id>`, or `record:<digest>`
     * of an unreadable callback.
     */
    objectId: text("object_id").notNull(),
    /** The callback as received, up to 4 kB; null if there was no body. */
    body: text("body"),
    /** When the cron confirms it at the provider, if the receiving request did not. */
    dueAt: integer("due_at").notNull(),
    /** The cron's attempts so far. */
    attempts: integer("attempts").notNull(),
    /**
     * The reported payment or payout; null if the callback only names its object.
     * Such as `{"kind":"payment","paymentId":"E12345678202611221233abcdefghijk","returns":[]}`.
     */
    report: text("told", { mode: "json" }).$type<CallbackReport | null>(),
    /** When it arrived; may be null until the cron's first attempt. */
    receivedAt: integer("told_at"),
    /** The company's account that sent it. */
    account: text("account").notNull().default("first"),
  },
  (table) => [
    /** Due rows. */
    index("callbacks_due").on(table.dueAt),
    /** A company's count. */
    index("callbacks_company").on(table.companyId),
  ],
);

/** The last self-check of each company by the cron (decision 0013): its findings and its position. */
export const selfChecks = sqliteTable(
  "self_checks",
  {
    companyId: integer("company_id").primaryKey(),
    /** When the check ran. */
    checkedAt: integer("checked_at").notNull(),
    /** Newest proven movement. */
    movement: integer("movement").notNull(),
    /** Newest compared event. */
    companySequence: integer("company_sequence").notNull(),
    /** Numbers of events that D1 lacks and cannot get back. */
    missingEvents: text("missing_events", { mode: "json" }).$type<number[]>().notNull(),
    /**
     * Quarantined rows, which differed from their originals, to compare again.
     * Such as `{"transactionIds":[],"withdrawIds":[]}`.
     */
    suspects: text("suspects", { mode: "json" })
      .$type<{ transactionIds: string[]; withdrawIds: number[] }>()
      .notNull(),
    /** Texts that name the violated invariants; empty if none. */
    violations: text("violations", { mode: "json" }).$type<string[]>().notNull(),
    /** When the oldest change was made that D1 did not have yet; null if it had all. */
    backlogSince: integer("backlog_since"),
    /**
     * Operations without an answer of their provider: `count`, `amount` (centavos), `since`; null if there were none.
     */
    openOperations: text("open_operations", { mode: "json" }).$type<OpenOperations | null>(),
    /**
     * The round over all copies that runs, or the last one: its start, end, place, steps and rows; null before the
     * first.
     */
    round: text("round", { mode: "json" }).$type<ComparisonRound | null>(),
    /** When the last round ended; null before that. */
    roundEndedAt: integer("round_ended_at"),
    /** When copies were last rewritten; null if none ever was. */
    mendedAt: integer("mended_at"),
    /** Which copies were last rewritten, as sentences; at most 20. */
    mended: text("mended", { mode: "json" }).$type<string[] | null>(),
  },
  (table) => [
    /** Companies with violations. */
    index("self_checks_violated")
      .on(table.companyId)
      .where(sql`violations <> '[]'`),
    /** Companies of which a copy was rewritten, for the alarm. */
    index("self_checks_mended")
      .on(table.mendedAt)
      .where(sql`mended_at IS NOT NULL`),
    /** Companies whose changes D1 lacks. */
    index("self_checks_backlog")
      .on(table.backlogSince)
      .where(sql`backlog_since IS NOT NULL`),
    /** Companies with operations that a provider has not answered. */
    index("self_checks_operations")
      .on(table.companyId)
      .where(sql`open_operations IS NOT NULL`),
  ],
);
