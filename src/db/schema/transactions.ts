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
  type RefundReason,
} from "../../domain/charge-status.ts";
import type { BoletoCharge } from "../../domain/boleto.ts";
import type { ChargedCard, RefusedReason } from "../../domain/card.ts";
import type { ProblemDetails } from "../../domain/problem.ts";
import { CURRENCY } from "../../domain/money.ts";
import {
  bytesColumn,
  detailsColumn,
  endToEndIdColumn,
  hexColumn,
  randomColumn,
  uuidColumn,
  wordColumn,
} from "../compact-column.ts";
import { packedJson } from "../packed-column.ts";
import { PROVIDER_NAMES, type Dispute, type Refund } from "../../domain/transaction.ts";

/**
 * One payer of one company that may come back; what it was called at the time stands in the
 * transaction. Who gave neither document nor id has no row: nobody can find it again.
 */
export const leads = sqliteTable(
  "leads",
  {
    companyId: integer("company_id").notNull(),
    /** `doc:<number>`, else `id:<customer.id>`; older rows also `tx:<transaction id>`. */
    matchKey: text("match_key").notNull(),
    /** Dense within the company, from 1. */
    number: integer("number").notNull(),
    /** That of an older lead; empty where its company and number make it. */
    uuid: text("uuid").notNull(),
    createdAt: integer("created_at").notNull(),
    /** The `seq` of its first transaction; null of an older lead, whose first is in the index. */
    firstSeq: integer("first_seq"),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.matchKey] })],
);

/** A charge as it was created, and the copy of what the Durable Object says of it since. */
export const transactions = sqliteTable(
  "transactions",
  {
    companyId: integer("company_id").notNull(),
    /** Dense within the company, from 1: pages are ranges of it, its maximum is the total. */
    seq: integer("seq").notNull(),
    id: uuidColumn("id").notNull(),
    leadNumber: integer("lead_number").notNull(),
    /** As in the lead. */
    leadUuid: text("lead_uuid").notNull(),
    /** How many leads the company has had up to here; null of an older row but its company's newest. */
    leadCount: integer("lead_count"),
    /** Whether its lead had bought before. Its first transaction stands in the lead's own row. */
    isRepeat: integer("is_repeat", { mode: "boolean" }).notNull().default(true),
    externalRef: text("external_ref").notNull(),
    amount: integer("amount").notNull(),
    currency: wordColumn("currency", [CURRENCY]).notNull(),
    paymentMethod: wordColumn("payment_method", PAYMENT_METHODS).notNull(),
    installments: integer("installments").notNull(),
    postbackUrl: text("postback_url").notNull(),
    traceable: integer("traceable", { mode: "boolean" }).notNull(),
    ip: text("ip"),
    shippingFee: integer("shipping_fee"),
    /** Payer, items and metadata (`packed-details.ts`). */
    details: detailsColumn("details").notNull(),
    provider: wordColumn("provider", PROVIDER_NAMES).notNull(),
    /** Packed beside the row (`packed-pix.ts`). */
    pix: bytesColumn("pix"),
    boleto: packedJson<BoletoCharge>("boleto"),
    secureRandom: randomColumn("secure_random").notNull(),
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
    refundedAmount: integer("refunded_amount").notNull(),
    endToEndId: endToEndIdColumn("end_to_end_id"),
    externalNsu: text("external_nsu"),
    card: text("card", { mode: "json" }).$type<ChargedCard | null>(),
    refusedReason: text("refused_reason", { mode: "json" }).$type<RefusedReason | null>(),
    cancelReason: text("cancel_reason").$type<CancelReason | null>(),
    refundReason: text("refund_reason").$type<RefundReason | null>(),
    refunds: text("refunds", { mode: "json" }).$type<Refund[]>().notNull().default([]),
    dispute: text("dispute", { mode: "json" }).$type<Dispute | null>(),

    idempotencyKey: text("idempotency_key"),
    /** 32 hex digits, of an older row 64. */
    requestHash: hexColumn("request_hash").notNull(),
    /** Until then the request that claimed the key is taken to be running; 0 once it is answered. */
    leaseUntil: integer("lease_until").notNull(),
    /** When the create was answered, and as what: a replay shows it again. */
    answeredAt: integer("answered_at"),
    answeredStatus: wordColumn("answered_status", CHARGE_STATUSES),
    failure: packedJson<StoredFailure>("failure"),
    /**
     * When the cron must look at the row: stuck in `creating`, or at its expiry. Null when done, and
     * before one of the cron's two looks at each row has found that there is something to wait for.
     */
    sweepAt: integer("sweep_at"),
    /** The numbers of its events (`company_sequence`), ascending. */
    eventNumbers: text("event_numbers", { mode: "json" }).$type<number[]>().notNull().default([]),
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
      .on(table.companyId, table.leadNumber, table.seq)
      .where(sql`is_repeat = 1`),
    index("transactions_sweep")
      .on(table.sweepAt)
      .where(sql`sweep_at IS NOT NULL`),
  ],
);

/** The refusal that belongs to an idempotency key, as it was answered. */
export interface StoredFailure {
  problem: ProblemDetails;
  traceId: string;
}
