import { and, eq, gt, isNotNull, lte, sql } from "drizzle-orm";
import { directoryOf, fromAllDatabases } from "../db/client.ts";
import { cursors } from "../db/schema/operations.ts";
import { events } from "../db/schema/webhooks.ts";
import type { Env } from "../env.ts";
import { DELIVERIES, deliveriesIn, type DeliveryRow } from "../db/event-rows.ts";

/** The name of the sweep's cursor. */
const SWEEP = "deliveries";

/** An event with something due. */
export interface OverdueEvent {
  companyId: number;
  companySequence: number;
  /** When the first of its deliveries is due. */
  dueAt: number;
  /** Those of them that are due. */
  deliveries: DeliveryRow[];
}

/** Up to which due time the last sweep has looked; 0 where it came to the end. */
export async function sweptUpTo(env: Env): Promise<number> {
  const [row] = await directoryOf(env)
    .select({ value: cursors.value })
    .from(cursors)
    .where(eq(cursors.name, SWEEP));
  return row?.value ?? 0;
}

export async function setSweptUpTo(env: Env, dueAt: number): Promise<void> {
  await directoryOf(env)
    .insert(cursors)
    .values({ name: SWEEP, value: dueAt })
    .onConflictDoUpdate({ target: cursors.name, set: { value: dueAt } });
}

/**
 * Events with deliveries that are due, longest due first, beyond a due time or after one of them; one
 * in flight is among them until it is recorded.
 */
export async function overdueEvents(
  env: Env,
  dueBefore: number,
  after: OverdueEvent | number,
  limit: number,
): Promise<OverdueEvent[]> {
  const { dueAt, companyId, companySequence } = events;
  const beyond =
    typeof after === "number"
      ? gt(dueAt, after)
      : sql`(${dueAt}, ${companyId}, ${companySequence}) >
          (${after.dueAt}, ${after.companyId}, ${after.companySequence})`;
  const rows = await fromAllDatabases(
    env,
    companyId,
    (db, isHere) =>
      db
        .select({ ...DELIVERIES, dueAt: sql<number>`${dueAt}` })
        .from(events)
        .where(and(isNotNull(dueAt), lte(dueAt, dueBefore), beyond, isHere))
        .orderBy(dueAt, companyId, companySequence)
        .limit(limit),
    {
      order: (left, right) =>
        left.dueAt - right.dueAt ||
        left.companyId - right.companyId ||
        left.companySequence - right.companySequence,
      limit,
    },
  );
  return rows.map((row) => ({
    companyId: row.companyId,
    companySequence: row.companySequence,
    dueAt: row.dueAt,
    deliveries: deliveriesIn(row).filter(
      (delivery) => delivery.dueAt !== null && delivery.dueAt <= dueBefore,
    ),
  }));
}
