import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Env } from "../../../config.ts";
import { databaseFor, type Database } from "../../../db/client.ts";
import { disputes } from "../../../db/schema/disputes.ts";
import { emails } from "../../../db/schema/people/emails.ts";
import { callbacks } from "../../../db/schema/operations.ts";
import { unexpectedPayments } from "../../../db/schema/payments.ts";
import { transactions } from "../../../db/schema/transactions.ts";
import { deliveries } from "../../../db/schema/webhooks.ts";
import { eventId, type DeliveryRef } from "../../../domain/events/delivery.ts";
import type { DueItem } from "../../../domain/time/due-item.ts";

/** Something that D1 has due: an item, and of a delivery where it goes. */
export type DueInD1 = DueItem & { delivery?: DeliveryRef };

interface DueQuery {
  companyId: number;
  /** Deadlines up to this time (Unix milliseconds) are over already: nothing is done at them. */
  from: number;
  until: number;
  limit: number;
}

/**
 * The first `limit` things of each kind that D1 has due for a company by a time, in one trip. Reads the due rows of all
 * companies of its database up to that time: for the clock of a sandbox company, not for the cron.
 */
export async function dueInD1(env: Env, due: DueQuery): Promise<DueInD1[]> {
  const { companyId } = due;
  const db = databaseFor(env, companyId);
  const [charges, sent, mails, credits, kept, deadlines] = await db.batch([
    dueCharges(db, due),
    dueDeliveries(db, due),
    dueEmails(db, due),
    dueCredits(db, due),
    dueCallbacks(db, due),
    disputeDeadlines(db, due),
  ]);
  return [
    ...charges.map(({ at, id, isExpiry }) => ({
      at,
      id,
      kind: isExpiry === 1 ? ("charge_expiry" as const) : ("charge_lookup" as const),
    })),
    ...sent.map(({ at, companySequence, target }) => ({
      at,
      kind: "delivery" as const,
      id: eventId(companyId, companySequence),
      delivery: { companyId, companySequence, target },
    })),
    ...mails.map(({ at, id }) => ({ at, id, kind: "email" as const })),
    ...credits.map(({ at, id }) => ({ at, id, kind: "credit" as const })),
    ...kept.map(({ at, id }) => ({ at, id, kind: "callback" as const })),
    ...deadlines.map(({ at, id }) => ({ at, id, kind: "dispute_deadline" as const })),
  ];
}

function dueCharges(db: Database, { companyId, until, limit }: DueQuery) {
  const { nextSweepAt } = transactions;
  return db
    .select({
      at: sql<number>`${nextSweepAt}`,
      id: transactions.id,
      isExpiry: sql<number>`(${transactions.status} = 'waiting_payment' AND ${transactions.expiresAt} <= ${nextSweepAt})`,
    })
    .from(transactions)
    .where(and(lte(nextSweepAt, until), isOf(transactions.companyId, companyId)))
    .orderBy(asc(nextSweepAt))
    .limit(limit);
}

function dueDeliveries(db: Database, { companyId, until, limit }: DueQuery) {
  const { nextAttemptAt } = deliveries;
  return db
    .select({
      at: sql<number>`${nextAttemptAt}`,
      companySequence: deliveries.companySequence,
      target: deliveries.target,
    })
    .from(deliveries)
    .where(and(lte(nextAttemptAt, until), isOf(deliveries.companyId, companyId)))
    .orderBy(asc(nextAttemptAt))
    .limit(limit);
}

function dueEmails(db: Database, { companyId, until, limit }: DueQuery) {
  return db
    .select({ at: emails.nextAttemptAt, id: emails.id })
    .from(emails)
    .where(
      and(
        sql`${emails.status} = 'due'`,
        lte(emails.nextAttemptAt, until),
        isOf(emails.companyId, companyId),
      ),
    )
    .orderBy(asc(emails.nextAttemptAt))
    .limit(limit);
}

function dueCredits(db: Database, { companyId, until, limit }: DueQuery) {
  return db
    .select({
      at: sql<number>`${unexpectedPayments.nextRunAt}`,
      id: unexpectedPayments.paymentId,
    })
    .from(unexpectedPayments)
    .where(
      and(lte(unexpectedPayments.nextRunAt, until), isOf(unexpectedPayments.companyId, companyId)),
    )
    .orderBy(asc(unexpectedPayments.nextRunAt))
    .limit(limit);
}

function dueCallbacks(db: Database, { companyId, until, limit }: DueQuery) {
  return db
    .select({ at: callbacks.dueAt, id: callbacks.objectId })
    .from(callbacks)
    .where(and(lte(callbacks.dueAt, until), isOf(callbacks.companyId, companyId)))
    .orderBy(asc(callbacks.dueAt))
    .limit(limit);
}

function disputeDeadlines(db: Database, { companyId, from, until }: DueQuery) {
  return db
    .select({ at: sql<number>`${disputes.deadline}`, id: disputes.id })
    .from(disputes)
    .where(
      and(
        eq(disputes.companyId, companyId),
        eq(disputes.status, "OPEN"),
        gt(disputes.deadline, from),
        lte(disputes.deadline, until),
      ),
    );
}

/** The index of what is due finds the rows; that of the company would read its whole history. */
function isOf(column: SQLiteColumn, companyId: number) {
  return sql`+${column} = ${companyId}`;
}
