import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ERASURE_REASONS } from "../../domain/charges/payer-erasure.ts";

/**
 * Requests to erase a payer (`POST /api/v1/payers/erase`) whose charges are not all in `payer_erasures` yet. Written by
 * the request; the cron goes on, and deletes the row with the last charge.
 */
export const payerErasureRequests = sqliteTable(
  "payer_erasure_requests",
  {
    companyId: integer("company_id").notNull(),
    /** The payer, as in `transactions`. */
    leadKey: text("lead_key").notNull(),
    /** Its charges up to this `seq` are in `payer_erasures`. */
    afterSeq: integer("after_seq").notNull(),
    /** The company's newest charge at the request: later ones stay. */
    upToSeq: integer("up_to_seq").notNull(),
    /** When it was requested. */
    requestedAt: integer("requested_at").notNull(),
  },
  (table) => [
    /** A repeated request. */
    primaryKey({ columns: [table.companyId, table.leadKey] }),
  ],
);

/**
 * How far the cron has put the charges of a company with `retention_days` into `payer_erasures`. The trigger
 * `companies_retention` makes the row with the first setting; the cron deletes it when the setting is taken back.
 */
export const payerRetention = sqliteTable(
  "payer_retention",
  {
    companyId: integer("company_id").primaryKey(),
    /** Charges up to this one are in line. */
    afterSeq: integer("after_seq").notNull(),
    /** The next look at the charges after it. */
    nextRunAt: integer("next_run_at").notNull(),
  },
  (table) => [
    /** Companies to look at. */
    index("payer_retention_due").on(table.nextRunAt),
  ],
);

/**
 * Charges whose payer's data the cron erases: all of a request, and those made `retention_days` ago. A charge that has
 * not ended waits. Each is erased twice, ten minutes apart, so that a delivery or a drain in flight at the first time
 * brings nothing back; then its row goes.
 */
export const payerErasures = sqliteTable(
  "payer_erasures",
  {
    companyId: integer("company_id").notNull(),
    /** The charge. */
    seq: integer("seq").notNull(),
    /** `request` or `retention`. */
    reason: text("reason", { enum: ERASURE_REASONS }).notNull(),
    /** The next look. */
    dueAt: integer("due_at").notNull(),
    /** When they were erased the first time; null before. */
    erasedAt: integer("erased_at"),
  },
  (table) => [
    /** One row for each charge. */
    primaryKey({ columns: [table.companyId, table.seq] }),
    /** Due rows. */
    index("payer_erasures_due").on(table.dueAt),
  ],
);
