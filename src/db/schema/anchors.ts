import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The head of each company's ledger on each day, stored outside its object. Rows never change. */
export const ledgerAnchors = sqliteTable(
  "ledger_anchors",
  {
    companyId: integer("company_id").notNull(),
    /** `YYYY-MM-DD`, UTC. */
    day: text("day").notNull(),
    /** The newest movement on that day, and its hash. */
    movement: integer("movement").notNull(),
    hash: text("hash").notNull(),
    /** SHA-256 over the digest of the day's previous company and this row. */
    digest: text("digest").notNull(),
    anchoredAt: integer("anchored_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.day] })],
);

/** The signature over all heads of a day, with the gateway's own key. Never changes once signed. */
export const anchorDays = sqliteTable("anchor_days", {
  day: text("day").primaryKey(),
  /** The digest of the day's last company so far. */
  digest: text("digest").notNull(),
  /** The last company of the day's scan so far; null once the day is signed. */
  atCompany: integer("at_company"),
  companies: integer("companies").notNull(),
  /** Ed25519 in base64 over `centavo-ledger-anchor <day> <digest>`; null until signed. */
  signature: text("signature"),
  publicKey: text("public_key"),
  signedAt: integer("signed_at"),
});

/** The last measured size of a database or of a company's object. */
export const storageGauges = sqliteTable(
  "storage_gauges",
  {
    /** A database's binding, or `company:<id>` for a company's object. */
    name: text("name").primaryKey(),
    bytes: integer("bytes").notNull(),
    /** Whether new charges are stopped because it is full. */
    stopped: integer("stopped", { mode: "boolean" }).notNull(),
    measuredAt: integer("measured_at").notNull(),
  },
  (table) => [index("storage_gauges_bytes").on(table.bytes)],
);
