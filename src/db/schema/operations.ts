import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Card, ChargedCard, RefusedReason } from "../../domain/charges/payment-details.ts";
import type { CallbackReport } from "../../domain/reconciliation/callback.ts";
import { PAYMENT_METHODS, TRANSFER_METHOD } from "../../domain/charges/charge-status.ts";

/** Where the cron's walks stand: over the companies, and over overdue deliveries. */
export const cursors = sqliteTable("cursors", {
  name: text("name").primaryKey(),
  value: integer("value").notNull(),
});

/** The sandbox bank's book of payments received, one row for each. */
export const sandboxPayments = sqliteTable(
  "sandbox_payments",
  {
    chargeId: text("charge_id").notNull(),
    paymentId: text("payment_id").notNull(),
    /** How it came: a boleto may be paid by its PIX code. */
    method: text("method", { enum: PAYMENT_METHODS }).notNull().default(TRANSFER_METHOD),
    amount: integer("amount").notNull(),
    paidAt: integer("paid_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.chargeId, table.paymentId] })],
);

/** Sandbox charges that ended otherwise than by payment; an absent row is an open charge. */
export const sandboxCharges = sqliteTable("sandbox_charges", {
  chargeId: text("charge_id").primaryKey(),
  status: text("status", { enum: ["failed", "expired", "cancelled"] }).notNull(),
});

/** What the sandbox acquirer decided of a card, one row for each charge it was asked for. Never changed. */
export const sandboxCardCharges = sqliteTable("sandbox_card_charges", {
  chargeId: text("charge_id").primaryKey(),
  /** `unheard`: it is played that the charge never came. */
  decision: text("decision", { enum: ["approved", "refused", "unheard"] }).notNull(),
  amount: integer("amount").notNull(),
  card: text("card", { mode: "json" }).$type<ChargedCard>().notNull(),
  nsu: text("nsu").notNull(),
  refusedReason: text("refused_reason", { mode: "json" }).$type<RefusedReason | null>(),
});

/** Cards that were made tokens of, with what may be kept of them: never number or CVV. */
export const sandboxCardTokens = sqliteTable("sandbox_card_tokens", {
  token: text("token").primaryKey(),
  companyId: integer("company_id").notNull(),
  card: text("card", { mode: "json" }).$type<Card>().notNull(),
  /** What the acquirer answers to it, as to the number that it stands for. */
  outcome: text("outcome").notNull(),
  createdAt: integer("created_at").notNull(),
});

/** The sandbox bank's payouts, one row for each `payoutId` it was ever asked about. */
export const sandboxPayouts = sqliteTable("sandbox_payouts", {
  payoutId: text("payout_id").primaryKey(),
  status: text("status", { enum: ["processing", "paid", "failed", "returned"] }).notNull(),
  endToEndId: text("end_to_end_id"),
  /** Of one that is paid, the centavos that have come back so far. */
  returnedAmount: integer("returned_amount").notNull().default(0),
});

/** Money the sandbox bank gave back to payers, one row for each `refundId` it was asked for. */
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

/** What payers' banks asked the sandbox bank to give back. */
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
  },
  (table) => [
    primaryKey({ columns: [table.chargeId, table.number] }),
    index("sandbox_disputes_payment").on(table.paymentId),
  ],
);

/**
 * What a provider says has happened, until its own answer says so too, or otherwise. Never believed by
 * itself.
 */
export const callbacks = sqliteTable(
  "callbacks",
  {
    id: text("id").primaryKey(),
    companyId: integer("company_id").notNull(),
    /**
     * A transaction's UUID, or `withdraw:<id>`, `payment:<id>`, `payout:<id>`, `operation:<id>`,
     * `record:<digest>` of what cannot be read.
     */
    objectId: text("object_id").notNull(),
    /** What came, as it came; null where nothing was sent. */
    body: text("body"),
    /** When the cron reads it back, where whoever took it did not live to. */
    dueAt: integer("due_at").notNull(),
    /** How often that was tried. */
    attempts: integer("attempts").notNull(),
    /** What is to be seen at the provider; null where it only names its object. */
    told: text("told", { mode: "json" }).$type<CallbackReport | null>(),
    /** When it came; null of one that came before this was written. */
    toldAt: integer("told_at"),
    /** The account of the company at its provider that told it. */
    account: text("account").notNull().default("first"),
  },
  (table) => [
    index("callbacks_due").on(table.dueAt),
    index("callbacks_company").on(table.companyId),
  ],
);

/** What the cron last found when it checked a company, and how far it came. */
export const selfChecks = sqliteTable("self_checks", {
  companyId: integer("company_id").primaryKey(),
  checkedAt: integer("checked_at").notNull(),
  /** The newest movement and event that were checked. */
  movement: integer("movement").notNull(),
  companySequence: integer("company_sequence").notNull(),
  /** Events that were found missing, and still are: what they told stands nowhere else. */
  missingEvents: text("missing_events", { mode: "json" }).$type<number[]>().notNull(),
  /** Copies that were found to differ from their originals, to be compared again. */
  suspects: text("suspects", { mode: "json" })
    .$type<{ transactionIds: string[]; withdrawIds: number[] }>()
    .notNull(),
  /** Empty where all is well. */
  violations: text("violations", { mode: "json" }).$type<string[]>().notNull(),
});
