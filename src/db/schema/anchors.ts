import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** The head of each company's ledger on each day, kept outside its object. Never changed. */
export const ledgerAnchors = sqliteTable(
  "ledger_anchors",
  {
    companyId: integer("company_id").notNull(),
    /** `YYYY-MM-DD`, UTC. */
    day: text("day").notNull(),
    /** The newest movement then, and its hash. */
    movement: integer("movement").notNull(),
    hash: text("hash").notNull(),
    /** SHA-256 over the line before of the day and this one. */
    digest: text("digest").notNull(),
    anchoredAt: integer("anchored_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.day] })],
);

/** The signature over all heads of a day, by the gateway's own key. Never changed. */
export const anchorDays = sqliteTable("anchor_days", {
  day: text("day").primaryKey(),
  /** The digest of the day's last line. */
  digest: text("digest").notNull(),
  /** How far the day's walk over the companies has come; null once it is signed. */
  atCompany: integer("at_company"),
  companies: integer("companies").notNull(),
  /** Ed25519 in base64 over `centavo-ledger-anchor <day> <digest>`; null before the walk's end. */
  signature: text("signature"),
  publicKey: text("public_key"),
  signedAt: integer("signed_at"),
});

/** How full a database is, as the cron last measured. */
export const storageGauges = sqliteTable("storage_gauges", {
  /** A database's binding, or `company:<id>` for a company's object. */
  name: text("name").primaryKey(),
  bytes: integer("bytes").notNull(),
  /** Whether new charges are stopped for its sake. */
  stopped: integer("stopped", { mode: "boolean" }).notNull(),
  measuredAt: integer("measured_at").notNull(),
});
