import { and, eq } from "drizzle-orm";
import type { Env } from "../config.ts";
import { databaseFor } from "./client.ts";
import { reminderStops } from "./schema/people/emails.ts";
import { runIdempotent } from "./storage-errors.ts";

/** Whether a payer wants no reminders of a company. `emailHash`: the keyed hash of its address. */
export async function isStopped(env: Env, companyId: number, emailHash: string): Promise<boolean> {
  const rows = await databaseFor(env, companyId)
    .select({ emailHash: reminderStops.emailHash })
    .from(reminderStops)
    .where(and(eq(reminderStops.companyId, companyId), eq(reminderStops.emailHash, emailHash)));
  return rows.length > 0;
}

/** Stores that a payer wants no reminders of a company. One that is there keeps its time. */
export async function saveStop(
  env: Env,
  companyId: number,
  emailHash: string,
  nowMs: number,
): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, companyId)
      .insert(reminderStops)
      .values({ companyId, emailHash, createdAt: nowMs })
      .onConflictDoNothing(),
  );
}
