import { and, desc, eq, lt } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor } from "../../db/client.ts";
import { disputes } from "../../db/schema/disputes.ts";
import type { DisputeRecord } from "../../domain/disputes/dispute.ts";

/** A company's disputes below a number, newest first. */
export async function disputesBefore(
  env: Env,
  companyId: number,
  query: { status: DisputeRecord["status"] | undefined; before: number; limit: number },
): Promise<DisputeRecord[]> {
  const { status, before, limit } = query;
  return databaseFor(env, companyId)
    .select()
    .from(disputes)
    .where(
      and(
        eq(disputes.companyId, companyId),
        status === undefined ? undefined : eq(disputes.status, status),
        lt(disputes.number, before),
      ),
    )
    .orderBy(desc(disputes.number))
    .limit(limit);
}

/** A company's dispute by the provider's id; null if there is none. */
export async function findDispute(
  env: Env,
  companyId: number,
  id: string,
): Promise<DisputeRecord | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(disputes)
    .where(and(eq(disputes.companyId, companyId), eq(disputes.id, id)))
    .limit(1);
  return row ?? null;
}
