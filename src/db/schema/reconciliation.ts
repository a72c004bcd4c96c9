import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { LIST_NAMES, PASS_NAMES } from "../../domain/reconciliation/reconciliation.ts";

/** How far each pass over each list of each PSP account has come. */
export const reconciliationPasses = sqliteTable(
  "reconciliation_passes",
  {
    companyId: integer("company_id").notNull(),
    /** Of a company's PSP accounts, which one. */
    account: text("account").notNull(),
    list: text("list", { enum: LIST_NAMES }).notNull(),
    pass: text("pass", { enum: PASS_NAMES }).notNull(),
    /** Everything up to this moment was read and booked in this pass. */
    readUntil: integer("read_until").notNull(),
    /** Milliseconds of the list that one run reads. */
    windowMs: integer("window_ms").notNull(),
    nextRunAt: integer("next_run_at").notNull(),
    /** When the pass last came to its end, or was made. */
    finishedAt: integer("finished_at"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.account, table.list, table.pass] }),
    index("reconciliation_passes_due").on(table.nextRunAt),
    index("reconciliation_passes_finished").on(table.pass, table.finishedAt),
  ],
);

/**
 * What a provider's list said and D1's copies cannot show: payments that are set aside, payouts of
 * others, records that cannot be read. One that says the same again need not be booked again.
 */
export const listedRecords = sqliteTable(
  "listed_records",
  {
    companyId: integer("company_id").notNull(),
    account: text("account").notNull(),
    /** `payment:<id>`, `charge:<id>`, `payout:<id>` or `record:<digest>`. */
    record: text("record").notNull(),
    /** SHA-256 over all that it said. */
    digest: text("digest").notNull(),
    /** When the object was told. */
    recordedAt: integer("told_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.account, table.record] })],
);
