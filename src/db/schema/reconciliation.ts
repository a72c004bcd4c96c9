import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { PAYMENT_METHODS } from "../../domain/charges/charge-status.ts";
import { LIST_NAMES, PASS_NAMES } from "../../domain/reconciliation/reconciliation.ts";
import {
  DIFFERENCE_KINDS,
  SETTLEMENT_STATES,
  SETTLEMENT_TYPES,
} from "../../domain/reconciliation/settlement.ts";

/** Progress of each pass over each list of each PSP account. Written by the cron. */
export const reconciliationPasses = sqliteTable(
  "reconciliation_passes",
  {
    companyId: integer("company_id").notNull(),
    /** The PSP account, unique within the company. */
    account: text("account").notNull(),
    /** `payments`, `charges`, `due_charges` or `payouts`. */
    list: text("list", { enum: LIST_NAMES }).notNull(),
    /** `newest`, `last_day`, `last_week` or `last_quarter`. */
    pass: text("pass", { enum: PASS_NAMES }).notNull(),
    /** The pass has read and booked all records up to this time. */
    readUntil: integer("read_until").notNull(),
    /** Milliseconds of the list that one run reads. */
    windowMs: integer("window_ms").notNull(),
    /** Next run. */
    nextRunAt: integer("next_run_at").notNull(),
    /** When the pass last finished, or was created. */
    finishedAt: integer("finished_at"),
  },
  (table) => [
    /** One pass. */
    primaryKey({ columns: [table.companyId, table.account, table.list, table.pass] }),
    /** Due passes. */
    index("reconciliation_passes_due").on(table.nextRunAt),
    /** Late passes, for the operator's status. */
    index("reconciliation_passes_finished").on(table.pass, table.finishedAt),
  ],
);

/**
 * Records of a provider's list that no projection shows: unexpected payments, foreign payouts, unreadable records. An
 * equal record within a day is not sent to the object again. Written by the cron; kept 100 days.
 */
export const listedRecords = sqliteTable(
  "listed_records",
  {
    companyId: integer("company_id").notNull(),
    /** Account of the list. */
    account: text("account").notNull(),
    /** `payment:<id>`, `charge:<id>`, `payout:<id>` or `record:<digest>`. */
    record: text("record").notNull(),
    /** SHA-256 over the whole record. */
    digest: text("digest").notNull(),
    /** When the company's object received it. */
    recordedAt: integer("told_at").notNull(),
  },
  (table) => [
    /** A page's records, and expiry. */
    primaryKey({ columns: [table.companyId, table.account, table.record] }),
  ],
);

/**
 * How far the settlements of each account were read, a day of São Paulo at a time: the lines that the house made or
 * changed on it. Written by the cron; only accounts whose house tells them have a row.
 */
