import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import {
  CHARGE_STATUSES,
  PAYMENT_METHODS,
  type CancelReason,
  type PaymentMethod,
  type RefundReason,
} from "../../domain/charges/charge-status.ts";
import type {
  BoletoCharge,
  ChargedCard,
  PixCharge,
  FailureReason,
  RefusedReason,
} from "../../domain/charges/payment-details.ts";
import type { ProblemDetails } from "../../domain/shared/problem.ts";
import { ARCHIVED_KINDS } from "../../domain/storage/archive-files.ts";
import { CURRENCY } from "../../domain/shared/money.ts";
import {
  PAYER_MATCHES,
  PROVIDER_NAMES,
  type Dispute,
  type Item,
  type PaidBy,
  type Payer,
  type Refund,
} from "../../domain/charges/transaction.ts";

/**
 * A charge as it was created, and the projection of its state in the Durable Object. The table keeps
 * SQLite's rowid: in a table without one, a row longer than a kilobyte fills a page of its own.
 */
export const transactions = sqliteTable(
  "transactions",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the company, from 1: pages are ranges of it, its maximum is the total. */
    seq: integer("seq").notNull(),
    /** A UUID (version 8), in lower case with hyphens. */
    id: text("id").notNull(),
    /** The number of its payer: dense within the company, from 1. */
    leadNumber: integer("lead_number").notNull(),
    /** The company's payers up to this row; the next new one gets one more. */
    leadCount: integer("lead_count").notNull(),
    /** The company's charges, and their bytes, on this row's day up to this row (`QUOTAS`). */
    dayCharges: integer("day_charges").notNull().default(0),
    dayBytes: integer("day_bytes").notNull().default(0),
    /** Of `dayCharges` those of payment links, which have a quota of their own and are not in `dayBytes`. */
    dayLinkCharges: integer("day_link_charges").notNull().default(0),
    /**
     * The company's charges on this row's day up to this row, by payment method; null on a day that has charges
     * from before they were counted.
     */
    dayMethods: text("day_methods", { mode: "json" }).$type<Partial<
      Record<PaymentMethod, number>
    > | null>(),
    /**
     * Identifies its payer: HMAC-SHA256, in hex, of the document, else of `customer.id`, under the company's
     * key (`lead_key_sealed`). Null of a payer with neither, and of one whose data were erased.
     */
    leadKey: text("lead_key"),
    externalRef: text("external_ref").notNull(),
    amount: integer("amount").notNull(),
    currency: text("currency", { enum: [CURRENCY] }).notNull(),
    paymentMethod: text("payment_method", { enum: PAYMENT_METHODS }).notNull(),
    installments: integer("installments").notNull(),
    postbackUrl: text("postback_url").notNull(),
    traceable: integer("traceable", { mode: "boolean" }).notNull(),
    ip: text("ip"),
    shippingFee: integer("shipping_fee"),
    provider: text("provider", { enum: PROVIDER_NAMES }).notNull(),
    /** The account at the provider that it was made with. */
    account: text("account").notNull().default("first"),
    /** base64url of 128 random bits: the half of the `secureId` that is not its UUID. */
    secureRandom: text("secure_random").notNull(),
    feeBasisPoints: integer("fee_basis_points").notNull().default(0),
    feeFixed: integer("fee_fixed").notNull().default(0),
    releaseDays: integer("release_days").notNull().default(0),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at"),

    status: text("status", { enum: CHARGE_STATUSES }).notNull(),
    version: integer("version").notNull(),
    updatedAt: integer("updated_at").notNull(),
    paidAt: integer("paid_at"),
    paidAmount: integer("paid_amount").notNull(),
    /** The day of `daily_reports` that counts the payment. */
    bookedDay: text("booked_day"),
    refundedAmount: integer("refunded_amount").notNull(),
    endToEndId: text("end_to_end_id"),
    externalNsu: text("external_nsu"),
    card: text("card", { mode: "json" }).$type<ChargedCard | null>(),
    refusedReason: text("refused_reason", { mode: "json" }).$type<RefusedReason | null>(),
    cancelReason: text("cancel_reason").$type<CancelReason | null>(),
    refundReason: text("refund_reason").$type<RefundReason | null>(),
    refunds: text("refunds", { mode: "json" }).$type<Refund[]>().notNull().default([]),
    dispute: text("dispute", { mode: "json" }).$type<Dispute | null>(),
    /** Who paid, with a masked document. */
    paidBy: text("paid_by", { mode: "json" }).$type<PaidBy | null>(),
    payerMatch: text("payer_match", { enum: PAYER_MATCHES }),
    failureReason: text("failure_reason", { mode: "json" }).$type<FailureReason | null>(),
    /** The 44 digits of the linked fiscal document (DF-e). */
    fiscalKey: text("fiscal_key"),
    /** The static code (`static_codes.id`) whose payment it is. */
    staticCodeId: text("static_code_id"),
    /** The payment link (`payment_links.id`) that it was made under, and the payer's checkout there. */
    paymentLinkId: text("payment_link_id"),
    checkoutId: text("checkout_id"),

    idempotencyKey: text("idempotency_key"),
    /** SHA-256 of the request, as 64 hex digits. */
    requestHash: text("request_hash").notNull(),
    /** The claiming request counts as running until then; 0 once it is answered. */
    leaseUntil: integer("lease_until").notNull(),
    /** The time and status of the create's answer, which a replay shows again. */
    answeredAt: integer("answered_at"),
    answeredStatus: text("answered_status", { enum: CHARGE_STATUSES }),
    /**
     * The cron's next check of the row: after its create's lease, then at its expiry. Null once there is
     * nothing to wait for.
     */
    nextSweepAt: integer("next_sweep_at"),

    // Wide columns stand last, so that a search over many rows reads none of them.
    payer: text("payer", { mode: "json" }).$type<Payer>().notNull(),
    items: text("items", { mode: "json" }).$type<Item[]>().notNull(),
    /** The merchant's own text, unchanged; it may be JSON. */
    metadata: text("metadata"),
    pix: text("pix", { mode: "json" }).$type<PixCharge>(),
    boleto: text("boleto", { mode: "json" }).$type<BoletoCharge>(),
    failure: text("failure", { mode: "json" }).$type<StoredFailure>(),
    /** Where the payer's page leads afterwards; null for nowhere. */
    returnUrl: text("return_url"),
    /** The request that made it; null where a payment did, and for charges from before it was kept. */
    traceId: text("trace_id"),
    /** The archive's file that has its texts, once it has left D1 (docs/storage.md); null before. */
    archiveFile: text("archive_file"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.seq] }),
    uniqueIndex("transactions_id").on(table.id),
    uniqueIndex("transactions_idempotency")
      .on(table.companyId, table.idempotencyKey)
      .where(sql`idempotency_key IS NOT NULL`),
    index("transactions_external_ref")
      .on(table.companyId, table.externalRef, table.seq)
      .where(sql`external_ref <> ''`),
    index("transactions_lead")
      .on(table.companyId, table.leadKey, table.seq)
      .where(sql`lead_key IS NOT NULL`),
    index("transactions_end_to_end")
      .on(table.companyId, table.endToEndId, table.seq)
      .where(sql`end_to_end_id IS NOT NULL`),
    index("transactions_paid")
      .on(table.companyId, table.paidAt, table.seq)
      .where(sql`paid_at IS NOT NULL`),
    index("transactions_fiscal_key")
      .on(table.companyId, table.fiscalKey, table.seq)
      .where(sql`fiscal_key IS NOT NULL`),
    index("transactions_sweep")
      .on(table.nextSweepAt, table.companyId)
      .where(sql`next_sweep_at IS NOT NULL`),
  ],
);

