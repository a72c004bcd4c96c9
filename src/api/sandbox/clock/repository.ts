import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { Env } from "../../../config.ts";
import { databaseFor, type Database } from "../../../db/client.ts";
import { disputeResponses, disputes } from "../../../db/schema/disputes.ts";
import { emails } from "../../../db/schema/people/emails.ts";
import { callbacks } from "../../../db/schema/operations.ts";
import { unexpectedPayments } from "../../../db/schema/payments.ts";
import { transactions } from "../../../db/schema/transactions.ts";
import { deliveries } from "../../../db/schema/webhooks.ts";
import { eventId, type DeliveryRef } from "../../../domain/events/delivery.ts";
import type { DueItem, DueKind } from "../../../domain/time/due-item.ts";
import { RESPONSES_MAX } from "../../disputes/response/tasks.ts";
import { EMAILS_MAX } from "../../emails/tasks.ts";
import { CREDITS_MAX } from "../../payments/tasks.ts";
import { CALLBACKS_PER_COMPANY } from "../../provider-callbacks/tasks.ts";
import { CHARGES_MAX } from "../../transactions/sweep/tasks.ts";

/** What the sweep of a kind does at once: what is listed with it must not be more. */
const SWEPT_MAX = {
  charges: CHARGES_MAX,
  emails: EMAILS_MAX,
  credits: CREDITS_MAX,
  callbacks: CALLBACKS_PER_COMPANY,
  responses: RESPONSES_MAX,
};

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
export async function dueInD1(env: Env, query: DueQuery): Promise<DueInD1[]> {
  const { companyId } = query;
  const db = databaseFor(env, companyId);
  const [charges, sent, mails, credits, kept, deadlines, answers] = await db.batch([
    dueCharges(db, query),
    dueDeliveries(db, query),
    dueMails(db, query),
    dueCredits(db, query),
    dueCallbacks(db, query),
    endingDeadlines(db, query),
    dueAnswers(db, query),
  ]);
  return [
    ...charges.map(({ at, id, isExpiry }) =>
      itemOf(isExpiry === 1 ? "charge_expiry" : "charge_lookup", at, id),
    ),
    ...sent.map(({ at, companySequence, target }) => ({
      at,
      kind: "delivery" as const,
      id: eventId(companyId, companySequence),
      delivery: { companyId, companySequence, target },
    })),
    ...mails.map(({ at, id }) => itemOf("email", at, id)),
    ...credits.map(({ at, id }) => itemOf("credit", at, id)),
    ...kept.map(({ at, id }) => itemOf("callback", at, id)),
    ...deadlines.map(({ at, id }) => itemOf("dispute_deadline", at, id)),
    ...answers.map(({ at, id }) => itemOf("dispute_response", at, id)),
  ];
}

/** The index of what is due finds the rows; that of the company would read its whole history. */
function isOf(column: SQLiteColumn, companyId: number) {
  return sql`+${column} = ${companyId}`;
}

function dueCharges(db: Database, { companyId, until, limit }: DueQuery) {
  const { id, status, expiresAt, nextSweepAt } = transactions;
  return db
    .select({
      at: sql<number>`${nextSweepAt}`,
      id,
      isExpiry: sql<number>`(${status} = 'waiting_payment' AND ${expiresAt} <= ${nextSweepAt})`,
    })
    .from(transactions)
    .where(and(lte(nextSweepAt, until), isOf(transactions.companyId, companyId)))
    .orderBy(asc(nextSweepAt))
    .limit(Math.min(limit, SWEPT_MAX.charges));
}

function dueDeliveries(db: Database, { companyId, until, limit }: DueQuery) {
  const { companySequence, target, nextAttemptAt } = deliveries;
  return db
    .select({ at: sql<number>`${nextAttemptAt}`, companySequence, target })
    .from(deliveries)
    .where(and(lte(nextAttemptAt, until), isOf(deliveries.companyId, companyId)))
    .orderBy(asc(nextAttemptAt))
    .limit(limit);
}

function dueMails(db: Database, { companyId, until, limit }: DueQuery) {
  const { id, status, nextAttemptAt } = emails;
  return db
    .select({ at: nextAttemptAt, id })
    .from(emails)
    .where(
      and(sql`${status} = 'due'`, lte(nextAttemptAt, until), isOf(emails.companyId, companyId)),
    )
    .orderBy(asc(nextAttemptAt))
    .limit(Math.min(limit, SWEPT_MAX.emails));
}

function dueCredits(db: Database, { companyId, until, limit }: DueQuery) {
  const { paymentId: id, nextRunAt } = unexpectedPayments;
  return db
    .select({ at: sql<number>`${nextRunAt}`, id })
    .from(unexpectedPayments)
    .where(and(lte(nextRunAt, until), isOf(unexpectedPayments.companyId, companyId)))
    .orderBy(asc(nextRunAt))
    .limit(Math.min(limit, SWEPT_MAX.credits));
}

function dueCallbacks(db: Database, { companyId, until, limit }: DueQuery) {
  const { objectId: id, dueAt } = callbacks;
  return db
    .select({ at: dueAt, id })
    .from(callbacks)
    .where(and(lte(dueAt, until), isOf(callbacks.companyId, companyId)))
    .orderBy(asc(dueAt))
    .limit(Math.min(limit, SWEPT_MAX.callbacks));
}

/** All of the open disputes whose deadline comes: they are few. */
function endingDeadlines(db: Database, { companyId, from, until }: DueQuery) {
  const { id, status, deadline } = disputes;
  return db
    .select({ at: sql<number>`${deadline}`, id })
    .from(disputes)
    .where(
      and(
        eq(disputes.companyId, companyId),
        eq(status, "OPEN"),
        gt(deadline, from),
        lte(deadline, until),
      ),
    );
}

function dueAnswers(db: Database, { companyId, until, limit }: DueQuery) {
  const { disputeId: id, nextCheckAt } = disputeResponses;
  return db
    .select({ at: sql<number>`${nextCheckAt}`, id })
    .from(disputeResponses)
    .where(
      and(
        lte(nextCheckAt, until),
        sql`next_check_at IS NOT NULL`,
        isOf(disputeResponses.companyId, companyId),
      ),
    )
    .orderBy(asc(nextCheckAt))
    .limit(Math.min(limit, SWEPT_MAX.responses));
}

function itemOf(kind: DueKind, at: number, id: string): DueItem {
  return { at, kind, id };
}
