import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/** The stages of a tenant migration, in order. `aborting` rolls back before the cutover. */
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
 * Shard assignments: the database of each company, and its running migration. Only in `DB`, the
 * directory. A company without a row lives in `DB`.
 */
export const placements = sqliteTable(
  "placements",
  {
    companyId: integer("company_id").primaryKey(),
    /** The binding of its database. */
    database: text("database").notNull(),
    /** The number of its newest migration, from 1; 0 if there was none. */
    move: integer("move").notNull(),
    /** The databases of the running migration; null if none runs. */
    source: text("source"),
    target: text("target"),
    stage: text("stage", { enum: MIGRATION_STAGES }),
    /** The position within the stage: a table, and the JSON key of its last processed row. */
    atTable: text("at_table").notNull(),
    afterKey: text("after_key").notNull(),
    /** Rises with each step, so that the late writes of an earlier step are refused. */
    epoch: integer("turn").notNull(),
    /** The step's lease ends then; after the step, the time at which it finished. */
    leaseUntil: integer("lease_until").notNull(),
  },
  (table) => [
    index("placements_moving")
      .on(table.leaseUntil)
      .where(sql`target IS NOT NULL`),
  ],
);

/** The company of each client id, for companies that left `DB`. Only in `DB`. */
export const clients = sqliteTable("clients", {
  clientId: text("client_id").primaryKey(),
  companyId: integer("company_id").notNull(),
});

/**
 * The numbers that companies were made under, and the requests that made them. A number is taken here before
 * the company's rows are written, so that a repeated request makes the same one. Only in `DB`.
 */
export const companyCreations = sqliteTable(
  "company_creations",
  {
    companyId: integer("company_id").primaryKey(),
    /** The request's key; a random one if it had none. */
    idempotencyKey: text("idempotency_key").notNull(),
    /** SHA-256 of the request's canonical JSON. */
    requestHash: text("request_hash").notNull(),
    /** The binding of the database in which it was made. */
    database: text("database").notNull(),
    providerCompanyId: text("provider_company_id").notNull(),
    /** The company's first application. */
    clientId: text("client_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [uniqueIndex("company_creations_key").on(table.idempotencyKey)],
);

/** Claims to PIX keys: a unique index sees only one database. Only in `DB`. */
export const pixKeys = sqliteTable(
  "pix_keys",
  {
    pixKey: text("pix_key").primaryKey(),
    companyId: integer("company_id").notNull(),
  },
  (table) => [index("pix_keys_company").on(table.companyId)],
);

/**
 * `here`: active. `closing`: draining, read but not written. `arriving`: incoming, and `left`: moved
 * away, both neither read nor written.
 */
export const FENCE_STATES = ["here", "closing", "left", "arriving"] as const;

/**
 * A database's fences of companies that were migrated from or to it. A company without a row was never
 * migrated. Each write
 * batch first sets `passed` on a fence that refuses it, so that the CHECK fails the batch.
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
 * The rows of migrating companies that changed, in commit order. AUTOINCREMENT never reuses a number, so
 * that deleting the applied changes deletes no newer one.
 */
export const moveChanges = sqliteTable("move_changes", {
  number: integer("number").primaryKey({ autoIncrement: true }),
  companyId: integer("company_id").notNull(),
  tableName: text("table_name").notNull(),
  /** The row's key as a JSON array. */
  rowKey: text("row_key").notNull(),
});

/** One row: which code may write here. */
export const schemaVersion = sqliteTable(
  "schema_version",
  {
    only: integer("only").primaryKey(),
    /** Migrations of `migrations/contract` that were applied: code that knows fewer writes nothing. */
    contracts: integer("contracts").notNull(),
  },
  (table) => [check("schema_version_only", sql`${table.only} = 1`)],
);

/**
 * The company that a received PIX belongs to. Companies may share a client of a PSP's API, whose lists then show
 * each of them the payments of all: a payment is claimed here before it is credited. Only in `DB`.
 */
export const paymentOwners = sqliteTable(
  "payment_owners",
  {
    /** SHA-256 of the client's token host and id. */
    pspClient: text("psp_client").notNull(),
    /** The payment's id, in lower case: twins by case only share a row. */
    paymentKey: text("payment_key").notNull(),
    /** The payment's id as the PSP writes it. */
    paymentId: text("payment_id").notNull(),
    companyId: integer("company_id").notNull(),
    /** Whether nobody knows whose it is: the operators of this company see it, and nothing credits it. */
    isUndecided: integer("is_undecided", { mode: "boolean" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.pspClient, table.paymentKey] })],
);
