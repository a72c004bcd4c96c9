import { and, asc, desc, eq, gt, gte, lt, sql } from "drizzle-orm";
import { databaseFor, type Database } from "../../db/client.ts";
import { runIdempotent } from "../../db/faults.ts";
import { attempts, deliveries, events } from "../../db/schema/webhooks.ts";
import type { DeliveryRef } from "../../domain/delivery.ts";
import type { Env } from "../../env.ts";
import { newestNumber } from "../../webhooks/repository.ts";

export type EventRow = typeof events.$inferSelect;
export type DeliveryRow = typeof deliveries.$inferSelect;
export type AttemptRow = typeof attempts.$inferSelect;

export interface FoundEvent {
  event: EventRow;
  deliveries: DeliveryRow[];
  attempts: AttemptRow[];
}

/** A company's events after one, in its gap-free order. */
export async function eventsAfter(
  env: Env,
  companyId: number,
  after: number,
  limit: number,
): Promise<EventRow[]> {
  return databaseFor(env, companyId)
    .select()
    .from(events)
    .where(and(eq(events.companyId, companyId), gt(events.companySequence, after)))
    .orderBy(asc(events.companySequence))
    .limit(limit);
}

/** An event with all that was done to deliver it; null where there is none. */
export async function findEvent(
  env: Env,
  companyId: number,
  companySequence: number,
): Promise<FoundEvent | null> {
  const db = databaseFor(env, companyId);
  const [[event], deliveryRows, attemptRows] = await db.batch([
    db
      .select()
      .from(events)
      .where(and(eq(events.companyId, companyId), eq(events.companySequence, companySequence))),
    db
      .select()
      .from(deliveries)
      .where(
        and(eq(deliveries.companyId, companyId), eq(deliveries.companySequence, companySequence)),
      ),
    db
      .select()
      .from(attempts)
      .where(and(eq(attempts.companyId, companyId), eq(attempts.companySequence, companySequence)))
      .orderBy(attempts.target, attempts.number),
  ]);
  return event === undefined ? null : { event, deliveries: deliveryRows, attempts: attemptRows };
}

/** The bytes of an event that are signed and sent; null where there is none of that number. */
export async function findEventBody(
  env: Env,
  companyId: number,
  companySequence: number,
): Promise<string | null> {
  const [event] = await databaseFor(env, companyId)
    .select({ body: events.body })
    .from(events)
    .where(and(eq(events.companyId, companyId), eq(events.companySequence, companySequence)));
  return event?.body ?? null;
}

/** A company's deliveries below a place in its order, newest first. */
export async function deliveriesBefore(
  env: Env,
  companyId: number,
  before: number,
  limit: number,
): Promise<DeliveryRow[]> {
  return databaseFor(env, companyId)
    .select()
    .from(deliveries)
    .where(and(eq(deliveries.companyId, companyId), lt(deliveries.companySequence, before)))
    .orderBy(desc(deliveries.companySequence), desc(deliveries.target))
    .limit(limit);
}

export async function findDelivery(env: Env, ref: DeliveryRef): Promise<DeliveryRow | null> {
  const [row] = await databaseFor(env, ref.companyId)
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.companyId, ref.companyId),
        eq(deliveries.companySequence, ref.companySequence),
        eq(deliveries.target, ref.target),
      ),
    );
  return row ?? null;
}

/**
 * Makes deliveries due now, whatever became of them, but none of an event that its object has had a
 * newer one of to the same target. Answers those that are due, as they stand then.
 */
export async function resendDeliveries(
  env: Env,
  asked: DeliveryRow[],
  nowMs: number,
): Promise<DeliveryRow[]> {
  const [first, ...others] = asked;
  if (first === undefined) return [];
  const db = databaseFor(env, first.companyId);
  const rows = await runIdempotent(() =>
    db.batch([
      makeDue(db, first, nowMs),
      ...others.map((delivery) => makeDue(db, delivery, nowMs)),
    ]),
  );
  return rows.flat();
}

function makeDue(db: Database, delivery: DeliveryRow, nowMs: number) {
  const { companyId, companySequence, target } = delivery;
  return db
    .update(deliveries)
    .set({
      status: "pending",
      dueAt: nowMs,
      updatedAt: nowMs,
      // What is final is nobody's any more, but its last lease still stands in the row.
      leaseUntil: sql`CASE WHEN due_at IS NULL THEN 0 ELSE lease_until END`,
    })
    .where(
      and(
        eq(deliveries.companyId, companyId),
        eq(deliveries.companySequence, companySequence),
        eq(deliveries.target, target),
        eq(deliveries.companySequence, newestNumber(db, delivery)),
      ),
    )
    .returning();
}

/**
 * The number of the first of a company's events that happened at or after a time, or the one after
 * its newest. Events happen in the order of their numbers, so it bisects: one trip, and rows by the
 * logarithm of their count.
 */
export async function firstEventSince(
  env: Env,
  companyId: number,
  sinceMs: number,
): Promise<number> {
  const [row] = await databaseFor(env, companyId).all<{ number: number }>(sql`
    WITH RECURSIVE bisect (low, high) AS (
      SELECT 1, 1 + coalesce(
        (SELECT max(company_sequence) FROM events WHERE company_id = ${companyId}), 0)
      UNION ALL
      SELECT
        iif(coalesce(created_at, 0) < ${sinceMs}, (low + high) / 2 + 1, low),
        iif(coalesce(created_at, 0) < ${sinceMs}, high, (low + high) / 2)
      FROM bisect LEFT JOIN events
        ON company_id = ${companyId} AND company_sequence = (low + high) / 2
      WHERE low < high
    )
    SELECT low AS number FROM bisect WHERE low = high`);
  return row?.number ?? 1;
}

/** A company's deliveries of events of a range of numbers, oldest first. */
export async function deliveriesBetween(
  env: Env,
  companyId: number,
  first: number,
  end: number,
  limit: number,
): Promise<DeliveryRow[]> {
  return databaseFor(env, companyId)
    .select()
    .from(deliveries)
    .where(
      and(
        eq(deliveries.companyId, companyId),
        gte(deliveries.companySequence, first),
        lt(deliveries.companySequence, end),
      ),
    )
    .orderBy(asc(deliveries.companySequence), asc(deliveries.target))
    .limit(limit);
}
