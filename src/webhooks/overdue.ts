import { and, eq, gt, isNotNull, lte, sql } from "drizzle-orm";
import { databaseFor } from "../db/client.ts";
import { cursors } from "../db/schema/operations.ts";
import { deliveries } from "../db/schema/webhooks.ts";
import type { Env } from "../env.ts";
import type { DeliveryRow } from "./repository.ts";

/** The name of the sweep's cursor. */
const SWEEP = "deliveries";

export type OverdueDelivery = Pick<
  DeliveryRow,
  "companyId" | "companySequence" | "target" | "url" | "dueAt"
>;

/** Up to which due time the last sweep has looked; 0 where it came to the end. */
export async function sweptUpTo(env: Env): Promise<number> {
  const [row] = await databaseFor(env, 0)
    .select({ value: cursors.value })
    .from(cursors)
    .where(eq(cursors.name, SWEEP));
  return row?.value ?? 0;
}

export async function setSweptUpTo(env: Env, dueAt: number): Promise<void> {
  await databaseFor(env, 0)
    .insert(cursors)
    .values({ name: SWEEP, value: dueAt })
    .onConflictDoUpdate({ target: cursors.name, set: { value: dueAt } });
}

/**
 * Deliveries that are due, longest due first, beyond a due time or after one of them; one in flight
 * is among them until it is recorded.
 */
export async function overdueDeliveries(
  env: Env,
  dueBefore: number,
  after: OverdueDelivery | number,
  limit: number,
): Promise<OverdueDelivery[]> {
  const { dueAt, companyId, companySequence, target } = deliveries;
  const beyond =
    typeof after === "number"
      ? gt(dueAt, after)
      : sql`(${dueAt}, ${companyId}, ${companySequence}, ${target}) >
          (${after.dueAt}, ${after.companyId}, ${after.companySequence}, ${after.target})`;
  return databaseFor(env, 0)
    .select({ companyId, companySequence, target, url: deliveries.url, dueAt })
    .from(deliveries)
    .where(and(isNotNull(dueAt), lte(dueAt, dueBefore), beyond))
    .orderBy(dueAt, companyId, companySequence, target)
    .limit(limit);
}
