import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Daily head of each ledger, stored outside its object (decision 0039). Never changed. Written by the cron. */
export const ledgerAnchors = sqliteTable(
  "ledger_anchors",
  {
    companyId: integer("company_id").notNull(),
    /** `YYYY-MM-DD`, UTC. */
    day: text("day").notNull(),
    /** The newest movement on that day. */
    movement: integer("movement").notNull(),
    /** The hash of that movement. */
    hash: text("hash").notNull(),
    /** SHA-256 over the digest of the day's previous company and this row. */
    digest: text("digest").notNull(),
    /** When it was anchored. */
    anchoredAt: integer("anchored_at").notNull(),
  },
  (table) => [
    /** A company's newest anchors. */
    primaryKey({ columns: [table.companyId, table.day] }),
  ],
);

/**
 * The signature over all heads of a day, with the gateway's own key. Never changes once signed. Written by the cron.
 */
export const anchorDays = sqliteTable("anchor_days", {
  /** `YYYY-MM-DD`, UTC. */
  day: text("day").primaryKey(),
  /** The digest of the day's last company so far. */
  digest: text("digest").notNull(),
  /**
   * The last company of the day's scan so far: the first pass collects heads, the second notifies companies; null at
   * the end.
   */
  atCompany: integer("at_company"),
  /** Number of heads. */
  companies: integer("companies").notNull(),
  /** Ed25519 in base64 over `centavo-ledger-anchor <day> <digest>`; null until signed. */
  signature: text("signature"),
  /** The public key of the signature, base64. */
  publicKey: text("public_key"),
  /** When it was signed. */
  signedAt: integer("signed_at"),
});

/** Size of each database and object. Written by the cron. */
export const storageFigures = sqliteTable(
  "storage_gauges",
  {
    /** A database's binding, or `company:<id>` for a company's object. */
    name: text("name").primaryKey(),
    /** Its size in bytes. */
    bytes: integer("bytes").notNull(),
    /** Whether new charges are stopped because it is full. */
    stopped: integer("stopped", { mode: "boolean" }).notNull(),
    /** When it was measured. */
    measuredAt: integer("measured_at").notNull(),
  },
  (table) => [
    /** The largest objects. */
    index("storage_gauges_bytes").on(table.bytes),
  ],
);