export const settlementPasses = sqliteTable(
  "settlement_passes",
  {
    companyId: integer("company_id").notNull(),
    /** The PSP account, unique within the company. */
    account: text("account").notNull(),
    /** `YYYY-MM-DD` in America/Sao_Paulo: the next day to read; those before are read and compared. */
    day: text("day").notNull(),
    /** The next day to look for what is overdue, which waits until all days are read: a line is told on its last change. */
    overdueDay: text("overdue_day").notNull(),
    /** The next page of that day, in the house's words; null for its first. */
    cursor: text("cursor"),
    /** Next run. */
    nextRunAt: integer("next_run_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.account] })],
);

/**
 * How far the lists of mandates and automatic debits of each account were read, round after round. Written by the cron; only
 * accounts with automatic debits have a row.
 */
export const mandatePasses = sqliteTable(
  "mandate_passes",
  {
    companyId: integer("company_id").notNull(),
    /** The PSP account, unique within the company. */
    account: text("account").notNull(),
    /** The round has read both lists up to this time. */
    readUntil: integer("read_until").notNull(),
    /** Milliseconds of the lists that are read at once. */
    windowMs: integer("window_ms").notNull(),
    /** Next run. */
    nextRunAt: integer("next_run_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.account] })],
);

/**
 * What houses pay out of payments and take for them, a line of each installment, refund or chargeback, beside what was
 * agreed. Centavos; what reduces the account's balance is below 0. Written by the cron: a line that is told again
 * replaces itself. Lines of sales that are not of this service are left out.
 */
export const settlements = sqliteTable(
  "settlements",
  {
    companyId: integer("company_id").notNull(),
    /** The account at the PSP. */
    account: text("account").notNull(),
    /** The house's id of the line. */
    line: text("line").notNull(),
    /** The transaction's UUID, with hyphens. */
    transactionId: text("transaction_id").notNull(),
    /** The payment's id here. */
    paymentId: text("payment_id").notNull(),
    /** Of the transaction. */
    paymentMethod: text("payment_method", { enum: PAYMENT_METHODS }).notNull(),
    /** `CREDIT`, `REFUND`, `CHARGEBACK`, what reverses these, or `OTHER`. */
    type: text("type", { enum: SETTLEMENT_TYPES }).notNull(),
    /** From 1. */
    installment: integer("installment").notNull(),
    /** Centavos before the fee. */
    gross: integer("gross").notNull(),
    /** Centavos that the house took. */
    fee: integer("fee").notNull(),
    /** Centavos that it took for paying before the day. */
    anticipationFee: integer("anticipation_fee").notNull(),
    /** Its part of the agreed fee, centavos. */
    agreed: integer("agreed").notNull(),
    /** Taken less agreed, centavos. */
    feeDifference: integer("fee_difference").notNull(),
    /** Gross less what was paid, centavos. */
    amountDifference: integer("amount_difference").notNull(),
    /** Days after `due_on`, where the grace is over too; else 0. */
    daysLate: integer("days_late").notNull(),
    /** `YYYY-MM-DD` in America/Sao_Paulo: when the house pays, or paid. */
    paidOn: text("paid_on").notNull(),
    /** `YYYY-MM-DD` in America/Sao_Paulo: when our ledger releases it. */
    dueOn: text("due_on").notNull(),
    /** `waiting` or `paid`. */
    state: text("state", { enum: SETTLEMENT_STATES }).notNull(),
  },
  (table) => [
    /** One for each line. */
    primaryKey({ columns: [table.companyId, table.account, table.line] }),
    /** A transaction's lines. */
    index("settlements_transaction").on(table.companyId, table.transactionId),
    /** The report's days. */
    index("settlements_paid")
      .on(table.companyId, table.paidOn, table.account, table.paymentMethod)
      .where(sql`state = 'paid'`),
    /** Lines whose day is over. */
    index("settlements_waiting")
      .on(table.companyId, table.paidOn)
      .where(sql`state = 'waiting'`),
  ],
);

/**
 * What differs between a house's settlements and our books: the lines behind a contradiction of one account, kind and
 * day. Written by the cron.
 */
export const settlementDifferences = sqliteTable(
  "settlement_differences",
  {
    companyId: integer("company_id").notNull(),
    /** `YYYY-MM-DD` in America/Sao_Paulo: when the house made or changed the line, or when it was overdue. */
    day: text("day").notNull(),
    /** The account at the PSP. */
    account: text("account").notNull(),
    /** `fee`, `amount`, `late`, `missing` or `unpaid`. */
    kind: text("kind", { enum: DIFFERENCE_KINDS }).notNull(),
    /** The transaction's UUID, with hyphens. */
    transactionId: text("transaction_id").notNull(),
    /** The house's id of the line; `''` for lines that are missing. */
    line: text("line").notNull(),
    /** Centavos in question. */
    amount: integer("amount").notNull(),
  },
  (table) => [
    /** The differences of days, in pages. */
    primaryKey({
      columns: [
        table.companyId,
        table.day,
        table.account,
        table.kind,
        table.transactionId,
        table.line,
      ],
    }),
  ],
);
