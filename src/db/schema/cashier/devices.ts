import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/**
 * Browsers at a counter that a company's people share. Such a one opens the counter and nothing else, for whose PIN was
 * typed last. Only in `DB`.
 */
export const cashierDevices = sqliteTable(
  "cashier_devices",
  {
    /** UUID. */
    id: text("id").primaryKey(),
    companyId: integer("company_id").notNull(),
    /** Where it stands, such as `Balcão 1`. */
    name: text("name").notNull(),
    /** SHA-256 (hex) of what the cookie holds, which is also signed. */
    tokenHash: text("token_hash").notNull(),
    /** The person who put it there. */
    createdBy: text("created_by").notNull(),
    createdAt: integer("created_at").notNull(),
    /** When it ends by itself. */
    expiresAt: integer("expires_at").notNull(),
    /** When somebody ended it; null while it works. */
    revokedAt: integer("revoked_at"),
    /** Whose PIN was typed last; null before the first, and after he left. */
    userId: text("user_id"),
    /** When that was. */
    since: integer("since"),
    /** Wrong PINs in a row, of whomever; the tenth ends the device. */
    failedPins: integer("failed_pins").notNull().default(0),
  },
  (table) => [
    /** The device of a request. */
    uniqueIndex("cashier_devices_token").on(table.tokenHash),
    /** A company's devices, newest first. */
    index("cashier_devices_company").on(table.companyId, table.createdAt),
  ],
);

/** The PIN by which a person uses a shared counter of a company; gone once it is taken away. Only in `DB`. */
export const cashierPins = sqliteTable(
  "cashier_pins",
  {
    companyId: integer("company_id").notNull(),
    /** The person. */
    userId: text("user_id").notNull(),
    /** Scrypt as of `accounts.password`. */
    pinHash: text("pin_hash").notNull(),
    /** When the person chose it. */
    setAt: integer("set_at").notNull(),
    /** Wrong PINs in a row; the fifth locks it until the person chooses another. */
    failedTries: integer("failed_tries").notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.userId] })],
);
