import { eq } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor } from "../client.ts";
import { runIdempotent } from "../storage-errors.ts";
import { selfChecks } from "../schema/operations.ts";

export type StoredCheck = typeof selfChecks.$inferSelect;

/** How a company's last check came out; null where it was never checked. */
export async function findSelfCheck(env: Env, companyId: number): Promise<StoredCheck | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(selfChecks)
    .where(eq(selfChecks.companyId, companyId));
  return row ?? null;
}

export async function saveSelfCheck(env: Env, check: StoredCheck): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, check.companyId)
      .insert(selfChecks)
      .values(check)
      .onConflictDoUpdate({ target: selfChecks.companyId, set: check })
      .run(),
  );
}
