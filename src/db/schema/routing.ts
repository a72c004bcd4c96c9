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

/** The stages of a company move, in order. `aborting` rolls back before the cutover. */
export const MOVE_STAGES = [
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
 * Shard assignments: the database of each company, and its running migration. Only in `DB`, the directory. A company
 * without a row lives in `DB`. Written by the mover and, for a new company in another database, by its creation.
 */
export const shardAssignments = sqliteTable(
  "placements",
  {
    companyId: integer("company_id").primaryKey(),
    /** The binding of its database: `DB`, `DB_2`, ... */
    database: text("database").notNull(),
    /** The number of its newest migration, from 1; 0 if there was none. */
    move: integer("move").notNull(),
    /** The old database of the running migration; null if none runs. */
    source: text("source"),
    /** New database, while migrating. */
    target: text("target"),
    /** `preparing`, `copying`, `comparing`, `catching_up`, `closing`, `opening`, `clearing` or `aborting`. */
    stage: text("stage", { enum: MOVE_STAGES }),
    /** The position within the stage: a table; `''` at the start. */
    atTable: text("at_table").notNull(),
    /** The position within the table: the JSON key of the last processed row. */
    afterKey: text("after_key").notNull(),
    /** Rises with each step, so that the late writes of an earlier step are refused. */
    epoch: integer("turn").notNull(),
    /** The step's lease ends then; after the step, the time at which it finished. */
    leaseUntil: integer("lease_until").notNull(),
  },
  (table) => [
    /** Stalled migrations. */
    index("placements_moving")
      .on(table.leaseUntil)
      .where(sql`target IS NOT NULL`),
  ],
);

/**
 * The forks of companies: sandbox copies. A row is written before the first row of the copy; one that was not finished
 * by the end of its lease is erased by the next fork. Only in `DB`.
 */
export const companyForks = sqliteTable(
  "company_forks",
  {
    /** The copy. */
    companyId: integer("company_id").primaryKey(),
    /** The company that it is a copy of. */
    originalId: integer("original_id").notNull(),
    /** The request's `Idempotency-Key`; random without one. */
    idempotencyKey: text("idempotency_key").notNull(),
    /** The copy's first application. */
    clientId: text("client_id").notNull(),
    /** Until when its request may still copy. */
    leaseUntil: integer("lease_until").notNull(),
    /** When the copy was whole and opened; null before. */
    finishedAt: integer("finished_at"),
    /** The original's newest movement when it was read; null before. */
    originalMovement: integer("original_movement"),
    /** That movement's hash. */
    originalHash: text("original_hash"),
  },
  (table) => [
    /** One copy for each key. */
    uniqueIndex("company_forks_key").on(table.idempotencyKey),
    /** Those to erase. */
    index("company_forks_open")
      .on(table.leaseUntil)
      .where(sql`finished_at IS NULL`),
  ],
);

/** The company of each client id, for companies that live or lived outside `DB`. Only in `DB`. */
export const clients = sqliteTable("clients", {
  /** As in `applications`. */
  clientId: text("client_id").primaryKey(),
  companyId: integer("company_id").notNull(),
});

/**
 * The numbers that companies were made under, and the requests that made them. A number is taken here before the
 * company's rows are written, so that a repeated request finds its company, and finishes one that a crash left. Only in
 * `DB`.
 */
export const companyCreations = sqliteTable(
  "company_creations",
  {
    /** The number. */
    companyId: integer("company_id").primaryKey(),
    /** The request's `Idempotency-Key`; random without one. */
    idempotencyKey: text("idempotency_key").notNull(),
    /** SHA-256 of the request's canonical JSON. */
    requestHash: text("request_hash").notNull(),
    /** The binding of the database in which it was made. */
    database: text("database").notNull(),
    /** As in `companies`. */
    providerCompanyId: text("provider_company_id").notNull(),
    /** The company's first application. */
    clientId: text("client_id").notNull(),
    /** The first request. */
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    /** One company for each key. */
    uniqueIndex("company_creations_key").on(table.idempotencyKey),
  ],
);

/**
 * Claims to PIX keys and to other accounts at banks: an index sees only one database. Only in `DB`, with several
 * databases; `psp_accounts` decides (decision 0034).
 */
export const pixKeys = sqliteTable(
  "pix_keys",
  {
    /** Key of a PSP account, or what tells an account without one. Such as `efi-cobrancas:payee:1f2e`. */
    pixKey: text("pix_key").primaryKey(),
    /** Claimant. */
    companyId: integer("company_id").notNull(),
  },
  (table) => [
    /** A company's claims. */
    index("pix_keys_company").on(table.companyId),
  ],
);

/**
 * `here`: active. `closing`: draining, read but not written. `arriving`: incoming, and `left`: moved
 * away, both neither read nor written.
 */
export const FENCE_STATES = ["here", "closing", "left", "arriving"] as const;

/**
 * Which moved companies a database may serve; a company without a row was never moved. Written by the mover. Each
 * write batch first sets `passed` on a fence that refuses it, so that the CHECK fails the batch.
 */
export const fences = sqliteTable(
  "fences",
  {
    companyId: integer("company_id").primaryKey(),
    /** `here`, `closing` (read only), `left` or `arriving` (neither). */
    state: text("state", { enum: FENCE_STATES }).notNull(),
    /** Migration that wrote it. */
    move: integer("move").notNull(),
    /** Step that wrote it. */
    epoch: integer("turn").notNull(),
    /** Always 0 (CHECK). */
    passed: integer("passed").notNull().default(0),
  },
  () => [check("fence_holds", sql`passed = 0`)],
);

/**
 * The rows of migrating companies that changed, in commit order, captured by temporary triggers in the source.
 * AUTOINCREMENT never reuses a number, so that deleting the applied changes deletes no newer one.
 */
export const moveChanges = sqliteTable("move_changes", {
  /** Never reused. */
  number: integer("number").primaryKey({ autoIncrement: true }),
  /** Migrating company. */
  companyId: integer("company_id").notNull(),
  /** Table. */
  tableName: text("table_name").notNull(),
  /** The row's key, without the company, as a JSON array. Such as `[2]`. */
  rowKey: text("row_key").notNull(),
});

/** Which code may write here: one row. In each database. */
export const schemaVersion = sqliteTable(
  "schema_version",
  {
    /** 1. */
    only: integer("only").primaryKey(),
    /** Migrations of `migrations/contract` that were applied: code that knows fewer answers 503 to what writes. */
    contracts: integer("contracts").notNull(),
  },
  (table) => [check("schema_version_only", sql`${table.only} = 1`)],
);

/**
 * The company that a received PIX belongs to (decision 0018). Companies may share a client of a PSP's API, whose lists
 * then show each of them the payments of all: a payment is claimed here before it is credited. Only in `DB`. One row
 * for each PIX received over a PSP, about 200 bytes, for ever.
 */
export const paymentOwners = sqliteTable(
  "payment_owners",
  {
    /** SHA-256 of the token host and the id of the PSP's client. */
    pspClient: text("psp_client").notNull(),
    /**
     * End-to-end id in lower case: twins by case only share a row. `payout:` and the id of a payout that names no key.
     */
    paymentKey: text("payment_key").notNull(),
    /** The id as the PSP writes it: a twin by case only is not the same payment. */
    paymentId: text("payment_id").notNull(),
    /** Its company. */
    companyId: integer("company_id").notNull(),
    /** Whether nobody knows whose it is: the operators of this company see it, and nothing credits it. */
    isUndecided: integer("is_undecided", { mode: "boolean" }).notNull(),
  },
  (table) => [
    /** One owner. */
    primaryKey({ columns: [table.pspClient, table.paymentKey] }),
  ],
);
