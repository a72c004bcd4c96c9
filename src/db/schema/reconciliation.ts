import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { LIST_NAMES, PASS_NAMES } from "../../domain/reconciliation/reconciliation.ts";

/** The progress of each pass over each list of each PSP account. */
export const reconciliationPasses = sqliteTable(
  "reconciliation_passes",
  {
    companyId: integer("company_id").notNull(),
    /** The PSP account, unique within the company. */
    account: text("account").notNull(),
    list: text("list", { enum: LIST_NAMES }).notNull(),
    pass: text("pass", { enum: PASS_NAMES }).notNull(),
    /** The pass has read and booked all records up to this time. */
    readUntil: integer("read_until").notNull(),
    /** Milliseconds of the list that one run reads. */
    windowMs: integer("window_ms").notNull(),
    nextRunAt: integer("next_run_at").notNull(),
    /** When the pass last finished, or was created. */
    finishedAt: integer("finished_at"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.account, table.list, table.pass] }),
    index("reconciliation_passes_due").on(table.nextRunAt),
    index("reconciliation_passes_finished").on(table.pass, table.finishedAt),
  ],
);

/**
 * Records of a provider's list that no projection shows: payments set aside, payouts of others,
 * unreadable records. An unchanged record is not booked again.
 */
export const listedRecords = sqliteTable(
  "listed_records",
  {
    companyId: integer("company_id").notNull(),
    account: text("account").notNull(),
    /** `payment:<id>`, `charge:<id>`, `payout:<id>` or `record:<digest>`. */
    record: text("record").notNull(),
    /** SHA-256 over the whole record. */
    digest: text("digest").notNull(),
    /** When the company's object received it. */
    recordedAt: integer("told_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.account, table.record] })],
);
