import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { LIST_NAMES, PASS_NAMES } from "../../domain/reconciliation/reconciliation.ts";

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
