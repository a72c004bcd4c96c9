import { and, asc, eq, lte, sql } from "drizzle-orm";
import type { Env } from "../config.ts";
import { databaseFor } from "./client.ts";
import { companies, companyClocks } from "./schema/companies.ts";
import type { FanOut, ShardRow } from "./sharding/fan-out.ts";
import { runIdempotent } from "./storage-errors.ts";

/** Until when (the company's time) a company's clock still runs; null where it stands, or was never moved. */
export async function clockRunsUntil(env: Env, companyId: number): Promise<number | null> {
  const [row] = await databaseFor(env, companyId)
    .select({ runsUntil: companyClocks.runsUntil })
    .from(companyClocks)
    .where(eq(companyClocks.companyId, companyId));
  return row?.runsUntil ?? null;
}

/**
 * Takes a company's clock, to run it until a time at least (the company's; null: only on). Returns until when it runs;
 * false if another run has it.
 */
export async function leaseClock(
  env: Env,
  companyId: number,
  { until, nowMs, leaseUntil }: { until: number | null; nowMs: number; leaseUntil: number },
): Promise<{ runsUntil: number | null } | false> {
  const [row] = await databaseFor(env, companyId)
    .insert(companyClocks)
    .values({ companyId, runsUntil: until, leaseUntil })
    .onConflictDoUpdate({
      target: companyClocks.companyId,
      set: {
        runsUntil: sql`nullif(max(coalesce(${companyClocks.runsUntil}, 0), coalesce(excluded.runs_until, 0)), 0)`,
        leaseUntil,
      },
      setWhere: lte(companyClocks.leaseUntil, nowMs),
    })
    .returning({ runsUntil: companyClocks.runsUntil });
  return row ?? false;
}

/** Gives a company's clock back; `isDone`: it has run until where it was moved. */
export async function releaseClock(env: Env, companyId: number, isDone: boolean): Promise<void> {
  await databaseFor(env, companyId)
    .update(companyClocks)
    .set({ leaseUntil: 0, ...(isDone ? { runsUntil: null } : {}) })
    .where(eq(companyClocks.companyId, companyId));
}

/** Saves how far a sandbox company's clock is ahead, in milliseconds. It never goes back. */
export async function saveClockOffset(
  env: Env,
  companyId: number,
  offsetMs: number,
): Promise<void> {
  await runIdempotent(() =>
    databaseFor(env, companyId)
      .update(companies)
      .set({ clockOffsetMs: offsetMs })
      .where(
        and(
          eq(companies.id, companyId),
          eq(companies.mode, "sandbox"),
          sql`${companies.clockOffsetMs} < ${offsetMs}`,
        ),
      )
      .run(),
  );
}

/** Companies whose clock was moved, the first of each database. */
export function movedCompanies(
  fanOut: FanOut,
  limit: number,
): Promise<ShardRow<{ companyId: number }>[]> {
  return fanOut.rows(limit, ({ db, isLocal }) =>
    db
      .select({ companyId: companyClocks.companyId })
      .from(companyClocks)
      .where(isLocal(companyClocks.companyId))
      .orderBy(asc(companyClocks.companyId))
      .limit(limit),
  );
}
