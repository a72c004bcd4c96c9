import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What an e-mail of a company is about. */
export const EMAIL_KINDS = ["approval", "reminder", "dunning"] as const;
export const EMAIL_STATUSES = ["due", "sent", "obsolete", "failed"] as const;

/**
 * E-mails of a company that are due or were sent. None has a text or an address: both are read when it is sent. Written
 * with the event that causes it, then by the cron.
 */
export const emails = sqliteTable(
  "emails",
  {
    companyId: integer("company_id").notNull(),
    /** Names what it says and to whom, so that it is there once. Such as `approval:7:4f1c`. */
    id: text("id").notNull(),
    /**
     * `approval`: a withdraw waits for one. `reminder`: a payer is reminded of a charge. `dunning`: a payer gets the link to
     * pay what could not be debited.
     */
    kind: text("kind", { enum: EMAIL_KINDS }).notNull(),
    /** What it is about: the withdraw's number, or the charge's id. */
    subject: text("subject").notNull(),
    /** The person who gets it; empty for a payer, and for all who may approve, each of whom gets a row. */
    userId: text("user_id").notNull(),
    /** `due`, `sent`, `obsolete` if its cause was gone before it was sent, `failed` after the last attempt. */
    status: text("status", { enum: EMAIL_STATUSES }).notNull(),
    /** Attempts so far. */
    attempts: integer("attempts").notNull(),
    /** When it is sent, or sent again. */
    nextAttemptAt: integer("next_attempt_at").notNull(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.companyId, table.id] }),
    /** Due ones, cron. */
    index("emails_due")
      .on(table.nextAttemptAt)
      .where(sql`status = 'due'`),
    /** Ended ones, which the cron deletes after a year. */
    index("emails_ended")
      .on(table.updatedAt)
      .where(sql`status <> 'due'`),
    /** Given up, for the operators' figures. */
    index("emails_failed")
      .on(table.updatedAt)
      .where(sql`status = 'failed'`),
  ],
);

/** Payers who want no reminders of a company. */
export const reminderStops = sqliteTable(
  "reminder_stops",
  {
    companyId: integer("company_id").notNull(),
    /** HMAC-SHA256, in hex, of the e-mail address, under the company's key (`lead_key_sealed`). */
    emailHash: text("email_hash").notNull(),
    createdAt: integer("created_at").notNull(),
  },
  /** One for each address. */
  (table) => [primaryKey({ columns: [table.companyId, table.emailHash] })],
);