/** A refusal as it was answered, for replays. */
export interface StoredFailure {
  problem: ProblemDetails;
  traceId: string;
}

/** How far the rows of each company have left D1 (docs/storage.md). */
export const archiveProgress = sqliteTable(
  "archive_progress",
  {
    companyId: integer("company_id").notNull(),
    kind: text("kind", { enum: ARCHIVED_KINDS }).notNull(),
    /** Rows up to this number have left, or are in `archive_waiting`. */
    afterNumber: integer("after_number").notNull(),
    /** When the oldest row that is old enough and has not left was made; null if none is known. */
    oldestLateAt: integer("oldest_late_at"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.kind] }),
    index("archive_progress_late")
      .on(table.kind, table.oldestLateAt)
      .where(sql`oldest_late_at IS NOT NULL`),
  ],
);

/** Rows that were old enough to leave D1 and still open. */
export const archiveWaiting = sqliteTable(
  "archive_waiting",
  {
    companyId: integer("company_id").notNull(),
    kind: text("kind", { enum: ARCHIVED_KINDS }).notNull(),
    /** `transactions.seq` or `events.company_sequence`. */
    number: integer("number").notNull(),
    /** When it is looked at again. */
    nextRunAt: integer("next_run_at").notNull(),
    /** When the row was made, of one that has closed and could not leave; else null. */
    lateAt: integer("late_at"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.kind, table.number] }),
    index("archive_waiting_due").on(table.companyId, table.kind, table.nextRunAt),
    index("archive_waiting_late")
      .on(table.kind, table.lateAt)
      .where(sql`late_at IS NOT NULL`),
  ],
);
