import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** How far a move has come, in this order; `aborting` ends one that has not flipped yet. */
export const MIGRATION_STAGES = [
  "preparing",
  "copying",
  "comparing",
  "catching_up",
  "closing",
  "opening",
  "clearing",
  "aborting",
] as const;

/**
 * In which database a company lives, and whereto it is being moved. Only in `DB`, the directory; a
 * company without a row lives in `DB`.
 */
export const placements = sqliteTable(
  "placements",
  {
    companyId: integer("company_id").primaryKey(),
    /** The name of its database's binding. */
    database: text("database").notNull(),
    /** The number of its newest move, from 1; 0 where it was never moved. */
    move: integer("move").notNull(),
    /** Where it is being moved from, and whereto; null where it is not. */
    source: text("source"),
    target: text("target"),
    stage: text("stage", { enum: MIGRATION_STAGES }),
    /** How far the stage has come: a table, and the key of its last row that was done, as JSON. */
    atTable: text("at_table").notNull(),
    afterKey: text("after_key").notNull(),
    /** Rises with each step: what an earlier step left on its way is refused. */
    epoch: integer("turn").notNull(),
    /** Until then the step of `turn` is taken to be running; once it is over, when it was. */
    leaseUntil: integer("lease_until").notNull(),
  },
  (table) => [
    index("placements_moving")
      .on(table.leaseUntil)
      .where(sql`target IS NOT NULL`),
  ],
);

/** Whose application a client id is, of companies that live or lived elsewhere than in `DB`. Only there. */
export const clients = sqliteTable("clients", {
  clientId: text("client_id").primaryKey(),
  companyId: integer("company_id").notNull(),
});

/** Which company a PSP's account is of, where one database's index cannot tell. Only in `DB`. */
export const pixKeys = sqliteTable(
  "pix_keys",
  {
    pixKey: text("pix_key").primaryKey(),
    companyId: integer("company_id").notNull(),
  },
  (table) => [index("pix_keys_company").on(table.companyId)],
);

export const FENCE_STATES = ["here", "closing", "left", "arriving"] as const;

/**
 * What a database knows of companies that took part in a move: `closing` is read but not written,
 * `left` and `arriving` are neither. A company without a row has always lived where it is. Each batch
 * that writes tries to pass its company's fence; one that stands fails the whole batch.
 */
export const fences = sqliteTable(
  "fences",
  {
    companyId: integer("company_id").primaryKey(),
    state: text("state", { enum: FENCE_STATES }).notNull(),
    move: integer("move").notNull(),
    epoch: integer("turn").notNull(),
    passed: integer("passed").notNull().default(0),
  },
  () => [check("fence_holds", sql`passed = 0`)],
);

/**
 * Rows of a company that changed while it is being moved, in the order of their commits. A number is
 * never given twice, so that whoever forgets what it has dealt with forgets nothing newer.
 */
export const moveChanges = sqliteTable("move_changes", {
  number: integer("number").primaryKey({ autoIncrement: true }),
  companyId: integer("company_id").notNull(),
  tableName: text("table_name").notNull(),
  /** The row's key as a JSON array. */
  rowKey: text("row_key").notNull(),
});
