import { and, asc, desc, eq, gt, gte, lt, sql } from "drizzle-orm";
import { databaseFor } from "../../db/client.ts";
import { bodyOf } from "../../db/event-bodies.ts";
import { runIdempotent } from "../../db/faults.ts";
import { events } from "../../db/schema/webhooks.ts";
import type { DeliveryRef } from "../../domain/delivery.ts";
import type { Env } from "../../env.ts";
import {
  DELIVERIES,
  deliveryIn,
  type DeliveryRow,
  type EventDeliveries,
} from "../../db/event-rows.ts";
import { makeDue } from "../../webhooks/repository.ts";

/** What happened, without what was done to deliver it. */
const EVENT = {
  companyId: events.companyId,
  companySequence: events.companySequence,
  type: events.type,
  objectId: events.objectId,
  sequence: events.sequence,
  createdAt: events.createdAt,
  body: events.body,
};

export type EventRow = Pick<typeof events.$inferSelect, keyof typeof EVENT>;
export type FoundEvent = typeof events.$inferSelect;

/** A company's events after one, in its gap-free order. */
export async function eventsAfter(
  env: Env,
  companyId: number,
  after: number,
  limit: number,
): Promise<EventRow[]> {
  return databaseFor(env, companyId)
    .select(EVENT)
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
  const [event] = await databaseFor(env, companyId)
    .select()
    .from(events)
    .where(and(eq(events.companyId, companyId), eq(events.companySequence, companySequence)));
  return event ?? null;
}

/** The bytes of an event that are signed and sent; null where there is none of that number. */
export async function findEventBody(
  env: Env,
  companyId: number,
  companySequence: number,
): Promise<string | null> {
  const [event] = await databaseFor(env, companyId)
    .select({ body: events.body, objectId: events.objectId, createdAt: events.createdAt })
    .from(events)
    .where(and(eq(events.companyId, companyId), eq(events.companySequence, companySequence)));
  return event === undefined ? null : bodyOf(event);
}

/** A company's events below a place in its order, newest first, each with its deliveries. */
export async function eventsBefore(
  env: Env,
  companyId: number,
  before: number,
  limit: number,
): Promise<EventDeliveries[]> {
  return databaseFor(env, companyId)
    .select(DELIVERIES)
    .from(events)
    .where(and(eq(events.companyId, companyId), lt(events.companySequence, before)))
    .orderBy(desc(events.companySequence))
    .limit(limit);
}

export async function findDelivery(env: Env, ref: DeliveryRef): Promise<DeliveryRow | null> {
  const [row] = await databaseFor(env, ref.companyId)
    .select(DELIVERIES)
    .from(events)
    .where(
      and(eq(events.companyId, ref.companyId), eq(events.companySequence, ref.companySequence)),
    );
  return row === undefined ? null : deliveryIn(row, ref.target);
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
  const answers = await runIdempotent(() =>
    db.batch([
      makeDue(db, first, nowMs),
      ...others.map((delivery) => makeDue(db, delivery, nowMs)),
    ]),
  );
  return asked.flatMap(({ target }, index) =>
    (answers[index] ?? []).flatMap((row) => deliveryIn(row, target) ?? []),
  );
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

/** A company's events of a range of numbers, oldest first, each with its deliveries. */
export async function eventsBetween(
  env: Env,
  companyId: number,
  first: number,
  end: number,
  limit: number,
): Promise<EventDeliveries[]> {
  return databaseFor(env, companyId)
    .select(DELIVERIES)
    .from(events)
    .where(
      and(
        eq(events.companyId, companyId),
        gte(events.companySequence, first),
        lt(events.companySequence, end),
      ),
    )
    .orderBy(asc(events.companySequence))
    .limit(limit);
}
