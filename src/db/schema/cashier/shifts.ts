import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

/** What a cashier does between opening and closing: nobody has two open ones. Written by the console. */
export const cashierShifts = sqliteTable(
  "cashier_shifts",
  {
    companyId: integer("company_id").notNull(),
    /** UUID. */
    id: text("id").notNull(),
    /** The cashier, as the audit trail names people: `person_` and an id. */
    cashier: text("cashier").notNull(),
    /** When it was opened. */
    openedAt: integer("opened_at").notNull(),
    /** Null while it is open. */
    closedAt: integer("closed_at"),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    /** A cashier's open shift. */
    uniqueIndex("cashier_shifts_open")
      .on(table.companyId, table.cashier)
      .where(sql`closed_at IS NULL`),
  ],
);

/** Which charge was made in which shift. Never changed. Written by the console. */
export const cashierCharges = sqliteTable(
  "cashier_charges",
  {
    companyId: integer("company_id").notNull(),
    /** The charge (`transactions.id`). */
    chargeId: text("charge_id").notNull(),
    /** The shift (`cashier_shifts.id`). */
    shiftId: text("shift_id").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.chargeId] }),
    /** A shift's charges, newest last. */
    index("cashier_charges_shift").on(table.companyId, table.shiftId, table.createdAt),
  ],
);
