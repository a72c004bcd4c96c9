import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import type { Database, Shard } from "../../db/client.ts";
import { cursors } from "../../db/schema/operations.ts";
import { deliveries } from "../../db/schema/webhooks.ts";
import type { DeliveryRef } from "../../domain/events/delivery.ts";

/** The name of the sweep's cursor; each database has one. */
const SWEEP = "deliveries";

/** A delivery whose next attempt is due. */
export interface OverdueDelivery extends DeliveryRef {
  url: string;
  /** Unix milliseconds. */
  nextAttemptAt: number;
}

/** The due time at which a database's next sweep begins, Unix milliseconds; 0 before the first. */
export async function findSweepCursor(db: Database): Promise<number> {
  const [row] = await db
    .select({ value: cursors.value })
    .from(cursors)
    .where(eq(cursors.name, SWEEP));
  return row?.value ?? 0;
}

/** Saves the due time at which a database's next sweep begins. */
export async function saveSweepCursor(db: Database, dueAt: number): Promise<void> {
  await db
    .insert(cursors)
    .values({ name: SWEEP, value: dueAt })
    .onConflictDoUpdate({ target: cursors.name, set: { value: dueAt } });
}

/** A database's deliveries due by a time, the longest due first, after a due time or a delivery. */
export async function findOverdueDeliveries(
  { db, isLocal }: Shard,
  dueBefore: number,
  after: OverdueDelivery | number,
  limit: number,
): Promise<OverdueDelivery[]> {
  const { companyId, companySequence, target, url } = deliveries;
  const nextAttemptAt = sql<number>`${deliveries.nextAttemptAt}`;
  const isAfterCursor =
    typeof after === "number"
      ? gt(nextAttemptAt, after)
      : sql`(${nextAttemptAt}, ${companyId}, ${companySequence}, ${target}) >
          (${after.nextAttemptAt}, ${after.companyId}, ${after.companySequence}, ${after.target})`;
  return db
    .select({ companyId, companySequence, target, url, nextAttemptAt })
    .from(deliveries)
    .where(and(lte(nextAttemptAt, dueBefore), isAfterCursor, isLocal(companyId)))
    .orderBy(asc(nextAttemptAt), asc(companyId), asc(companySequence), asc(target))
    .limit(limit);
}
