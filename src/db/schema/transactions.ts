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
import type { FailureReason } from "../../domain/charges/failure-reason.ts";
import type {
  BoletoCharge,
  ChargedCard,
  PixCharge,
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
 * A charge as it was created, and the projection of its state in the Durable Object. Its writers:
 *
 * - **create** claims the row before the provider is called: all columns but those below. Before another account is
 *   asked: `provider`, `account`, `attempt`.
 * - **provider's answer**, once: `expires_at`, `lease_until`, `answered_at`, `answered_status`, `next_sweep_at`, `pix`,
 *   `boleto`, `failure`; `status` and `updated_at` only while `version` is 0.
 * - **drain** (and `reconcile --repair`), if `version` is lower: from `status` to `failure_reason`, and
 *   `next_sweep_at`.
 * - **cron**: `next_sweep_at`, `lease_until`; `archive_file` and the texts, as it takes them out
 *   (docs/storage.md#archive).
 *
 * The table keeps SQLite's rowid: in a table without one, a row longer than a kilobyte fills a page of its own. Wide
 * columns stand last (decision 0032). Searches name their index (`INDEXED BY`); SQLite would otherwise scan the primary
 * key.
 */
export const transactions = sqliteTable(
  "transactions",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the company, from 1: pages are ranges of it, its maximum is the total. */
    seq: integer("seq").notNull(),
    /** UUIDv8 of time and company (decision 0002), in lower case with hyphens. */
    id: text("id").notNull(),
    /** The number of its payer: dense within the company, from 1. `lead` in the API is derived from it. */
    leadNumber: integer("lead_number").notNull(),
    /** The company's payers up to this row; the next new one gets one more. */
    leadCount: integer("lead_count").notNull(),
    /** The company's charges on this row's day up to this row (`QUOTAS`); the next create adds one. */
    dayCharges: integer("day_charges").notNull().default(0),
    /** The bytes that these charges count, without those of links. */
    dayBytes: integer("day_bytes").notNull().default(0),
    /** Of `dayCharges` those of payment links, which have a quota of their own and are not in `dayBytes`. */
    dayLinkCharges: integer("day_link_charges").notNull().default(0),
    /**
     * The company's charges on this row's day up to this row, by payment method; null on a day that has charges from
     * before they were counted.
     * Such as `{"PIX":9,"BOLETO":2}`.
     */
    dayMethods: text("day_methods", { mode: "json" }).$type<Partial<
      Record<PaymentMethod, number>
    > | null>(),
    /**
     * Identifies its payer: HMAC-SHA256, in hex, of the document, else of `customer.id`, under the company's key
     * (`lead_key_sealed`). Null of a payer with neither, and of one whose data were erased.
     */
    leadKey: text("lead_key"),
    /** Merchant's reference; `''` for none. */
    externalRef: text("external_ref").notNull(),
    /** Centavos. */
    amount: integer("amount").notNull(),
    /** `BRL`. */
    currency: text("currency", { enum: [CURRENCY] }).notNull(),
    /** `PIX`, `BOLETO` or `CREDIT_CARD`. */
    paymentMethod: text("payment_method", { enum: PAYMENT_METHODS }).notNull(),
    /** Card installments, otherwise 1. */
    installments: integer("installments").notNull(),
    /** Extra webhook target; `''` for none. */
    postbackUrl: text("postback_url").notNull(),
    /** `traceable`, as sent. */
    traceable: integer("traceable", { mode: "boolean" }).notNull(),
    /** The payer's address, as sent. */
    ip: text("ip"),
    /** Centavos, as sent. */
    shippingFee: integer("shipping_fee"),
    /** `Sandbox` or `PixApi`. */
    provider: text("provider", { enum: PROVIDER_NAMES }).notNull(),
    /** The account at the PSP that it was made with. */
    account: text("account").notNull().default("first"),
    /** Base64url of 128 random bits: the half of the `secureId` that is not its UUID. */
    secureRandom: text("secure_random").notNull(),
    /** Agreed fee. */
    feeBasisPoints: integer("fee_basis_points").notNull().default(0),
    /** Agreed fee, centavos. */
    feeFixed: integer("fee_fixed").notNull().default(0),
    /** Agreed days until release. */
    releaseDays: integer("release_days").notNull().default(0),
    /** Never decreases in the order of `seq`. */
    createdAt: integer("created_at").notNull(),
    /** End of payment or capture; null for an immediate card charge. */
    expiresAt: integer("expires_at"),

    /** See docs/states.md#charge. */
    status: text("status", { enum: CHARGE_STATUSES }).notNull(),
    /** The object's, which guards the projection; 0 before its first change. */
    version: integer("version").notNull(),
    updatedAt: integer("updated_at").notNull(),
    /** When it was paid. */
    paidAt: integer("paid_at"),
    /** Centavos received; below `amount` is `underpaid`. */
    paidAmount: integer("paid_amount").notNull(),
    /** Day of `daily_reports` that counts the payment; null until it is paid. */
    bookedDay: text("booked_day"),
    /** Centavos returned. */
    refundedAmount: integer("refunded_amount").notNull(),
    /** End-to-end id of its PIX (BACEN). */
    endToEndId: text("end_to_end_id"),
    /** Acquirer's sale number. */
    externalNsu: text("external_nsu"),
    /** Brand, first and last digits, holder, expiry, authorization code. */
    card: text("card", { mode: "json" }).$type<ChargedCard | null>(),
    /** Acquirer's refusal. */
    refusedReason: text("refused_reason", { mode: "json" }).$type<RefusedReason | null>(),
    /** `REQUESTED` or `EXPIRED`. */
    cancelReason: text("cancel_reason").$type<CancelReason | null>(),
    /** `REQUESTED`, `MED` or `CHARGEBACK`. */
    refundReason: text("refund_reason").$type<RefundReason | null>(),
    /**
     * Each refund: `id`, `amount`, `status`, `createdAt`.
     * Such as `[{"id":"659ae521-d1b4-4276-99f5-5eab0c8601d5","amount":5000,"status":"DONE","createdAt":1795350406942}]`.
     */
    refunds: text("refunds", { mode: "json" }).$type<Refund[]>().notNull().default([]),
    /** The newest dispute: `id`, `amount`, `status`, `createdAt`. */
    dispute: text("dispute", { mode: "json" }).$type<Dispute | null>(),
    /**
     * Who paid, with a masked document.
     * Such as `{"name":"Maria da Silva","documentMasked":"***.456.789-**","ispb":"00000000"}`.
     */
    paidBy: text("paid_by", { mode: "json" }).$type<PaidBy | null>(),
    /** `matches`, `differs` or `unknown`: who paid against the customer. */
    payerMatch: text("payer_match", { enum: PAYER_MATCHES }),
    /** Why it failed or was refused. */
    failureReason: text("failure_reason", { mode: "json" }).$type<FailureReason | null>(),
    /** The 44 digits of the linked fiscal document (DF-e). */
    fiscalKey: text("fiscal_key"),
    /** The static code (`static_codes.id`) whose payment it is. */
    staticCodeId: text("static_code_id"),
    /** The payment link (`payment_links.id`) that it was made under. */
    paymentLinkId: text("payment_link_id"),
    /** The payer's checkout under that link. */
    checkoutId: text("checkout_id"),

    /** `Idempotency-Key` of the create. */
    idempotencyKey: text("idempotency_key"),
    /** SHA-256 of the request, as 64 hex digits; another request under the key is refused. */
    requestHash: text("request_hash").notNull(),
    /** The claiming request counts as running until then; 0 once it is answered. */
    leaseUntil: integer("lease_until").notNull(),
    /** When the create was answered; a replay shows it again. */
    answeredAt: integer("answered_at"),
    /** The status that the create answered; a replay shows it again. */
    answeredStatus: text("answered_status", { enum: CHARGE_STATUSES }),
    /**
     * The cron's next check of the row: after its create's lease, then at its expiry. Null once there is nothing to
     * wait for.
     */
    nextSweepAt: integer("next_sweep_at"),

    // Wide columns stand last, so that a search over many rows reads none of them.
    /** Name, e-mail, phone, document, address. */
    payer: text("payer", { mode: "json" }).$type<Payer>().notNull(),
    /**
     * What is sold; `unitPrice` in centavos.
     * Such as `[{"title":"Camiseta","unitPrice":2500,"quantity":10,"tangible":true}]`.
     */
    items: text("items", { mode: "json" }).$type<Item[]>().notNull(),
    /** The merchant's own text, unchanged; it may be JSON. Such as `{"cart":"77"}`. */
    metadata: text("metadata"),
    /** `qrcode`, `url`, `expirationDate`; ordered: texts for the payer, `due`. */
    pix: text("pix", { mode: "json" }).$type<PixCharge>(),
    /** Due date, line, barcode, terms. */
    boleto: text("boleto", { mode: "json" }).$type<BoletoCharge>(),
    /** The refusal stored under the key: `problem`, `traceId`. */
    failure: text("failure", { mode: "json" }).$type<StoredFailure>(),
    /** Where the payer's page leads afterwards; null for nowhere. */
    returnUrl: text("return_url"),
    /** The request that made it; null where a payment did, and for charges from before it was kept. */
    traceId: text("trace_id"),
    /** The archive's file that has its texts, once it has left D1 (docs/storage.md); null before. */
    archiveFile: text("archive_file"),
    /**
     * Which of its attempts `account` has, from 1: another account was asked before, and did not answer. The charge's
     * id there is made of it.
     */
    attempt: integer("attempt").notNull().default(1),
  },
  (table) => [
    /** Pages, totals, next numbers, search windows, binary search by time. */
    primaryKey({ columns: [table.companyId, table.seq] }),
    /** Get, checkout, search by ids, drain. */
    uniqueIndex("transactions_id").on(table.id),
    /** Claim and replay. */
    uniqueIndex("transactions_idempotency")
      .on(table.companyId, table.idempotencyKey)
      .where(sql`idempotency_key IS NOT NULL`),
    /** Search by reference. */
    index("transactions_external_ref")
      .on(table.companyId, table.externalRef, table.seq)
      .where(sql`external_ref <> ''`),
    /** Payer's number, search by document. */
    index("transactions_lead")
      .on(table.companyId, table.leadKey, table.seq)
      .where(sql`lead_key IS NOT NULL`),
    /** Search by end-to-end id. */
    index("transactions_end_to_end")
      .on(table.companyId, table.endToEndId, table.seq)
      .where(sql`end_to_end_id IS NOT NULL`),
    /** Search by time of payment. */
    index("transactions_paid")
      .on(table.companyId, table.paidAt, table.seq)
      .where(sql`paid_at IS NOT NULL`),
    /** Search by fiscal document. */
    index("transactions_fiscal_key")
      .on(table.companyId, table.fiscalKey, table.seq)
      .where(sql`fiscal_key IS NOT NULL`),
    /** Due rows (decision 0021); open charges before a PSP is removed. */
    index("transactions_sweep")
      .on(table.nextSweepAt, table.companyId)
      .where(sql`next_sweep_at IS NOT NULL`),
    /** Rehearsal: charges that are open for more than 25 hours. Most PIX are not, and cost no row here. */
    index("transactions_open")
      .on(table.companyId, table.expiresAt)
      .where(sql`status = 'waiting_payment' AND expires_at - created_at > 90000000`),
  ],
);

/** A refusal as it was answered, for replays. */
export interface StoredFailure {
  problem: ProblemDetails;
  traceId: string;
}

/**
 * Charges that an account did not answer about before another one was asked: it may have made them, and nobody sees
 * their codes. Each is there, from before the other account is asked, until its own says that nobody can pay it any
 * more. Only of companies with several accounts of a method.
 */
export const shadowCharges = sqliteTable(
  "shadow_charges",
  {
    companyId: integer("company_id").notNull(),
    /** The transaction's UUID, with hyphens. */
    transactionId: text("transaction_id").notNull(),
    /** Of the transaction's attempts, from 1: the charge's id at its account is made of both. */
    attempt: integer("attempt").notNull(),
    /** The company's account at the provider. */
    account: text("account").notNull(),
    /** When the other account was asked. */
    createdAt: integer("created_at").notNull(),
    /** The cron's next look at it. */
    nextRunAt: integer("next_run_at").notNull(),
  },
  (table) => [
    /** One for each attempt; those of a transaction. */
    primaryKey({ columns: [table.companyId, table.transactionId, table.attempt] }),
    /** Due rows. */
    index("shadow_charges_due").on(table.nextRunAt),
  ],
);

/** How far the rows of each company have left D1 (docs/storage.md#archive). Written by the cron's `archive_rows`. */
export const archiveProgress = sqliteTable(
  "archive_progress",
  {
    companyId: integer("company_id").notNull(),
    /** `transactions` or `events`. */
    kind: text("kind", { enum: ARCHIVED_KINDS }).notNull(),
    /** Rows up to this `seq` or `company_sequence` have left, or are in `archive_waiting`. */
    afterNumber: integer("after_number").notNull(),
    /** When the oldest row that is old enough and has not left was made; null if none is known. */
    oldestLateAt: integer("oldest_late_at"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.kind] }),
    /** The oldest, for the status. */
    index("archive_progress_late")
      .on(table.kind, table.oldestLateAt)
      .where(sql`oldest_late_at IS NOT NULL`),
  ],
);

/**
 * Rows that were old enough to leave D1 and still open. The cron looks at each once a day; it goes with the row's
 * texts.
 */
export const archiveWaiting = sqliteTable(
  "archive_waiting",
  {
    companyId: integer("company_id").notNull(),
    /** `transactions` or `events`. */
    kind: text("kind", { enum: ARCHIVED_KINDS }).notNull(),
    /** `transactions.seq` or `events.company_sequence`. */
    number: integer("number").notNull(),
    /** When it is looked at again. */
    nextRunAt: integer("next_run_at").notNull(),
    /** When the row was made, of one that has closed and could not leave; else null. */
    lateAt: integer("late_at"),
  },
  (table) => [
    /** One row for each. */
    primaryKey({ columns: [table.companyId, table.kind, table.number] }),
    /** A company's due rows. */
    index("archive_waiting_due").on(table.companyId, table.kind, table.nextRunAt),
    /** The oldest that could not leave, for the status. */
    index("archive_waiting_late")
      .on(table.kind, table.lateAt)
      .where(sql`late_at IS NOT NULL`),
  ],
);
