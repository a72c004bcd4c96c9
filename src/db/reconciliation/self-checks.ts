import { eq } from "drizzle-orm";
import type { Env } from "../../config.ts";
import { databaseFor } from "../client.ts";
import { runIdempotent } from "../storage-errors.ts";
import { selfChecks } from "../schema/operations.ts";

export type StoredCheck = typeof selfChecks.$inferSelect;

/** A company's last self-check; null if there was none. */
export async function findSelfCheck(env: Env, companyId: number): Promise<StoredCheck | null> {
  const [row] = await databaseFor(env, companyId)
    .select()
    .from(selfChecks)
    .where(eq(selfChecks.companyId, companyId));
  return row ?? null;
}

/** Replaces a company's last self-check. */
export async function saveSelfCheck(env: Env, check: StoredCheck): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, check.companyId)
      .insert(selfChecks)
      .values(check)
      .onConflictDoUpdate({ target: selfChecks.companyId, set: check })
      .run(),
  );
}
