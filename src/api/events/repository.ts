import { and, asc, desc, eq, gt, lt, sql } from "drizzle-orm";
import { databaseFor } from "../../db/client.ts";
import { runIdempotent } from "../../db/faults.ts";
import { attempts, deliveries, events } from "../../db/schema/webhooks.ts";
import type { DeliveryRef } from "../../domain/delivery.ts";
import type { Env } from "../../env.ts";
import { assert } from "../../lib/assert.ts";

export type EventRow = typeof events.$inferSelect;
export type DeliveryRow = typeof deliveries.$inferSelect;
export type AttemptRow = typeof attempts.$inferSelect;

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
): Promise<{ event: EventRow; deliveries: DeliveryRow[]; attempts: AttemptRow[] } | null> {
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

/** The newest delivery to the same target about the same object. */
export async function newestDelivery(env: Env, delivery: DeliveryRow): Promise<DeliveryRow | null> {
  const [row] = await databaseFor(env, delivery.companyId)
    .select({ delivery: deliveries })
    .from(events)
    .innerJoin(
      deliveries,
      and(
        eq(deliveries.companyId, events.companyId),
        eq(deliveries.companySequence, events.companySequence),
        eq(deliveries.target, delivery.target),
      ),
    )
    .where(and(eq(events.companyId, delivery.companyId), eq(events.objectId, delivery.objectId)))
    .orderBy(desc(events.companySequence))
    .limit(1);
  return row?.delivery ?? null;
}

/** Makes a delivery due now, whatever became of it; answers it as it stands then. */
export async function resendDelivery(
  env: Env,
  delivery: DeliveryRow,
  nowMs: number,
): Promise<DeliveryRow> {
  const { companyId, companySequence, target } = delivery;
  const [row] = await runIdempotent(() =>
    databaseFor(env, companyId)
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
        ),
      )
      .returning()
      .all(),
  );
  assert(row !== undefined, "a delivery stays on record");
  return row;
}
