import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { ARCHIVED_KINDS } from "../../domain/storage/archive-files.ts";

/** How far the rows of each company have left D1 (docs/storage.md). */
export const archiveProgress = sqliteTable(
  "archive_progress",
  {
    companyId: integer("company_id").notNull(),
    kind: text("kind", { enum: ARCHIVED_KINDS }).notNull(),
    /** Rows up to this number have left, or are in `archive_waiting`. */
    afterNumber: integer("after_number").notNull(),
    /** When the oldest row that is old enough and has not left was made; null if none is known. */
    lateSince: integer("late_since"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.kind] }),
    index("archive_progress_late")
      .on(table.kind, table.lateSince)
      .where(sql`late_since IS NOT NULL`),
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
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.kind, table.number] }),
    index("archive_waiting_due").on(table.companyId, table.kind, table.nextRunAt),
  ],
);
