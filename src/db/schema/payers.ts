import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ERASURE_REASONS } from "../../domain/charges/payer-erasure.ts";

/** Requests to erase a payer whose charges are not all in `payer_erasures` yet. */
export const payerErasureRequests = sqliteTable(
  "payer_erasure_requests",
  {
    companyId: integer("company_id").notNull(),
    /** As in `transactions`. */
    leadKey: text("lead_key").notNull(),
    /** Its charges up to this `seq` are in `payer_erasures`. */
    afterSeq: integer("after_seq").notNull(),
    /** The company's newest charge at the request: later ones stay. */
    upToSeq: integer("up_to_seq").notNull(),
    requestedAt: integer("requested_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.leadKey] })],
);

/** How far the charges of each company with `retention_days` are in `payer_erasures`. */
export const payerRetention = sqliteTable(
  "payer_retention",
  {
    companyId: integer("company_id").primaryKey(),
    afterSeq: integer("after_seq").notNull(),
    nextRunAt: integer("next_run_at").notNull(),
  },
  (table) => [index("payer_retention_due").on(table.nextRunAt)],
);

/** Charges whose payer's data the cron erases. A row goes once they are erased for good. */
export const payerErasures = sqliteTable(
  "payer_erasures",
  {
    companyId: integer("company_id").notNull(),
    seq: integer("seq").notNull(),
    reason: text("reason", { enum: ERASURE_REASONS }).notNull(),
    dueAt: integer("due_at").notNull(),
    /** When they were erased the first time; null before. */
    erasedAt: integer("erased_at"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.seq] }),
    index("payer_erasures_due").on(table.dueAt),
  ],
);
